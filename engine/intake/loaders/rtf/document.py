"""Rich text (.rtf, and .doc files that are RTF inside).

Read here and not by striprtf, which drops footnotes and text boxes, shows deleted text, and decodes
Chinese that stands in a Western font (as Word writes it) as Western.
"""

from collections.abc import Iterator

from engine.documents import FileState, Page, Reason, SourceDocument
from engine.intake.loaders import LoadFailed, LoadItem, Missing, Source
from engine.intake.loaders.rtf.reader import Reader


def read(source: Source) -> Iterator[LoadItem]:
    """The document as one page; partial where its end is missing.

    Raises:
        LoadFailed: it is not RTF.
        OSError: it cannot be read.
    """
    data = source.bytes()
    if not data.lstrip()[:5] == b"{\\rtf":
        raise LoadFailed(FileState.DAMAGED, Reason("wrong_suffix", {"suffix": source.path.suffix}))
    reader = Reader(data.decode("latin-1"))
    reader.run()
    lines = reader.paper.lines
    title = reader.paper.title or next((h.text for h in lines.headings if h.level == 1), "")
    yield SourceDocument("word", title or source.path.stem, title_from_name=not title)
    yield Page(1, lines.text(), headings=tuple(lines.headings), tables=tuple(lines.tables))
    if reader.is_cut_short:
        yield Missing(
            (1,), Reason("cut_short"), alone=(FileState.DAMAGED, Reason("damaged", {"detail": "RTF"}))
        )


def text_of_rtf(data: bytes) -> str:
    reader = Reader(data.decode("latin-1"))
    reader.run()
    return reader.paper.lines.text()
