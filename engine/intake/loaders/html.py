"""Saved web pages: the encoding is decided here, boilerplate goes, tables keep their cells apart."""

import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.documents import Heading, Page, SourceDocument
from engine.intake.loaders import LoadItem, Source
from engine.intake.loaders.text import decode_file

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag
    from bs4.element import NavigableString

_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]+)", re.IGNORECASE)
_INVISIBLE = (
    "script", "style", "template", "noscript", "nav", "footer", "aside", "svg", "iframe", "object", "button",
    "select", "textarea", "input", "canvas", "audio", "video", "dialog", "head",
)  # fmt: skip
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOISE_ROLES = frozenset({"navigation", "contentinfo", "search", "complementary", "menu", "menubar"})
_NOISE_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navbox|navigation|breadcrumbs?|sidebar|menu|footer|cookie|noprint|jump-link"
    r"|editsection|advert|ads|share|skip-link)(?:$|[\s_-])",
    re.IGNORECASE,
)
_BLOCKS = frozenset({
    "p", "div", "section", "article", "main", "header", "ul", "ol", "dl", "dt", "dd", "li", "pre",
    "blockquote", "figure", "figcaption", "details", "summary", "address", "fieldset", "legend", "hr",
    "table", "tr", "caption", "center", "form", "tbody", "thead", "tfoot", "td", "th", "body", "html",
})  # fmt: skip
_PARAGRAPHS = frozenset({"p", "ul", "ol", "dl", "pre", "blockquote", "table", "article", "section"})
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_MENU_LINKS, _MENU_SHARE = 10, 0.8
"""A block with so many links that make up so much of its text is a menu."""


def read(source: Source) -> Iterator[LoadItem]:
    with source.open() as stream:
        declared = _CHARSET.search(stream.read(4096))
    decoded = decode_file(source, declared[1].decode("ascii") if declared else None)
    soup = _soup(decoded.text)
    title = _text(soup.title) if soup.title else ""
    _remove_noise(soup)
    writer = _Writer()
    writer.walk(soup)
    text, headings = writer.result()
    title = title or next((heading.text for heading in headings if heading.level == 1), "")
    yield SourceDocument("html", title or source.path.stem, title_from_name=not title, encoding=decoded.encoding)
    yield Page(1, text, headings=headings)


def _soup(text: str) -> "BeautifulSoup":
    from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, XMLParsedAsHTMLWarning

    # lxml stops at an encoding declaration that contradicts the text it is given.
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        return BeautifulSoup(text, "lxml")


def _text(node: "Tag") -> str:
    return " ".join(node.get_text(" ").split())


def _remove_noise(soup: "BeautifulSoup") -> None:
    for tag in soup(_INVISIBLE):
        tag.decompose()
    whole = len(soup.get_text())
    for tag in soup.find_all(True):
        if tag.decomposed or tag.name in ("body", "html", "main", "article"):
            continue
        # A class name proves less than an attribute: a wrapper may be called "has-sidebar menu".
        if _is_hidden(tag) or (_is_noise(tag) and len(tag.get_text()) * 2 < whole):
            tag.decompose()
    for form in soup("form"):
        # Some servers wrap the whole page in a form; a search box is small.
        if len(form.get_text()) * 2 < whole:
            form.decompose()
    _remove_menus(soup)


def _is_hidden(tag: "Tag") -> bool:
    if tag.has_attr("hidden") or tag.get("aria-hidden") == "true":
        return True
    style = tag.get("style")
    return isinstance(style, str) and _HIDING_STYLE.search(style) is not None


def _is_noise(tag: "Tag") -> bool:
    if tag.get("role") in _NOISE_ROLES:
        return True
    classes = tag.get_attribute_list("class")
    named = " ".join(str(name) for name in [*classes, tag.get("id")] if name)
    return bool(named.strip()) and _NOISE_NAME.search(named) is not None


def _remove_menus(soup: "BeautifulSoup") -> None:
    """Leave out blocks made of links, unless the page is nothing else."""
    menus: list[Tag] = []
    known: set[int] = set()  # by identity: comparing tags compares all that is in them
    for tag in soup(["ul", "ol", "div", "table", "p"]):
        if any(id(parent) in known for parent in tag.parents):
            continue
        links = tag.find_all("a")
        if len(links) < _MENU_LINKS:
            continue
        size = len(_text(tag))
        if sum(len(_text(link)) for link in links) >= size * _MENU_SHARE:
            menus.append(tag)
            known.add(id(tag))
    kept = len(soup.get_text(strip=True)) - sum(len(menu.get_text(strip=True)) for menu in menus)
    if kept >= 20:
        for menu in menus:
            menu.decompose()


class _Writer:
    """Walks a page and writes its text line by line; remembers where headings stand."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._length = 0
        self._line: list[str] = []
        self._headings: list[Heading] = []
        self._verbatim = 0

    def result(self) -> tuple[str, tuple[Heading, ...]]:
        self._end_line()
        text = "\n".join(self._lines).rstrip("\n")
        return text + "\n" if text else "", tuple(self._headings)

    def walk(self, root: "Tag") -> None:
        """A stack instead of recursion: saved pages nest thousands of levels deep."""
        from bs4 import Tag
        from bs4.element import NavigableString, PreformattedString

        stack: list[tuple[object, bool]] = [(root, False)]
        while stack:
            node, closing = stack.pop()
            if isinstance(node, Tag):
                if closing:
                    self._close(node)
                elif self._open(node):
                    stack.append((node, True))
                    stack.extend((child, False) for child in reversed(node.contents))
            elif isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
                self._add(node)

    def _add(self, node: "NavigableString") -> None:
        text = str(node)
        if self._verbatim:
            first, *rest = text.split("\n")
            self._line.append(first)
            for line in rest:
                self._end_line()
                self._line.append(line)
        else:
            self._line.append(re.sub(r"\s+", " ", text))

    def _open(self, tag: "Tag") -> bool:
        """Begin ``tag``; False when it has been written as a whole."""
        name = tag.name
        if name == "br":
            self._end_line()
        elif name == "img":
            self._line.append(f" {tag.get('alt') or ''} ")
        elif name in _HEADINGS:
            self._heading(tag)
            return False
        elif name == "table" and _is_data(tag):
            self._table(tag)
            return False
        elif name in _BLOCKS:
            self._end_line()
            if name in _PARAGRAPHS and not tag.find_parent(["li", "td"]):
                self._gap()
            self._verbatim += name == "pre"
            if name == "li":
                self._line.append("  " * (len(tag.find_parents(["ul", "ol"])) - 1) + _mark(tag))
        return True

    def _close(self, tag: "Tag") -> None:
        if tag.name in _BLOCKS:
            self._end_line()
            self._verbatim -= tag.name == "pre"
            if tag.name in _PARAGRAPHS and not tag.find_parent(["li", "td"]):
                self._gap()

    def _heading(self, tag: "Tag") -> None:
        self._end_line()
        text = _text(tag)
        if text:
            self._gap()
            self._headings.append(Heading(self._length, int(tag.name[1]), text))
            self._put(text)
            self._gap()

    def _table(self, table: "Tag") -> None:
        self._end_line()
        self._gap()
        if table.caption:
            self._put(_text(table.caption))
        for row in _rows(table):
            if any(row):
                self._put(" | ".join(row))
        self._gap()

    def _put(self, line: str) -> None:
        self._lines.append(line)
        self._length += len(line) + 1

    def _gap(self) -> None:
        if self._lines and self._lines[-1]:
            self._put("")

    def _end_line(self) -> None:
        text = "".join(self._line)
        self._line = []
        if not self._verbatim:
            indent = len(text) - len(text.lstrip(" ")) if re.match(r" *(?:-|\d+\.) ", text) else 0
            text = " " * indent + " ".join(text.split())
        if text.strip(" -") or (self._verbatim and self._lines and self._lines[-1]):
            self._put(text.rstrip())


def _mark(item: "Tag") -> str:
    if item.parent is None or item.parent.name != "ol":
        return "- "
    number = sum(1 for sibling in item.find_previous_siblings("li")) + 1
    start = item.parent.get("start")
    if isinstance(start, str) and start.isdecimal():
        number += int(start) - 1
    return f"{number}. "


def _is_data(table: "Tag") -> bool:
    """Old pages lay themselves out with tables; those hold tables, headings or whole articles."""
    if table.find(["table", "h1", "h2", "h3"]) is not None:
        return False
    return not any(len(cell.find_all(["p", "div"])) > 8 for cell in table(["td", "th"]))


def _rows(table: "Tag") -> list[list[str]]:
    """The cells' texts; a cell that spans rows is repeated in each, so that every row makes sense."""
    rows: list[list[str]] = []
    hanging: dict[int, tuple[str, int]] = {}
    for row in table("tr"):
        columns: list[str | None] = []
        below: dict[int, tuple[str, int]] = {}
        for cell in [*row(["td", "th"]), None]:
            while len(columns) in hanging:
                text, left = hanging.pop(len(columns))
                if left > 1:
                    below[len(columns)] = (text, left - 1)
                columns.append(text)
            if cell is None:
                break
            text = _text(cell)
            rowspan = _number(cell.get("rowspan"))
            if rowspan > 1:
                below[len(columns)] = (text, rowspan - 1)
            columns.append(text)
            columns.extend([None] * (_number(cell.get("colspan")) - 1))
        hanging = below
        rows.append([text for text in columns if text is not None])
    return rows


def _number(value: object) -> int:
    return min(int(value), 1000) if isinstance(value, str) and value.isdecimal() else 1
