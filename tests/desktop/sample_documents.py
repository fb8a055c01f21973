"""Documents as the engine stores them, and files in every state, for the inspect window and the file list."""

from pathlib import Path

from engine.documents import (
    Chunk,
    Dropped,
    FileState,
    Page,
    PageSpan,
    Reason,
    RecognisedLine,
)
from engine.events import DocumentInspected, FileReport

HEADER, FOOTER = "员工手册 · 2025 版", "— 3 —"
BODY = (
    "第二章 假期\n"
    "2.1 年休假\n"
    "员工在本公司连续工作满一年后，可享受带薪年休假。工龄满一年不满十年的，年休假为 10 天；"
    "满十年的为 15 天。\n"
    "当年未休完的年休假可以顺延至次年 3 月 31 日，逾期未休的部分自动失效，特殊情况须经部门负责人书面批准。\n"
    "2.2 病假\n"
    "员工因病需要休假的，应当在当日上午十点以前通知部门负责人，并在返岗后三日内补交医院证明。\n"
    "病假期间的工资按照基本工资的百分之八十发放；连续病假超过三十日的，由人力资源部另行核定。\n"
    "2.3 婚假与产假\n"
    "依法办理结婚登记的员工享受婚假十日。女员工生育享受产假一百五十八日，男员工享受陪产假十五日。\n"
)


def files() -> tuple[FileReport, ...]:
    """One or more files in every state."""
    return (
        FileReport("人事/员工手册（2025 版）.pdf", FileState.INDEXED, None, 12, 34, from_ocr=(7, 9)),
        FileReport("人事/薪酬与绩效管理制度.docx", FileState.INDEXED, None, 1, 18),
        FileReport("行政/办公用品领用登记表.xlsx", FileState.INDEXED, None, 6, 41),
        FileReport("行政/季度汇报.pptx", FileState.INDEXED, None, 24, 30),
        FileReport("公告/关于春节放假的通知.txt", FileState.INDEXED, None, 1, 2, encoding="gb18030"),
        FileReport("wiki/onboarding-checklist.md", FileState.INDEXED, None, 1, 6, encoding="utf-8"),
        FileReport(
            "研发/系统设计说明书.pdf",
            FileState.PARTIAL,
            Reason("pages_scanned", {"pages": 48, "missing": 5}),
            48,
            121,
            (2, 5, 6, 7, 31),
        ),
        FileReport(
            "合同/2019 年租赁合同（扫描件）.pdf", FileState.NEEDS_OCR, Reason("scanned", {"pages": 8}), 8
        ),
        FileReport("合同/供应商保密协议.pdf", FileState.NEEDS_PASSWORD, Reason("password_needed")),
        FileReport("合同/投资意向书.pdf", FileState.NEEDS_PASSWORD, Reason("password_needed")),
        FileReport("研发/旧版接口文档.pdf", FileState.DAMAGED, Reason("damaged", {"detail": "PDF"})),
        FileReport("研发/电路图.dwg", FileState.UNSUPPORTED, Reason("unsupported_type", {"suffix": ".dwg"})),
        FileReport("研发/空白.md", FileState.EMPTY, Reason("zero_bytes")),
        FileReport("~$员工手册.docx", FileState.EXCLUDED, Reason("lock_file")),
        FileReport("研发/全量日志.csv", FileState.OVER_BUDGET, Reason("too_slow", {"seconds": 60})),
        FileReport("财务/工资.xlsx", FileState.UNREADABLE, Reason("no_permission")),
        FileReport("外来/怪文件.pdf", FileState.SET_ASIDE, Reason("loader_crashed")),
        FileReport("外来/乱码.pdf", FileState.UNMAPPED_TEXT, Reason("unmapped_text")),
    )


def chunk(ordinal: int, spans: tuple[PageSpan, ...], text: str, **changes: object) -> Chunk:
    values: dict[str, object] = {
        "id": f"{ordinal:020x}",
        "ordinal": ordinal,
        "page": spans[0].page,
        "page_end": spans[-1].page,
        "spans": spans,
        "text": text,
        "prefix": "员工手册 第二章 假期",
        "tokens": len(text) + 12,
        "section": ("第二章 假期",),
    }
    return Chunk(**{**values, **changes})  # type: ignore[arg-type]


def page_text(number: int) -> str:
    return f"{HEADER}\n{BODY}— {number} —\n"


def inspected(task_id: int, library: str = "公司制度", pages: int = 12) -> DocumentInspected:
    """A handbook: header and page number left out, two chunks a page, one page by OCR, one missing."""
    stored, chunks, dropped = [], [], []
    missing = 5
    for number in range(1, pages + 1):
        if number == missing:
            continue
        text = page_text(number)
        is_read = number == 7
        lines = (RecognisedLine(0, len(text), 0.79),) if is_read else ()
        stored.append(Page(number, text, str(number), None, from_ocr=is_read, recognised=lines))
        start, cut, end = len(HEADER) + 1, text.index("2.2"), text.index("— ")
        dropped.append(Dropped(PageSpan(number, 0, len(HEADER)), HEADER, "running_header"))
        dropped.append(Dropped(PageSpan(number, end, len(text) - 1), text[end:-1], "page_number"))
        overlap = text.index("当年")
        for first, last, section in ((start, cut, "2.1 年休假"), (overlap, end, "2.2 病假")):
            chunks.append(
                chunk(
                    len(chunks),
                    (PageSpan(number, first, last),),
                    text[first:last],
                    section=("第二章 假期", section),
                    overlap=cut - overlap if first == overlap else 0,
                )
            )
    report = FileReport(
        "人事/员工手册（2025 版）.pdf",
        FileState.PARTIAL,
        Reason("pages_damaged", {"pages": pages, "missing": 1}),
        pages,
        len(chunks),
        (missing,),
        (7,),
    )
    path = Path("/资料/公司制度/人事/员工手册（2025 版）.pdf")
    return DocumentInspected(
        task_id, library, report, "员工手册", path, tuple(stored), tuple(chunks), tuple(dropped)
    )


def price_list(task_id: int, library: str = "公司制度") -> DocumentInspected:
    """A spreadsheet: places are sheets with rows, the text is a table."""
    rows = ["编号 | 品名 | 规格 | 单价（元） | 备注"]
    rows += [
        f"{n:04d} | {name} | {size} | {price}.00 | {note}"
        for n, (name, size, price, note) in enumerate(
            [
                ("激光测距仪", "HT-300", 1280, ""),
                ("三脚架", "碳纤维 1.6 m", 460, "含云台"),
                ("便携箱", "ABS", 95, ""),
                ("校准服务（含证书）", "次", 300, "每年一次，需要提前两周预约"),
            ]
            * 8,
            start=1,
        )
    ]
    text = "\n".join(rows)
    place = {"sheet": "价格表", "rows": [1, len(rows)]}
    page = Page(1, text, None, place)
    made = chunk(0, (PageSpan(1, 0, len(text)),), text, section=("价格表",), location=place, prefix="价格表")
    report = FileReport("行政/价格表.xlsx", FileState.INDEXED, None, 1, 1)
    return DocumentInspected(task_id, library, report, "价格表", None, (page,), (made,), ())
