"""One file read to its end in this process, and what of its text went where."""

from collections.abc import Sequence
from pathlib import Path

from engine.config import Settings
from engine.documents import Chunk, Page
from engine.intake.messages import ChunksRead, PageRead, ReadDone, ReadFile, RecognisePages
from engine.intake.reading import answer
from engine.intake.scanner import content_hash


class Reading:
    """All that was said about one file; ``text`` is what its chunks hold, each character once."""

    def __init__(self, path: Path, *passwords: str, recognised: Sequence[Page] = ()) -> None:
        digest = content_hash(path)
        messages = list(answer(ReadFile(path, digest, passwords, tuple(recognised)), Settings()))
        self.pages: list[Page] = [m.page for m in messages if isinstance(m, PageRead)]
        self.chunks: list[Chunk] = [c for m in messages if isinstance(m, ChunksRead) for c in m.chunks]
        done = messages[-1]
        assert isinstance(done, ReadDone)
        self.done = done
        self.state = done.state.value
        self.reason = done.reason.code if done.reason else None
        self.text = "".join(chunk.text[chunk.overlap :] for chunk in self.chunks)


def recognised(path: Path, pages: Sequence[int]) -> list[Page]:
    """The pages as OCR reads them."""
    return [m.page for m in answer(RecognisePages(path, tuple(pages)), Settings()) if isinstance(m, PageRead)]


def unaccounted(reading: Reading) -> dict[int, list[str]]:
    """By page: pieces of its text that are in no chunk and were not dropped for a named reason.

    The hyphen of a word that is put together again belongs to the end of its line and to nothing else.
    """
    found: dict[int, list[str]] = {}
    for page in reading.pages:
        seen = bytearray(len(page.text))
        spans = [span for chunk in reading.chunks for span in chunk.spans]
        for span in [*spans, *(dropped.span for dropped in reading.done.dropped)]:
            if span.page == page.number:
                seen[span.start : span.end] = b"\1" * (span.end - span.start)
        left = "".join("\n" if seen[at] else char for at, char in enumerate(page.text))
        pieces = [piece.strip() for piece in left.split("\n") if piece.strip(" \t\u3000\r\xad-")]
        if pieces:
            found[page.number] = pieces
    return found
