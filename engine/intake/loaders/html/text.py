"""The text of an HTML page: what is hidden goes, and of pages from the web also what is not the article.

Chapters of books and bodies of mail are HTML too, but nothing of them is a menu.
"""

import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.documents import Heading, Table
from engine.intake.loaders.html.writer import Writer, flat_text

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_INVISIBLE = (
    "script", "style", "template", "noscript", "svg", "iframe", "object", "select", "textarea", "input",
    "canvas", "audio", "video", "head",
)  # fmt: skip
_BOILERPLATE = ("nav", "footer", "aside", "button", "dialog")
_HIDING_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOISE_ROLES = frozenset({"navigation", "contentinfo", "search", "complementary", "menu", "menubar"})
_NOISE_NAME = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navbox|navigation|breadcrumbs?|sidebar|menu|footer|cookie|noprint|jump-link"
    r"|editsection|advert|ads|share|skip-link)(?:$|[\s_-])",
    re.IGNORECASE,
)
_MENU_LINKS, _MENU_SHARE = 10, 0.8
"""A block with so many links that make up so much of its text is a menu."""


@dataclass(frozen=True, slots=True)
class PageText:
    """``title`` is the page's own, without its headings; offsets count in ``text``."""

    text: str
    headings: tuple[Heading, ...]
    tables: tuple[Table, ...]
    code: tuple[tuple[int, int], ...]
    title: str


def text_of(html: str, *, from_the_web: bool = False) -> PageText:
    """What ``html`` shows, line by line. ``from_the_web``: menus, side bars and footers are left out."""
    soup = _soup(html)
    title = flat_text(soup.title) if soup.title else ""
    for tag in soup(_INVISIBLE):
        tag.decompose()
    for tag in soup.find_all(True):
        if not tag.decomposed and tag.name not in ("body", "html") and _is_hidden(tag):
            tag.decompose()
    if from_the_web:
        _remove_boilerplate(soup)
    writer = Writer()
    writer.walk(soup)
    lines = writer.result()
    return PageText(lines.text(), tuple(lines.headings), tuple(lines.tables), tuple(lines.code), title)


def _soup(html: str) -> "BeautifulSoup":
    from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, XMLParsedAsHTMLWarning

    # lxml stops at an encoding declaration that contradicts the text it is given.
    html = re.sub(r"^\s*<\?xml[^>]*\?>", "", html)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        return BeautifulSoup(html, "lxml")


def _is_hidden(tag: "Tag") -> bool:
    if tag.has_attr("hidden") or tag.get("aria-hidden") == "true":
        return True
    style = tag.get("style")
    return isinstance(style, str) and _HIDING_STYLE.search(style) is not None


def _remove_boilerplate(soup: "BeautifulSoup") -> None:
    for tag in soup(_BOILERPLATE):
        # Inside the article a side note is a part of it, and a quotation's footer names who said it.
        if tag.decomposed or (tag.name == "aside" and tag.find_parent(["article", "main"]) is not None):
            continue
        if tag.name == "footer" and tag.find_parent("blockquote") is not None:
            continue
        tag.decompose()
    whole = len(soup.get_text())
    for tag in soup.find_all(True):
        if tag.decomposed or tag.name in ("body", "html", "main", "article"):
            continue
        # A class name proves less than an attribute: a wrapper may be called "has-sidebar menu".
        if _is_noise(tag) and len(tag.get_text()) * 2 < whole:
            tag.decompose()
    for form in soup("form"):
        # Some servers wrap the whole page in a form; a search box is small.
        if len(form.get_text()) * 2 < whole:
            form.decompose()
    _remove_menus(soup)


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
        size = len(flat_text(tag))
        if sum(len(flat_text(link)) for link in links) >= size * _MENU_SHARE:
            menus.append(tag)
            known.add(id(tag))
    kept = len(soup.get_text(strip=True)) - sum(len(menu.get_text(strip=True)) for menu in menus)
    if kept >= 20:
        for menu in menus:
            menu.decompose()
