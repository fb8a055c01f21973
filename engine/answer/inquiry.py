"""One question on its way to an answer: what was found for it, and what its answer is finished with."""

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine import team
from engine.answer import parts, why_not
from engine.answer.hits import neighbours, pages_of
from engine.answer.wordings import Found
from engine.answer_events import AnswerFinished, SourcesFound
from engine.answers import Answer
from engine.document_filter import DocumentFilter
from engine.documents import Page, SearchHit
from engine.events import Event, Notice
from engine.index.library import Library
from engine.intake import awaited

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Inquiry:
    """A question with what was found. ``started`` and ``first_token`` are times of ``time.monotonic``.

    ``chosen`` are the documents it was asked about; ``rewritten`` says it in full where it leaned on another.
    """

    task_id: int
    question: str
    libraries: Sequence[Library]
    found: Found
    chosen: DocumentFilter | None
    rewritten: str | None
    started: float
    retrieved: float = field(default_factory=time.monotonic)
    first_token: float | None = None
    indexed: float = field(init=False)

    def __post_init__(self) -> None:
        self.indexed = awaited.share(self.libraries)

    @property
    def in_full(self) -> str:
        """The question as it is answered."""
        return self.rewritten or self.question

    @property
    def among(self) -> DocumentFilter | None:
        """The documents searched: those that the question names, else those chosen, else all."""
        return self.found.understood or self.chosen or None

    def sources(self) -> Iterator[Event]:
        """The passages, after what has to be said about how they were found."""
        if self.rewritten is not None:
            yield Notice(self.task_id, "question_rewritten", {"question": self.rewritten})
        if self.found.understood:
            yield Notice(self.task_id, "filter_understood", {"filter": str(self.found.understood)})
        yield from team.notices(self.task_id, self.libraries)
        if self.indexed < 1:
            yield Notice(self.task_id, "still_indexing", {"percent": int(self.indexed * 100)})
        yield SourcesFound(self.task_id, self.found.hits, self.found.gate)
        yield from parts.notices(self.task_id, self.found)

    def draft(self) -> Answer:
        """An answer without a text yet."""
        among = self.among
        return Answer(
            self.question, "", False, None, (), (), self.found.hits, self.found.gate,
            rewritten=self.rewritten, indexed_share=self.indexed, parts=self.found.parts,
            filter=None if among is None else among.record(understood=self.found.understood is not None),
        )  # fmt: skip

    def page_texts(self, hit: SearchHit) -> Mapping[int, Page]:
        """The pages that a passage lies on, by number."""
        return pages_of(hit, self.libraries)

    def around(self, hit: SearchHit) -> tuple[SearchHit, ...]:
        """The passages beside one."""
        return neighbours(hit, next(item for item in self.libraries if item.name == hit.library))

    def finished(self, answer: Answer) -> AnswerFinished:
        """The answer with its times, and where it is a refusal, with why."""
        seconds = {
            "retrieve": self.retrieved - self.started,
            "first_token": None if self.first_token is None else self.first_token - self.started,
            "total": time.monotonic() - self.started,
        }
        _log.info("answered in %.1f s, refused by %s", seconds["total"], answer.refused_by)
        if answer.refused:
            why = why_not.explain(
                self.question, answer.hits, answer.gate, self.libraries, narrowed=self.among is not None
            )
            answer = replace(answer, why_not=why)
        return AnswerFinished(self.task_id, replace(answer, seconds=seconds), can_ask_again=self.indexed < 1)
