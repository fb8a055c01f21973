"""Make the binary documents of the sample library (PDF, DOCX, GBK text) from the plain texts in sources/.

Run from the repository root:  python tests/samples/make_samples.py
The PDFs need fontTools and Noto Sans CJK (see README.md in this folder); the same inputs give the same bytes.

Mark-up of a source, one block a line: `# title`, `## heading`, `### heading`, `@ small grey line`,
`@@ line of a cover`, `- item`, `| cell | cell |` (first row is the head), `<<<page>>>`, anything else is a
paragraph; `**bold**` inside a line.
"""

from __future__ import annotations

import argparse
import datetime as dt
import io
import re
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SOURCES = Path(__file__).resolve().parent / "sources"
SAMPLES = Path(__file__).resolve().parents[2] / "resources" / "samples"
PAGE_BREAK = "<<<page>>>"
COMPANY_NAMES = {"zh": "衡汀仪器有限公司", "en": "Hengting Instruments Co., Ltd."}

FONT_FILES = {"regular": "NotoSansCJK-Regular.ttc", "bold": "NotoSansCJK-Bold.ttc"}
FONT_DIRS = (Path("/usr/share/fonts/opentype/noto"), Path("/usr/share/fonts/noto-cjk"))
SIMPLIFIED_FACE = 2  # JP, KR, SC, TC, HK: the order of the faces in the Noto Sans CJK collections.


# ---------------------------------------------------------------------------------------------- sources
@dataclass(frozen=True, slots=True)
class Block:
    kind: str  # h1, h2, h3, note, cover, item, table, page, text
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()


def parse(source: str) -> list[Block]:
    """Blocks of a source; neighbouring table rows become one table."""
    prefixes = (("### ", "h3"), ("## ", "h2"), ("# ", "h1"), ("@@ ", "cover"), ("@ ", "note"), ("- ", "item"))
    blocks: list[Block] = []
    rows: list[tuple[str, ...]] = []
    for line in [*source.splitlines(), ""]:
        if line.startswith("|"):
            rows.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
            continue
        if rows:
            blocks.append(Block("table", rows=tuple(rows)))
            rows = []
        if line == PAGE_BREAK:
            blocks.append(Block("page"))
        elif line.strip():
            kind, start = next(((k, len(p)) for p, k in prefixes if line.startswith(p)), ("text", 0))
            blocks.append(Block(kind, line[start:].strip()))
    return blocks


def bold_runs(text: str) -> Iterator[tuple[str, bool]]:
    """The pieces of a line with `**bold**` marks, as (text, is_bold)."""
    for number, piece in enumerate(text.split("**")):
        if piece:
            yield piece, number % 2 == 1


# -------------------------------------------------------------------------------------------------- PDF
@dataclass(frozen=True, slots=True)
class PdfJob:
    name: str
    subject: str
    created: str
    language: str = "zh"
    roman_pages: int = 0  # this many pages at the front are labelled i, ii, …


PDF_JOBS = (
    PdfJob("差旅报销管理办法", "财务制度", "20250226090000"),
    PdfJob("HT-300系列激光测距仪产品手册", "产品手册", "20250418090000", roman_pages=2),
    PdfJob("2025年第三季度经营报告-英文版", "Quarterly report", "20251024090000", language="en"),
)

WIDTH, HEIGHT = 595.0, 842.0  # A4 in points
LEFT, RIGHT, TOP, BOTTOM = 74.0, 521.0, 76.0, 768.0
INK, GREY, ACCENT = (0.12, 0.13, 0.15), (0.42, 0.45, 0.49), (0.09, 0.30, 0.42)
HEAD_FILL, RULE, BEAM = (0.92, 0.945, 0.955), (0.72, 0.76, 0.79), (0.78, 0.16, 0.14)
NO_LINE_START = set("，。、；：？！）》」』】〕”’…—～%％℃·")
NO_LINE_END = set("（《「『【〔“‘")
NUMERIC = re.compile(r"\**[+-]?\d+(\.\d+)?%?\**")
HALF_EMPTY = set("，。、；：？！）》」』】〕”’")  # the right half of the glyph is blank


@dataclass(frozen=True, slots=True)
class Style:
    size: float
    leading: float
    bold: bool = False
    color: tuple[float, float, float] = INK
    before: float = 0.0
    after: float = 5.0
    indent: float = 0.0
    centred: bool = False


STYLES = {
    "h1": Style(21, 29, bold=True, color=ACCENT, after=5),
    "h2": Style(13.5, 20, bold=True, color=ACCENT, before=13, after=6),
    "h3": Style(11, 18, bold=True, before=7, after=4),
    "note": Style(8.8, 14, color=GREY, after=16),
    "text": Style(10.8, 19, after=7),
    "item": Style(10.8, 19, after=2, indent=16),
    "cell": Style(9.5, 14.5),
    "cover_title": Style(28, 42, bold=True, color=ACCENT, centred=True, after=20),
    "cover": Style(12.5, 22, color=GREY, centred=True, after=8),
}


@dataclass(slots=True)
class Box:
    """One line, table row or gap of the page; draw(page, y) paints it with its top at y."""

    height: float
    draw: Callable[[Any, float], None] | None = None


@dataclass(slots=True)
class Group:
    """Boxes that stay on one page."""

    boxes: list[Box] = field(default_factory=list)
    before: float = 0.0
    sticks_to_next: bool = False

    @property
    def height(self) -> float:
        return sum(box.height for box in self.boxes)


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    bold: bool
    width: float


class Canvas:
    """The fonts of one PDF and the setting of lines with them; Chinese is justified, English is not."""

    def __init__(self, fonts: dict[bool, Any], *, justifies: bool) -> None:
        self.fonts = fonts
        self.justifies = justifies

    def width(self, text: str, size: float, bold: bool) -> float:
        return float(self.fonts[bold].text_length(text, fontsize=size))

    def units(self, text: str, style: Style) -> list[list[Piece]]:
        """Unbreakable units: a word, a CJK character with its punctuation, or one blank."""
        units: list[list[Piece]] = []
        glue = False
        for run, marked in bold_runs(text):
            bold = marked or style.bold
            for token in re.findall(r"[!-~°±×≥≤]+|\s|.", run):
                piece = Piece(token, bold, self.width(token, style.size, bold))
                closes = token[0] in NO_LINE_START and bool(units) and not units[-1][0].text.isspace()
                if units and (glue or closes):
                    units[-1].append(piece)
                else:
                    units.append([piece])
                glue = token in NO_LINE_END
        return units

    def lines(self, text: str, style: Style, width: float) -> list[list[list[Piece]]]:
        lines: list[list[list[Piece]]] = [[]]
        used = 0.0
        for unit in self.units(text, style):
            unit_width = sum(piece.width for piece in unit)
            spare = style.size / 2 if unit[-1].text[-1] in HALF_EMPTY else 0.0
            if lines[-1] and used + unit_width - spare > width + 0.01:
                while lines[-1] and lines[-1][-1][0].text == " ":
                    lines[-1].pop()
                lines.append([])
                used = 0.0
            if unit[0].text == " " and not lines[-1]:
                continue
            lines[-1].append(unit)
            used += unit_width
        return lines

    def set_line(
        self, page: Any, line: list[list[Piece]], x: float, baseline: float, style: Style, gap: float
    ) -> None:
        """Paint one line; neighbouring pieces of one font go out as one string where no gap is added."""
        import pymupdf

        writer = pymupdf.TextWriter(page.rect)
        run, run_x, run_bold = "", x, False
        for unit in line:
            for piece in unit:
                if run and run_bold != piece.bold:
                    writer.append((run_x, baseline), run, font=self.fonts[run_bold], fontsize=style.size)
                    run = ""
                if not run:
                    run_x, run_bold = x, piece.bold
                run += piece.text
                x += piece.width
            if gap:
                writer.append((run_x, baseline), run, font=self.fonts[run_bold], fontsize=style.size)
                run, x = "", x + gap
        if run:
            writer.append((run_x, baseline), run, font=self.fonts[run_bold], fontsize=style.size)
        writer.write_text(page, color=style.color)

    def line_box(
        self, line: list[list[Piece]], style: Style, *, x: float, width: float, justify: bool
    ) -> Box:
        used = sum(piece.width for unit in line for piece in unit)
        if line and line[-1][-1].text[-1] in HALF_EMPTY:
            used -= style.size / 2
        gaps = len(line) - 1
        gap = (width - used) / gaps if justify and gaps else 0.0
        if gap > 0.1 * style.size:  # a wide gap would read as a blank
            gap = 0.0
        if style.centred:
            x += (width - used) / 2

        def draw(page: Any, y: float) -> None:
            baseline = y + style.leading / 2 + style.size * 0.36
            self.set_line(page, line, x, baseline, style, gap)

        return Box(style.leading, draw)

    def paragraph(
        self, text: str, style: Style, *, bullet: bool = False, justify: bool = True
    ) -> list[Group]:
        x, width = LEFT + style.indent, RIGHT - LEFT - style.indent
        lines = self.lines(text, style, width)
        boxes = [
            self.line_box(
                line, style, x=x, width=width, justify=justify and self.justifies and number < len(lines) - 1
            )
            for number, line in enumerate(lines)
        ]
        if bullet:
            first = boxes[0].draw

            def draw_with_bullet(page: Any, y: float) -> None:
                dot = [[Piece("•", False, 0.0)]]
                self.set_line(page, dot, LEFT + 3, y + style.leading / 2 + style.size * 0.36, style, 0.0)
                assert first is not None
                first(page, y)

            boxes[0].draw = draw_with_bullet
        # No single line of a paragraph alone at the foot or the head of a page.
        parts = [boxes] if len(boxes) <= 3 else [boxes[:2], *([box] for box in boxes[2:-2]), boxes[-2:]]
        groups = [Group(list(part)) for part in parts]
        groups[0].before = style.before
        groups[-1].boxes.append(Box(style.after))
        return groups

    def table(self, rows: Sequence[Sequence[str]]) -> Group:
        style, pad = STYLES["cell"], 7.0
        head = Style(style.size, style.leading, bold=True, color=ACCENT)
        columns = len(rows[0])
        natural = [
            max(self.width(row[c].strip("*"), style.size, n == 0) for n, row in enumerate(rows)) + 2 * pad + 1
            for c in range(columns)
        ]
        room = RIGHT - LEFT
        spare = room - sum(natural)
        if spare >= 0:
            widths = [w + spare / columns for w in natural]
        else:  # only the widest column wraps
            widest = natural.index(max(natural))
            widths = [w + spare if c == widest else w for c, w in enumerate(natural)]
        right = [all(NUMERIC.fullmatch(row[c]) for row in rows[1:]) for c in range(columns)]
        group = Group([Box(2)])
        for number, row in enumerate(rows):
            row_style = head if number == 0 else style
            group.boxes.append(self.table_row(row, widths, right, row_style, pad, number, len(rows)))
        group.boxes.append(Box(10))
        return group

    def table_row(
        self,
        row: Sequence[str],
        widths: list[float],
        right: list[bool],
        style: Style,
        pad: float,
        number: int,
        count: int,
    ) -> Box:
        cells = [self.lines(cell, style, w - 2 * pad) for cell, w in zip(row, widths, strict=True)]
        height = max(len(lines) for lines in cells) * style.leading + 6

        def draw(page: Any, y: float) -> None:
            shape = page.new_shape()
            if number == 0:
                shape.draw_rect((LEFT, y, RIGHT, y + height))
                shape.finish(fill=HEAD_FILL, color=None)
                shape.draw_line((LEFT, y), (RIGHT, y))
                shape.finish(color=ACCENT, width=0.9)
            strong = number in (0, count - 1)
            shape.draw_line((LEFT, y + height), (RIGHT, y + height))
            shape.finish(color=ACCENT if strong else RULE, width=0.9 if number == count - 1 else 0.5)
            shape.commit()
            x = LEFT
            for lines, width, to_right in zip(cells, widths, right, strict=True):
                for n, line in enumerate(lines):
                    baseline = y + 3 + n * style.leading + style.leading / 2 + style.size * 0.36
                    used = sum(piece.width for unit in line for piece in unit)
                    start = x + width - pad - used if to_right else x + pad
                    self.set_line(page, line, start, baseline, style, 0.0)
                x += width

        return Box(height, draw)


def lay_out(blocks: Sequence[Block], canvas: Canvas) -> list[list[tuple[Box, float]]]:
    """Pages of (box, y)."""
    pages: list[list[Group]] = [[]]
    has_cover = any(block.kind == "cover" for block in blocks)
    last = ""
    for block in blocks:
        if block.kind == "page":
            pages.append([])
        elif block.kind == "table":
            pages[-1].append(canvas.table(block.rows))
        else:
            on_cover = has_cover and len(pages) == 1
            style = STYLES["cover_title" if on_cover and block.kind == "h1" else block.kind]
            groups = canvas.paragraph(
                block.text, style, bullet=block.kind == "item", justify=block.kind in ("text", "item")
            )
            if on_cover and block.kind == "h1":
                groups.insert(0, Group([cover_box()]))
            elif block.kind != "item" and last == "item":
                groups[0].before += 5
            announces = block.kind == "text" and block.text.endswith(("：", ":", "下表。"))
            groups[-1].sticks_to_next = announces or block.kind in ("h1", "h2", "h3")
            if block.kind == "h1" and not on_cover:
                groups[-1].boxes.append(rule_box())
            pages[-1].extend(groups)
        last = block.kind

    placed: list[list[tuple[Box, float]]] = []
    for groups in pages:
        placed.append([])
        y = TOP
        for number, group in enumerate(groups):
            needed = group.height
            follower = number
            while groups[follower].sticks_to_next and follower + 1 < len(groups):
                follower += 1
                needed += groups[follower].height + groups[follower].before
            if placed[-1] and y + group.before + needed > BOTTOM:
                placed.append([])
                y = TOP
            if placed[-1]:
                y += group.before
            for box in group.boxes:
                placed[-1].append((box, y))
                y += box.height
    return placed


def rule_box() -> Box:
    def draw(page: Any, y: float) -> None:
        shape = page.new_shape()
        shape.draw_line((LEFT, y), (RIGHT, y))
        shape.finish(color=ACCENT, width=1.2)
        shape.commit()

    return Box(8, draw)


def cover_box() -> Box:
    """The drawing on the cover: a hand-held rangefinder, its beam and the target."""

    def draw(page: Any, y: float) -> None:
        middle = (LEFT + RIGHT) / 2
        top, x = y + 110, middle - 130
        shape = page.new_shape()
        shape.draw_rect((x, top, x + 92, top + 42), radius=0.14)
        shape.finish(color=ACCENT, fill=HEAD_FILL, width=1.4)
        shape.draw_rect((x + 40, top + 8, x + 78, top + 34), radius=0.1)
        shape.finish(color=ACCENT, fill=(1, 1, 1), width=0.9)
        for row in (0, 1):
            for column in (0, 1):
                shape.draw_circle((x + 14 + 14 * column, top + 14 + 14 * row), 3.6)
        shape.finish(color=ACCENT, fill=ACCENT, width=0.5)
        shape.draw_line((x + 94, top + 21), (middle + 128, top + 21))
        shape.finish(color=BEAM, width=1.1, dashes="[5 3] 0")
        shape.draw_line((middle + 130, top - 18), (middle + 130, top + 60))
        shape.finish(color=ACCENT, width=2.2)
        shape.draw_line((x, top + 72), (middle + 130, top + 72))
        for end in (x, middle + 130):
            shape.draw_line((end, top + 67), (end, top + 77))
        shape.finish(color=GREY, width=0.7)
        shape.commit()

    return Box(250, draw)


def roman(number: int) -> str:
    return ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")[number - 1]


def find_font_dir(given: Path | None = None) -> Path | None:
    """The folder that holds both Noto Sans CJK collections, or None."""
    for folder in (given,) if given else FONT_DIRS:
        if folder and all((folder / name).is_file() for name in FONT_FILES.values()):
            return folder
    return None


def subset_font(path: Path, characters: set[str]) -> Any:
    """The Simplified Chinese face cut down to the characters used.

    Cut before embedding, not by Document.subset_fonts(): MuPDF cannot subset this CFF font, and a map of only
    our characters keeps look-alikes of other code points (U+FA08 for 行) out of ToUnicode.
    """
    import pymupdf
    from fontTools import subset
    from fontTools.ttLib import TTFont

    options = subset.Options()
    options.hinting = False
    options.layout_features = []
    options.drop_tables += ["GSUB", "GPOS", "GDEF", "BASE", "VORG", "vhea", "vmtx", "DSIG"]
    options.name_IDs = [1, 2, 4, 6]
    font = TTFont(path, fontNumber=SIMPLIFIED_FACE, recalcTimestamp=False)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=sorted(ord(c) for c in characters))
    subsetter.subset(font)
    missing = characters - {chr(code) for code in font.getBestCmap()}
    if missing:
        raise ValueError(f"{path.name} lacks {sorted(missing)}")
    number_cids(font)
    buffer = io.BytesIO()
    font.save(buffer)
    return pymupdf.Font(fontbuffer=buffer.getvalue())


def number_cids(font: Any) -> None:
    """Give each glyph of a CID-keyed font its own glyph number as CID.

    MuPDF writes glyph numbers into the page, a viewer reads them as CIDs.
    """
    old = font.getGlyphOrder()
    new = [".notdef", *(f"cid{number:05d}" for number in range(1, len(old)))]
    names = dict(zip(old, new, strict=True))
    top = font["CFF "].cff.topDictIndex[0]
    strings = top.CharStrings
    strings.charStrings = {names[name]: value for name, value in strings.charStrings.items()}
    top.charset = new
    font["hmtx"].metrics = {names[name]: value for name, value in font["hmtx"].metrics.items()}
    for table in font["cmap"].tables:
        table.cmap = {code: names[name] for code, name in table.cmap.items()}
    font.setGlyphOrder(new)


def make_pdf(job: PdfJob, font_dir: Path) -> bytes:
    import pymupdf

    blocks = parse((SOURCES / f"{job.name}.pdf.txt").read_text(encoding="utf-8"))
    title = next(block.text for block in blocks if block.kind == "h1")
    used: dict[bool, set[str]] = {False: set(title + " •/ivx0123456789"), True: set(" ")}
    for block in blocks:
        style = STYLES.get(block.kind, STYLES["cell"])
        cells = [(cell, number == 0) for number, row in enumerate(block.rows) for cell in row]
        for text, is_bold in [(block.text, style.bold), *cells]:
            for run, marked in bold_runs(text):
                used[marked or is_bold].update(run)
    canvas = Canvas(
        {
            bold: subset_font(font_dir / FONT_FILES["bold" if bold else "regular"], characters)
            for bold, characters in used.items()
        },
        justifies=job.language == "zh",
    )

    document = pymupdf.open()
    footer = Style(8, 12, color=GREY)
    pages = lay_out(blocks, canvas)
    for number, boxes in enumerate(pages, start=1):
        page = document.new_page(width=WIDTH, height=HEIGHT)
        for box, y in boxes:
            if box.draw:
                box.draw(page, y)
        if number <= job.roman_pages:
            label = roman(number)
        elif job.roman_pages:
            label = str(number - job.roman_pages)
        else:
            label = f"{number} / {len(pages)}"
        label_width = canvas.width(label, footer.size, False)
        canvas.set_line(page, [[Piece(title, False, 0.0)]], LEFT, 802, footer, 0.0)
        canvas.set_line(page, [[Piece(label, False, 0.0)]], RIGHT - label_width, 802, footer, 0.0)
        shape = page.new_shape()
        shape.draw_line((LEFT, 789), (RIGHT, 789))
        shape.finish(color=RULE, width=0.5)
        shape.commit()

    if job.roman_pages:
        document.set_page_labels(
            [
                {"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 1},
                {"startpage": job.roman_pages, "prefix": "", "style": "D", "firstpagenum": 1},
            ]
        )
    families = {font[3] for page in document for font in page.get_fonts()}
    if len(families) > len(canvas.fonts):
        raise ValueError(f"{job.name}: a character fell back to another font: {sorted(families)}")
    document.set_toc(outline(document, blocks))
    document.set_metadata(
        {
            "title": title,
            "author": COMPANY_NAMES[job.language],
            "subject": job.subject,
            "creationDate": f"D:{job.created}+08'00'",
            "modDate": f"D:{job.created}+08'00'",
        }
    )
    document.set_language("zh-CN" if job.language == "zh" else "en")
    # The same bytes every time: no random file identifier.
    data = document.tobytes(
        garbage=4, clean=True, deflate=True, deflate_fonts=True, use_objstms=1, no_new_id=True
    )
    document.close()
    return bytes(data)


def outline(document: Any, blocks: Sequence[Block]) -> list[list[Any]]:
    """Bookmarks of the title and the second-level headings."""
    texts = ["".join(page.get_text().split()) for page in document]
    entries: list[list[Any]] = []
    at = 0
    for block in blocks:
        if block.kind not in ("h1", "h2"):
            continue
        wanted = "".join(block.text.split())
        later = (n for n in range(at, len(texts)) if wanted in texts[n])
        contents = {n for n, text in enumerate(texts) if "目录章节页码" in text}
        at = next(
            (n for n in later if n not in contents or block.text in ("安全须知", "手册中的标记", "目录")), at
        )
        entries.append([1, re.sub(r"\s+", " ", block.text), at + 1])
    return entries


# ------------------------------------------------------------------------------------------------- DOCX
@dataclass(frozen=True, slots=True)
class DocxJob:
    name: str
    subject: str
    created: dt.datetime


DOCX_JOBS = (
    DocxJob("数据安全管理制度", "信息安全制度", dt.datetime(2024, 6, 25, 9, 0)),
    DocxJob("电路板采购框架合同摘要", "合同摘要", dt.datetime(2025, 6, 3, 9, 0)),
)


def make_docx(job: DocxJob) -> bytes:
    import docx
    from docx.enum.table import WD_TABLE_ALIGNMENT
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import Cm, Pt, RGBColor

    document = docx.Document()
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.6)
    section.top_margin = section.bottom_margin = Cm(2.4)
    accent = RGBColor(0x17, 0x4D, 0x6B)
    looks = {
        "Normal": ("宋体", 10.5, None),
        "Heading 1": ("黑体", 20, accent),
        "Heading 2": ("黑体", 14, accent),
        "Heading 3": ("黑体", 11.5, None),
    }
    for name, (east_asian, size, color) in looks.items():
        style = document.styles[name]
        style.font.name = "Arial"
        style.font.size = Pt(size)
        if name != "Normal":
            style.font.bold = True
            style.font.color.rgb = color or RGBColor(0x20, 0x22, 0x26)
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{theme}"), None)
        fonts.set(qn("w:eastAsia"), east_asian)
    body = document.styles["Normal"].paragraph_format
    body.line_spacing, body.space_after = 1.4, Pt(6)

    for block in parse((SOURCES / f"{job.name}.docx.txt").read_text(encoding="utf-8")):
        if block.kind in ("h1", "h2", "h3"):
            document.add_heading(block.text, level=int(block.kind[1]))
        elif block.kind == "table":
            table = document.add_table(rows=0, cols=len(block.rows[0]), style="Table Grid")
            table.alignment = WD_TABLE_ALIGNMENT.CENTER
            for number, row in enumerate(block.rows):
                cells = table.add_row().cells
                for cell, text in zip(cells, row, strict=True):
                    paragraph = cell.paragraphs[0]
                    paragraph.paragraph_format.space_after = Pt(2)
                    paragraph.add_run(text).bold = number == 0
                    if number == 0:
                        shade = OxmlElement("w:shd")
                        shade.set(qn("w:val"), "clear")
                        shade.set(qn("w:fill"), "EAF1F4")
                        cell._tc.get_or_add_tcPr().append(shade)
            document.add_paragraph().paragraph_format.space_after = Pt(2)
        else:
            paragraph = document.add_paragraph(style="List Bullet" if block.kind == "item" else None)
            for text, bold in bold_runs(block.text):
                run = paragraph.add_run(text)
                run.bold = bold or None
                if block.kind == "note":
                    run.font.size = Pt(9)
                    run.font.color.rgb = RGBColor(0x6B, 0x72, 0x7C)

    properties = document.core_properties
    properties.title = job.name
    properties.subject = job.subject
    properties.author = properties.last_modified_by = COMPANY_NAMES["zh"]
    properties.comments = properties.keywords = ""
    properties.language = "zh-CN"
    properties.created = properties.modified = job.created
    buffer = io.BytesIO()
    document.save(buffer)
    return same_zip(buffer.getvalue(), job.created)


def same_zip(data: bytes, stamp: dt.datetime) -> bytes:
    """The archive with one fixed time on every member, so that the same text gives the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            if name == "docProps/thumbnail.jpeg":  # a picture of the library's empty template
                continue
            content = old.read(name)
            if name == "_rels/.rels":
                content = re.sub(rb"<Relationship [^>]*thumbnail[^>]*/>", b"", content)
            info = zipfile.ZipInfo(name, date_time=stamp.timetuple()[:6])
            info.external_attr = 0o600 << 16
            new.writestr(info, content, compress_type=zipfile.ZIP_DEFLATED, compresslevel=9)
    return out.getvalue()


# -------------------------------------------------------------------------------------------------- GBK
GBK_JOBS = ("HT-310立项评审会议纪要",)


def make_gbk(name: str) -> bytes:
    text = (SOURCES / f"{name}.gbk.txt").read_text(encoding="utf-8")
    return text.replace("\n", "\r\n").encode("gbk")  # as Windows Notepad saved it


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description="Make the PDF, DOCX and GBK documents of the sample library."
    )
    parser.add_argument("--out", type=Path, default=SAMPLES)
    parser.add_argument("--fonts", type=Path, help="folder with NotoSansCJK-Regular.ttc and -Bold.ttc")
    args = parser.parse_args(argv)
    font_dir = find_font_dir(args.fonts)
    if font_dir is None:
        print("Noto Sans CJK not found: install fonts-noto-cjk or give --fonts.", file=sys.stderr)
        return 1
    made = {f"{job.name}.pdf": make_pdf(job, font_dir) for job in PDF_JOBS}
    made |= {f"{job.name}.docx": make_docx(job) for job in DOCX_JOBS}
    made |= {f"{name}.txt": make_gbk(name) for name in GBK_JOBS}
    args.out.mkdir(parents=True, exist_ok=True)
    for name, data in made.items():
        (args.out / name).write_bytes(data)
        print(f"{name}: {len(data):,} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
