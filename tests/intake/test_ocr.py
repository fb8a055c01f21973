"""Scanned pages: what OCR reads, in which order, and where it says that it stands."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy
import pymupdf
import pytest

from engine import seal
from engine.documents import FileState, Page
from engine.intake import boxes, ocr
from engine.intake.loaders import LoadFailed
from engine.intake.ocr import drawing, layout, lines, models
from tests.quality.scans import write_pdf

SIZE = 14
RED = (0.85, 0.1, 0.1)
RULES = (
    "差旅报销管理办法",
    "员工出差应当提前1个工作日提交申请单，由部门负责人批准。",
    "住宿费限额：一线城市每晚550元，其他城市每晚380元。",
    "The allowance for meals is 100 yuan per day.",
)

Draw = Callable[[pymupdf.Page], None]


def scan(
    path: Path, draw: Draw, *, turn: int = 0, rotation: int = 0, width: int = 595, height: int = 420
) -> Path:
    """A PDF whose one page is a picture of what ``draw`` drew, turned clockwise by ``turn`` degrees."""
    with pymupdf.open() as document:
        page = document.new_page(width=width, height=height)
        draw(page)
        pixels = page.get_pixmap(dpi=200, alpha=False)
        picture = numpy.frombuffer(pixels.samples, numpy.uint8).reshape(pixels.height, pixels.width, 3)
    picture = numpy.ascontiguousarray(numpy.rot90(picture[:, :, ::-1], -turn // 90))
    return write_pdf(path, [picture], rotation=rotation)


def put(
    page: pymupdf.Page, at: tuple[float, float], text: str, size: float = SIZE, red: bool = False
) -> None:
    writer = pymupdf.TextWriter(page.rect, color=RED if red else (0, 0, 0))
    writer.append(at, text, font=pymupdf.Font("china-s"), fontsize=size)
    writer.write_text(page)


def written(texts: Sequence[str], x: float = 60, y: float = 80) -> Draw:
    """Lines one below the other, 28 points apart, the first on base line ``y``."""

    def draw(page: pymupdf.Page) -> None:
        for number, text in enumerate(texts):
            put(page, (x, y + number * 28), text)

    return draw


def read(path: Path) -> Page:
    (page,) = ocr.recognise(path, [1])
    return page


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    return read(scan(tmp_path_factory.mktemp("扫描") / "扫描.pdf", written(RULES)))


@pytest.mark.ocr
def test_a_scan_is_read_line_by_line(page: Page) -> None:
    assert page.text.split("\n") == list(RULES)
    assert (page.number, page.from_ocr, page.size) == (1, True, pytest.approx((595, 420), abs=0.5))
    assert [page.text[line.start : line.end] for line in page.recognised] == list(RULES)
    assert all(0.9 < line.confidence <= 1 for line in page.recognised)


@pytest.mark.ocr
@pytest.mark.parametrize("phrase", ["提前1个工作日", "550元", "allowance", "差旅报销管理办法"])
def test_marks_cover_their_characters(page: Page, phrase: str) -> None:
    number = next(number for number, line in enumerate(RULES) if phrase in line)
    font = pymupdf.Font("china-s")
    start = 60 + font.text_length(RULES[number].partition(phrase)[0], SIZE)
    end = start + font.text_length(phrase, SIZE)
    base = 80 + 28 * number
    at = page.text.index(phrase)
    assert page.boxes is not None and page.size is not None
    (mark,) = boxes.rects(page.boxes, page.size, [(at, at + len(phrase))])
    truth = (start, base - 0.88 * SIZE, end, base + 0.12 * SIZE)
    assert mark == pytest.approx(truth, abs=0.4 * SIZE)


@pytest.mark.ocr
@pytest.mark.parametrize(("turn", "rotation"), [(90, 0), (180, 0), (270, 0), (270, 90), (0, 180)])
def test_turned_pages_are_read(tmp_path: Path, turn: int, rotation: int) -> None:
    page = read(scan(tmp_path / "扫描.pdf", written(RULES), turn=turn, rotation=rotation))
    assert page.text.split("\n") == list(RULES)
    assert page.boxes is not None and page.size is not None
    displayed = (turn + rotation) % 360
    assert page.size == pytest.approx((420, 595) if displayed in (90, 270) else (595, 420), abs=0.5)
    at = page.text.index("550元")
    (mark,) = boxes.rects(page.boxes, page.size, [(at, at + 4)])
    x, y = (mark[0] + mark[2]) / 2, (mark[1] + mark[3]) / 2
    upright = {0: (x, y), 90: (y, 420 - x), 180: (595 - x, 420 - y), 270: (595 - y, x)}[displayed]
    before = pymupdf.Font("china-s").text_length("住宿费限额：一线城市每晚", SIZE)
    assert upright == pytest.approx((60 + before + 22, 80 + 2 * 28 - 5), abs=SIZE)


@pytest.mark.ocr
def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [
        "第一条本办法适用于全体",
        "正式员工，自公布之日起",
        "施行，由财务部门解释。",
        "第二条报销须附发票。",
    ]
    right = [
        "第三条超出限额的部分由",
        "本人承担，财务部门不予",
        "报销，也不得以其他名目",
        "列支。特殊情况除外。",
    ]

    def draw(page: pymupdf.Page) -> None:
        written(left, x=60)(page)
        written(right, x=320)(page)

    assert read(scan(tmp_path / "扫描.pdf", draw)).text.split() == left + right


@pytest.mark.ocr
def test_a_crooked_table_keeps_its_cells(tmp_path: Path) -> None:
    cells = [("城市", "住宿限额", "伙食补助"), ("北京", "550", "100"), ("成都", "380", "80")]

    def draw(page: pymupdf.Page) -> None:
        for row, texts in enumerate(cells):
            for column, text in enumerate(texts):
                cell = pymupdf.Rect(60 + column * 160, 60 + row * 30, 220 + column * 160, 90 + row * 30)
                page.draw_rect(cell, width=0.8)
                put(page, (cell.x0 + 8, cell.y1 - 9), text)

    flat = scan(tmp_path / "平.pdf", draw)
    with pymupdf.open(flat) as document:
        picture = drawing.draw(document[0])
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 1.5, 1.0)
    crooked = cv2.warpAffine(picture, matrix, (width, height), borderValue=(255, 255, 255))
    for path in (flat, write_pdf(tmp_path / "斜.pdf", [crooked])):
        page = read(path)
        assert page.text.split("\n") == [" | ".join(texts) for texts in cells]
        (table,) = page.tables
        assert page.text[table.start : table.header_end] == "城市 | 住宿限额 | 伙食补助\n"
        assert len(page.recognised) == 9


@pytest.mark.ocr
def test_text_under_a_red_seal_is_read(tmp_path: Path) -> None:
    def draw(page: pymupdf.Page) -> None:
        # The ink of a seal lets black through, so the text is drawn last.
        page.draw_circle((360, 205), 55, color=RED, width=5)
        put(page, (322, 222), "★", 70, red=True)
        written(["衡汀仪器有限公司", "2025年3月31日"], x=300, y=200)(page)
        # Red headings are no seals: they are read as they are.
        put(page, (150, 90), "人民政府文件", 36, red=True)

    text = read(scan(tmp_path / "扫描.pdf", draw)).text
    assert text.split() == ["人民政府文件", "衡汀仪器有限公司", "2025年3月31日"]


@pytest.mark.ocr
def test_a_blank_page_says_nothing(tmp_path: Path) -> None:
    page = read(scan(tmp_path / "扫描.pdf", lambda page: None))
    assert (page.text, page.recognised, page.confidence, page.from_ocr) == ("", (), None, True)
    assert page.boxes is not None and page.size is not None
    assert boxes.unpack(page.boxes, page.size) == []


@pytest.mark.ocr
def test_pages_come_as_asked_for_in_silence_and_passwords_open(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "加密.pdf"
    with pymupdf.open() as document:
        for text in ("第一页", "第二页", "第三页"):
            put(document.new_page(width=300, height=200), (60, 80), text)
        document.save(path, encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="芝麻", owner_pw="x")
    before = seal.attempts()
    pages = list(ocr.recognise(path, [3, 1], ["wrong", "芝麻"]))
    assert [(page.number, page.text) for page in pages] == [(3, "第三页"), (1, "第一页")]
    assert capfd.readouterr() == ("", "")
    assert seal.attempts() == before
    with pytest.raises(LoadFailed) as failure:
        next(ocr.recognise(path, [1], ["wrong"]))
    assert failure.value.state is FileState.NEEDS_PASSWORD


def test_without_its_networks_ocr_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(models._FILES, "Rec", "gone.onnx")
    models.load.cache_clear()
    before = seal.attempts()
    with pytest.raises(LoadFailed) as failure:
        next(ocr.recognise(tmp_path / "扫描.pdf", [1]))
    models.load.cache_clear()
    assert failure.value.state is FileState.NEEDS_OCR
    assert failure.value.reason.code == "ocr_unavailable"
    assert failure.value.reason.params == {"detail": "FileNotFoundError"}
    assert seal.attempts() == before


def test_a_plan_is_drawn_coarser() -> None:
    with pymupdf.open() as document:
        page = document.new_page(width=2384, height=3370)
        height, width, channels = drawing.draw(page).shape
    assert channels == 3
    assert 15e6 < height * width < 16.1e6


def test_letters_are_narrower_than_characters_and_blanks_fill_the_rest() -> None:
    edges = lines._edges("共 10 天", [0.1, 0.4, 0.5, 0.9], em=0.2)
    assert [round(value, 3) for edge in edges for value in edge] == pytest.approx(
        [0, 0.2, 0.2, 0.345, 0.345, 0.45, 0.45, 0.555, 0.555, 0.8, 0.8, 1.0]
    )


def test_lines_through_several_cells_are_named_in_each() -> None:
    quad: Any = numpy.array([[0, 0], [60, 0], [60, 10], [0, 10]], "float32")
    found = [lines.Found(quad, 0, "甲乙丙", [(0, 0.3), (0.3, 0.6), (0.6, 1)], 0.876)]
    spans = layout._recognised([0, 1, -1, 2], found)
    assert [(line.start, line.end, line.confidence) for line in spans] == [(0, 2, 0.876), (3, 4, 0.876)]
