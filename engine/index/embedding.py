"""Embeddings: the seam (:class:`Embedder`) and the bge-zh-v1.5 family through sentence-transformers."""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine import native, normalise
from engine.errors import EmbedderUnusable
from engine.index.bert import LoadedBert, Precision
from models.structure import POSITIONS, pools_by_cls

Vectors = NDArray[np.float32]

QUERY_INSTRUCTION = "为这个句子生成表示以用于检索相关文章："
"""The publisher's instruction for questions, one for small, base and large (FlagEmbedding's model cards);
passages get none."""

STEP_TOKENS: dict[Precision, int] = {"fp32": 512, "bf16": 2048, "int8": 2048}
"""Tokens of one embedding step: 60 to 80 ms on two cores, which a question may have to wait. In float32 more
at a time are no faster (12 passages a second at 1, 2 and 16 a batch); in a coarser precision two threads make
1.1 to 1.6 times as many tokens a second in steps of 2,048 as of 512 (tests/bench/README.md)."""

_PARAPHRASES = (("父亲", "爸爸"), ("土豆", "马铃薯"), ("星期天", "周日"), ("工资", "薪水"))
"""Two words for one thing that share no character: a model that has learned nothing cannot tell."""

LEAST_COSINE = 0.998
"""Between a text's vectors in two precisions: within it they are taken for the same vector. For bge-small it
is 0.9999 in bfloat16 and 0.9987 in eight bits; what that costs in hits of real questions is measured by
``python -m tests.quality.precisions`` (tests/quality/README.md)."""

_log = logging.getLogger(__name__)


class Embedder(Protocol):
    """Turns text into L2-normalised vectors of ``dimension`` float32 numbers.

    ``precision`` says which vectors can be compared with each other, not how they were computed.
    """

    model_id: str
    precision: str
    dimension: int

    @property
    def step_tokens(self) -> int:
        """Tokens that are embedded in one step; it may change from one step to the next."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Shape (len(texts), dimension)."""
        ...

    def embed_query(self, question: str) -> Vectors:
        """Shape (dimension,)."""
        ...


def vector_key(model_id: str, precision: str, text: str) -> str:
    """What a vector is filed under: model, precision, normaliser version and the exact input."""
    material = "\x1f".join((model_id, precision, str(normalise.VERSION), normalise.normalise(text)))
    return hashlib.sha256(material.encode("utf-8")).hexdigest()


def batches(tokens: Sequence[int], budget: int) -> Iterator[list[int]]:
    """Indices in batches of at most ``budget`` tokens, in their order; a text that is longer stands alone."""
    batch: list[int] = []
    held = 0
    for index, count in enumerate(tokens):
        if batch and held + count > budget:
            yield batch
            batch, held = [], 0
        batch.append(index)
        held += count
    if batch:
        yield batch


class Trial(Protocol):
    """Finds out in which precision this machine should embed passages."""

    def verdict(self) -> Precision | None:
        """None as long as it is not known. Called for each batch, so it never waits."""
        ...


class BgeEmbedder:
    """A bge-zh-v1.5 on the CPU: CLS pooling, normalised, at most 512 tokens.

    Questions are computed in float32; passages, too, until a :class:`Trial` has found another precision that
    is faster here. Their vectors are as good as the same (:data:`LEAST_COSINE`) and have the same key.

    Not thread-safe: one owner. What a folder without its pooling files would silently change (a plain
    BERT is loaded with mean pooling) is asserted after loading, and that the model knows Chinese.
    """

    def __init__(self, folder: Path, model_id: str, dimension: int, threads: int, weights: str = "") -> None:
        """Load the model from a local folder.

        ``weights`` is the SHA-256 of the weights where the id does not say which they are; it becomes part of
        ``precision``, and with it of every vector's key.

        Raises:
            EmbedderUnusable: files are missing, or the loaded model does not behave as it must.
        """
        self.model_id = model_id
        self.precision = f"fp32-{weights[:12]}" if weights else "fp32"
        self.dimension = dimension
        self.computed_in: Precision = "fp32"
        """The precision in which passages are computed."""
        self._trial: Trial | None = None
        self._last: tuple[str, Vectors] | None = None
        missing = [
            name for name in ("modules.json", "1_Pooling/config.json") if not (folder / name).is_file()
        ]
        if missing:
            raise EmbedderUnusable(path=str(folder), detail=f"missing: {', '.join(missing)}")
        try:
            self._model = self.load_model(folder, threads)
        except EmbedderUnusable:
            raise
        except Exception as exc:  # the loaders raise whatever they like for a bad file
            raise EmbedderUnusable(path=str(folder), detail=f"{type(exc).__name__}: {exc}") from exc
        self._assert_behaviour(folder)

    @property
    def step_tokens(self) -> int:
        """As many as take 60 to 80 ms in the precision of the moment."""
        return STEP_TOKENS[self.computed_in]

    def settle_by(self, trial: Trial) -> None:
        """Compute passages as ``trial`` says, as soon as it does."""
        self._trial = trial

    @staticmethod
    def load_model(folder: Path, threads: int) -> LoadedBert:
        """The model by itself, unchecked; raises whatever the loaders raise for a bad file."""
        with native.patient_imports():
            torch = native.torch(threads)
            from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(
            str(folder),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            # The file is float16 (lossless), float16 arithmetic on a CPU is slow; it holds no pooler.
            model_kwargs={"dtype": torch.float32, "add_pooling_layer": False},
        )
        return LoadedBert(model)

    def _assert_behaviour(self, folder: Path) -> None:
        pairs = [text for pair in _PARAPHRASES for text in pair]
        vectors = self.embed_passages(["PDF 报告", "pdf 报告", *pairs])
        (alone,) = self.embed_passages(pairs[:1])
        problems = []
        if not pools_by_cls(self._model.pooling):
            problems.append("pooling is not cls")
        if vectors.shape[1] != self.dimension:
            problems.append(f"dimension {vectors.shape[1]} instead of {self.dimension}")
        if not np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3):
            problems.append("vectors are not normalised")
        if not np.allclose(vectors[0], vectors[1], atol=1e-5):
            problems.append("capital letters change the vector")
        if not np.allclose(vectors[2], alone, atol=1e-4):
            problems.append("a text has another vector in a batch")
        if not _partners_are_nearest(vectors[2:]):
            problems.append("words of one meaning are not near each other")
        if self._model.max_seq_length != POSITIONS:
            problems.append(f"reads {self._model.max_seq_length} tokens instead of {POSITIONS}")
        if problems:
            raise EmbedderUnusable(path=str(folder), detail="; ".join(problems))

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages; shape (n, dimension)."""
        if self._trial is not None and (found := self._trial.verdict()) is not None:
            self._trial = None
            self._settle(found)
        return self._encode([normalise.normalise(text) for text in texts], self.computed_in)

    def _settle(self, precision: Precision) -> None:
        """Go over to a precision, unless what it makes of a few words is not the same here."""
        words = [normalise.normalise(word) for pair in _PARAPHRASES for word in pair]
        likeness = (self._encode(words) * self._encode(words, precision)).sum(axis=1)
        if likeness.min() >= LEAST_COSINE:  # never so with NaN
            self.computed_in = precision
            _log.info("passages are embedded in %s", precision)
        else:
            _log.warning("vectors in %s are not those in float32: %.4f", precision, likeness.min())

    def embed_query(self, question: str) -> Vectors:
        """The vector of a question with the query instruction in front; shape (dimension,)."""
        # Search and gate ask for the same vector one after the other.
        if self._last is None or self._last[0] != question:
            self._last = question, self._encode([normalise.normalise(QUERY_INSTRUCTION + question)])[0]
        return self._last[1]

    def _encode(self, texts: list[str], precision: Precision = "fp32") -> Vectors:
        if not texts:
            return np.zeros((0, self.dimension), np.float32)
        return np.ascontiguousarray(self._model.encode(texts, precision), dtype=np.float32)


def _partners_are_nearest(vectors: Vectors) -> bool:
    """Whether of two neighbours (0 and 1, 2 and 3 …) each is nearest to the other; never so with NaN."""
    likeness = vectors @ vectors.T
    np.fill_diagonal(likeness, -np.inf)
    partners = np.arange(len(vectors)) ^ 1
    return bool(np.isfinite(vectors).all() and (likeness.argmax(axis=1) == partners).all())
