"""From codes to the words people read: the one place in the window that does it."""

from collections.abc import Mapping

from desktop import languages
from engine import wording
from engine.wording import Wording


def describe(code: str, params: Mapping[str, object] | None = None) -> Wording:
    """Title (what happened) and advice (what to do) in the window's language."""
    return wording.describe(code, params, languages.current())


def is_known(code: str) -> bool:
    return code in wording.codes(languages.current())
