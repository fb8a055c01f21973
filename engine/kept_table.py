"""Small JSON tables of what was found out about this machine; what cannot be kept is found out again."""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_log = logging.getLogger(__name__)


def read(file: Path) -> dict[str, Any]:
    """The table; empty where there is none, or none that makes sense."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def write(file: Path, table: Mapping[str, object]) -> None:
    try:
        file.write_text(json.dumps(table, indent=1), encoding="utf-8")
    except OSError as exc:
        _log.info("%s could not be kept: %s", file.name, exc)


def keep(file: Path, key: str, value: object) -> None:
    """Set one entry, beside those that are there."""
    write(file, read(file) | {key: value})
