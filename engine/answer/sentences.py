"""Sentences of passages and answers, as spans."""

import re
from collections.abc import Iterator

# A sentence ends at 。！？；or a line break, or at .!?; before a blank or the end (never inside 3.5 or v1.2);
# closing quotes and citation marks belong to the sentence they follow.
_END = re.compile(
    r"(?:[。！？；!?]+|[.;](?=\s|$|[\[【（(]\d))[”’」』）)\"']*(?:\s*[\[【]\s*\d[\d,，、\s-]*[\]】])*|\n+"
)

_LIST_NUMBER = re.compile(r"\s*[\da-zA-Z]{1,2}\.")

# J. Smith, Dr. Smith, e.g. this; "Acme Inc." ends a sentence only before a capital letter.
_ABBREVIATED = re.compile(r"(?:^|[\s(“\"'])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|approx)\.$")
_IN_LOWER_CASE = re.compile(_ABBREVIATED.pattern, re.I)
_COMPANY = re.compile(r"\b(?:Inc|Ltd|Co|Corp|No|Jr|Sr|a\.m|p\.m)\.$")


def split(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the sentences of ``text``, without surrounding blanks; blank ones are left out."""
    start = 0
    for match in _END.finditer(text):
        if _LIST_NUMBER.fullmatch(text, start, match.end()):
            continue  # "3. 访客须登记": the number belongs to its item
        if match.group() == "." and _goes_on(text, match.end()):
            continue
        yield from _trimmed(text, start, match.end())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _goes_on(text: str, end: int) -> bool:
    """Whether the full stop before ``end`` is that of an abbreviation."""
    before, after = text[max(0, end - 10) : end], text[end : end + 2].lstrip()
    if not after or text[end : end + 1] == "\n":
        return False
    # Of normalised text (hugh l. dryden) all is lower case.
    abbreviated = _IN_LOWER_CASE if after[0].islower() else _ABBREVIATED
    return bool(abbreviated.search(before)) or (bool(_COMPANY.search(before)) and not after[0].isupper())


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        yield start, end
