"""From codes to the words people read: the one place in the window that does it."""

from collections.abc import Mapping

from desktop import languages
from engine.wording import Wording
from engine.wording import describe as describe_code


def describe(code: str, params: Mapping[str, object] | None = None) -> Wording:
    """Title (what happened) and advice (what to do) in the window's language."""
    return describe_code(code, params, languages.current())
