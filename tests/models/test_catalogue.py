import copy
from pathlib import Path
from typing import Any

import pytest

import models
from models.catalogue import HubSource, WheelSource, catalogue, parse
from models.errors import CatalogueInvalid, ModelUnknown

CODER_MODELS = ("qwen2.5-coder-0.5b-instruct-q4_k_m", "qwen2.5-coder-1.5b-instruct-q4_k_m")
GIGABYTE = 10**9


def test_the_shipped_embedder_is_listed_file_by_file() -> None:
    embedder = catalogue().find("bge-small-zh-v1.5")
    assert (embedder.dimension, embedder.licence) == (512, "MIT")
    folder = Path(models.__file__).parent / str(embedder.bundled_folder)
    listed = {file.name for file in embedder.files}
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert there - listed == {"README.md", "LICENSE"}
    assert all((folder / file.name).stat().st_size == file.size for file in embedder.files)


@pytest.mark.parametrize("model_id", CODER_MODELS)
def test_hubs_come_first_and_the_package_index_last(model_id: str) -> None:
    sources = catalogue().find(model_id).sources
    assert [type(source) for source in sources] == [HubSource, HubSource, HubSource, WheelSource]
    assert all(source.url.endswith("/{file}") for source in sources if isinstance(source, HubSource))


def test_memory_decides_what_is_recommended() -> None:
    assert catalogue().recommended_chat(6 * GIGABYTE).id == CODER_MODELS[1]
    assert catalogue().recommended_chat(6 * GIGABYTE - 1).id == CODER_MODELS[0]
    assert catalogue().recommended_chat(0).id == CODER_MODELS[0]


def test_a_file_is_known_by_its_hash() -> None:
    model = catalogue().find(CODER_MODELS[0])
    assert catalogue().by_hash(model.files[0].sha256) is model
    assert catalogue().by_hash("0" * 64) is None


def test_an_unknown_id_is_a_typed_error() -> None:
    with pytest.raises(ModelUnknown):
        catalogue().find("gpt-5")


VALID: dict[str, Any] = {
    "hubs": {"hub": "https://hub.invalid/{repository}/{revision}/{file}"},
    "models": [
        {
            "id": "m",
            "role": "chat",
            "name": "M",
            "licence": "MIT",
            "memory_needed": 1,
            "context_length": 2,
            "prompt": "small",
            "default_order": 1,
            "files": [{"name": "m.gguf", "size": 3, "sha256": "a" * 64}],
            "sources": [{"kind": "hub", "hub": "hub", "repository": "r/m", "revision": "1"}],
        }
    ],
}


def test_places_in_addresses_are_filled() -> None:
    (source,) = parse(VALID).models[0].sources
    assert source == HubSource("hub", "https://hub.invalid/r/m/1/{file}")


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"role": "painter"}, "m.role"),
        ({"id": "../m"}, "../m.id"),
        ({"licence": ""}, "m.licence"),
        ({"memory_needed": "much"}, "m.memory_needed"),
        ({"memory_needed": True}, "m.memory_needed"),
        ({"context_length": None}, "m.context_length"),
        ({"prompt": "huge"}, "m.prompt"),
        ({"files": []}, "m.files"),
        ({"files": [{"name": "m.gguf", "size": 3, "sha256": "A" * 64}]}, "m.files.sha256"),
        ({"files": [{"name": "m.gguf", "size": 3}]}, "m.files.sha256"),
        ({"files": [{"name": "../../m.gguf", "size": 3, "sha256": "a" * 64}]}, "m.files"),
        ({"sources": []}, "m.sources"),
        ({"sources": [{"kind": "torrent"}]}, "m.sources.kind"),
        ({"sources": [{"kind": "hub", "hub": "other"}]}, "m.sources.hub"),
        (
            {
                "sources": [
                    {
                        "kind": "wheels",
                        "package": "p{number}",
                        "version": "1",
                        "member": "x",
                        "wheels": [{"sha256": "a" * 64, "piece_size": 2}],
                    }
                ]
            },
            "m.sources",
        ),
    ],
)
def test_a_bad_entry_is_refused_by_name(change: dict[str, Any], key: str) -> None:
    data = copy.deepcopy(VALID)
    data["models"][0] |= change
    with pytest.raises(CatalogueInvalid) as caught:
        parse(data)
    assert caught.value.params["key"] == key


def test_the_larger_embedders_are_known_by_structure_alone() -> None:
    small = {file.name: file.sha256 for file in catalogue().find("bge-small-zh-v1.5").files}
    # Parameters without the pooler; the published files are 4 bytes each of them, and the pooler.
    for model_id, dimension, parameters in (
        ("bge-base-zh-v1.5", 768, 101_677_056),
        ("bge-large-zh-v1.5", 1024, 324_472_832),
    ):
        entry = catalogue().find(model_id)
        assert (entry.dimension, entry.licence, entry.files, entry.sources) == (dimension, "MIT", (), ())
        assert entry.structure is not None
        assert entry.structure.parameters == parameters
        assert entry.structure.vocabulary == small["vocab.txt"]
        assert entry.memory_needed > entry.size == 4 * parameters


UNHASHED: dict[str, Any] = {
    "id": "e",
    "role": "embedder",
    "name": "E",
    "licence": "MIT",
    "memory_needed": 1,
    "dimension": 4,
    "default_order": 1,
    "publisher": "P/e",
    "structure": {
        "layers": 1,
        "heads": 1,
        "intermediate_size": 8,
        "vocabulary_size": 9,
        "vocabulary": "b" * 64,
    },
}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"publisher": ""}, "e.publisher"),
        ({"files": VALID["models"][0]["files"]}, "e.structure"),
        ({"structure": UNHASHED["structure"] | {"layers": 0}}, "e.structure.layers"),
        ({"structure": UNHASHED["structure"] | {"vocabulary": "short"}}, "e.structure.vocabulary"),
        ({"role": "chat", "context_length": 1, "prompt": "small"}, "e.files"),
    ],
)
def test_a_bad_structure_is_refused_by_name(change: dict[str, Any], key: str) -> None:
    with pytest.raises(CatalogueInvalid) as caught:
        parse({"models": [UNHASHED | change]})
    assert caught.value.params["key"] == key


def test_an_id_may_be_used_once() -> None:
    with pytest.raises(CatalogueInvalid):
        parse({**VALID, "models": VALID["models"] * 2})
