"""How the models of this machine stand: the figures that the models page and the first run show."""

from dataclasses import dataclass
from typing import Literal

from models.catalogue import Role

Fit = Literal["fits", "tight", "too_large"]
"""Whether a model can be loaded: into the memory that is free now, only once other programs are closed, or
never, because this machine has less memory than the model needs."""


@dataclass(frozen=True, slots=True)
class ModelSpeed:
    """What a self-test measured; ``at`` is ISO 8601 in UTC.

    Of a chat model: prompt tokens read a second, tokens written a second, and the seconds to the first word
    of an answer to a usual question. Of an embedder: ``passages_per_second`` alone.
    """

    at: str
    prompt_tokens_per_second: float | None = None
    tokens_per_second: float | None = None
    first_token_s: float | None = None
    passages_per_second: float | None = None


@dataclass(frozen=True, slots=True)
class ModelStanding:
    """One model, of the catalogue or added by a person; sizes and memory in bytes.

    ``checked_by`` is ``hash``, ``structure`` where no hash is published, or None for files that nobody has
    checked yet; ``problem`` is the code of what is known to be wrong with them. ``is_default``: it is the one
    that is taken, by a person's choice or by this machine's memory. ``in_use``: it is loaded, or it is the
    embedder that questions are put with. ``publisher`` is whose model it is where it cannot be downloaded.
    """

    id: str
    role: Role
    name: str
    size: int
    memory_needed: int
    fit: Fit
    licence: str | None = None
    in_catalogue: bool = True
    installed: bool = False
    checked_by: Literal["hash", "structure"] | None = None
    problem: str | None = None
    in_use: bool = False
    is_default: bool = False
    is_recommended: bool = False
    can_download: bool = False
    is_permanent: bool = False
    publisher: str | None = None
    speed: ModelSpeed | None = None


@dataclass(frozen=True, slots=True)
class Machine:
    """Processor cores, threads that models run on, memory and free disk in bytes."""

    processor: str
    cores: int
    threads: int
    total_memory: int
    free_memory: int
    free_disk: int
