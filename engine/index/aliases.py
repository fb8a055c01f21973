"""Other words for the same thing in one knowledge base, as its user wrote them: 差旅费 = 出差费用.

Kept in the library's table meta. A question with one of them is looked for by the others as well. So it is
with the few synonyms that ship (resources/synonyms.txt): terms of business reports, which a question names in
one way and a statement in another.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from functools import lru_cache

from engine.errors import AliasInvalid
from engine.normalise import normalise
from resources import read_text

FACT = "aliases"

_LONGEST, _MOST, _USED = 40, 500, 8
"""Characters of a word, groups of a library, words that one question is widened by."""

Group = tuple[str, ...]
"""Words that mean the same, as they were written; at least two."""


def read(db: sqlite3.Connection) -> tuple[Group, ...]:
    """The groups of a library, in the order in which they were given."""
    noted = db.execute("SELECT value FROM meta WHERE key = ?", (FACT,)).fetchone()
    return tuple(tuple(group) for group in json.loads(noted[0])) if noted and noted[0] else ()


def parse(lines: Iterable[str]) -> tuple[Group, ...]:
    """``差旅费=出差费用=travel expenses``, one group a line; full-width signs will do.

    Raises:
        AliasInvalid: fewer than two words, one without a letter or a digit, or one of more than 40
        characters.
    """
    groups = []
    for line in lines:
        words = [word.strip() for word in re.split("[=＝]", line)]
        distinct = tuple(dict.fromkeys(words))
        if len(distinct) < 2 or any(
            len(word) > _LONGEST or not any(c.isalnum() for c in word) for word in distinct
        ):
            raise AliasInvalid(text=line)
        groups.append(distinct)
    return tuple(groups)


def joined(known: Iterable[Group], new: Iterable[Group]) -> tuple[Group, ...]:
    """The known groups and the new ones; groups that share a word become one.

    Raises:
        AliasInvalid: there would be more than 500.
    """
    groups: list[Group] = []
    for group in (*known, *new):
        words = {normalise(word) for word in group}
        alike = [other for other in groups if words & {normalise(word) for word in other}]
        groups = [other for other in groups if other not in alike]
        merged: dict[str, str] = {}
        for word in (word for each in (*alike, group) for word in each):
            merged.setdefault(normalise(word), word)
        groups.append(tuple(merged.values()))
    if len(groups) > _MOST:
        raise AliasInvalid(text="=".join(groups[-1]))
    return tuple(groups)


def dump(groups: Iterable[Group]) -> str:
    """The value of :data:`FACT`."""
    return json.dumps(list(groups), ensure_ascii=False)


def alternatives(db: sqlite3.Connection, question: str) -> list[str]:
    """The other words for those that stand in the normalised question, normalised; eight at most."""
    return [other for _, others in _matches(read(db), question) for other in others][:_USED]


def synonyms(question: str) -> list[str]:
    """The shipped synonyms of terms that stand in the normalised question, normalised; eight at most."""
    return [other for _, others in _matches(_shipped(), question) for other in others][:_USED]


def other_wordings(groups: Iterable[Group], question: str) -> Iterator[str]:
    """The normalised question with one of its words said in another way, eight at most."""
    normal = normalise(question)
    wordings = ((word, other) for word, others in _matches(groups, normal) for other in others)
    for _, (word, other) in zip(range(_USED), wordings, strict=False):
        yield other.join(_pattern(word).split(normal))


@lru_cache(maxsize=1)
def _shipped() -> tuple[Group, ...]:
    return parse(read_text("synonyms.txt").splitlines())


def _matches(groups: Iterable[Group], normal: str) -> Iterator[tuple[str, list[str]]]:
    """Words that stand in the question, each with the others of its group."""
    for group in groups:
        words = [normalise(word) for word in group]
        for word in words:
            if word in normal and _pattern(word).search(normal):
                yield word, [other for other in words if other != word and other not in normal]
                break


def _pattern(word: str) -> re.Pattern[str]:
    """A word in latin letters stands alone; Chinese has no such border."""
    before = r"(?<![a-z0-9])" if word[0].isascii() else ""
    after = r"(?![a-z0-9])" if word[-1].isascii() else ""
    return re.compile(before + re.escape(word) + after)
