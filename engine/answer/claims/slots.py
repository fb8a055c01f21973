"""The place of a name filled with something else: 由任天堂开发 against 由光荣开发.

Statement and evidence are laid side by side; where all around a piece is the same and the piece is not,
either it is said in other words or another name stands there.
"""

import re
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher

from engine.answer.claims.lexicon import SURNAMES, segment

_LEAST_SHARED = 2
"""Characters on each side that must be the same, unless the clause begins or ends there."""

_LONGEST = 24
"""Characters of a name, roughly; what is longer is another sentence."""

_STANDS_FOR = re.compile(
    r"(?:[该本其此这那]|他们?|她们?|它们?|我们|当地|双方|上述|有关|相关|前者|后者|两者|患者|病人|被告人?|原告人?|公司|企业|"
    r"单位|部门|学校|医院|法院|作者|影片|电影|游戏|球队|球员|歌曲|专辑|城市|国家|地区|人士?|者|的|所|等|在|为|是|了)+"
)
_REFERS = re.compile(r"[该本其此这那]")
_NAME_LIKE = re.compile(r"[a-z]{2,}|[《》“”「」·]")
_WORD = re.compile(r"[a-z]{3,}")
_PARTS_OF_NAME = re.compile(r"(?!(?:of|the|and|de|von|van|la|le)\b)[a-z']+")
"""The words of a latin name that must all be names: james watt, not james watt added a."""
_FUNCTION = re.compile(r"[的了在是和与及或而且但被把将对从到由向于为以之其也都就又并使让给着过]")
_NO_NAME = re.compile(rf"[\d，,。；;、]|{_FUNCTION.pattern}")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")


def refilled(
    clause: str,
    evidence: str,
    is_known: Callable[[str], bool],
    is_named: Callable[[int, int], bool],
) -> Iterator[tuple[int, int]]:
    """Spans of a (normalised) clause where the evidence's sentence has another name.

    ``is_known`` says whether any evidence holds a piece of text; what it does say elsewhere, word for
    word, is more than another way to put it. ``is_named`` says whether a span of the clause is a name by its
    capitals.
    """
    matcher = SequenceMatcher(None, clause, evidence, autojunk=False)
    blocks = [
        block for block in matcher.get_matching_blocks() if block.size >= _LEAST_SHARED or not block.size
    ]
    before_a = before_b = 0
    for block in blocks:
        mine, other = clause[before_a : block.a], evidence[before_b : block.b]
        at_start = before_a == 0
        at_end = block.size == 0
        if (
            2 <= len(mine.strip()) <= _LONGEST
            and not (at_start and at_end)
            and (at_start or at_end or 2 <= len(other.strip()) <= _LONGEST)
            and not re.search(r"[\d。；;，,]", mine)
        ):
            piece = mine.strip()
            filled = other if not at_start and not at_end else _beside(other, at_start=at_start)
            start = before_a + mine.index(piece)
            # At the end of a clause the other piece must end there, too.
            is_inside = (not at_start and not at_end) or len(filled.strip()) <= 2 * len(piece) + _LEAST_SHARED
            if piece not in evidence and (
                _is_another(piece, filled, is_known, is_inside=is_inside)
                if _HAN.search(piece)
                else _is_word(clause, start, start + len(piece))
                and all(is_named(start + m.start(), start + m.end()) for m in _PARTS_OF_NAME.finditer(piece))
                and bool(_WORD.search(filled))
            ):
                yield start, start + len(piece)
        before_a, before_b = block.a + block.size, block.b + block.size


def _beside(other: str, *, at_start: bool) -> str:
    """Of what stands before (after) the same words in the evidence, the end (beginning) up to a comma."""
    pieces = re.split(r"[。；;，,：:\n]", other)
    return (pieces[-1] if at_start else pieces[0])[
        -_LONGEST if at_start else 0 : None if at_start else _LONGEST
    ]


def _is_another(mine: str, other: str, is_known: Callable[[str], bool], *, is_inside: bool) -> bool:
    if len(other.strip()) < 2 or _STANDS_FOR.fullmatch(mine) or mine in other or other.strip() in mine:
        return False
    if _is_person(mine) and not is_known(mine):
        return True
    if not (is_name_like(other) or _is_person(other.strip())):
        # 鞑靼海峡 in the place of 雨季降水, when other passages speak of 鞑靼海峡: no other word for it.
        return (
            is_inside
            and is_known(mine)
            and is_name_like(mine)
            and not _NO_NAME.search(other)
            and not _REFERS.match(other.strip())
            and not _STANDS_FOR.fullmatch(other.strip())
        )
    return is_name_like(mine) or (is_inside and not _FUNCTION.search(mine))


def _is_person(text: str) -> bool:
    """A surname and a given name that make up no word."""
    if not 2 <= len(text) <= 3 or text[0] not in SURNAMES or not _HAN.fullmatch(text):
        return False
    return not any(word.kind == "word" and word.start == 0 for word in segment(text))


def _is_word(text: str, start: int, end: int) -> bool:
    return not (re.match(r"[a-z0-9]", text[end:]) or re.search(r"[a-z0-9]$", text[:start]))


def is_name_like(text: str) -> bool:
    """Whether a piece of text holds a name: of the lexicon, of unknown characters, latin or marked as one."""
    if _NAME_LIKE.search(text) or (len(text) == 3 and text[0] in SURNAMES):
        return True
    for match in _HAN.finditer(text):
        unknown = 0
        for word in segment(match.group()):
            unknown = unknown + 1 if word.kind == "unknown" else 0
            if word.kind == "name" or unknown > 1:
                return True
    return False
