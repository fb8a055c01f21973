"""Each file has one home: the outermost folder of the library that reaches it.

A folder inside another one of the library gives its documents to that one and leaves the list. Their
text stays, so nothing is read or embedded for it.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath, PurePosixPath

from engine.index import rows
from engine.index.library import Library
from engine.intake.selection import Selection


def roots(library: Library, folders: Sequence[Path], selection: Selection) -> list[Path]:
    """Absolute paths of ``folders``, each in place of those inside it, also of those the library knows.

    A folder that the library knows by another name (a link, other capitals) has the name it is known by.
    """
    known = [folder for folder in library.folders().values() if folder.is_absolute()]
    # resolve() would follow links, and people know a folder by the name they picked.
    picked = [_known_as(Path(os.path.abspath(folder)), known) for folder in folders]  # noqa: PTH100
    return list(dict.fromkeys(_home(folder, [*picked, *known], selection) for folder in picked))


def take_over(library: Library, outer: Path, selection: Selection) -> None:
    """Move the documents of all folders inside ``outer`` to it, those of one folder in one transaction.

    Raises:
        StorageFailed: every document has the home it had, or its new one.
    """
    for folder_id, folder in library.folders().items():
        if not _reaches(outer, folder, selection):
            continue
        inside = _inside(outer, folder)
        assert inside is not None, "what is reached lies inside"
        outer_id = library.folder_id(outer)
        known = {file.path: file.report.chunks for file in library.files(outer_id)}
        paths = {}
        for file in library.files(folder_id):
            path = _path(inside, folder, file.path)
            if known.get(path, -1) >= file.report.chunks:
                # An earlier version of the program took it in twice.
                library.remove_file(folder_id, file.path)
                continue
            if path in known:
                library.remove_file(outer_id, path)  # only the other one could be read
            paths[file.id] = path
        library.move_files(paths, folder_id, outer_id)


def _known_as(folder: Path, known: Iterable[Path]) -> Path:
    return next((other for other in known if other == folder or _is_same(other, folder)), folder)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them is not there
        return False


def _home(folder: Path, others: Iterable[Path], selection: Selection) -> Path:
    outside = [other for other in others if _reaches(other, folder, selection)]
    return min(outside, key=lambda other: len(other.parts), default=folder)


def _reaches(outer: Path, folder: Path, selection: Selection) -> bool:
    """Whether a scan of ``outer`` comes by ``folder``; a hidden one that was picked stands for itself."""
    inside = _inside(outer, folder)
    return inside is not None and bool(inside.parts) and outer.is_dir() and selection.reaches(inside)


def _inside(outer: Path, folder: Path) -> PurePosixPath | None:
    """The path of a folder inside another one, also where a link leads there."""
    if not folder.is_absolute():
        return None
    for one, other in ((outer, folder), (Path(os.path.realpath(outer)), Path(os.path.realpath(folder)))):
        if other.is_relative_to(one):
            return PurePosixPath(PurePath(other.relative_to(one)).as_posix())
    return None


def _path(inside: PurePosixPath, folder: Path, path: str) -> str:
    file = rows.file_path(folder, path)
    assert file is not None, "only a folder on this machine lies inside another one"
    # A single file that was picked is its own folder.
    return str(inside if file == folder else inside / path)
