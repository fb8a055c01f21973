"""What stands in Markdown around its text: front matter, comments, modules, tags of HTML and JSX."""

import re
from html import unescape
from typing import Any

import yaml

from engine.intake.encodings import joined, safe

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
_FENCE = re.compile(r"^[ \t]*(?:[-*+>] *|\d+[.)] *)*(`{3,}|~{3,})(.*)$")
_JSX_OR_CODE = re.compile(
    r"(?P<code>(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`))|[ \t]*"
    + _HTML_TAG.pattern.replace("|</?>", "|[ \t]*</?>")
)
_INLINE_TAG = re.compile(
    r"</?(?:a|b|i|em|strong|span|code|kbd|sub|sup|small|mark|u|s|del|ins|abbr|q|cite|font|label|img)\b", re.I
)


def front_matter(text: str) -> tuple[str, dict[str, Any]]:
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
    return text[match.end() :], {_written(key): _plain(value) for key, value in (data or {}).items()}


def _plain(value: object) -> object:
    if value is None or isinstance(value, (int, float, bool)):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {_written(key): _plain(item) for key, item in value.items()}
    return _written(value)


def _written(value: object) -> str:
    # YAML leaves what JSON writes as two escapes, such as "\ud83d\ude00", in two halves.
    return safe(joined(str(value)))


def without_comments(text: str, *, mdx: bool) -> str:
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


def tag_text(tag: str) -> str:
    shown = " ".join(a or b for a, b in _SHOWN_ATTRIBUTE.findall(tag))
    if shown:
        return unescape(shown)
    return "\n" if re.match(r"<(?:br|/p|/div|/li|/tr)\b", tag, re.IGNORECASE) else ""


def html_text(source: str) -> str:
    """What an HTML or JSX block shows: the text between tags and the attributes people read."""
    source = re.sub(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", "", source, flags=re.DOTALL | re.IGNORECASE)
    source = _HTML_TAG.sub(lambda match: _spaced(match[0]), source)
    lines = (" ".join(unescape(line).split()) for line in source.split("\n"))
    return "\n".join(line for line in lines if line)


def _jsx_text(tag: str) -> str:
    text = tag_text(tag.strip()).strip("\n")
    if _INLINE_TAG.match(tag.strip()):
        return tag[: len(tag) - len(tag.lstrip())] + text
    return f"\n\n{text}\n\n"


def _spaced(tag: str) -> str:
    text = tag_text(tag)
    return text if _INLINE_TAG.match(tag) else f"\n{text}\n"
