"""``word/styles.xml``: a quiet sheet; Chinese in the system's own fonts, sizes in half points."""

from typing import Any

from engine.exporting.word.elements import element

_BODY, _HEADINGS = ("Calibri", "宋体"), ("Calibri", "微软雅黑")
"""Latin and East Asian font."""

_GREY, _AMBER = "595959", "9C5700"


def styles() -> Any:
    return element(
        "styles",
        element(
            "docDefaults",
            element("rPrDefault", element("rPr", _fonts(*_BODY), *_size(22), _language())),
            element("pPrDefault", element("pPr", element("spacing", after=120, line=320, lineRule="auto"))),
        ),
        _style("paragraph", "Normal", "Normal", is_default=True),
        _heading("Title", "Title", 36, None, before=0),
        _heading("Heading1", "heading 1", 28, 0, before=360),
        _style(
            "paragraph", "Remark", "Remark", based_on="Normal", run=[element("color", val=_GREY), *_size(18)]
        ),
        _style(
            "paragraph", "FootnoteText", "footnote text", based_on="Normal", run=_size(18),
            layout=[element("spacing", after=40, line=240, lineRule="auto")],
        ),
        _style("character", "FootnoteReference", "footnote reference",
               run=[element("vertAlign", val="superscript")]),
        _style("character", "Unverified", "Unverified", run=[element("color", val=_AMBER)]),
        _table(),
    )  # fmt: skip


def _style(
    kind: str,
    style_id: str,
    name: str,
    *,
    based_on: str | None = None,
    layout: list[Any] | None = None,
    run: list[Any] | None = None,
    is_default: bool = False,
) -> Any:
    default = {"default": 1} if is_default else {}
    return element(
        "style",
        element("name", val=name),
        element("basedOn", val=based_on) if based_on else None,
        element("qFormat") if kind == "paragraph" else None,
        element("pPr", *layout) if layout else None,
        element("rPr", *run) if run else None,
        type=kind,
        styleId=style_id,
        **default,
    )


def _heading(style_id: str, name: str, size: int, level: int | None, before: int) -> Any:
    layout = [element("keepNext"), element("spacing", before=before, after=120)]
    if level is not None:
        layout.append(element("outlineLvl", val=level))
    run = [_fonts(*_HEADINGS), element("b"), *_size(size)]
    return _style("paragraph", style_id, name, based_on="Normal", layout=layout, run=run)


def _table() -> Any:
    sides = ("top", "left", "bottom", "right", "insideH", "insideV")
    lines = [element(side, val="single", sz=4, space=0, color="BFBFBF") for side in sides]
    return element(
        "style", element("name", val="Table Grid"), element("tblPr", element("tblBorders", *lines)),
        type="table", styleId="TableGrid",
    )  # fmt: skip


def _fonts(latin: str, east_asian: str) -> Any:
    return element("rFonts", ascii=latin, hAnsi=latin, cs=latin, eastAsia=east_asian)


def _size(half_points: int) -> list[Any]:
    return [element("sz", val=half_points), element("szCs", val=half_points)]


def _language() -> Any:
    return element("lang", val="en-US", eastAsia="zh-CN")
