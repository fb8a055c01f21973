"""What one document says about the thing that all are asked for: by rules, or by the chat model.

The rules take the sentence that holds most of the asked words and a detail of the wanted kind; a document
without such a sentence says nothing. The model reads the best sentences and copies one line, or writes 无.
"""

import re
from collections.abc import Generator as Steps
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.answer import marks, sentences
from engine.answer.evidence import place
from engine.answer.generation import Generator, PromptRead
from engine.answer.prompting import harmless, language_of
from engine.answer.refusal import is_refusal
from engine.answer.survey.recognising import Census, Wanted
from engine.answer.survey.words import words
from engine.cancel import CancelToken
from engine.documents import SearchHit
from engine.index import lexical
from engine.normalise import normalise

ENOUGH, RELATED = 0.6, 0.3
"""Share of the asked words from which a sentence says what was asked for; from which it may."""

MODEL_CHARACTERS, MODEL_TOKENS = 500, 64
"""Evidence that the model is given of one document, and the longest line that it writes."""

_NUMBER = r"\d[\d,，]*(?:\.\d+)?|[零〇一二两三四五六七八九十百千万亿]+(?:点[零〇一二三四五六七八九]+)?"
_MONEY = (
    rf"(?:人民币|rmb|cny|usd|eur|¥|￥|\$|€)\s*(?:{_NUMBER})\s*(?:[万亿百千]*(?:美元|欧元|港元|元))?|"
    rf"(?:{_NUMBER})\s*[万亿百千]*(?:美元|欧元|港元|日元|元|块)"
    r"|\d[\d,]*(?:\.\d+)?\s*(?:million |billion )?(?:yuan|rmb|dollars?|euros?|pounds?|usd|eur)"
)
_DATES = (
    r"(?:19|20)\d\d\s*[年/.-]\s*\d{1,2}(?:\s*[月/.-]\s*\d{1,2}\s*日?|\s*月)?|(?:19|20)\d\d\s*年|\d{1,2}月\d{1,2}日|"
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+\d{1,2},?\s+\d{4}"
)
_SPANS = (
    rf"(?:{_NUMBER})\s*(?:个?(?:工作日|自然日|日历日|小时|分钟|季度|学期)|个月|[天日年周月]|个?星期)(?:[以之]?内)?"
    r"|\d+\s*(?:(?:working|business|calendar) )?(?:days?|weeks?|months?|years?|hours?)"
)
_PATTERNS: dict[Wanted, re.Pattern[str]] = {
    "amount": re.compile(_MONEY),
    "date": re.compile(_DATES),
    "duration": re.compile(_SPANS),
    "percent": re.compile(r"\d+(?:\.\d+)?\s*(?:[%‰]|percent)|百分之[零一二两三四五六七八九十百点]+"),
    "number": re.compile(rf"(?:{_NUMBER})\s*(?:平方米|公里|[名人位个台件套辆间栋户亩吨米])?"),
    "name": re.compile(r"(?<=[:：为是由])\s*[^，。；;、,\s]{2,30}|(?:is|by|:) +[A-Za-z][\w .&-]{1,40}"),
}
_NOTHING = re.compile(r"^(?:无|没有|未写明|不详|none|n/a|not stated|no)[。.]?$")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a document says: the detail, the sentence that holds it (None: a model wrote it), its passage."""

    value: str
    sentence: str | None
    hit: SearchHit


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence with the share of the asked words that it holds."""

    share: float
    at: int
    text: str
    hit: SearchHit


def by_rules(census: Census, passages: Sequence[SearchHit]) -> Finding | None:
    """The detail of a document, from all of its passages; None where it says nothing."""
    if not is_called(census, passages):
        return None
    if census.wanted == "documents":
        return Finding(passages[0].title, _opening(passages[0], _bare_noun(census)), passages[0])
    pattern = _PATTERNS.get(census.wanted)
    best: tuple[float, Finding] | None = None
    for found in candidates(census, passages):
        if found.share < ENOUGH:
            continue
        value = found.text if pattern is None else _detail(found.text, census.aspect, pattern)
        if value is not None and (best is None or found.share > best[0]):
            best = found.share, Finding(value, found.text, found.hit)
    return None if best is None else best[1]


def relevance(census: Census, passages: Sequence[SearchHit]) -> float:
    """How much of the asked words the best sentence holds, 0 to 1; for which documents a model is to read."""
    if not is_called(census, passages):
        return 0.0
    if census.wanted == "documents":
        return 1.0
    return max((found.share for found in candidates(census, passages)), default=0.0)


def by_model(
    question: str, census: Census, passages: Sequence[SearchHit], generator: Generator, token: CancelToken
) -> Steps[None, None, Finding | None]:
    """The line that a chat model copies from the best sentences; a generator of steps.

    Raises:
        Cancelled, GenerationFailed: as the model does.
    """
    best = sorted(candidates(census, passages), key=lambda found: (-found.share, found.at))
    if not best or not is_called(census, passages):
        return None
    if census.wanted == "documents":
        return by_rules(census, passages)  # that much a name says
    hit = best[0].hit
    chosen, length = [], 0
    for found in (each for each in best if each.hit.row == hit.row):
        if length and length + len(found.text) > MODEL_CHARACTERS:
            break
        chosen.append(found)
        length += len(found.text)
    text = "\n".join(found.text for found in sorted(chosen, key=lambda found: found.at))
    said, where = words(question), place(hit, language_of(question))
    aspect = f"{census.noun}：{census.aspect}" if census.aspect else census.noun
    user = said["user"].format(place=harmless(where), text=harmless(text), aspect=harmless(aspect))
    messages = [{"role": "system", "content": said["system"]}, {"role": "user", "content": user.strip()}]
    written = ""
    for step in generator.generate(messages, max_tokens=MODEL_TOKENS, temperature=0.0, token=token):
        if not isinstance(step, PromptRead):
            written += step.text
        yield None
    lines = (marks.read(line)[0].strip() for line in written.splitlines())
    line = next((line for line in lines if line), "")
    if not line or _NOTHING.match(normalise(line)) or is_refusal(line):
        return None
    return Finding(line, None, hit)


def candidates(census: Census, passages: Sequence[SearchHit]) -> Iterator[_Candidate]:
    """Every sentence of a document that holds one of the asked words at least, in order.

    What title and section say counts half: 付款 over a section makes its sentences speak of payment.
    """
    wanted = frozenset(lexical.query_terms(census.aspect or census.noun))
    at = 0
    for hit in passages:
        around = wanted & frozenset(lexical.terms(" ".join((hit.title, *hit.section))))
        for start, end in sentences.split(hit.text):
            text = " ".join(hit.text[start:end].split())
            own = wanted & frozenset(lexical.terms(text))
            at += 1
            if own or (around and not wanted - around):
                share = (len(own) + 0.5 * len(around - own)) / (len(wanted) or 1)
                yield _Candidate(share, at, text, hit)


def _detail(sentence: str, aspect: str, pattern: re.Pattern[str]) -> str | None:
    """The wanted detail that stands first behind the asked words, else the first of the sentence."""
    text = normalise(sentence)
    ends = [text.rfind(term) + len(term) for term in lexical.query_terms(aspect) if term in text]
    found = pattern.search(text, min(max(ends, default=0), len(text))) or pattern.search(text)
    return None if found is None else found.group().strip()


def is_called(census: Census, passages: Sequence[SearchHit]) -> bool:
    """Whether a document is one of those that are asked: its path, title or first lines call it so."""
    noun = _bare_noun(census)
    if not passages or noun in _ANY:
        return bool(passages)
    first = passages[0]
    places = (first.document, first.title, first.text[:_BEGINNING])
    return any(noun in normalise(text) for text in places)


def _bare_noun(census: Census) -> str:
    noun = census.noun.strip()
    return noun.removesuffix("s") if noun.isascii() else noun


_ANY = ("文件", "文档", "资料", "材料", "file", "document")
"""Nouns that any document is."""

_BEGINNING = 120
"""Characters at the beginning of a document in which it may say what it is."""


def _opening(hit: SearchHit, noun: str = "") -> str:
    """The first sentence, or the first that names what the document is."""
    found = [" ".join(hit.text[start:end].split()) for start, end in sentences.split(hit.text)]
    return next((text for text in found if noun in normalise(text)), found[0] if found else hit.title)
