"""Markdown and MDX, as the text a reader sees: headings known, markup, imports and comments gone."""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import TYPE_CHECKING, Any

import yaml

from engine.documents import Heading, Page, SourceDocument
from engine.intake.loaders import LoadItem, Source
from engine.intake.loaders.text import decode_file

if TYPE_CHECKING:
    from markdown_it.token import Token

# Inline code comes first, so that a comment shown as code stays.
_COMMENT = re.compile(
    r"(?P<code>(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`))|<!--.*?(?:-->|\Z)|\{/\*.*?\*/\s*\}", re.DOTALL
)
_MODULE_LINE = re.compile(r"^(?:import|export)\b(?=.*(?:[\"'{=(;*]|\bfrom\b|\bdefault\b)).*$")
_HTML_TAG = re.compile(
    r"</?(?![\w.+-]+(?:://|@|:\w+@))[^\W\d_][\w.:-]*(?:\"[^\"]*\"|'[^']*'|\{(?:[^{}]|\{[^{}]*\})*\}|[^<>{}\"'])*>|</?>"
)
_SHOWN_ATTRIBUTE = re.compile(
    r"(?<=\s)(?:alt|title|label|summary|caption|text|description|[^\W\d_a-zA-Z]\w*)=(?:\"([^\"]*)\"|'([^']*)')"
)
_HEADING_ID = re.compile(r"\s*\{#[\w-]+\}$")
_FENCE = re.compile(r"^[ \t]*(?:[-*+>] *|\d+[.)] *)*(`{3,}|~{3,})(.*)$")
_JSX_OR_CODE = re.compile(
    r"(?P<code>(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`))|[ \t]*"
    + _HTML_TAG.pattern.replace("|</?>", "|[ \t]*</?>")
)
_INLINE_TAG = re.compile(
    r"</?(?:a|b|i|em|strong|span|code|kbd|sub|sup|small|mark|u|s|del|ins|abbr|q|cite|font|label|img)\b", re.I
)


def read(source: Source) -> Iterator[LoadItem]:
    decoded = decode_file(source)
    body, metadata = _front_matter(decoded.text)
    body = _without_comments(body, mdx=source.path.suffix.lower() == ".mdx")
    text, headings = _render(_parse(body))
    title = _title(metadata, headings)
    yield SourceDocument(
        "markdown",
        title or source.path.stem,
        title_from_name=title is None,
        encoding=decoded.encoding,
        metadata=metadata,
    )
    yield Page(1, text, headings=tuple(headings))


def _title(metadata: dict[str, Any], headings: Sequence[Heading]) -> str | None:
    title = metadata.get("title")
    if isinstance(title, (str, int, float)) and str(title).strip():
        return " ".join(str(title).split())
    return next((heading.text for heading in headings if heading.level == 1), None)


def _front_matter(text: str) -> tuple[str, dict[str, Any]]:
    """The text without a leading YAML block, and the block's plain values."""
    match = re.match(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", text, re.DOTALL)
    if match is None:
        return text, {}
    try:
        data = yaml.safe_load(match[1] or "")
    except (yaml.YAMLError, ValueError, RecursionError):
        # A rule, a paragraph, a rule: not front matter, or broken. Nobody wants it as an answer.
        looks_like_yaml = re.match(r"[\w-]+:", match[1] or "") is not None
        return (text[match.end() :], {}) if looks_like_yaml else (text, {})
    if data is not None and not isinstance(data, dict):
        return text, {}
    return text[match.end() :], {str(key): _plain(value) for key, value in (data or {}).items()}


def _plain(value: object) -> object:
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return str(value)


def _without_comments(text: str, *, mdx: bool) -> str:
    """Comments blanked out, and in MDX module lines, but never inside a fenced code block."""
    parts: list[str] = []
    prose: list[str] = []
    fence = ""

    def flush() -> None:
        if prose:
            parts.append(_clean_prose("".join(prose), mdx=mdx))
            prose.clear()

    in_comment = ""
    for line in text.splitlines(keepends=True):
        match = _FENCE.match(line.rstrip("\n")) if not in_comment else None
        if fence:
            parts.append(line)
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
            continue
        if match and not (match[1][0] == "`" and "`" in match[2]):
            flush()
            fence = match[1]
            parts.append(line)
            continue
        prose.append(line)
        in_comment = _open_comment(line, in_comment)
    flush()
    return "".join(parts)


def _open_comment(line: str, closing: str) -> str:
    """The mark that ends the comment which is still open after ``line``, or ''."""
    at = 0
    while True:
        if closing:
            end = line.find(closing, at)
            if end < 0:
                return closing
            at, closing = end + len(closing), ""
        html, jsx = line.find("<!--", at), line.find("{/*", at)
        starts = [(place, mark) for place, mark in ((html, "-->"), (jsx, "*/")) if place >= 0]
        if not starts:
            return ""
        at, closing = min(starts)


def _clean_prose(text: str, *, mdx: bool) -> str:
    text = _COMMENT.sub(lambda match: match["code"] or "\n" * match[0].count("\n"), text)
    # A link definition straight below a footnote would be read as more of the footnote.
    text = re.sub(r"^(\[\^[^\]]+\]:.*\n)(?=\[[^\]^][^\]]*\]:)", r"\1\n", text, flags=re.MULTILINE)
    if not mdx:
        return text
    # Components go before Markdown is parsed, so that the Markdown between their tags is.
    text = _JSX_OR_CODE.sub(lambda match: match["code"] or _jsx_text(match[0]), text)
    kept: list[str] = []
    depth = 0
    for line in text.split("\n"):
        if depth > 0 or _MODULE_LINE.match(line):
            # A module statement may go on over lines until its brackets are closed.
            depth = max(0, depth + sum(map(line.count, "{[(")) - sum(map(line.count, "}])")))
            kept.append("")
        else:
            # Indentation inside components would turn their text into code blocks.
            kept.append(re.sub(r"^[ \t]{4,}(?=[^\s\-*+\d>])", "  ", line))
    return "\n".join(kept)


def _parse(source: str) -> "list[Token]":
    from markdown_it import MarkdownIt
    from mdit_py_plugins.footnote import footnote_plugin

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return parser.use(footnote_plugin).parse(source)


def _render(tokens: "Sequence[Token]") -> tuple[str, list[Heading]]:
    """Readable text of block tokens, with the offsets of its headings."""
    lines: list[str] = []
    headings: list[Heading] = []
    length = 0
    lists: list[int | None] = []
    item_mark = ""
    level = 0
    cells: list[str] = []
    in_cell = False

    def put(text: str) -> None:
        nonlocal length
        lines.append(text)
        length += len(text) + 1

    def gap() -> None:
        if lines and lines[-1]:
            put("")

    for token in tokens:
        kind = token.type
        if kind in ("bullet_list_open", "ordered_list_open"):
            if not lists:
                gap()
            lists.append(int(token.attrGet("start") or 1) if kind == "ordered_list_open" else None)
        elif kind in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
            if not lists:
                gap()
        elif kind == "list_item_open":
            number = lists[-1]
            item_mark = "  " * (len(lists) - 1) + ("- " if number is None else f"{number}. ")
            if number is not None:
                lists[-1] = number + 1
        elif kind == "heading_open":
            gap()
            level = int(token.tag[1:])
        elif kind in ("paragraph_open", "blockquote_open", "footnote_open"):
            if not token.hidden and not item_mark and not lists:
                gap()
        elif kind in ("th_open", "td_open"):
            in_cell = True
        elif kind in ("th_close", "td_close"):
            in_cell = False
        elif kind == "tr_open":
            cells = []
        elif kind == "tr_close":
            put(" | ".join(cells))
        elif kind in ("table_open", "table_close", "hr", "footnote_close"):
            gap()
        elif kind == "inline":
            text = _inline(token)
            if level:
                text = _HEADING_ID.sub("", " ".join(text.split()))
                if text:
                    headings.append(Heading(length, level, text))
                    put(text)
                    put("")
                level = 0
            elif in_cell:
                cells.append(" ".join(text.split()))
            else:
                indent = item_mark or "  " * len(lists)
                first, *rest = text.split("\n") if text else [""]
                if text.strip():
                    put(indent + first)
                    for line in rest:
                        put("  " * len(lists) + line)
                item_mark = ""
        elif kind in ("fence", "code_block"):
            gap()
            for line in token.content.rstrip("\n").split("\n"):
                put(line)
            gap()
            item_mark = ""
        elif kind == "html_block":
            shown = _html_text(token.content)
            if shown:
                gap()
                for line in shown.split("\n"):
                    put(line)
    return "\n".join(lines).strip("\n") + "\n" if lines else "", headings


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
            parts.append(_tag_text(child.content))
    return "".join(parts)


def _tag_text(tag: str) -> str:
    shown = " ".join(a or b for a, b in _SHOWN_ATTRIBUTE.findall(tag))
    if shown:
        return unescape(shown)
    return "\n" if re.match(r"<(?:br|/p|/div|/li|/tr)\b", tag, re.IGNORECASE) else ""


def _html_text(source: str) -> str:
    """What an HTML or JSX block shows: the text between tags and the attributes people read."""
    source = re.sub(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", "", source, flags=re.DOTALL | re.IGNORECASE)
    source = _HTML_TAG.sub(lambda match: _spaced(match[0]), source)
    lines = (" ".join(unescape(line).split()) for line in source.split("\n"))
    return "\n".join(line for line in lines if line)


def _jsx_text(tag: str) -> str:
    text = _tag_text(tag.strip()).strip("\n")
    if _INLINE_TAG.match(tag.strip()):
        return tag[: len(tag) - len(tag.lstrip())] + text
    return f"\n\n{text}\n\n"


def _spaced(tag: str) -> str:
    text = _tag_text(tag)
    return text if _INLINE_TAG.match(tag) else f"\n{text}\n"
