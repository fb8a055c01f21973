"""Realistic content for the window's tests and pictures: hits, answers, files and PDFs made on the fly."""

from pathlib import Path

import pymupdf

from engine.answers import Answer, Citation, Flag, Gate, Sentence, WhyNot
from engine.documents import FileState, PageSpan, Reason, SearchHit
from engine.events import FileReport, MarkedPage
from engine.standing import LibrarySummary

LEAVE = (
    "员工在本公司连续工作满一年后，可享受带薪年休假。工龄满一年不满十年的，年休假为 10 天；满十年的为 15 天。"
)
CARRY = (
    "当年未休完的年休假可以顺延至次年 3 月 31 日，逾期未休的部分自动失效，特殊情况须经部门负责人书面批准。"
)
TRAVEL = "差旅住宿标准：一线城市每晚不超过 550 元，其他城市每晚不超过 400 元，超出部分由本人承担。"


def hit(rank: int, document: str = "人事/员工手册（2025 版）.pdf", **changes: object) -> SearchHit:
    values: dict[str, object] = {
        "rank": rank,
        "score": 2.41 - rank * 0.27,
        "dense": 0.7,
        "lexical": 8.1,
        "library": "公司制度",
        "document": document,
        "title": "员工手册",
        "page": 3,
        "label": "1",
        "location": None,
        "section": ("第二章 假期", "2.1 年休假"),
        "spans": (PageSpan(3, 0, len(LEAVE)),),
        "chunk": f"{rank:020x}",
        "text": LEAVE,
        "row": rank,
        "path": None,
        "kind": "pdf",
    }
    return SearchHit(**{**values, **changes})  # type: ignore[arg-type]


def five_hits() -> tuple[SearchHit, ...]:
    return (
        hit(1),
        hit(2, text=CARRY, page=4, label="2", section=("第二章 假期", "2.2 顺延")),
        hit(3, "行政/差旅报销办法.docx", kind="word", text=TRAVEL, page=1, label=None, section=("住宿标准",)),
        hit(
            4,
            "wiki/onboarding-checklist.md",
            kind="markdown",
            page=1,
            label=None,
            section=("First week", "Accounts"),
            text="Ask the IT desk for your accounts on the first day. Annual leave starts to accrue after "
            "the probation period of three months has ended.",
        ),
        hit(
            5,
            "公告/关于春节放假的通知.txt",
            kind="text",
            page=1,
            label=None,
            section=(),
            text="根据国务院办公厅通知，2025 年春节放假安排如下：1 月 28 日至 2 月 4 日放假调休，共 8 天。",
        ),
    )


def citation(number: int, source: SearchHit, quote: str = "") -> Citation:
    return Citation(
        number=number,
        library=source.library,
        document=source.document,
        page=source.page,
        label=source.label,
        location=source.location,
        section=source.section,
        spans=source.spans,
        quote=quote or source.text,
        excerpt=source.text[:80],
        chunk=source.chunk,
        row=source.row,
        kind=source.kind,
        path=source.path,
    )


LATE = "逾期未休的部分按日工资的 200% 折算发放。"


def flag(sentence: str, text: str) -> Flag:
    """A number of a sentence that no passage holds."""
    start = sentence.index(text)
    return Flag("number", text, start, start + len(text))


def answer(**changes: object) -> Answer:
    hits = five_hits()
    values: dict[str, object] = {
        "question": "年假有多少天？没休完可以留到明年吗？",
        "text": (
            "工龄满一年不满十年的员工，年休假为 10 天；满十年的为 15 天[1]。"
            "当年没有休完的部分可以顺延到次年 3 月 31 日[2]。\n\n"
            "逾期未休的部分按日工资的 200% 折算发放。"
            "特殊情况需要部门负责人批准[2]。"
        ),
        "refused": False,
        "refused_by": None,
        "sentences": (
            Sentence("工龄满一年不满十年的员工，年休假为 10 天；满十年的为 15 天。", "supported", (1,)),
            Sentence("当年没有休完的部分可以顺延到次年 3 月 31 日。", "supported", (2,)),
            Sentence(LATE, "unsupported", (), (flag(LATE, "200%"),)),
            Sentence("特殊情况需要部门负责人批准。", "partly", (2,)),
        ),
        "citations": (citation(1, hits[0]), citation(2, hits[1])),
        "hits": hits,
        "gate": Gate(True, 0.93, 0.5),
        "model": "qwen2.5-1.5b",
        "seconds": {"retrieve": 0.12, "first_token": 2.4, "total": 9.3},
    }
    return Answer(**{**values, **changes})  # type: ignore[arg-type]


def follow_up() -> Answer:
    """Of a question that leaned on the one before and named its documents."""
    return answer(
        question="那病假呢？手册里怎么说？",
        rewritten="病假有多少天？手册里怎么说？",
        filter={
            "in": None, "type": ["pdf"], "since": "2024-01-01", "until": None, "name": ["手册"],
            "documents": None, "understood": True,
        },
    )  # fmt: skip


def quotes() -> Answer:
    """The answer without a chat model."""
    hits = five_hits()
    return answer(
        text=f"{LEAVE}[1]\n{CARRY}[2]",
        sentences=(Sentence(LEAVE, "supported", (1,)), Sentence(CARRY, "supported", (2,))),
        citations=(citation(1, hits[0]), citation(2, hits[1])),
        evidence_only=True,
        model=None,
        seconds={"retrieve": 0.12, "total": 0.14},
    )


def why_not() -> WhyNot:
    hits = five_hits()
    return WhyNot(
        lexical=hits[3],
        dense=hits[2],
        missing_terms=("食堂", "夜宵"),
        unreadable=(
            ("合同/2019 年租赁合同（扫描件）.pdf", "needs_ocr"),
            ("合同/供应商保密协议.pdf", "needs_password"),
            ("研发/旧版接口文档.pdf", "damaged"),
        ),
    )


def refusal() -> Answer:
    return answer(
        question="公司食堂周末供应夜宵吗？",
        text="证据不足，无法根据当前知识库回答该问题。",
        refused=True,
        refused_by="gate",
        sentences=(),
        citations=(),
        gate=Gate(False, 0.11, 0.5, ("食堂", "夜宵")),
        nearest=five_hits()[2:],
        why_not=why_not(),
    )


def files() -> tuple[FileReport, ...]:
    return (
        FileReport("人事/员工手册（2025 版）.pdf", FileState.INDEXED, None, 12, 34),
        FileReport("人事/薪酬与绩效管理制度.docx", FileState.INDEXED, None, 1, 18),
        FileReport("行政/差旅报销办法.docx", FileState.INDEXED, None, 1, 9),
        FileReport(
            "行政/办公用品领用登记表.xlsx",
            FileState.UNSUPPORTED,
            Reason("unsupported_type", {"suffix": ".xlsx"}),
        ),
        FileReport("wiki/onboarding-checklist.md", FileState.INDEXED, None, 1, 6),
        FileReport("合同/2019 年租赁合同（扫描件）.pdf", FileState.NEEDS_OCR, Reason("scanned", {}), 8, 0),
        FileReport("合同/供应商保密协议.pdf", FileState.NEEDS_PASSWORD, Reason("password_needed", {})),
        FileReport("公告/关于春节放假的通知.txt", FileState.INDEXED, None, 1, 2, encoding="gb18030"),
        FileReport(
            "研发/系统设计说明书.pdf",
            FileState.PARTIAL,
            Reason("partly_scanned", {"pages": [7, 9]}),
            48,
            121,
            (7, 9),
        ),
        FileReport("研发/旧版接口文档.pdf", FileState.DAMAGED, Reason("damaged", {})),
    )


def library(name: str = "公司制度") -> LibrarySummary:
    counts = {"indexed": 5, "partial": 1, "needs_ocr": 1, "needs_password": 1, "damaged": 1, "unsupported": 1}
    return LibrarySummary(
        name, ("/资料/公司制度",), counts, 190, 12_000_000, "bge-small-zh-v1.5", "2025-06-01"
    )


def handbook(path: Path, pages: int = 12) -> Path:
    """A PDF in Chinese whose third page holds LEAVE in the second paragraph."""
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page(width=595, height=842)
        page.insert_text((72, 84), f"第二章  假期 · {number}", fontname="china-s", fontsize=18)
        top = 110
        for paragraph in (
            "本章规定员工假期的种类、天数与申请办法，自发布之日起施行。" * 3,
            LEAVE,
            CARRY,
            TRAVEL,
        ):
            box = pymupdf.Rect(72, top, 523, top + 110)
            page.insert_textbox(box, paragraph, fontname="china-s", fontsize=11.5, lineheight=1.6)
            top += 90
    document.save(path)
    document.close()
    return path


def handbook_mark(path: Path, number: int = 3) -> MarkedPage:
    """Where LEAVE stands on a page of :func:`handbook`."""
    with pymupdf.open(path) as document:
        page = document[number - 1]
        rects = []
        wanted = LEAVE[:6], LEAVE[-6:]
        lines = [line for block in page.get_text("dict")["blocks"] for line in block.get("lines", [])]
        is_inside = False
        for line in lines:
            text = "".join(span["text"] for span in line["spans"])
            is_inside = is_inside or wanted[0] in text
            if is_inside:
                rects.append(tuple(line["bbox"]))
            if wanted[1] in text:
                break
        size = (page.rect.width, page.rect.height)
    return MarkedPage(number, "1", LEAVE, ((0, len(LEAVE)),), size, tuple(rects))
