"""Statements with their evidence, from the question sets: what a right answer says, and what it rests on."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[4] / "shared" / "data" / "qa"

_SENTENCE = re.compile(r"[^。！？!?\n]+?(?:[。！？!?]+[”」』）)]*|\.(?=\s|$)|\n|$)")
_PASSAGE = 400
_OF_SEVERAL = ("multi_doc", "multi_doc_compare")
"""Kinds of questions about several documents at once: one sentence is no answer to them."""

_REFUSED = re.compile(r"无法回答|unable to answer", re.I)


@dataclass(frozen=True, slots=True)
class Case:
    """A statement that its ``passages`` (document, title, text) support; ``gold`` is the set's answer."""

    question: str
    statement: str
    passages: tuple[tuple[str, str, str], ...]
    gold: str
    others: tuple[str, ...] = ()
    """Answers to other questions about the same document."""


def lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as stream:
        for line in stream:
            yield json.loads(line)


def split(text: str) -> list[str]:
    return [match.group().strip() for match in _SENTENCE.finditer(text) if match.group().strip()]


def passages(text: str) -> list[str]:
    """A text in pieces of about 400 characters, cut at sentences."""
    found, piece = [], ""
    length = _PASSAGE if re.search(r"[\u4e00-\u9fff]", text) else 3 * _PASSAGE
    for match in _SENTENCE.finditer(text):
        if piece and len(piece) + len(match.group()) > length:
            found.append(piece)
            piece = ""
        piece += match.group()
    return [*found, piece] if piece.strip() else found


class Set:
    """One question set: its documents, and statements drawn from it with a seed."""

    def __init__(self, name: str, data: Path = DATA) -> None:
        self.name = name
        self.documents = {item["doc_id"]: item for item in lines(data / name / "corpus.jsonl")}
        self.questions = [
            item for item in lines(data / name / "questions.jsonl")
            if item.get("answerable") and item.get("answers") and item.get("question")
            and not _REFUSED.search(item["answers"][0]) and item.get("kind") != "counterfactual"
        ]  # fmt: skip
        self._answers: dict[str, list[str]] = {}
        for item in self.questions:
            self._answers.setdefault(item["doc_id"], []).append(item["answers"][0])

    def cases(self, count: int, chance: random.Random) -> list[Case]:
        """Sentences of the documents that hold the answer, with passages of theirs and of another one."""
        found: list[Case] = []
        for item in chance.sample(self.questions, len(self.questions)):
            if len(found) == count:
                break
            if item.get("kind") in _OF_SEVERAL:
                continue
            sentence = self._sentence(item)
            if sentence is None or not 10 <= len(sentence) <= 400:
                continue
            own = [item["doc_id"]]
            evidence = self._evidence(own, [sentence], chance)
            others = tuple(a for a in self._answers[item["doc_id"]] if a not in sentence)
            found.append(Case(item["question"], sentence, evidence, item["answers"][0], others))
        return found

    def long(self, count: int, chance: random.Random) -> list[Case]:
        """The set's own answers of a sentence or more, with all of the documents they were written from."""
        chosen = [
            item for item in self.questions
            if item.get("kind") in ("summary", "multi_hop", "multi_doc", "multi_doc_compare")
        ]  # fmt: skip
        found = []
        for item in chance.sample(chosen, min(count, len(chosen))):
            own = item.get("doc_ids") or [item["doc_id"]]
            found.append(Case(item["question"], item["answers"][0], self._all(own), item["answers"][0]))
        return found

    def short(self, count: int, chance: random.Random) -> list[Case]:
        """The set's own answers to questions of fact, of a few characters."""
        found = []
        for item in chance.sample(self.questions, len(self.questions)):
            if len(found) == count:
                break
            sentence = None if item.get("kind") in _OF_SEVERAL else self._sentence(item)
            if sentence is not None and len(item["answers"][0]) <= 30:
                evidence = self._evidence([item["doc_id"]], [sentence], chance)
                found.append(Case(item["question"], item["answers"][0], evidence, item["answers"][0]))
        return found

    def _sentence(self, item: dict[str, Any]) -> str | None:
        text = self.documents[item["doc_id"]]["text"]
        for quoted in item.get("evidence") or ():
            if quoted in text and len(quoted) >= 10:
                return str(quoted)
        answer = item["answers"][0]
        for sentence in split(text):
            if answer in sentence:
                return sentence
        return None

    def _evidence(
        self, own: Sequence[str], held: Sequence[str], chance: random.Random
    ) -> tuple[tuple[str, str, str], ...]:
        found: list[tuple[str, str, str]] = []
        for document in own:
            pieces = passages(self.documents[document]["text"])
            right = [piece for piece in pieces if any(sentence in piece for sentence in held)] or pieces[:1]
            rest = [piece for piece in pieces if piece not in right]
            chosen = {*right[:2], *chance.sample(rest, min(2, len(rest)))}
            title = self.documents[document].get("title", "")
            found += [(document, title, piece) for piece in pieces if piece in chosen]
        stranger = chance.choice(sorted(set(self.documents) - set(own)))
        pieces = passages(self.documents[stranger]["text"])
        if pieces:
            found.append((stranger, self.documents[stranger].get("title", ""), chance.choice(pieces)))
        return tuple(found)

    def _all(self, own: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
        return tuple(
            (document, self.documents[document].get("title", ""), piece)
            for document in own
            for piece in passages(self.documents[document]["text"])
        )
