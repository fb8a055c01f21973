"""The place of a name filled with something else: 由任天堂开发 against 由光荣开发.

Statement and evidence are laid side by side; where all around a piece is the same and the piece is not,
either it is said in other words or another name stands there.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.answer.grounding.claims import alignment
from engine.answer.grounding.claims.lexicon import SURNAMES, segment
from engine.answer.grounding.claims.names import LEADS_IN

_AROUND = 3
"""Characters beside a piece by which it is found again in another place."""

_LONGEST, _LONGEST_LATIN = 24, 48
"""Characters of a name, roughly; what is longer is another sentence."""

_LONGEST_ASKED = 12
"""Characters of what a question asks for in Chinese, at the end of a clause."""

_STANDS_FOR = re.compile(
    r"(?:[该本其此这那]|他们?|她们?|它们?|我们|当地|双方|上述|有关|相关|前者|后者|两者|患者|病人|被告人?|原告人?|公司|企业|"
    r"单位|部门|学校|医院|法院|作者|影片|电影|游戏|球队|球员|歌曲|专辑|城市|国家|地区|人士?|者|的|所|等|在|为|是|了)+"
)
_STANDS_FOR_LATIN = re.compile(r"(?:it|its|he|his|she|her|they|their|this|these|that|those|there)\b")
_REFERS = re.compile(r"[该本其此这那]")
_NAME_LIKE = re.compile(r"[a-z]{2,}|[《》“”「」·]")
_WORD, _LONG_WORD = re.compile(r"[a-z]{3,}"), re.compile(r"[a-z]{4,}")
_PARTS_OF_NAME = re.compile(r"(?!(?:of|the|and|de|von|van|la|le)\b)[a-z']+")
"""The words of a latin name that must all be names: james watt, not james watt added a."""
_FUNCTION = re.compile(r"[的了在是和与及或而且但被把将对从到由向于为以之其也都就又并使让给着过]")
_ASKS_NAME = re.compile(
    r"[谁誰]|哪(?!一?[年天月日])|何[人地处處]|什[么麼](?![时時样樣])|who|where|which|what"
)
_NO_NAME = re.compile(rf"[\d，,。；;、]|{_FUNCTION.pattern}")
_NO_PIECE = re.compile(r"[\d。；;，,是]|^的")
"""What stands in no piece that one name may take the place of another in: 的封地是汉中 says something."""

_PARTICLE = re.compile(r"[\d，,。；;了在是但被把将对从由向为以也都就又并使让给着过]")
"""What no name has inside; 的, 和, 与, 及, 之 and 到 it may have."""
_IN_LIST = re.compile(r"(?:[、和与及跟同,]|\b(?:and|or))\s*$")
_LISTED = re.compile(r"\s*(?:[、和与及跟同]|(?:and|or)\b)")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Side:
    """What is known of a clause and its evidence.

    ``is_known`` says whether any evidence holds a piece of text; what it does say elsewhere, word for
    word, is more than another way to put it. ``is_named`` says whether a span of the clause is a name by its
    capitals, ``is_proper`` whether latin words of the evidence are, ``is_capital`` whether a character of
    the clause is a capital. Where the ``question`` (squeezed) asks who, where or which, the place need not
    hold a name that can be told by itself.
    """

    is_known: Callable[[str], bool]
    is_named: Callable[[int, int], bool]
    is_proper: Callable[[str], bool] = lambda words: False
    is_capital: Callable[[int], bool] = lambda at: False
    question: str = ""

    def is_asked(self, other: str) -> bool:
        """Whether the question asks for what the evidence has in a place."""
        return asks_for_a_name(self.question) and "".join(other.split()) not in self.question


def asks_for_a_name(question: str) -> bool:
    """Whether a (squeezed) question asks who, where, which or what."""
    return _ASKS_NAME.search(question) is not None


def refilled(clause: str, evidence: str, side: Side) -> Iterator[tuple[int, int]]:
    """Spans of a (normalised) clause where the evidence's sentence has another name."""
    longest = _LONGEST if _HAN.search(clause) else _LONGEST_LATIN
    for gap in alignment.gaps(clause, evidence):
        is_edge = gap.at_start or gap.at_end
        other = _beside(gap.other, longest, at_start=gap.at_start) if is_edge else gap.other
        start, end, other = alignment.trimmed(clause, gap.start, gap.end, other)
        mine = clause[start:end]
        if (
            not 2 <= len(mine) <= longest
            or (gap.at_start and gap.at_end)
            or not (is_edge or 2 <= len(other) <= longest)
            or _NO_PIECE.search(mine)
        ):
            continue
        # At the end of a clause the other piece must end there, too.
        is_inside = not is_edge or len(other) <= 2 * len(mine) + 2
        if mine in evidence and not (is_inside and _is_exchanged(clause, start, end, other, side)):
            continue
        if _HAN.search(mine):
            is_other = _is_another(mine, other, side, is_inside=is_inside) or (
                (is_inside or len(other) <= _LONGEST_ASKED)
                and _is_another_asked(mine, other, side)
                and _is_whole(clause, start, end)
            )
            is_sure = is_name_like(mine) or side.is_known(mine) or not _is_clause(clause, start, end)
        else:
            is_other, is_sure = _is_latin_name(clause, start, end, other, side, is_inside=is_inside), True
        around = clause[max(0, start - _AROUND) : start], clause[end : end + _AROUND]
        if is_other and is_sure and not _is_said(mine, *around, side.is_known):
            yield start, end


def _is_exchanged(clause: str, start: int, end: int, other: str, side: Side) -> bool:
    """Whether a name stands in the place of another one that the same sentence has elsewhere; not in a list,
    which may have another order."""
    if _IN_LIST.search(clause[:start]) or _LISTED.match(clause[end:]):
        return False
    if not _HAN.search(clause[start:end]):
        return side.is_proper(other)
    return is_name_like(clause[start:end]) and (is_name_like(other) or _is_person(other))


def _is_said(mine: str, before: str, after: str, is_known: Callable[[str], bool]) -> bool:
    """Whether the evidence has a piece beside the same words in another place."""
    return any(
        len(beside) == _AROUND and not re.search(r"[\d\W]", beside) and is_known(piece)
        for beside, piece in ((before, before + mine), (after, mine + after))
    )


def _is_latin_name(clause: str, start: int, end: int, other: str, side: Side, *, is_inside: bool) -> bool:
    """Whether a latin piece is a name by its capitals, or stands in the place of the name that was asked for;
    of what the evidence says elsewhere one capital is enough."""
    mine = clause[start:end]
    named = [side.is_named(start + m.start(), start + m.end()) for m in _PARTS_OF_NAME.finditer(mine)]
    if not named:
        return False
    if not _WORD.search(other):  # 任天堂(Nintendo) is one company
        return (
            all(named)
            and bool(_HAN.search(other))
            and is_name_like(other)
            and not side.is_known(f"{other}({mine}")
        )
    if all(named) or (any(named) and side.is_known(mine)):
        return True
    return (
        (is_inside or len(other) <= _LONGEST_LATIN)
        and side.is_asked(other)
        and side.is_proper(other)
        and side.is_capital(start)
        and bool(_LONG_WORD.search(mine))
        and not _STANDS_FOR_LATIN.match(mine)
        and mine.split()[0] not in LEADS_IN
        and not set(mine.split()) & set(other.split())
    )


def _beside(other: str, longest: int, *, at_start: bool) -> str:
    """Of what stands before (after) the same words in the evidence, the end (beginning) up to a comma."""
    pieces = re.split(r"[。；;，,：:()\n]", other)
    return (pieces[-1] if at_start else pieces[0])[
        -longest if at_start else 0 : None if at_start else longest
    ].strip()


def _is_another(mine: str, other: str, side: Side, *, is_inside: bool) -> bool:
    if len(other) < 2 or _STANDS_FOR.fullmatch(mine) or mine in other or other in mine:
        return False
    if _is_person(mine) and not side.is_known(mine):
        return True
    if _is_word(mine) and _is_word(other):
        return False  # 委任 for 任命
    if is_name_like(other) or _is_person(other):
        if is_name_like(mine) or (is_inside and not _FUNCTION.search(mine)):
            return True
    elif is_inside and side.is_known(mine) and is_name_like(mine) and not _NO_NAME.search(other):
        # 鞑靼海峡 in the place of 雨季降水, when other passages speak of 鞑靼海峡: no other word for it.
        return not (_REFERS.match(other) or _STANDS_FOR.fullmatch(other))
    return False


def _is_another_asked(mine: str, other: str, side: Side) -> bool:
    """Whether a piece stands in the place of what was asked for, and is no other word for it."""
    return (
        len(other) > 1
        and side.is_asked(other)
        and _is_phrase(mine)
        and _is_phrase(other)
        and not set(_FUNCTION.sub("", mine)) & set(other)
        and not (_is_word(mine) or (_is_word(other) and not (side.is_known(mine) or is_name_like(mine))))
        and not (_REFERS.match(other) or _STANDS_FOR.fullmatch(other) or _STANDS_FOR.fullmatch(mine))
    )


def _is_phrase(text: str) -> bool:
    """Whether a piece may be the name of something: no verb's particles, no function word at its ends."""
    return not (_PARTICLE.search(text) or _FUNCTION.search(text[0] + text[-1]))


def _is_word(text: str) -> bool:
    """Whether a piece is one word of the dictionary that is no name."""
    return [(word.kind, word.end) for word in segment(text)] == [("word", len(text))]


def _is_clause(text: str, start: int, end: int) -> bool:
    """Whether a piece is all there is between commas: 资料显示 behind what was said."""
    return text[:start].endswith((",", "、")) and (end == len(text.rstrip("。.")) or text[end] in ",。;")


def _is_whole(clause: str, start: int, end: int) -> bool:
    """Whether a piece cuts no word: 团创办 of 乐团创办 does."""
    cuts = {0, len(clause)}
    for run in _HAN.finditer(clause):
        cuts |= {run.start() + at for word in segment(run.group()) for at in (word.start, word.end)}
    return {start, end} <= cuts or not _HAN.fullmatch(clause[start:end])


def _is_person(text: str) -> bool:
    """A surname and a given name that make up no word."""
    if not 2 <= len(text) <= 3 or text[0] not in SURNAMES or not _HAN.fullmatch(text):
        return False
    return not any(word.kind == "word" and word.start == 0 for word in segment(text))


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
