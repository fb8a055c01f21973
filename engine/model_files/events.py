"""Messages from the engine about model files; sizes are bytes."""

from dataclasses import dataclass

from engine.model_files.commands import ChosenRole
from engine.model_files.standing import Machine, ModelSpeed, ModelStanding


@dataclass(frozen=True, slots=True)
class ModelsListed:
    """The best of each role first, added ones last; ``server`` is the chat server that answers instead."""

    task_id: int
    models: tuple[ModelStanding, ...]
    machine: Machine
    server: str | None = None


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """``done`` of ``total`` bytes were copied, fetched or checked; ``source`` is where they come from."""

    task_id: int
    done: int
    total: int
    source: str | None = None


@dataclass(frozen=True, slots=True)
class SourceGivenUp:
    """A source could not deliver a model; the next one is tried."""

    task_id: int
    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class ModelArrived:
    """A model was imported or downloaded and is checked; ``name`` is for people."""

    task_id: int
    model: str
    name: str
    role: ChosenRole
    in_catalogue: bool


@dataclass(frozen=True, slots=True)
class ModelVerified:
    task_id: int
    model: str


@dataclass(frozen=True, slots=True)
class ModelRemoved:
    """``freed`` bytes of disk."""

    task_id: int
    model: str
    freed: int


@dataclass(frozen=True, slots=True)
class ModelChosen:
    """``model`` is used now; where it is an embedder, ``passages`` have to be embedded with it again."""

    task_id: int
    role: ChosenRole
    model: str | None
    passages: int = 0


@dataclass(frozen=True, slots=True)
class MeasureProgress:
    """``done_s`` of at most ``total_s`` seconds of a self-test."""

    task_id: int
    done_s: float
    total_s: float


@dataclass(frozen=True, slots=True)
class ModelMeasured:
    task_id: int
    model: str
    role: ChosenRole
    speed: ModelSpeed


@dataclass(frozen=True, slots=True)
class ModelRested:
    """The chat model gave its memory back; the next question loads it again."""

    task_id: int
    model: str


ModelEvent = (
    ModelsListed
    | ModelProgress
    | SourceGivenUp
    | ModelArrived
    | ModelVerified
    | ModelRemoved
    | ModelChosen
    | MeasureProgress
    | ModelMeasured
    | ModelRested
)
