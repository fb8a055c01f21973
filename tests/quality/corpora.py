"""The question sets as libraries on disk, made once and opened again."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir

import numpy as np

from engine import native
from engine.config import DEFAULT_EMBEDDER, Settings
from engine.evaluation import dataset
from engine.evaluation.dataset import Question
from engine.index.embedding import BgeEmbedder, Vectors
from engine.index.library import Library
from engine.jsonlines import read_objects
from engine.paths import home
from models.store import ModelStore
from tests.conftest import ROOT

DATA = ROOT.parent / "shared" / "data" / "qa"
CACHE = Path(gettempdir()) / "zhiye-quality"
DIMENSION = 512

CHINESE = ("cmrc2018", "drcd", "expmrc_zh", "xquad_zh", "rageval_zh", "lawbench_articles")
ENGLISH = ("xquad_en", "rageval_en", "expmrc_en")
NOISY = ("rgb_zh",)

ASKED_OTHERWISE = {
    "drcd, simplified question": ("drcd", "question_hans"),
    "xquad_zh, English question": ("xquad_zh", "question_en"),
}
"""Sets whose questions have a second wording: the set, and the field that holds it."""

LIMIT = 800
"""Questions of a set, evenly spread, where all of them would take too long."""


class RememberingEmbedder:
    """The real one, loaded when a vector is missing; those of questions are kept in a file."""

    model_id, precision, dimension, step_tokens = DEFAULT_EMBEDDER, "fp32", DIMENSION, 2048

    def __init__(self, kept: Path) -> None:
        self._file = kept
        self._vectors: dict[str, Vectors] = {}
        self._real: BgeEmbedder | None = None
        self._known = 0
        if kept.is_file():
            with np.load(kept) as stored:
                self._vectors = dict(zip(stored["questions"].tolist(), stored["vectors"], strict=True))
                self._known = len(self._vectors)

    def _loaded(self) -> BgeEmbedder:
        if self._real is None:
            folder = ModelStore(home().models).ensure_verified(self.model_id)
            self._real = BgeEmbedder(folder, self.model_id, self.dimension, native.thread_count())
        return self._real

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._loaded().embed_passages(texts)

    def embed_query(self, question: str) -> Vectors:
        if question not in self._vectors:
            self._vectors[question] = self._loaded().embed_query(question)
        return self._vectors[question]

    def keep(self) -> None:
        """Write the questions' vectors that were not in the file."""
        if len(self._vectors) > self._known:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(
                self._file,
                questions=np.array(list(self._vectors)),
                vectors=np.array(list(self._vectors.values())),
            )


def questions(name: str, data: Path = DATA, limit: int | None = None) -> list[Question]:
    """The set's questions that may be asked over a whole library; ``limit`` of them, evenly spread.

    Those without a word are left out (two of cmrc2018). ``name`` may be one of ``ASKED_OTHERWISE``.
    """
    name, field = ASKED_OTHERWISE.get(name, (name, "question"))
    found = dataset.read_questions(data / name / "questions.jsonl")
    asked = [
        replace(question, question=item[field])
        for question, item in zip(found, read_objects(data / name / "questions.jsonl"), strict=True)
        if item.get("scope", "corpus") in ("corpus", "corpus?") and str(item.get(field, "")).strip()
    ]
    if limit is None or len(asked) <= limit:
        return asked
    return [asked[place * len(asked) // limit] for place in range(limit)]


@contextmanager
def opened(
    name: str,
    cache: Path = CACHE,
    data: Path = DATA,
    vectors: Path | None = None,
    settings: Settings | None = None,
) -> Iterator[tuple[Library, RememberingEmbedder]]:
    """The library of a set in ``cache``, made if it is not there, and an embedder for its questions.

    The questions' vectors are kept in ``vectors`` (default: ``cache``).
    """
    name, _ = ASKED_OTHERWISE.get(name, (name, ""))
    folder = cache / name
    embedder = RememberingEmbedder((vectors or cache) / f"{name}.npz")
    if not (folder / "done").is_file():
        made = Library(folder, dimension=DIMENSION)
        dataset.fill(made, data / name / "corpus.jsonl", embedder, settings or Settings())
        made.set_meta("name", name)
        made.checkpoint()
        made.close()
        (folder / "done").write_text("", encoding="utf-8")
    library = Library(folder, dimension=DIMENSION)
    try:
        yield library, embedder
    finally:
        embedder.keep()
        library.close()
