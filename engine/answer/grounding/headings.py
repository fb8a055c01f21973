"""Which lines of a draft are headings: they name what follows and claim nothing."""

import re

from engine.answer.grounding.claims.dates import dates
from engine.answer.grounding.claims.quantities import quantities
from engine.normalise import normalise

_LONGEST, _LONGEST_EN = 30, 70
"""Characters of a heading; of one without Chinese characters."""

_MARKED = re.compile(r"\s*#{1,6}\s+\S|\s*\*\*[^*]+\*\*\s*$")
_NUMBER = re.compile(
    r"\s*(?:第[一二三四五六七八九十百\d]+[章节编部篇]|[（(][一二三四五六七八九十]+[）)]|[一二三四五六七八九十]+、|"
    r"\d{1,2}(?:\.\d{1,2})*[.、]?\s+|(?:Chapter|Section|Part)\s+\d+)\s*(?=\S)"
)
_ENDS = re.compile(r"[。！？；.!?;,，、…][”’」』）)\"']*$")
_SAYS = re.compile(r"[，,；;。：:]\s*\S")
_HAN = re.compile(r"[\u3400-\u9fff]")
_VERB = re.compile(r"\b(?:is|are|was|were|has|have|had|will|shall|must|can|may|should)\b|[是为应须]")


def is_heading(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]``, one of its pieces, is a heading: alone on its line, short, without a full
    stop, marked or numbered as one or the first line of all, and with something below it. What holds a number
    of its own or a verb claims something."""
    line = text[start:end]
    longest = _LONGEST if _HAN.search(line) else _LONGEST_EN
    if len(line) > longest or text[:start].rpartition("\n")[2].strip() or not _is_above_text(text, end):
        return False
    is_title = not text[:start].strip()
    if not (_MARKED.match(line) or _NUMBER.match(line) or is_title):
        return False
    said = _NUMBER.sub("", line.strip("#* \t"))
    if _ENDS.search(said) or _SAYS.search(said) or _VERB.search(said):
        return False
    normal = normalise(said)
    of_dates = [range(moment.start, moment.end) for moment in dates(normal)]
    return not any(
        each.unit
        and normal[each.start - 1 : each.start] != "第"
        and not any(each.start in date for date in of_dates)
        for each in quantities(normal)
    )


def _is_above_text(text: str, end: int) -> bool:
    rest = text[end:]
    return rest.lstrip(" \t*").startswith("\n") and bool(rest.strip())
