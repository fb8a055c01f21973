"""Where things lie on disk. One environment variable, ZHIYE_HOME, moves all of it.

A person who moves the data folder leaves a note of its new place (:func:`note_place`), which counts where
neither the variable nor an option names one.
"""

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from engine.errors import StorageFailed


@dataclass(frozen=True, slots=True)
class Home:
    """The data folder: libraries, models, history and logs; private to the user.

    ``was_moved``: a person put it there, so it is not made anew where it is missing.
    """

    root: Path
    was_moved: bool = False

    @property
    def libraries(self) -> Path:
        return self.root / "libraries"

    @property
    def models(self) -> Path:
        """The models folder; ZHIYE_MODELS shares one between several homes."""
        shared = os.environ.get("ZHIYE_MODELS")
        return Path(shared) if shared else self.root / "models"

    @property
    def history(self) -> Path:
        return self.root / "history.sqlite"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def crash(self) -> Path:
        return self.root / "crash"

    def create(self) -> "Home":
        """Make the folder, readable by this user alone; raises StorageFailed.

        A folder that was there before keeps its permissions: ``--home /tmp`` must not close /tmp. What is
        made inside it is private all the same.
        """
        if self.was_moved and not self.root.is_dir():
            raise StorageFailed(path=str(self.root), detail="its disk is not connected")
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.libraries.mkdir(mode=0o700, exist_ok=True)
        except OSError as exc:
            raise StorageFailed(path=str(self.root), detail=exc.strerror or str(exc)) from exc
        with suppress(OSError):  # a disk that is only read now holds what is asked for
            for inside in (self.logs, self.crash):
                inside.mkdir(mode=0o700, exist_ok=True)
        return self


def home(chosen: Path | None = None) -> Home:
    """The data folder: the one given, else ZHIYE_HOME, else where it was moved to, else the platform's."""
    if chosen is not None:
        return Home(chosen.expanduser().absolute())
    if from_environment := os.environ.get("ZHIYE_HOME"):
        return Home(Path(from_environment).expanduser().absolute())
    noted = _noted("home")
    if noted is None or noted == usual_place():
        return Home(usual_place())
    return Home(noted, was_moved=True)


def usual_place() -> Path:
    """The platform's folder for the data of applications."""
    return Path(platformdirs.user_data_dir("zhiye", appauthor=False))


def left_behind() -> Path | None:
    """The folder that the data was moved out of and that has not been deleted yet."""
    return _noted("left")


def note_place(place: Path, left: Path | None = None) -> None:
    """From the next start on the data is at ``place``; in one step. Raises OSError."""
    note = _note()
    if left is None and place == usual_place():
        note.unlink(missing_ok=True)
        return
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = note.with_suffix(".part")
    with draft.open("w", encoding="ascii") as stream:
        json.dump({"home": str(place), "left": None if left is None else str(left)}, stream)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(note)


def _noted(key: str) -> Path | None:
    """None: nothing is noted, or the note cannot be understood."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        place = Path(json.loads(_note().read_text(encoding="ascii"))[key])
        return place if place.is_absolute() else None
    return None


def _note() -> Path:
    return Path(platformdirs.user_config_dir("zhiye", appauthor=False), "home.json")
