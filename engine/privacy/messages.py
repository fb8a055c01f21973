"""Messages to and from the engine about what is stored, and the proof that nothing leaves."""

from dataclasses import dataclass
from pathlib import Path

from engine.privacy.places import Place
from engine.wording import Language


@dataclass(frozen=True, slots=True)
class ReadPrivacy:
    """What is stored where, and how the last proof went."""

    task_id: int


@dataclass(frozen=True, slots=True)
class ClearEverything:
    """Delete libraries, conversations, settings, logs: all but the model files. Documents are not touched."""

    task_id: int


@dataclass(frozen=True, slots=True)
class MoveHome:
    """Copy the data folder to ``target``, compare, and use the copy from the next start on."""

    task_id: int
    target: Path


@dataclass(frozen=True, slots=True)
class ProveOffline:
    """Run the proof, and write its report in ``language`` into the data folder."""

    task_id: int
    language: Language = "zh"


@dataclass(frozen=True, slots=True)
class LastProof:
    """``at`` is ISO 8601 with the zone of then."""

    ok: bool
    attempts: int
    at: str
    report: Path


@dataclass(frozen=True, slots=True)
class PrivacyRead:
    """``shared`` are the servers that libraries are shared on; ``can_move`` False: the place was given at
    start, by an option or the environment."""

    task_id: int
    home: Path
    places: tuple[Place, ...]
    proof: LastProof | None
    shared: tuple[str, ...] = ()
    can_move: bool = True


@dataclass(frozen=True, slots=True)
class EverythingCleared:
    """``libraries`` and ``runs`` count what there was."""

    task_id: int
    libraries: int
    runs: int


@dataclass(frozen=True, slots=True)
class HomeMoved:
    """The data is at ``home`` from the next start on; ``size`` bytes were copied and compared."""

    task_id: int
    home: Path
    size: int


@dataclass(frozen=True, slots=True)
class OfflineProved:
    task_id: int
    proof: LastProof


PrivacyCommand = ReadPrivacy | ClearEverything | MoveHome | ProveOffline
PrivacyEvent = PrivacyRead | EverythingCleared | HomeMoved | OfflineProved
