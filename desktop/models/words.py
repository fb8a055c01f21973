"""What the window says of a model, of this machine and of how fast the two are together."""

from PySide6.QtCore import QCoreApplication

from desktop import languages
from desktop.words import number
from engine.model_files.standing import Machine, ModelSpeed, ModelStanding
from engine.wording import Language
from models.catalogue import catalogue
from models.errors import ModelUnknown

_PER_TOKEN: dict[Language, float] = {"zh": 1.5, "en": 0.75}
"""Chinese characters and English words a token: the lower end of what Qwen's documentation states for its
tokenizer (1.5 to 1.8 characters of Chinese, 3 to 4 of English)."""

_GB, _MB = 1_000_000_000, 1_000_000


def name_of(model_id: str) -> str:
    """What the catalogue calls a model; the file's own name where it is not in it."""
    try:
        return catalogue().find(model_id).name
    except ModelUnknown:
        return model_id


def size_words(size: int) -> str:
    """Bytes as people say them: 491 MB, 1.1 GB."""
    if size < _GB:
        return f"{number(max(1, size / _MB))} MB"
    return f"{number(size / _GB, 1)} GB"


def facts(model: ModelStanding) -> str:
    """Size, licence and memory of a model, in one line."""
    memory = QCoreApplication.translate("Models", "needs {memory} of memory")
    parts = [
        size_words(model.size),
        model.licence or "",
        memory.format(memory=size_words(model.memory_needed)),
    ]
    return " · ".join(part for part in parts if part)


def fit_words(model: ModelStanding) -> tuple[str, str]:
    """Whether it fits this machine, and the colour role of that."""
    if model.fit == "too_large":
        return QCoreApplication.translate("Models", "Too large for the memory of this computer"), "bad"
    if model.fit == "tight":
        text = QCoreApplication.translate("Models", "Memory is tight: close other programs first")
        return text, "warn"
    return QCoreApplication.translate("Models", "Fits this computer"), "good"


def checked_words(model: ModelStanding) -> str:
    """What is known of the files of an installed model."""
    if not model.in_catalogue:
        return QCoreApplication.translate("Models", "Not in the catalogue: only its header was checked")
    if model.checked_by == "hash":
        return QCoreApplication.translate("Models", "Checked: its SHA-256 is right")
    if model.checked_by == "structure":
        return QCoreApplication.translate("Models", "Checked by its structure; no hash is published")
    return QCoreApplication.translate("Models", "Not checked yet")


def speed_words(speed: ModelSpeed | None) -> str:
    """What was measured; empty where nothing was."""
    if speed is None:
        return ""
    if speed.passages_per_second is not None:
        text = QCoreApplication.translate("Models", "Measured: indexes {count} passages a second")
        return text.format(count=_figure(speed.passages_per_second))
    parts = []
    if speed.first_token_s is not None:
        text = QCoreApplication.translate("Models", "an answer begins after about {seconds} s")
        parts.append(text.format(seconds=_figure(speed.first_token_s)))
    if speed.tokens_per_second is not None:
        text = QCoreApplication.translate("Models", "then about {count} words a second")
        parts.append(text.format(count=_figure(speed.tokens_per_second * _PER_TOKEN[languages.current()])))
    measured = QCoreApplication.translate("Models", "Measured: {figures}")
    return measured.format(figures=QCoreApplication.translate("Models", ", ").join(parts)) if parts else ""


def machine_words(machine: Machine) -> str:
    """Cores, memory and disk in one line."""
    text = QCoreApplication.translate(
        "Models", "{cores} cores · {total} of memory, {free} free · {disk} free on disk"
    )
    return text.format(
        cores=machine.cores,
        total=size_words(machine.total_memory),
        free=size_words(machine.free_memory),
        disk=size_words(machine.free_disk),
    )


def advice(models: tuple[ModelStanding, ...], machine: Machine) -> str:
    """Which chat model suits this machine, in plain words."""
    known = [model for model in models if model.role == "chat" and model.in_catalogue]
    best = next((model for model in known if model.is_recommended), None)
    if best is None:
        return ""
    if best.memory_needed > machine.total_memory:
        return QCoreApplication.translate(
            "Models", "This computer has too little memory for a chat model; searching works all the same."
        )
    return QCoreApplication.translate("Models", "Suits this computer: {name}.").format(name=best.name)


def embedding_minutes(passages: int, model: ModelStanding, models: tuple[ModelStanding, ...]) -> int | None:
    """Minutes until so many passages have vectors of this embedder, roughly; None before a measurement.

    From its own speed, or from that of another embedder and how many times larger this one is: the time a
    text takes grows with the parameters, which the memory needed stands for.
    """
    if model.speed is not None and model.speed.passages_per_second:
        return max(1, round(passages / model.speed.passages_per_second / 60))
    for other in models:
        if other.role == "embedder" and other.speed is not None and other.speed.passages_per_second:
            factor = model.memory_needed / other.memory_needed
            return max(1, round(factor * passages / other.speed.passages_per_second / 60))
    return None


def _figure(value: float) -> str:
    return number(value, 0 if value >= 10 else 1)
