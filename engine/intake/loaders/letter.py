"""What mails of all kinds have in common: header lines, a body, the names of what is attached."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.documents import Page
from engine.intake.encodings import safe
from engine.intake.loaders.html.text import text_of
from engine.intake.loaders.lines import Lines

_CHINESE = {
    "from": "发件人", "to": "收件人", "cc": "抄送", "date": "日期", "subject": "主题", "file": "附件",
}  # fmt: skip
_ENGLISH = {
    "from": "From", "to": "To", "cc": "Cc", "date": "Date", "subject": "Subject", "file": "Attachment",
}  # fmt: skip
_HAN = re.compile("[\u3400-\u9fff\U00020000-\U0003ffff]")
_KANA = re.compile("[\u3041-\u30fa\uac00-\ud7a3]")
_MUCH_LESS = 0.5


@dataclass(frozen=True, slots=True)
class Attachment:
    name: str
    size_bytes: int


@dataclass(slots=True)
class Letter:
    """A mail; ``enclosed`` are mails attached to it. ``html`` is shown where ``plain`` says much less."""

    headers: dict[str, str]
    plain: str = ""
    html: str = ""
    attachments: list[Attachment] = field(default_factory=list)
    enclosed: list["Letter"] = field(default_factory=list)
    is_sealed: bool = False

    @property
    def subject(self) -> str:
        return self.headers.get("subject", "")


def page_of(letter: Letter) -> Page:
    """The mail as one page, with the mails attached to it below."""
    lines = Lines()
    _write(lines, letter)
    return Page(1, lines.text(), headings=tuple(lines.headings), tables=tuple(lines.tables))


def is_any_sealed(letter: Letter) -> bool:
    return letter.is_sealed or any(map(is_any_sealed, letter.enclosed))


def _write(lines: Lines, letter: Letter) -> None:
    shown = text_of(letter.html) if letter.html.strip() else None
    plain = safe(letter.plain).strip()
    if shown is not None and len("".join(plain.split())) > _MUCH_LESS * len("".join(shown.text.split())):
        shown = None  # else the plain text says no more than that one needs another program
    words = _words(letter.subject + (shown.text if shown is not None else plain))
    for name in ("from", "to", "cc", "date", "subject"):
        if letter.headers.get(name):
            lines.put(_labelled(words, name, letter.headers[name]))
    lines.gap()
    if shown is not None:
        lines.add(shown.text, shown.headings, shown.tables, shown.code)
    else:
        for line in plain.split("\n"):
            lines.put(line.rstrip())
    lines.gap()
    for attachment in letter.attachments:
        lines.put(_labelled(words, "file", f"{attachment.name} ({_readable(attachment.size_bytes)})"))
    for enclosed in letter.enclosed:
        lines.gap()
        _write(lines, enclosed)


def _words(text: str) -> dict[str, str]:
    return _CHINESE if _HAN.search(text) and not _KANA.search(text) else _ENGLISH


def _labelled(words: dict[str, str], name: str, value: str) -> str:
    return f"{words[name]}{'：' if words is _CHINESE else ': '}{value}"


def _readable(size_bytes: int) -> str:
    size = float(size_bytes)
    units = ["B", "KB", "MB", "GB"]
    while size >= 1024 and len(units) > 1:
        size /= 1024
        del units[0]
    return f"{size:.1f} {units[0]}" if size < 10 and units[0] != "B" else f"{size:.0f} {units[0]}"


def joined(texts: Sequence[str], between: str = "\n\n") -> str:
    return between.join(text.strip("\n") for text in texts if text.strip())
