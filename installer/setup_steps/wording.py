"""What the setup says to people, in Chinese or English; the sentences stand in ``wording.toml``."""

import locale
import os
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def texts() -> dict[str, dict[str, str]]:
    """All sentences: code → language (``zh``, ``en``) → text with places for parameters."""
    return tomllib.loads(Path(__file__).with_name("wording.toml").read_text(encoding="utf-8"))


def speaks_chinese(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether the user's locale is Chinese."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := environment.get(name):
            return value.lower().startswith("zh")
    if platform in ("win32", "darwin"):
        return (locale.getlocale()[0] or "").lower().startswith(("zh", "chinese"))
    return False


def words(code: str, **params: object) -> str:
    """The sentence for ``code`` in the user's language."""
    return texts()[code]["zh" if speaks_chinese() else "en"].format(**params)
