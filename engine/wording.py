"""From codes to words, for the command line and the window alike.

The sentences stand in ``resources/messages/zh.toml`` and ``en.toml``: per code a ``title`` (what
happened and what it means) and an ``advice`` (what to do), with ``{name}`` placeholders for params, and
where a button can help, its ``action``.
"""

import locale
import os
import string
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import resources

Language = Literal["zh", "en"]


@dataclass(frozen=True, slots=True)
class Wording:
    """``action`` is the code of what a button beside the words can do, ``target`` the file or folder that it
    is about; both are empty where there is none."""

    title: str
    advice: str = ""
    action: str = ""
    target: str = ""

    def __str__(self) -> str:
        return f"{self.title} {self.advice}".strip()


def system_language() -> Language:
    """Chinese when the user's locale says so, English otherwise."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return "zh" if value.lower().startswith("zh") else "en"
    try:
        name = locale.getlocale()[0] or ""
    except ValueError:
        name = ""
    # Windows names it "Chinese (Simplified)_China".
    return "zh" if name.lower().startswith(("zh", "chinese")) else "en"


def describe(code: str, params: Mapping[str, object] | None = None, language: Language = "en") -> Wording:
    """The words for a code; an unknown code gives the words of ``internal`` with the code in them."""
    table = _table(language)
    values = dict(params or {})
    entry = table.get(code)
    if entry is None:
        entry, values = table["internal"], {"detail": f"{code} {values or ''}".strip()}
    values = _Lenient({key: _plain(value) for key, value in values.items()})
    if code == "kept_unreadable" and "why" in values:
        # The reason that the file could not be read with, in its own words.
        values["why"] = describe(str(values["why"]), params, language).title
    formatter = string.Formatter()
    return Wording(
        formatter.vformat(entry["title"], (), values),
        formatter.vformat(entry.get("advice", ""), (), values),
        entry.get("action", ""),
        str(values.get("path", "")),
    )


def codes(language: Language) -> Mapping[str, Mapping[str, str]]:
    """All codes of a language with their sentences, for tests that compare the two."""
    return _table(language)


class _Lenient(dict[str, object]):
    """A missing parameter must never turn an error message into another error."""

    def __missing__(self, key: str) -> str:
        return "…"


def _plain(value: object) -> object:
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(str(item) for item in value)
    return value


@lru_cache(maxsize=2)
def _table(language: Language) -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(resources.read_text("messages", f"{language}.toml"))
