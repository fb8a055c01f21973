"""Scanned pages made here: known text in known places, drawn, photographed at 200 dpi, put into a PDF."""

import functools
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import cv2
import numpy
import pymupdf

A4 = (595.0, 842.0)
_MARGIN, _COLUMN_GAP, _LEADING = 64.0, 24.0, 1.6
_NOTO = {"noto-sans": "NotoSansCJK-Regular.ttc", "noto-serif": "NotoSerifCJK-Regular.ttc"}
_NOTO_FOLDER = Path("/usr/share/fonts/opentype/noto")
_NEVER_FIRST = "，。、；：！？）》”’％℃,.;:)%"
_SIMPLIFIED = 2
"""The face with simplified forms in a Noto CJK collection; MuPDF itself would take the Japanese one."""

PARAGRAPHS = (
    "关于进一步规范办公用房与公务用车管理的通知",
    "各处室、直属单位：为贯彻落实《机关事务管理条例》的有关要求，切实降低行政运行成本，经2024年3月18"
    "日办公会议研究决定，现将有关事项通知如下，请结合实际认真执行。",
    "一、严格执行面积标准。正处级人员办公用房使用面积不得超过24平方米，副处级不得超过18平方米，其他工"
    "作人员不得超过9平方米；超出标准的，应当在2024年6月30日之前完成腾退。",
    "二、规范公务用车。燃油费用实行“一车一卡”，百公里油耗超过12.5升的车辆须说明原因。因公外出须提前1"
    "个工作日提交申请单（编号自GW-2024-0071起），由分管领导签字后交车队统一调度。",
    "三、差旅住宿费限额为：北京、上海、深圳每人每天650元，其他省会城市500元，县级及以下380元。未经批"
    "准超出限额的部分，由本人承担，财务部门不予报销。",
    "第二十七条　合同一方逾期付款的，每逾期一日，应当按照未付金额的0.05%向对方支付违约金；逾期超过三"
    "十日的，守约方有权书面通知解除合同，并要求赔偿由此造成的实际损失。",
    "第二十八条　因不可抗力不能履行义务的，根据影响程度部分或者全部免除责任，但迟延履行后发生的除外。"
    "受影响的一方应当在15日内提供公证机构出具的证明。",
    "本产品采用STM32H743处理器，主频480 MHz，内置1 MB SRAM，支持Modbus RTU与OPC UA两种协议；工作温度"
    "为-20℃至+60℃，防护等级IP65，平均无故障时间（MTBF）不低于50000小时。",
    "2023年度，公司实现营业收入18.76亿元，同比增长9.3%；归属于母公司股东的净利润2.41亿元，同比下降3.8"
    "%，主要原因是原材料价格上涨以及汇兑损失增加约1,270万元。",
    "研究院联合七所高校开展“薄壁构件残余应力”课题，采用X射线衍射法测得表层应力为-312 MPa，与有限元仿"
    "真结果（-298 MPa）的偏差小于5%，验证了模型的有效性。",
    "如有疑问，请联系综合处 李慧敏，电话：0571-8809 3421，电子邮箱：lihm@example.com；工作日9:00至17:"
    "30受理咨询，节假日请留言，次日上午10点以前回复。",
    "The supplier shall deliver the goods within 30 days after receipt of the purchase order; a penal"
    "ty of 0.5% per week applies to late deliveries.",
)


@dataclass(frozen=True)
class Scan:
    """How one page is made. ``size`` and the font's are points, ``skew`` degrees, ``noise`` grey levels.

    ``turn`` is by how many degrees clockwise the text lies on the paper.
    """

    font: str = "droid"
    size: float = 12.0
    columns: int = 1
    noise: float = 0.0
    skew: float = 0.0
    turn: int = 0
    dpi: int = 200
    start: int = 0


@dataclass(frozen=True)
class Made:
    """A page's picture (grey, height x width) and what is on it: lines in reading order, with their boxes."""

    picture: Any
    lines: tuple[str, ...]
    boxes: tuple[tuple[float, float, float, float], ...]

    @property
    def text(self) -> str:
        return "".join(self.lines)


def fonts() -> list[str]:
    """Those that are on this machine; "droid" comes with PyMuPDF."""
    return ["droid", *(name for name, file in _NOTO.items() if (_NOTO_FOLDER / file).exists())]


@functools.cache
def _font(name: str) -> Any:
    if name == "droid":
        return pymupdf.Font("china-s")
    from fontTools.ttLib import TTCollection

    buffer = io.BytesIO()
    TTCollection(_NOTO_FOLDER / _NOTO[name], lazy=True).fonts[_SIMPLIFIED].save(buffer)
    return pymupdf.Font(fontbuffer=buffer.getvalue())


def make(scan: Scan, paragraphs: Sequence[str] = PARAGRAPHS) -> Made:
    """Fill one A4 page with ``paragraphs``, from the ``start``-th on and round again, and scan it."""
    font = _font(scan.font)
    document = pymupdf.open()
    page = document.new_page(width=A4[0], height=A4[1])
    writer = pymupdf.TextWriter(page.rect)
    width = (A4[0] - 2 * _MARGIN - (scan.columns - 1) * _COLUMN_GAP) / scan.columns
    source = _wrapped(font, scan, width, paragraphs)
    lines: list[str] = []
    boxes: list[tuple[float, float, float, float]] = []
    for column in range(scan.columns):
        x = _MARGIN + column * (width + _COLUMN_GAP)
        y = _MARGIN + scan.size
        while y < A4[1] - _MARGIN:
            line = next(source)
            writer.append((x, y), line, font=font, fontsize=scan.size)
            lines.append(line)
            # Han characters stand from 0.88 above the base line to 0.12 below it.
            boxes.append(
                (x, y - 0.88 * scan.size, x + font.text_length(line, scan.size), y + 0.12 * scan.size)
            )
            y += _LEADING * scan.size
    writer.write_text(page)
    pixels = page.get_pixmap(dpi=scan.dpi, colorspace=pymupdf.csGRAY, alpha=False)
    picture = numpy.frombuffer(pixels.samples, numpy.uint8).reshape(pixels.height, pixels.width)
    document.close()
    return Made(_worn(picture, scan), tuple(lines), tuple(boxes))


def _wrapped(font: Any, scan: Scan, width: float, paragraphs: Sequence[str]) -> Iterator[str]:
    at = scan.start % len(paragraphs)
    for paragraph in cycle([*paragraphs[at:], *paragraphs[:at]]):
        line, used = "", 0.0
        for char in paragraph:
            advance = font.text_length(char, scan.size)
            if used + advance > width and char not in _NEVER_FIRST:
                yield line
                line, used = "", 0.0
            line += char
            used += advance
        yield line


def _worn(picture: Any, scan: Scan) -> Any:
    """Skew, blur and noise as an office scanner leaves them (noise repeats from run to run)."""
    height, width = picture.shape
    if scan.skew:
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), scan.skew, 1.0)
        picture = cv2.warpAffine(picture, matrix, (width, height), borderValue=255)
    if scan.noise:
        random = numpy.random.default_rng(7)
        soft = cv2.GaussianBlur(picture, (3, 3), 0.8).astype(numpy.float32)
        # Paper is not white and ink not black; besides, there are specks.
        soft = 28 + soft * (228 - 28) / 255 + random.normal(0, scan.noise, picture.shape)
        specks = random.random(picture.shape) < scan.noise * 2e-5
        picture = numpy.where(specks, 60, soft).clip(0, 255).astype(numpy.uint8)
    return numpy.ascontiguousarray(numpy.rot90(picture, -scan.turn // 90))


def write_pdf(
    path: Path, pictures: Sequence[Any], dpi: int = 200, rotation: int = 0, quality: int = 85
) -> Path:
    """One page a picture, nothing but the picture on it, as JPEG."""
    document = pymupdf.open()
    for picture in pictures:
        height, width = picture.shape[:2]
        page = document.new_page(width=width * 72 / dpi, height=height * 72 / dpi)
        page.insert_image(
            page.rect, stream=cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
        )
        if rotation:
            page.set_rotation(rotation)
    document.save(path)
    document.close()
    return path
