"""What is known of a model whose files are on this machine."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from models import folders
from models.catalogue import CatalogueModel
from models.errors import ModelDamaged, ModelError
from models.gguf import read_header


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model whose files are here; ``entry`` is None for one that the user added.

    ``is_unchanged``: the files are as they were when they were last hashed. ``problem`` is an error's code
    when they are known to be unusable.
    """

    id: str
    path: Path
    size: int
    is_unchanged: bool
    entry: CatalogueModel | None = None
    problem: str | None = None

    @property
    def checked_by(self) -> Literal["hash", "structure"] | None:
        """What the last check rests on: where no hash is published, the structure; None for changed files."""
        if not self.is_unchanged:
            return None
        return "hash" if self.entry and not self.entry.structure else "structure"

    @property
    def verified(self) -> bool:
        """Never true of a catalogue model without hashes; of an added file, that it is as it was then."""
        return self.is_unchanged and not (self.entry and self.entry.structure)

    @property
    def role(self) -> str:
        return self.entry.role if self.entry else "chat"


def problem_of(path: Path, entry: CatalogueModel | None, size: int) -> str | None:
    """The code of what is wrong with a model, as far as its structure shows it."""
    if entry and entry.structure:
        return folders.problem_of(path, entry)
    if entry and entry.role != "chat":
        return None
    try:
        read_header(path)
    except ModelError as exc:
        return exc.code
    return ModelDamaged.code if entry and size != entry.size else None
