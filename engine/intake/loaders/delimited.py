"""Delimited text (.csv, .tsv), streamed: neither the bytes nor the rows are ever held together.

Rows count as a spreadsheet program shows them: a quoted cell with line breaks is part of one row, and
blank lines count. There is no sheet, so that ``location["sheet"]`` is None.
"""

import codecs
import csv
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from engine.documents import FileState, Reason, SourceDocument
from engine.intake.encodings import control_share, decode
from engine.intake.loaders import LoadFailed, LoadItem, Source
from engine.intake.loaders.sheet.head import Row
from engine.intake.loaders.sheet.pages import one_line, pages

_BLOCK = 1 << 20
_HEAD = 1 << 16
_SAMPLE = 1 << 18
_MIXED = "utf-8+gb18030"
_MOST_ODD = 0.05
"""A larger share of control characters than this: bytes that are not text (as in :mod:`.text`)."""

_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
_SNIFFED_LINES = 200
_SNIFFED_CHARACTERS = 1 << 17
# With the share of rows that must agree on a number of cells; a comma is what the suffix promises.
_DELIMITERS = {",": 0.0, "\t": 0.5, ";": 0.5, "|": 0.6, "，": 0.9, "；": 0.9}
_LONGEST_ROW = 1 << 25
_LONGEST_FIELD = 2**31 - 1


def read(source: Source) -> Iterator[LoadItem]:
    """Raises LoadFailed for bytes that are not text, OSError."""
    encoding = _encoding(source)
    lines = _lines(_texts(source, encoding))
    head: list[str] = []
    size = 0
    for line in islice(lines, _SNIFFED_LINES):
        head.append(line)
        size += len(line)
        if size > _SNIFFED_CHARACTERS:
            break
    told = _SEPARATOR_LINE.fullmatch(head[0]) if head else None
    if told is not None:
        head.pop(0)
    delimiter = told[1] if told is not None else _sniff(head, tabs=source.path.suffix.lower() == ".tsv")
    yield SourceDocument("sheet", source.path.stem, title_from_name=True, encoding=encoding)
    yield from pages(_rows(chain(head, lines), delimiter), first=1, sheet=None)


def _encoding(source: Source) -> str:
    """The encoding of the whole file: one pass over it, since the first letter that tells may come late."""
    utf8 = codecs.getincrementaldecoder("utf-8")("replace")
    size = characters = replaced = 0
    sample = bytearray()
    with source.open() as stream:
        head = stream.read(_HEAD)
        whole = decode(head if len(head) < _HEAD else head[: head.rfind(b"\n") + 1 or _HEAD])
        if head.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in head:
            _refuse_bytes(head, whole.confidence)
            return whole.encoding
        stream.seek(0)
        # Whole lines, so that no character is cut where the sample is put together.
        while block := stream.read(_BLOCK) + stream.readline(_BLOCK):
            text = utf8.decode(block)
            size += len(block)
            characters += len(text)
            replaced += text.count("\ufffd")
            if not block.isascii() and len(sample) < _SAMPLE:
                sample += b"".join(line for line in block.splitlines(keepends=True) if not line.isascii())
    # A file that is cut in the middle of a character, or damaged in a few places, is still UTF-8.
    if replaced <= 1 + (size - characters) // 200 and (size - characters > 8 or not replaced):
        return "utf-8"
    guessed = decode(bytes(sample[: sample.rfind(b"\n", 0, _SAMPLE) + 1 or _SAMPLE]))
    _refuse_bytes(head, guessed.confidence)
    return _MIXED if guessed.encoding == "gb18030" and _is_mixed(sample) else guessed.encoding


def _is_mixed(sample: bytes | bytearray) -> bool:
    """Whether many lines are UTF-8, as when files of two systems were put together."""
    lines = sample.splitlines()
    return sum(map(_is_utf8, lines)) * 10 > len(lines)


def _is_utf8(line: bytes | bytearray) -> bool:
    try:
        # A line of two or three Chinese characters may be valid in both by accident.
        return len(line) - len(line.decode("utf-8")) >= 8
    except UnicodeDecodeError:
        return False


def _refuse_bytes(head: bytes, confidence: float) -> None:
    if confidence < 0.6 and control_share(head.decode("latin-1")) > _MOST_ODD:
        raise LoadFailed(FileState.DAMAGED, Reason("not_text"))


def _texts(source: Source, encoding: str) -> Iterator[str]:
    """The text block by block, U+FFFD for bytes that are none, without byte order mark and NULs."""
    with source.open() as stream:
        if encoding == _MIXED:
            for line in stream:
                try:
                    yield line.decode("utf-8")
                except UnicodeDecodeError:
                    yield line.decode("gb18030", "replace")
            return
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        start = True
        while block := stream.read(_BLOCK):
            text = decoder.decode(block).replace("\0", "")
            yield text.removeprefix("\ufeff") if start else text
            start = start and not text
        yield decoder.decode(b"", final=True)


def _lines(texts: Iterable[str]) -> Iterator[str]:
    """Lines with their ends as ``\\n``; the last one may have none."""
    held: list[str] = []
    for text in texts:
        if held and held[-1].endswith("\r"):
            text = held.pop() + text
        cut_return = text.endswith("\r")
        text = text[:-1] if cut_return else text
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        *ended, open_line = text.split("\n")
        for line in ended:
            yield "".join(held) + line + "\n" if held else line + "\n"
            held.clear()
        held.append(open_line + "\r" if cut_return else open_line)
    rest = "".join(held)
    if rest:
        yield rest.removesuffix("\r")


def _sniff(lines: Sequence[str], *, tabs: bool) -> str:
    """The delimiter on whose number of cells most rows agree."""
    best, best_score = "\t" if tabs else ",", (0.0, 0)
    for delimiter, least in _DELIMITERS.items():
        counts = Counter(len(record) for record in islice(_records(lines, delimiter), 100) if record)
        cells, rows = max(
            ((cells, rows) for cells, rows in counts.items() if cells > 1),
            key=lambda item: item[1],
            default=(0, 0),
        )
        share = rows / max(1, counts.total())
        if delimiter == "\t" and tabs and rows:
            return delimiter
        if share >= least and (share, cells) > best_score:
            best, best_score = delimiter, (share, cells)
    return best


class _Feed:
    """Lines for the reader, which are kept until it has made a row of them.

    ``is_cut``: a quoted cell did not end, neither in the file nor within any length that makes sense.
    """

    def __init__(self, lines: Iterator[str], again: deque[str]) -> None:
        self._lines, self._again = lines, again
        self.taken: list[str] = []
        self._size = 0
        self.is_cut = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if not self.taken:
            self._size = 0
        line = None
        if self._size <= _LONGEST_ROW:
            line = self._again.popleft() if self._again else next(self._lines, None)
        if line is None:
            self.is_cut = bool(self.taken)
            raise StopIteration
        self.taken.append(line)
        self._size += len(line)
        return line


def _records(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(_LONGEST_FIELD)
    source = iter(lines)
    again: deque[str] = deque()
    is_cut = True
    while is_cut:
        feed = _Feed(source, again)
        is_cut = False
        for record in csv.reader(feed, delimiter=delimiter):
            if feed.is_cut:
                break
            yield record
            feed.taken.clear()
        if feed.is_cut:
            # A stray quotation mark would make one cell of all that follows: it is only a character.
            first, *others = feed.taken
            yield first.rstrip("\n").split(delimiter)
            again.extendleft(reversed(others))
            is_cut = True


def _rows(lines: Iterable[str], delimiter: str) -> Iterator[Row]:
    for number, record in enumerate(_records(lines, delimiter), 1):
        cells = [one_line(cell) for cell in record]
        while cells and not cells[-1]:
            cells.pop()
        if cells:
            yield Row(number, cells)
