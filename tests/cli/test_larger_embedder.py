"""A larger embedder from its folder to its hits: added, chosen by a setting, changed over to, and back again.

The models are stand-ins of the right layout and dimension (:mod:`tests.tiny_bert`) beside the real small one.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine import native
from models.structure import WEIGHTS
from tests.cli.conftest import QUESTION, Run
from tests.tiny_bert import BASE, LARGE

pytestmark = pytest.mark.usefixtures("tiny_catalogue")

SMALL = "bge-small-zh-v1.5"


@pytest.fixture
def embedder() -> None:
    """No double here: the command line loads what the settings name."""


@pytest.fixture
def choose(tmp_path: Path) -> Mapping[str, tuple[str, Path]]:
    """By id, the options that choose an embedder."""
    options = {}
    for model_id in (SMALL, BASE, LARGE):
        file = tmp_path / f"设置 {model_id}.yaml"
        file.write_text(f"embedder: {model_id}\n", encoding="utf-8")
        options[model_id] = ("--config", file)
    return options


def model(zhiye: Run) -> str:
    (library,) = zhiye("status", "--json").record["libraries"]
    name: str = library["model"]
    return name


@pytest.mark.embedder
@pytest.mark.parametrize("larger", [BASE, LARGE])
def test_a_library_changes_over_to_a_larger_embedder_and_back(
    zhiye: Run,
    folder: Path,
    tiny_berts: Mapping[str, Path],
    choose: Mapping[str, tuple[str, Path]],
    larger: str,
) -> None:
    def hits(model_id: str) -> tuple[list[tuple[str, float | None]], str]:
        result = zhiye("search", QUESTION, *choose[model_id], "--json")
        assert result.code == 0
        # To four places: the same text in another batch differs in the seventh.
        scores = [(hit["document"], hit["dense"] and round(hit["dense"], 4)) for hit in result.record["hits"]]
        return scores, result.err

    assert zhiye("ingest", folder, "--json").record["embedded"] == 3
    before = hits(SMALL)
    assert before[0][0][0] == "保密.md"

    # Chosen before it is there: the old vectors answer, and new ones cannot be made.
    assert hits(larger) == before
    findings = zhiye("doctor", *choose[larger], "--json").record["findings"]
    assert "embedder_missing" in [finding["code"] for finding in findings]

    assert zhiye("models", "add", tiny_berts[larger], "--json").code == 0
    # There, but the vectors are still the small one's, which answers with them.
    assert hits(larger) == before
    assert model(zhiye) == SMALL

    changed = zhiye("ingest", folder, *choose[larger], "--json").record
    assert (changed["embedded"], model(zhiye)) == (3, larger)
    after, told = hits(larger)
    assert told == ""
    assert after[0][0] == "保密.md"
    assert all(dense is not None for _, dense in after)
    assert after != before[0]
    assert zhiye("ingest", folder, *choose[larger], "--json").record["embedded"] == 0
    # Without the setting: the larger one answers for its vectors until they are made anew.
    assert hits(SMALL)[0] == after

    assert zhiye("ingest", folder, "--json").record["embedded"] == 3
    assert (model(zhiye), hits(SMALL)) == (SMALL, before)


@pytest.mark.embedder
def test_without_its_embedder_a_library_is_searched_by_words(
    zhiye: Run, folder: Path, tiny_berts: Mapping[str, Path], choose: Mapping[str, tuple[str, Path]]
) -> None:
    zhiye("models", "add", tiny_berts[BASE], "--json")
    zhiye("ingest", folder, *choose[BASE], "--json")
    zhiye("models", "remove", BASE, "--json")
    result = zhiye("search", QUESTION, "--json")
    assert result.record["hits"][0]["document"] == "保密.md"
    assert result.record["hits"][0]["dense"] is None
    assert f"{BASE}/fp32-" in result.err


@pytest.mark.embedder
def test_a_published_pickle_becomes_a_folder_that_is_taken(
    zhiye: Run, tmp_path: Path, tiny_berts: Mapping[str, Path]
) -> None:
    """As the advice says: opened with sentence-transformers and saved anew."""
    torch = native.torch(1)
    from safetensors.torch import load_file
    from sentence_transformers import SentenceTransformer

    published = shutil.copytree(tiny_berts[BASE], tmp_path / "发布的")
    torch.save(load_file(published / WEIGHTS), published / "pytorch_model.bin")
    (published / WEIGHTS).unlink()
    result = zhiye("models", "add", published, "--json")
    assert (result.code, result.record["error"]["code"]) == (3, "model_not_safetensors")
    opened = SentenceTransformer(str(published), device="cpu", local_files_only=True)
    opened.save(str(tmp_path / "另存的"))
    rows = zhiye("models", "add", tmp_path / "另存的", "--json").record["models"]
    (row,) = (row for row in rows if row["id"] == BASE)
    assert (row["installed"], row["checked_by"], row["problem"]) == (True, "structure", None)


def test_the_list_says_what_a_model_was_checked_by(
    zhiye: Run, tiny_berts: Mapping[str, Path], choose: Mapping[str, tuple[str, Path]]
) -> None:
    zhiye("models", "add", tiny_berts[LARGE])
    zhiye("models", "verify")
    lines = {line[2:].split()[0]: line for line in zhiye("models", "list", *choose[LARGE]).out.splitlines()}
    assert lines[LARGE].startswith("*")
    assert lines[LARGE].endswith("已按结构检查，哈希未知")
    assert lines[SMALL].startswith(" ")
    assert lines[SMALL].endswith("可用")
    assert lines[BASE].endswith("未安装")


def test_what_cannot_be_used_is_told(
    zhiye: Run, tmp_path: Path, folder: Path, choose: Mapping[str, tuple[str, Path]]
) -> None:
    result = zhiye("models", "add", folder, "--json")
    assert (result.code, result.record["error"]["code"]) == (3, "model_file_missing")
    result = zhiye("models", "get", BASE, "--json")
    assert (result.code, result.record["error"]["code"]) == (2, "model_not_fetched")
    assert "BAAI/bge-base-zh-v1.5" in result.record["error"]["message"]
    result = zhiye("ingest", folder, "--out", tmp_path / "索引", *choose[BASE], "--json")
    assert (result.code, result.record["error"]["code"]) == (3, "embedder_missing")
    bad = tmp_path / "坏.yaml"
    bad.write_text("embedder: bge-huge\n", encoding="utf-8")
    result = zhiye("status", "--config", bad, "--json")
    assert (result.code, result.record["error"]["code"]) == (2, "config_invalid")
