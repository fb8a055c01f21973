"""Each file has one home: the outermost folder of the library that reaches it.

A folder inside another one of the library gives its documents to that one and leaves the list. Their
text stays, so nothing is read or embedded for it.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.index import rows
from engine.index.library import Library
from engine.intake import scanner


def roots(library: Library, folders: Sequence[Path]) -> list[Path]:
    """Absolute paths of ``folders``, each in place of those inside it, also of those the library knows."""
    # resolve() would follow links, and people know a folder by the name they picked.
    picked = [Path(os.path.abspath(folder)) for folder in folders]  # noqa: PTH100
    known = list(library.folders().values())
    return list(dict.fromkeys(_home(folder, [*picked, *known]) for folder in picked))


def take_over(library: Library, outer: Path) -> None:
    """Move the documents of all folders inside ``outer`` to it, those of one folder in one transaction.

    Raises:
        StorageFailed: every document has the home it had, or its new one.
    """
    inner = {i: folder for i, folder in library.folders().items() if _reaches(outer, folder)}
    for folder_id, folder in inner.items():
        outer_id = library.folder_id(outer)
        known = {file.path: file.report.chunks for file in library.files(outer_id)}
        paths = {}
        for file in library.files(folder_id):
            path = _path(outer, folder, file.path)
            if known.get(path, -1) >= file.report.chunks:
                # An earlier version of the program took it in twice.
                library.remove_file(folder_id, file.path)
                continue
            if path in known:
                library.remove_file(outer_id, path)  # only the other one could be read
            paths[file.id] = path
        library.move_files(paths, folder_id, outer_id)


def _home(folder: Path, others: Iterable[Path]) -> Path:
    outside = [other for other in others if _reaches(other, folder)]
    return min(outside, key=lambda other: len(other.parts), default=folder)


def _reaches(outer: Path, inner: Path) -> bool:
    """Whether a scan of ``outer`` comes by ``inner``; a hidden folder that was picked stands for itself."""
    if inner == outer or not inner.is_absolute() or not inner.is_relative_to(outer):
        return False
    return outer.is_dir() and all(scanner.exclusion(part) is None for part in inner.relative_to(outer).parts)


def _path(outer: Path, folder: Path, path: str) -> str:
    file = rows.file_path(folder, path)
    assert file is not None, "only a portable index knows no folders"
    return file.relative_to(outer).as_posix()
