"""Every setting a person may change, declared once: type, default, bounds, explanation.

A YAML file given on the command line is strict: an unknown key or a bad value is refused by name.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, Self

import yaml
from pydantic import BaseModel, Field, ValidationError, field_validator, model_validator

from engine.errors import ConfigInvalid, NotReadable
from engine.intake.chunking.profiles import PROFILES, Profile, ProfileName
from models.catalogue import catalogue

DEFAULT_EMBEDDER = "bge-small-zh-v1.5"
"""The one that ships with the program."""

EMBEDDER_TOKENS = 480
"""Most tokens a chunk may have with title, section and special tokens; bge reads 512, the rest is for the
file's name."""

QUESTION_LIMIT = 10_000
"""Characters; a longer text is a document, not a question."""


class Settings(BaseModel, frozen=True, extra="forbid"):
    """All settings. Sizes are tokens of the model concerned unless the description says otherwise."""

    version: Literal[1] = 1
    home: Path | None = Field(None, description="data folder; default: the platform's, or ZHIYE_HOME")
    profile: ProfileName = Field("general", description="how documents are cut: precise, general, long")
    chunk_size: int | None = Field(
        None, ge=32, le=EMBEDDER_TOKENS, description="largest chunk; default: the profile's"
    )
    chunk_overlap: int | None = Field(
        None, ge=0, le=240, description="text repeated from the chunk before; default: the profile's"
    )
    top_k: int = Field(5, ge=1, le=20, description="passages shown and handed to the model")
    min_score: float | None = Field(None, description="passages with a lower fused score are left out")
    fusion: Literal["standardised", "rrf"] = Field("standardised", description="how the lanes are joined")
    dense_weight: float | None = Field(
        None, ge=0, le=1, description="share of the dense lane in the sum; default: by language"
    )
    rerank: bool = Field(True, description="look at the best passages once more, word by word")
    survey: bool = Field(True, description="read all documents for a question about all of them")
    survey_documents: int = Field(2000, ge=1, description="documents that such a question reads at most")
    survey_seconds: float = Field(600, gt=0, description="time after which it tells what it has found")
    parts: bool = Field(True, description="search for each part of a question of several parts")
    context_budget: int | None = Field(
        None, ge=200, le=16_000, description="evidence tokens in the prompt; default: by measured speed"
    )
    embedder: str = Field(DEFAULT_EMBEDDER, description="embedder id; libraries of another one change over")
    temperature: float = Field(0.1, ge=0, le=2)
    max_tokens: int = Field(1200, ge=16, le=8192, description="longest answer")
    context_length: int | None = Field(
        None, ge=1024, le=131_072, description="tokens of prompt and answer; default: by model and memory"
    )
    model: str | None = Field(None, description="chat model id; default: what fits this memory")
    model_path: Path | None = Field(None, description="a GGUF file outside the models folder")
    server: str | None = Field(
        None, description="address of a chat server on this machine, http://127.0.0.1:11434"
    )
    server_protocol: Literal["openai", "ollama"] = Field("openai", description="what the server speaks")
    server_model: str | None = Field(None, description="its model; default: the first of its list")
    mode: Literal["strict", "balanced", "loose"] = Field("balanced", description="how easily it refuses")
    save_runs: bool = Field(True, description="keep questions and answers on this machine")
    fail_on_error: bool = Field(False, description="ingest exits with 1 when a file was not readable")
    threads: int | None = Field(None, ge=1, description="processor threads; clamped to this machine")
    file_timeout_s: float = Field(120, gt=0, description="longest silence of a loader before it is killed")
    file_memory_mb: int = Field(2048, ge=256, description="memory at which a loader is killed")
    readers: int | None = Field(None, ge=1, le=8, description="parsing processes; default: by this machine")
    ocr: bool = Field(True, description="read scanned pages by OCR after all text pages")
    indexing_share: int = Field(
        100, ge=10, le=100, description="percent of the processor that indexing takes at most"
    )
    pause_on_battery: bool = Field(True, description="indexing of over a minute waits for mains power")
    unload_after_minutes: int = Field(
        30, ge=0, le=1440, description="rest after which the chat model is unloaded; 0: never"
    )

    @field_validator("embedder")
    @classmethod
    def _embedder_is_known(cls, value: str) -> str:
        known = [model.id for model in catalogue().models if model.role == "embedder"]
        if value not in known:
            raise ValueError(f"there is no embedder {value}, only {', '.join(known)}")
        return value

    @model_validator(mode="after")
    def _overlap_leaves_room(self) -> Self:
        # Above half the size every chunk would repeat more than it adds, and small ones never end.
        if self.cut.overlap * 2 > self.cut.size:
            raise ValueError("chunk_overlap must not exceed half of chunk_size")
        return self

    @property
    def cut(self) -> Profile:
        """How documents are cut: the profile, with the sizes that were set by themselves."""
        chosen = PROFILES[self.profile]
        size = self.chunk_size or chosen.size
        overlap = min(chosen.overlap, size // 2) if self.chunk_overlap is None else self.chunk_overlap
        return replace(chosen, size=size, overlap=overlap)


def load(path: Path | None, **overrides: Any) -> Settings:
    """Settings of a YAML file with ``overrides`` (None values are ignored) on top.

    Relative paths in the file count from the file's folder.

    Raises:
        NotReadable: the file is not there or is not UTF-8 text.
        ConfigInvalid: YAML that does not parse, an unknown key or a bad value.
    """
    values: dict[str, Any] = {}
    if path is not None:
        values = _read(path)
    values.update({key: value for key, value in overrides.items() if value is not None})
    try:
        return Settings.model_validate(values)
    except ValidationError as exc:
        first = exc.errors()[0]
        key = ".".join(str(part) for part in first["loc"]) or "chunk_overlap"
        raise ConfigInvalid(path=str(path or "-"), key=key, problem=first["msg"]) from exc


def _read(path: Path) -> dict[str, Any]:
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as exc:
        raise NotReadable(path=str(path)) from exc
    except yaml.YAMLError as exc:
        raise ConfigInvalid(path=str(path), key="-", problem=" ".join(str(exc).split())) from exc
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigInvalid(path=str(path), key="-", problem="a mapping of names to values is expected")
    for name in ("home", "model_path"):
        if isinstance(data.get(name), str):
            data[name] = (path.parent / Path(data[name]).expanduser()).resolve()
    return data
