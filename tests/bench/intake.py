"""Chunks per second through the whole intake, and the embedding rate against the bare model."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import resources
from engine import config, native, paths, pipeline
from engine.cancel import CancelToken
from engine.events import IngestFinished
from engine.index.bert import Precision
from engine.index.embedding import STEP_TOKENS, BgeEmbedder, batches
from engine.index.library import Library
from engine.intake.chunking.tokens import embedder_tokens
from engine.intake.pool import ParsingPool
from engine.normalise import normalise
from models.store import ModelStore
from tests.bench.measuring import Row, alternating, ratio, seconds

COPIES = 12


def run() -> Iterator[Row]:
    settings = config.Settings()
    threads = native.thread_count()
    folder = ModelStore(paths.home().models).ensure_verified(config.DEFAULT_EMBEDDER)
    embedder = BgeEmbedder(folder, config.DEFAULT_EMBEDDER, 512, threads)
    with tempfile.TemporaryDirectory() as place:
        corpus = _corpus(Path(place))
        library = Library(Path(place) / "library", dimension=512, threads=threads)
        library.set_meta("name", "bench")
        with ParsingPool(settings) as reader:

            def ingest() -> IngestFinished:
                steps = pipeline.ingest(
                    0,
                    library,
                    [corpus],
                    reader=reader,
                    embedder=embedder,
                    settings=settings,
                    token=CancelToken(),
                )
                return next(event for event in steps if isinstance(event, IngestFinished))

            first = ingest()
            again = seconds(ingest)
        total = first.seconds["total"]
        files = len(first.files)
        yield Row(
            "intake, whole way",
            f"{first.chunks / total:.1f} chunks/s",
            f"{files} files, {first.chunks} chunks, {total:.1f} s",
        )
        shares = ", ".join(f"{k} {100 * first.seconds[k] / total:.0f} %" for k in ("parse", "embed", "write"))
        yield Row("where the time goes", shares)
        yield Row(
            "the same folder again, unchanged",
            f"{1000 * again:.0f} ms",
            f"{again / total:.3f} of the first time",
        )
        stored = list(library.all_chunks())
        library.close()
        mean = sum(chunk.chunk.tokens for chunk in stored) / len(stored)
        yield Row("tokens a chunk in these figures", f"{mean:.0f}", f"of at most {settings.cut.size}")

    texts = [chunk.chunk.prefix + chunk.chunk.text for chunk in stored][:96]
    yield from _embedding(texts, folder)


def _embedding(texts: list[str], folder: Path) -> Iterator[Row]:
    """Our batches and forward pass against sentence-transformers as its documentation calls it: one call with
    its own default batches. Each in both precisions."""
    from sentence_transformers import SentenceTransformer

    tokens = [embedder_tokens().count(text) for text in texts]
    prepared = [normalise(text) for text in texts]
    model = BgeEmbedder.load_model(folder, native.thread_count())
    precisions: tuple[Precision, ...] = ("fp32", "bf16", "int8")
    for precision in precisions:
        whole = SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, model_kwargs={"add_pooling_layer": False}
        )
        whole = whole.bfloat16() if precision == "bf16" else whole.float()

        def ours(precision: Precision = precision) -> None:
            for batch in batches(tokens, STEP_TOKENS[precision]):
                model.encode([prepared[i] for i in batch], precision)

        def bare(whole: SentenceTransformer = whole) -> None:
            whole.encode(prepared, normalize_embeddings=True, show_progress_bar=False)

        own, plain = alternating(ours, bare, rounds=5)
        rate = sum(tokens) / sorted(own)[len(own) // 2]
        yield Row(
            f"embedding, {precision}",
            f"{rate:,.0f} tokens/s",
            f"time against the bare model {ratio(own, plain)}",
        )


def _corpus(place: Path) -> Path:
    """The sample library several times over, each copy with other text, so that nothing is reused."""
    corpus = place / "corpus"
    for number in range(COPIES):
        target = corpus / f"{number:02}"
        shutil.copytree(resources.path("samples"), target)
        for file in target.iterdir():
            if file.suffix in (".md", ".html"):
                text = file.read_text(encoding="utf-8")
                file.write_text(text.replace("衡汀", f"衡汀{number}"), encoding="utf-8")
            elif file.suffix != ".pdf":
                file.unlink()
    return corpus
