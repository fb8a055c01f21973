"""The pass over all documents: which are read, one after the other, with rows as they are found.

Without a chat model all documents that may be asked are read whole, by rules. With one, which takes seconds
for each, those of more than a few are read of which a sentence holds some of the asked words, or a passage is
near the question; the likeliest first, so that a pass that is stopped has read what matters most. The answer
says which.
"""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from engine.answer import filters
from engine.answer.generation import Generator as ChatModel
from engine.answer.grounding.citations import PageTexts
from engine.answer.hits import passages_of
from engine.answer.retrieval import fusion, lanes
from engine.answer.survey import extracting, table
from engine.answer.survey.extracting import Finding
from engine.answer.survey.recognising import Census
from engine.answer.survey.table import Reading
from engine.answer_events import SurveyRow
from engine.answers import Answer, AnswerTable, Citation, TableRow
from engine.cancel import Cancelled, CancelToken
from engine.config import Settings
from engine.document_filter import DocumentFilter
from engine.documents import SearchHit
from engine.events import Event, StepProgress
from engine.index.embedding import Embedder
from engine.index.library import Library

NEAR = 1.0
"""Deviations above the library's mean from which a passage is near the question."""

FEW = 20
"""Documents that are all read, whatever is near the question: they take a chat model a minute or two."""

PROMPT = "survey-1"
"""Name and version of the prompt, for the run."""


@dataclass(frozen=True, slots=True)
class _Document:
    """One document that may be read: the library's place, and its row id."""

    at: int
    id: int


class Survey:
    """One pass: :meth:`steps`, then :meth:`answer`."""

    def __init__(
        self,
        task_id: int,
        census: Census,
        libraries: Sequence[Library],
        settings: Settings,
        page_texts: PageTexts,
        token: CancelToken,
    ) -> None:
        self._task_id, self._census, self._libraries = task_id, census, libraries
        self._settings, self._page_texts, self._token = settings, page_texts, token
        self._rows: list[tuple[TableRow, Citation]] = []
        self._read = 0
        self._ends = time.monotonic() + settings.survey_seconds
        self._model: ChatModel | None = None
        self._reading: Reading | None = None

    def steps(
        self,
        draft: Answer,
        among: DocumentFilter | None,
        embedders: Sequence[Embedder],
        load_generator: Callable[[], ChatModel | None],
    ) -> Generator[Event | None, None, AnswerTable]:
        """Read the documents: StepProgress for each and SurveyRow for each that says something.

        A pass that is stopped, or comes to the limit of time or number, keeps its rows and says so.
        """
        every = list(self._documents(among))
        chosen, self._model, is_stopped = every, load_generator(), False
        try:
            if self._model is not None:
                chosen = yield from self._likely(every, embedders)
            yield from self._read_all(chosen, draft.question)
        except Cancelled:
            is_stopped = True
        self._reading = Reading(self._read, len(chosen), len(every), is_stopped)
        return table.made(draft.question, self._census, self._rows, self._reading)[0]

    def answer(self, draft: Answer) -> Answer:
        """The answer, once all steps have been taken."""
        assert self._reading is not None, "the steps come first"
        found = table.answer(draft, self._census, self._rows, self._reading)
        return found if self._model is None else replace(found, model=self._model.model_id, prompt=PROMPT)

    def _documents(self, among: DocumentFilter | None) -> Iterator[_Document]:
        """All documents with text, or those of the filter, by library and path."""
        for at, library in enumerate(self._libraries):
            allowed = filters.document_ids(among, library) if among else None
            found = library.db.execute(
                "SELECT id FROM documents d WHERE EXISTS (SELECT 1 FROM chunks c WHERE c.document_id = d.id)"
                " ORDER BY path, id"
            )
            yield from (_Document(at, row) for (row,) in found if allowed is None or row in allowed)

    def _likely(
        self, every: Sequence[_Document], embedders: Sequence[Embedder]
    ) -> Generator[None, None, list[_Document]]:
        """The documents that may say something, the likeliest first."""
        near = self._near(embedders)
        found = []
        for document in every:
            relevance = extracting.relevance(self._census, self._passages(document))
            nearness = near.get((document.at, document.id), 0.0)
            if len(every) <= FEW or relevance >= extracting.RELATED or nearness >= NEAR:
                found.append((relevance + nearness, document))
            self._token.check()
            yield
        return [document for _, document in sorted(found, key=lambda each: -each[0])]

    def _near(self, embedders: Sequence[Embedder]) -> dict[tuple[int, int], float]:
        """The fused score of each document's best passage, in deviations from the mean."""
        of_chunk = {
            (at, row): document
            for at, library in enumerate(self._libraries)
            for row, document in library.db.execute("SELECT id, document_id FROM chunks")
        }
        question = f"{self._census.noun} {self._census.aspect}"
        lane = lanes.search(question, self._libraries, embedders, sorted(of_chunk))
        best: dict[tuple[int, int], float] = {}
        for key, score in fusion.fuse(question, lane, self._libraries, self._settings).items():
            document = key[0], of_chunk[key]
            best[document] = max(score, best.get(document, score))
        return best

    def _read_all(self, chosen: Sequence[_Document], question: str) -> Iterator[Event | None]:
        for document in chosen[: self._settings.survey_documents]:
            self._token.check()
            if time.monotonic() > self._ends:
                return
            passages = self._passages(document)
            found: Finding | None
            if self._model is None:
                found = extracting.by_rules(self._census, passages)
            else:
                found = yield from extracting.by_model(
                    question, self._census, passages, self._model, self._token
                )
            self._read += 1
            if found is not None:
                self._rows.append(table.row(self._census, found, self._page_texts))
                yield SurveyRow(self._task_id, *self._rows[-1])
            yield StepProgress(self._task_id, "progress_survey", self._read, len(chosen))

    def _passages(self, document: _Document) -> list[SearchHit]:
        return passages_of(document.id, self._libraries[document.at])
