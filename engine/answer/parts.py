"""Questions of several parts: 年假有几天，报销要几天内提交？ What is the fee and when is it due?

Rules cut such a question into three at most. Each part has a search and a gate of its own, and their passages
share the places of one answer. A part must stand by itself: what leans on its neighbour (何时成立、由谁建立)
speaks of the same subject, and one search finds both. Measured by :mod:`tests.quality.parts`.
"""

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from engine.answer import follow_ups
from engine.answer.prompting import is_chinese
from engine.answer.wordings import Found
from engine.answers import Gate, Part
from engine.config import Settings
from engine.document_filter import DocumentFilter
from engine.documents import SearchHit
from engine.events import Notice

MOST = 3
"""Parts of one question; with five searches for each and for the whole, twenty in all."""

SECONDS = 4.0
"""After so long no further part is searched for by itself."""

_SHORTEST, _FEWEST_WORDS, _LONGEST = 5, 5, 400
"""Characters or English words of a part that can stand by itself; characters of a question that is cut."""

_ASKS = re.compile(
    r"什[么麼]|甚[么麼]|[谁誰]|哪(?!怕|吒)|多少|[几幾](?=[个個天年月日次人位名种種条條项項岁歲点點号號层層级級届倍元块塊分秒成页頁章款])|"
    r"多[长長久大高远遠宽寬重深快]|怎[么麼样樣]|如何|(?<!任)何[时時地处處人种種]|[为為]何|是否|[能可]否|[吗嗎]|有[没沒]有|"
    r"是不是|能不能"
)
_ASKS_ENGLISH = re.compile(
    r"^(?:(?:in|on|at|to|by|for|from|of|under) )?(?:what|which|who|whom|whose|when|where|why|how|is|are|was|"
    r"were|do|does|did|can|could|must|should|will|has|have)\b",
    re.I,
)
# Where one part may end and the next begin; the words that only join them go.
_JOINTS = re.compile(
    r"[?？][\s”」]*|[；;]\s*|[，,]\s*(?:以及|还有|還有|另外|同时|同時|还想问|那么)?\s*|(?:以及|另外)"
)
_JOINTS_ENGLISH = re.compile(
    r"\?\s*|;\s*|,?\s+and\s+(?:also\s+)?(?=(?:what|which|who|when|where|why|how)\b)",
    re.I,
)
# What begins so goes on with what stands before it.
_GOES_ON = re.compile(
    r"^(?:[并並故而则則就也还還又再被后後]|从而|從而|[为為](?![什何]))|\b(?:its?|their|they|this|these|those)\b",
    re.I,
)
_QUOTES = (("「", "」"), ("“", "”"), ("《", "》"), ("（", "）"), ("(", ")"))
_AGAIN = re.compile(r"(?<=.)又(?=是|有|要|需|为|怎|如何|什)")
_BLANKS = " \u3000。，,；;？?！!"

Look = Callable[[str, str | None], Found]
"""A search for a question; the second text is the question in full where it leans on another."""


def split(question: str) -> tuple[str, ...]:
    """The parts of a question, each a question that stands by itself; none where it has only one.

    Every part must ask something. If one of them does not stand by itself, the question is left whole.
    """
    text = question.strip()
    if len(text) > _LONGEST:
        return ()
    in_chinese = is_chinese(text)
    asks = _ASKS if in_chinese else _ASKS_ENGLISH
    found = list(_asking(text, _JOINTS if in_chinese else _JOINTS_ENGLISH, asks))
    if not 1 < len(found) <= MOST or not all(_stands_alone(part, in_chinese) for part in found):
        return ()
    if not in_chinese:
        return tuple(part[:1].upper() + part[1:] + "?" for part in found)
    return tuple(_AGAIN.sub("", part) + "？" for part in found)


def best(question: str, rewritten: str | None, look: Look, settings: Settings, top: int) -> Found:
    """The passages of a question; of one with several parts those of each part and of the whole, in turn.

    So the best of each come first, those of parts that their gate lets through before others, and all have
    ``top`` places together. The gate is the most hopeful part's.
    """
    whole = rewritten or question
    several = split(whole) if settings.parts else ()
    if not several:
        return look(question, rewritten)
    started = time.monotonic()
    # A part may lean on another one in ways that no rule sees: what the whole finds takes its turn, too.
    together = look(question, rewritten)
    found = [look(part, None) for part in several if time.monotonic() - started < SECONDS]
    in_turn = [*sorted(found, key=lambda each: not each.gate.answerable), together]
    hits = _in_turn([each.hits for each in in_turn], max(top, len(in_turn)))
    filters = {each.understood for each in in_turn}
    gate = _gate(found or in_turn)
    return Found(hits, gate, whole, _only(filters), tuple(_part(each) for each in found))


def notices(task_id: int, found: Found) -> Iterator[Notice]:
    """One for each part that the documents say nothing about, where they do for another."""
    if found.gate.answerable:
        for part in found.parts:
            if not part.gate.answerable:
                yield Notice(task_id, "part_without_evidence", {"question": part.question})


def _asking(text: str, joints: re.Pattern[str], asks: re.Pattern[str]) -> Iterator[str]:
    """The pieces that ask, each with those before it that do not: a condition, a list, a place.

    What follows the last one belongs to it: …是多少，单位万元？
    """
    ends = [match.span() for match in joints.finditer(text)]
    starts = [0, *(end for _, end in ends)]
    spans = list(zip(starts, [*(start for start, _ in ends), len(text)], strict=True))
    last = [at for at, span in enumerate(spans) if asks.search(text[slice(*span)].strip(_BLANKS))]
    begin = 0
    for at in last:
        end = spans[-1][1] if at == last[-1] else spans[at][1]
        yield text[begin:end].strip(_BLANKS)
        begin = spans[at + 1][0] if at + 1 < len(spans) else end


def _stands_alone(part: str, in_chinese: bool) -> bool:
    if follow_ups.is_elliptical(part) or _GOES_ON.search(part):
        return False
    if any(part.count(opening) != part.count(closing) for opening, closing in _QUOTES):
        return False
    if not in_chinese:
        return len(part.split()) >= _FEWEST_WORDS
    asking = _ASKS.search(part)
    begins_asking = asking is not None and asking.start() < 2
    return len(part) >= _SHORTEST and not (begins_asking and follow_ups.subject_of(part) is None)


def _in_turn(lists: Sequence[Sequence[SearchHit]], top: int) -> tuple[SearchHit, ...]:
    """The first of each list, then the second of each, every passage once; ranked anew from 1."""
    found: dict[tuple[str, int], SearchHit] = {}
    for row in zip_longest(*lists):
        for hit in row:
            if hit is not None:
                found.setdefault((hit.library, hit.row), hit)
    return tuple(replace(hit, rank=rank) for rank, hit in enumerate(list(found.values())[:top], start=1))


def _gate(found: Sequence[Found]) -> Gate:
    """The most hopeful part's, with the words that are missing from the parts that were refused."""
    best_gate = max(
        (each.gate for each in found), key=lambda gate: (gate.answerable, gate.probability or 0.0)
    )
    missing = [term for each in found if not each.gate.answerable for term in each.gate.missing_terms]
    return replace(best_gate, missing_terms=tuple(dict.fromkeys([*best_gate.missing_terms, *missing])))


def _only(filters: set[DocumentFilter | None]) -> DocumentFilter | None:
    return next(iter(filters)) if len(filters) == 1 else None


def _part(found: Found) -> Part:
    return Part(found.wording, found.gate, tuple(hit.chunk for hit in found.hits))
