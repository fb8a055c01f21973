"""A folder of 300 documents in six formats, made of the sample library's sentences, always the same."""

import random
import re
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pymupdf

import resources

KINDS = {"pdf": 0.25, "docx": 0.2, "html": 0.15, "md": 0.15, "txt": 0.15, "xlsx": 0.1}
"""Share of each format."""

_SOURCES = Path(__file__).parents[1] / "samples" / "sources"
_SENTENCE = re.compile(r"[^。！？\n|#*<>@]{12,}[。！？]")
_LINES, _LINE = 40, 38
"""Lines of a PDF page and characters of a line."""


def make(folder: Path, count: int = 300) -> int:
    """Write ``count`` documents of 200 to 2,000 characters; returns the characters of all."""
    chance = random.Random(11)
    sentences = _sentences()
    kinds = [kind for kind, share in KINDS.items() for _ in range(round(share * count))]
    total = 0
    for number, kind in enumerate(kinds):
        wanted = int(200 * 10 ** chance.random())
        paragraphs = _paragraphs(sentences, number, wanted, chance)
        total += sum(map(len, paragraphs))
        place = folder / f"部门{number % 12:02}"
        place.mkdir(parents=True, exist_ok=True)
        _WRITERS[kind](place / f"文件{number:03}.{kind}", f"第{number}号文件", paragraphs)
    return total


def _sentences() -> list[str]:
    files = [*_SOURCES.glob("*.txt"), *resources.path("samples").glob("*.md")]
    texts = (file.read_text(encoding="utf-8") for file in sorted(files) if "英文" not in file.name)
    return sorted({match.group() for text in texts for match in _SENTENCE.finditer(text)})


def _paragraphs(sentences: list[str], number: int, wanted: int, chance: random.Random) -> list[str]:
    """Of three to six sentences each; every one says something about its own document, so that no two
    documents share a passage."""
    paragraphs: list[str] = []
    while sum(map(len, paragraphs)) < wanted:
        chosen = chance.sample(sentences, chance.randint(3, 6))
        paragraphs.append(f"第{number}号第{len(paragraphs) + 1}条 " + "".join(chosen))
    return paragraphs


def _pdf(file: Path, title: str, paragraphs: list[str]) -> None:
    lines = [title]
    for text in paragraphs:
        lines += [text[start : start + _LINE] for start in range(0, len(text), _LINE)]
    with pymupdf.open() as document:
        for first in range(0, len(lines), _LINES):
            page = document.new_page()
            for row, line in enumerate(lines[first : first + _LINES]):
                page.insert_text((60, 70 + 17 * row), line, fontname="china-s", fontsize=12)
        document.save(file)


def _docx(file: Path, title: str, paragraphs: list[str]) -> None:
    document = docx.Document()
    document.add_heading(title, 1)
    for text in paragraphs:
        document.add_paragraph(text)
    document.save(str(file))


def _html(file: Path, title: str, paragraphs: list[str]) -> None:
    body = "\n".join(f"<p>{text}</p>" for text in paragraphs)
    file.write_text(
        f'<!doctype html><html lang="zh"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><h1>{title}</h1>\n{body}</body></html>",
        encoding="utf-8",
    )


def _md(file: Path, title: str, paragraphs: list[str]) -> None:
    sections = [f"## 第{i}节\n\n{text}\n" for i, text in enumerate(paragraphs, 1)]
    file.write_text(f"# {title}\n\n" + "\n".join(sections), encoding="utf-8")


def _txt(file: Path, title: str, paragraphs: list[str]) -> None:
    file.write_text("\n\n".join((title, *paragraphs)), encoding="utf-8")


def _xlsx(file: Path, title: str, paragraphs: list[str]) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = title
    sheet.append(["序号", "内容", "说明"])
    for number, text in enumerate(paragraphs, 1):
        half = len(text) // 2
        sheet.append([number, text[:half], text[half:]])
    book.save(file)


_WRITERS: dict[str, Callable[[Path, str, list[str]], None]] = {
    "pdf": _pdf, "docx": _docx, "html": _html, "md": _md, "txt": _txt, "xlsx": _xlsx,
}  # fmt: skip
