"""Reading JSON lines, split at line feeds only."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.errors import NotReadable, WrongUse


def read_objects(file: Path) -> Iterator[dict[str, Any]]:
    """The objects of a UTF-8 JSON-lines file, one a line.

    Raises:
        NotReadable: no such file.
        WrongUse: a line is not a JSON object.
    """
    try:
        data = file.read_bytes()
    except OSError as exc:
        raise NotReadable(path=str(file)) from exc
    for _, item in objects(data, str(file)):
        yield item


def objects(data: bytes, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The same of the bytes of a file called ``name``, with the numbers of the lines; raises WrongUse."""
    # bytes.split at \n only: str.splitlines would also cut at U+2028 inside a string.
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            item = json.loads(line.decode("utf-8-sig"))
        except (ValueError, RecursionError) as exc:
            raise WrongUse(detail=f"{name}:{number}") from exc
        if not isinstance(item, dict):
            raise WrongUse(detail=f"{name}:{number}")
        yield number, item
