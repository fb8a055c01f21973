"""Packs made, taken in and tampered with."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from engine.config import Settings
from engine.index.library import Library
from engine.index.pack import archive, export, load
from engine.index.pack.export import Exported
from engine.index.pack.origin import Origin
from engine.steps import finish
from tests.fakes import FakeEmbedder

_T = TypeVar("_T")

Members = dict[str, bytes]


def pack(library: Library, file: Path) -> Exported:
    return finish(export.write(library, file, program="0.0", reading="2/2/400/50/0", settings=Settings()))


def take_in(file: Path, folder: Path, name: str = "导入", embedder: FakeEmbedder | None = None) -> Library:
    """The library that a pack makes in ``folder``; raises what keeps it from being made."""
    with archive.Reader(file) as found:
        known = Origin.of_embedder(embedder or FakeEmbedder())
        origin = load.check_origin(file, found.manifest, known)
        finish(load.read(found, file, folder, name, origin, 1))
    return Library(folder, dimension=64)


def members(file: Path) -> Members:
    with zipfile.ZipFile(file) as found:
        return {name: found.read(name) for name in found.namelist()}


def rebuilt(file: Path, target: Path, change: Callable[[Members], None], *, honest: bool = True) -> Path:
    """The pack with other contents; ``honest``: the manifest says of them what is true."""
    contents = members(file)
    change(contents)
    if honest and (manifest := json.loads(contents[archive.MANIFEST])).get("members"):
        for name, about in manifest["members"].items():
            if name in contents:
                data = contents[name]
                about.update(size=len(data), sha256=hashlib.sha256(data).hexdigest())
        contents[archive.MANIFEST] = json.dumps(manifest).encode()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in contents.items():
            made.writestr(name, data)
    return target


def changed_line(
    name: str, number: int, change: Callable[[dict[str, Any]], None]
) -> Callable[[Members], None]:
    """A change of one line of a member; ``number`` from 0."""

    def apply(contents: Members) -> None:
        lines = contents[name].split(b"\n")
        line = json.loads(lines[number])
        change(line)
        lines[number] = json.dumps(line).encode()
        contents[name] = b"\n".join(lines)

    return apply


def changed_manifest(values: Mapping[str, Any]) -> Callable[[Members], None]:
    def apply(contents: Members) -> None:
        manifest = json.loads(contents[archive.MANIFEST])
        manifest.update(values)
        contents[archive.MANIFEST] = json.dumps(manifest).encode()

    return apply
