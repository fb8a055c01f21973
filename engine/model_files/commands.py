"""Messages to the engine about model files."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ChosenRole = Literal["chat", "embedder"]


@dataclass(frozen=True, slots=True)
class ListModels:
    """All models, known and added, and what this machine can hold."""

    task_id: int


@dataclass(frozen=True, slots=True)
class ImportModel:
    """Copy a model into the models folder: a GGUF file, an embedder's folder, or a folder (a USB stick) that
    holds one GGUF file or one of the catalogue.

    ``anyway``: also one that is not in the catalogue, or that needs more memory than this machine has.
    """

    task_id: int
    path: Path
    anyway: bool = False


@dataclass(frozen=True, slots=True)
class DownloadModel:
    """Fetch a model of the catalogue in a process of its own; what was fetched before is used again."""

    task_id: int
    model: str


@dataclass(frozen=True, slots=True)
class VerifyModel:
    """Compare every byte of a model with its hash again."""

    task_id: int
    model: str


@dataclass(frozen=True, slots=True)
class RemoveModel:
    """Delete a model's files. One that is in use gives way only where there is no other one."""

    task_id: int
    model: str


@dataclass(frozen=True, slots=True)
class ChooseModel:
    """Use this model from now on, without a restart; None: the chat model that fits this machine's memory."""

    task_id: int
    role: ChosenRole
    model: str | None


@dataclass(frozen=True, slots=True)
class MeasureModel:
    """Measure the speed of the chat model, or of the embedder where there is none; ten seconds at most."""

    task_id: int


@dataclass(frozen=True, slots=True)
class RestChatModel:
    """Free the memory of the chat model when nobody has needed it for as long as the settings say; the next
    question loads it again."""

    task_id: int


ModelCommand = (
    ListModels
    | ImportModel
    | DownloadModel
    | VerifyModel
    | RemoveModel
    | ChooseModel
    | MeasureModel
    | RestChatModel
)
