"""Records of answers as runs keep them."""

from typing import Any


def citation(number: int, document: str = "部门/保密.pdf", page: int = 3, **facts: Any) -> dict[str, Any]:
    quote = facts.pop("quote", "秘密级数据的保密期限为10年。")
    known = {
        "number": number, "library": "制度", "document": document, "page": page, "label": None,
        "location": None, "section": [], "spans": [], "quote": quote, "excerpt": quote[:80],
        "chunk": f"c{number}", "kind": "pdf",
    }  # fmt: skip
    return known | facts


def sentence(text: str, verdict: str = "supported", *numbers: int, flags: tuple[str, ...] = ()) -> Any:
    found = [{"kind": "number", "text": text} for text in flags]
    return {"text": text, "verdict": verdict, "citations": list(numbers), "flags": found}


def record(answer: str, sentences: list[Any], citations: list[Any], **more: Any) -> dict[str, Any]:
    return {
        "question": "秘密级数据的保密期限是几年？", "answer": answer, "sentences": sentences,
        "citations": citations, "refused": False, "nearest": [], "table": None, "indexed_share": 1.0,
    } | more  # fmt: skip


def plain() -> dict[str, Any]:
    """Two sentences, the second not verified."""
    return record(
        "秘密级数据的保密期限为十年[1]。\n报销单须在99天内提交。",
        [
            sentence("秘密级数据的保密期限为十年。", "supported", 1),
            sentence("报销单须在99天内提交。", "unsupported", flags=("99天",)),
        ],
        [citation(1, label="iii")],
        model="qwen",
    )
