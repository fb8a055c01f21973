"""Markdown and MDX, as the text a reader sees: headings known, markup, imports and comments gone."""

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from engine.documents import Heading, Page, SourceDocument
from engine.intake.loaders import LoadItem, Source
from engine.intake.loaders.html.text import text_of
from engine.intake.loaders.lines import Lines
from engine.intake.loaders.markdown.source import front_matter, html_text, tag_text, without_comments
from engine.intake.loaders.text import decode_file

if TYPE_CHECKING:
    from markdown_it.token import Token


_HEADING_ID = re.compile(r"\s*\{#[\w-]+\}$")
_HTML_TABLE = re.compile(r"<table\b.*</table\s*>", re.DOTALL | re.IGNORECASE)


def read(source: Source) -> Iterator[LoadItem]:
    decoded = decode_file(source)
    body, metadata = front_matter(decoded.text)
    body = without_comments(body, mdx=source.path.suffix.lower() == ".mdx")
    lines = _render(_parse(body))
    title = _title(metadata, lines.headings)
    yield SourceDocument(
        "markdown",
        title or source.path.stem,
        title_from_name=title is None,
        encoding=decoded.encoding,
        metadata=metadata,
    )
    yield Page(
        1,
        lines.text(),
        headings=tuple(lines.headings),
        tables=tuple(lines.tables),
        code=tuple(lines.code),
    )


def _title(metadata: dict[str, Any], headings: Sequence[Heading]) -> str | None:
    title = metadata.get("title")
    if isinstance(title, (str, int, float)) and str(title).strip():
        return " ".join(str(title).split())
    return next((heading.text for heading in headings if heading.level == 1), None)


def _parse(source: str) -> "list[Token]":
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return parser.use(footnote_plugin).parse(source)


def _render(tokens: "Sequence[Token]") -> Lines:
    """Readable text of block tokens."""
    lines = Lines()
    lists: list[int | None] = []
    item_mark = ""
    level = 0
    rows: list[list[str]] = []
    in_cell = False
    for token in tokens:
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            if not lists:
                lines.gap()
            lists.append(int(token.attrGet("start") or 1) if kind == "ordered_list_open" else None)
        elif kind in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
            if not lists:
                lines.gap()
        elif kind == "list_item_open":
            number = lists[-1]
            item_mark = "  " * (len(lists) - 1) + ("- " if number is None else f"{number}. ")
            if number is not None:
                lists[-1] = number + 1
        elif kind == "heading_open":
            level = int(token.tag[1:])
        elif kind in ("paragraph_open", "blockquote_open", "footnote_open"):
            if not token.hidden and not item_mark and not lists:
                lines.gap()
        elif kind in ("th_open", "td_open"):
            in_cell = True
        elif kind in ("th_close", "td_close"):
            in_cell = False
        elif kind == "table_open":
            rows = []
        elif kind == "tr_open":
            rows.append([])
        elif kind == "table_close":
            lines.table(rows, header=1)
            item_mark = ""
        elif kind in ("hr", "footnote_close"):
            lines.gap()
        elif kind == "inline":
            text = _inline(token)
            if level:
                lines.heading(level, _HEADING_ID.sub("", " ".join(text.split())))
                level = 0
            elif in_cell:
                rows[-1].append(" ".join(text.split()))
            else:
                if text.strip():
                    first, *rest = text.split("\n")
                    lines.put((item_mark or "  " * len(lists)) + first)
                    for line in rest:
                        lines.put("  " * len(lists) + line)
                item_mark = ""
        elif kind in ("fence", "code_block"):
            lines.gap()
            start = lines.length
            for line in token.content.rstrip("\n").split("\n"):
                lines.put(line)
            lines.end_code(start)
            lines.gap()
            item_mark = ""
        elif kind == "html_block":
            _html_block(lines, token.content)
    return lines


def _html_block(lines: Lines, source: str) -> None:
    if _HTML_TABLE.search(source):
        page = text_of(source)
        lines.gap()
        lines.add(page.text, page.headings, page.tables, page.code)
        lines.gap()
        return
    shown = html_text(source)
    if shown:
        lines.gap()
        lines.add(shown)


def _inline(token: "Token") -> str:
    parts: list[str] = []
    for child in token.children or ():
        if child.type in ("text", "code_inline", "text_special"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "image":
            parts.append("".join(part.content for part in child.children or ()) or child.content)
        elif child.type == "html_inline":
            parts.append(tag_text(child.content))
    return "".join(parts)
