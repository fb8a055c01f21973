"""Whether passages speak of what the question is about: its names must be there, or else its rarest words."""

import re
import unicodedata
from collections.abc import Iterator, Sequence, Set
from difflib import get_close_matches
from functools import lru_cache

from engine.answer.gate.missing import named
from engine.answer.grounding.claims import terms, words
from engine.answer.grounding.claims.lexicon import SURNAMES, segment
from engine.normalise import normalise

LEAST_NAMES, LEAST_WORDS = 0.3, 0.15
"""Share of the names of a question, and of all its words, that must be held.

Of all its words each weighs the third power of its rarity, so that the one or two rarest count for almost
everything.
"""

_NAME, _WORD = 9.0, 6.5
"""Rarity of a name, as of what is in no dictionary, and of a word at most."""

_KNOWN_NAME = 3.0
"""What a name of the dictionary is rarer than its characters: 北京 is in many texts and says little."""

_RARE = 6.5
"""A question whose rarest name (or word) is more common than this names no subject."""

_SPELT, _SIMILAR = 6, 0.83
"""Letters from which a misspelt word is known again, and how much of it must be right."""

_BETWEEN = 2
"""Characters of a full name between those of its short form."""

_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")
_LATIN = re.compile(r"[a-z][a-z\d'-]*")
_SUFFIX = re.compile(
    r"(?:股份|控股|责任)?(?:有限)?(?:责任)?公司|集团|(?:人民)?法院|(?:人民)?检察院|(?:人民)?医院|银行|大学|学院|中学|小学|"
    r"委员会|研究[所院]|事务所|协会|中心|基金会|出版社|电视台|俱乐部"
)
_LAW = re.compile(
    r"[\u4e00-\u9fff]{1,12}?(?:法|条例|办法|规定|规则|细则|准则|章程|制度)(?=》?第[\d一二三四五六七八九十百千零]+[条章节款])"
)
_ARTICLE = re.compile(r"第[\d一二三四五六七八九十百千零]+")
_PLACE = frozenset("市区县省镇乡村州")
_PARTS = 5
"""Words of a name before the word for what it is."""

_ASKS = frozenset(
    words(
        "哪一 段话 句话 一段 比较 分别 结合 总结 根据 哪家 哪个 哪些 哪位 更早 更大 更高 更多 更晚 更长 ",
        "时间 金额 情况 内容 名称 主要 具体 各自 以及 如何 通过 ",
        "according based compare summarize list describe please documents document report",
    )
)


def lacking(question: str, held: Set[str], text: str) -> tuple[str, ...]:
    """The words of the question's subject that passages lack; empty when they speak of it.

    ``held`` are their terms, ``text`` is what they say, squeezed. A question in another script than theirs is
    not compared.
    """
    han = sum(len(run) for run in _RUN.findall(text))
    if (_RUN.search(question) and not han) or (not _RUN.search(question) and han * 3 > len(text)):
        return ()
    found = dict(_words(question))
    if not found:
        return ()
    folded = fold(text)

    def is_held(word: str) -> bool:
        if _short(word) in folded:
            return True
        parts = terms.held(word)
        return (bool(parts) and sum(part in held for part in parts) * 2 > len(parts)) or _is_misspelt(
            word, held
        )

    names = {word: rarity for word, (rarity, is_name) in found.items() if is_name}
    every = {word: rarity for word, (rarity, _) in found.items()}
    for group, least, power in ((names, LEAST_NAMES, 1), (every, LEAST_WORDS, 3)):
        if max(group.values(), default=0) < _RARE:
            continue
        total = sum(rarity**power for rarity in group.values())
        if sum(rarity**power for word, rarity in group.items() if is_held(word)) < least * total:
            return tuple(word for word in group if not is_held(word) and group[word] >= _RARE / 2)
    return ()


def states_another(statement: str, question: str, missing: Sequence[str], held: Set[str]) -> bool:
    """Whether a statement is about something else that the question names, which the passages do hold.

    Of two companies compared, a sentence speaks of one.
    """
    said = fold(normalise(statement))
    if any(word in said for word in missing):
        return False
    return any(
        rarity >= _RARE - 1 and word in said and terms.held(word) and terms.held(word) <= held
        for word, (rarity, _) in _words(question)
    )


def is_of_another(question: str, missing: Sequence[str], text: str) -> bool:
    """Whether passages that lack the ``missing`` words speak of somebody else: a name is among them, of which
    they hold no longer form either (北大, 北京大学). A missing word may be there as a synonym."""
    names = {word for word, (_, is_name) in _words(question) if is_name}
    return any(
        not re.search(f".{{0,{_BETWEEN}}}".join(map(re.escape, _short(word))), text)
        for word in names.intersection(missing)
    )


def _short(word: str) -> str:
    """The name of a place without what it is: 北京市."""
    return word[:-1] if len(word) > 2 and word[-1] in _PLACE else word


def _is_misspelt(word: str, held: Set[str]) -> bool:
    """Whether passages hold a latin word that differs by a letter: Ghandi, Gandhi."""
    if len(word) < _SPELT or not word.isascii():
        return False
    near = [term for term in held if term[0] == word[0] and abs(len(term) - len(word)) <= 1]
    return bool(get_close_matches(word, near, 1, _SIMILAR))


@lru_cache(maxsize=64)
def fold(text: str) -> str:
    """Without accents: Maizière is asked for as Maiziere."""
    if text.isascii():
        return text
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _words(question: str) -> Iterator[tuple[str, tuple[float, bool]]]:
    """The words of a question with their rarity and whether they are names; not those that ask."""
    asked = fold(named(question))
    for match in _RUN.finditer(asked):
        run, unknown = match.group(), ""
        organisations = [*_organisations(run), *(law.span() for law in _LAW.finditer(run))]
        for start, end in organisations:
            yield run[start:end], (_NAME, True)
        for word in segment(run):
            piece = run[word.start : word.end]
            if any(start <= word.start < end for start, end in organisations):
                continue
            if word.kind == "unknown":
                unknown += piece
                continue
            yield from _unheard(unknown)
            unknown = ""
            if word.kind == "name":
                yield piece, (min(_NAME, _rarity(_pairs(piece)) + _KNOWN_NAME), True)
            elif word.kind == "word" and piece not in _ASKS and not _ARTICLE.match(piece):
                yield piece, (min(_WORD, _rarity(_pairs(piece))), False)
        yield from _unheard(unknown)
    capitals = {normalise(fold(w)) for w in re.findall(r"(?<=[\s(“\"'])[A-Z][\w'-]+", question)}
    for match in _LATIN.finditer(asked):
        latin = match.group().removesuffix("'s").strip("'")
        if len(latin) > 2 and latin not in _ASKS:
            yield latin, (_rarity([latin]), latin in capitals)


def _pairs(word: str) -> list[str]:
    return [word[at : at + 2] for at in range(len(word) - 1)]


def _unheard(piece: str) -> Iterator[tuple[str, tuple[float, bool]]]:
    """Characters that belong to no word: a name, most surely when they begin with a surname or are three."""
    if len(piece) > 1:
        is_sure = len(piece) > 2 or piece[0] in SURNAMES
        yield piece, (_NAME if is_sure else _RARE, True)


def _organisations(run: str) -> Iterator[tuple[int, int]]:
    """Spans of what stands before 公司, 法院 and the like: 诚信消费品有限公司 without its last word."""
    parts = list(segment(run))
    for at, word in enumerate(parts):
        if not _SUFFIX.fullmatch(run[word.start : word.end]):
            continue
        first = at
        while (
            first
            and at - first < _PARTS
            and _belongs(run[parts[first - 1].start : parts[first - 1].end], parts[first - 1].kind)
        ):
            first -= 1
        if first < at and word.start - parts[first].start > 1:
            yield parts[first].start, word.start


def _belongs(piece: str, kind: str) -> bool:
    return piece in _PLACE or (kind != "function" and piece not in _ASKS)


def _rarity(pieces: Sequence[str]) -> float:
    """Of a word, that of its rarest pair of characters."""
    return max((min(terms.rarity(piece), _NAME) for piece in pieces), default=0.0)
