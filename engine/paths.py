"""Where things lie on disk. One environment variable, ZHIYE_HOME, moves all of it."""

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from engine.errors import StorageFailed


@dataclass(frozen=True, slots=True)
class Home:
    """The data folder: libraries, models, history and logs; private to the user."""

    root: Path

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

    def create(self) -> "Home":
        """Make the folder, readable by this user alone; raises StorageFailed.

        A folder that was there before keeps its permissions: ``--home /tmp`` must not close /tmp.
        """
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.libraries.mkdir(mode=0o700, exist_ok=True)
        except OSError as exc:
            raise StorageFailed(path=str(self.root), detail=exc.strerror or str(exc)) from exc
        return self


def home(chosen: Path | None = None) -> Home:
    """The data folder: the one given, else ZHIYE_HOME, else the platform's for applications."""
    if chosen is not None:
        return Home(chosen.expanduser().absolute())
    if from_environment := os.environ.get("ZHIYE_HOME"):
        return Home(Path(from_environment).expanduser().absolute())
    return Home(Path(platformdirs.user_data_dir("zhiye", appauthor=False)))
