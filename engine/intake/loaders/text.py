"""Plain text files."""

from collections.abc import Iterator

from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake.encodings import Decoded, control_share, decode
from engine.intake.loaders import LoadFailed, LoadItem, Source

_MOST_ODD = 0.05
"""A larger share of control characters than this: bytes that are not text, whatever decodes them."""


def read(source: Source) -> Iterator[LoadItem]:
    decoded = decode_file(source)
    yield SourceDocument("text", source.path.stem, title_from_name=True, encoding=decoded.encoding)
    yield Page(1, decoded.text)


def decode_file(source: Source, declared: str | None = None) -> Decoded:
    """The text of a file that should be text.

    Raises:
        LoadFailed: its bytes are not text in any encoding.
        OSError: it cannot be read.
    """
    data = source.bytes()
    decoded = decode(data, declared)
    if decoded.confidence < 0.6 and control_share(data.decode("latin-1")) > _MOST_ODD:
        raise LoadFailed(FileState.DAMAGED, Reason("not_text"))
    return decoded
