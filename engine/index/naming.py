"""What a document is called: its path in its folder, with the folder's name where two would be alike."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

Names = Mapping[tuple[Path, str], str]
"""Folder and path in it, to the name; only those that differ from the path."""


def distinct_names(files: Iterable[tuple[Path, str]], folders: Sequence[Path]) -> Names:
    """The names of the files whose path occurs in more than one of the folders.

    Folders of the same name are told apart by their number.
    """
    files = list(dict.fromkeys(files))
    paths = Counter(path for _, path in files)
    alike = Counter(folder.name for folder in folders)
    labels = {
        folder: folder.name if alike[folder.name] == 1 else f"{folder.name}-{number}"
        for number, folder in enumerate(folders, start=1)
    }
    return {(folder, path): f"{labels[folder]}/{path}" for folder, path in files if paths[path] > 1}
