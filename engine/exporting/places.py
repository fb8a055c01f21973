"""Where a citation stands, in words: 第 3 页, 工作表“价格表”第 2–40 行, 幻灯片 3, a section, 第 12 行."""

from collections.abc import Mapping
from typing import Any

from engine.exporting.legible import one_line
from engine.wording import Language, describe


def place(citation: Mapping[str, Any], language: Language) -> str:
    """Of a citation as traces hold it; those of earlier releases do not know the document's kind."""

    def say(code: str, **params: object) -> str:
        return describe(code, params, language).title

    label, page = citation.get("label"), citation.get("page")
    location: Mapping[str, Any] = citation.get("location") or {}
    section = " › ".join(citation.get("section") or ())
    if _has_pages(citation):
        if label and label != str(page):
            return say("place_page_label", page=page, label=one_line(label))
        return say("place_page", page=page)
    rows = location.get("rows")
    if rows:
        of_rows = say("place_rows", first=rows[0], last=rows[-1])
        sheet = location.get("sheet")
        return say("place_sheet", sheet=one_line(sheet), rows=of_rows) if sheet else of_rows
    if "slide" in location:
        return " · ".join(filter(None, (say("place_slide", slide=location["slide"]), one_line(section))))
    if section or location.get("chapter"):
        return one_line(section or str(location["chapter"]))
    return say("place_line", line=location["line"]) if "line" in location else say("place_body")


def _has_pages(citation: Mapping[str, Any]) -> bool:
    kind = citation.get("kind")
    return kind == "pdf" if kind else str(citation.get("document")).lower().endswith(".pdf")
