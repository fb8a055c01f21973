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

BATCH_TOKENS = 512
"""Tokens per embedding step: on two cores a larger batch is no faster (12 passages a second at 1, 2 and 16
a batch) and would keep a question waiting for longer than the 80 ms that this one takes."""

_PARAPHRASES = (("父亲", "爸爸"), ("土豆", "马铃薯"), ("星期天", "周日"), ("工资", "薪水"))
"""Two words for one thing that share no character: a model that has learned nothing cannot tell."""

LEAST_COSINE = 0.999
"""Between a text's vectors in two precisions: within it they are taken for the same vector. In bfloat16 it is
0.9999 for bge-small, and hits of real questions stay the same (tests/quality/README.md)."""

_log = logging.getLogger(__name__)


class Embedder(Protocol):
    """Turns text into L2-normalised vectors of ``dimension`` float32 numbers.

    ``precision`` says which vectors can be compared with each other, not how they were computed.
    """

    model_id: str
    precision: str
    dimension: int

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


def batches(tokens: Sequence[int], budget: int = BATCH_TOKENS) -> Iterator[list[int]]:
    """Indices in batches of similar length whose padded size stays within ``budget`` tokens."""
    batch: list[int] = []
    for index in sorted(range(len(tokens)), key=tokens.__getitem__, reverse=True):
        longest = tokens[batch[0]] if batch else tokens[index]
        if batch and longest * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(index)
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
