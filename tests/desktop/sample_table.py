"""An answer about all documents, as a table; one whose document has an older version; one of two parts."""

from dataclasses import replace

from engine.answers import Answer, AnswerTable, Citation, Gate, Part, Sentence, TableRow, Total, VersionNote
from tests.desktop import sample_content

CONTRACTS = (
    ("合同/2023 办公楼租赁合同.pdf", "480,000 元", "租金总额为 480,000 元，按季度支付。", "supported"),
    ("合同/打印机采购合同.docx", "62,500 元", "合同总价为 62,500 元，验收合格后付清。", "supported"),
    ("合同/保洁服务合同.pdf", "每月 8,600 元", "服务费每月 8,600 元，乙方于次月 5 日前开具发票。", "partly"),
    ("合同/网络专线合同（草稿）.docx", "90,000 元", "专线费用以双方另行签署的报价单为准。", "unsupported"),
)  # fmt: skip


def rows() -> list[tuple[TableRow, Citation]]:
    """As a survey finds them: each with the number 1."""
    found = []
    for at, (document, value, quote, verdict) in enumerate(CONTRACTS, 1):
        source = sample_content.hit(at, document, text=quote, section=("第三条 价款",))
        cells = (document, value, quote)
        found.append((TableRow(cells, (1,), verdict), sample_content.citation(1, source)))
    return found


def table(**changes: object) -> AnswerTable:
    numbered = tuple(replace(row, citations=(at,)) for at, (row, _) in enumerate(rows(), 1))
    total = Total("元", "542,500", (1, 2))
    made = AnswerTable(("文件", "合同金额", "原句"), numbered, 6, 6, 10, "retrieved", (total,))
    return replace(made, **changes)  # type: ignore[arg-type]


def answer(found: AnswerTable | None = None, **changes: object) -> Answer:
    """The answer to 所有合同的金额分别是多少？一共多少？"""
    citations = tuple(replace(cited, number=at) for at, (_, cited) in enumerate(rows(), 1))
    sentences = tuple(Sentence(f"{row.cells[0]}：{row.cells[1]}", row.verdict, (1,)) for row, _ in rows())
    values = {
        "question": "所有合同的金额分别是多少？一共多少？",
        "text": "读了 6 份文件中的 6 份，有依据的 3 份。",
        "sentences": sentences,
        "citations": citations,
        "table": found or table(),
    }
    return sample_content.answer(**{**values, **changes})


def two_versions() -> Answer:
    """The answer whose document has an older version that says otherwise, and another that does not."""
    newer = "人事/员工手册（2025 版）.pdf"
    old = sample_content.hit(
        3, "人事/员工手册（2023 版）.pdf", text="满十年的，年休假为 12 天。", page=2, label=None
    )
    plain = sample_content.answer()
    notes = (
        VersionNote("公司制度", "人事/员工手册（2024 版）.pdf", newer, differs=False),
        VersionNote("公司制度", old.document, newer, differs=True, citations=(3, 1)),
    )
    citations = (*plain.citations, sample_content.citation(3, old))
    return replace(plain, citations=citations, versions=notes)


def two_parts() -> Answer:
    """The answer to a question whose second part nothing speaks of."""
    parts = (Part("年假有多少天？", Gate(True, 0.93, 0.5)), Part("食堂几点开门？", Gate(False, 0.1, 0.5)))
    return sample_content.answer(parts=parts)
