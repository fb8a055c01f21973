"""What the command line says of a knowledge base whose vectors another model made."""

from pathlib import Path

import pytest

from tests.cli.conftest import QUESTION, Run
from tests.fakes import FakeEmbedder


@pytest.fixture
def other(zhiye: Run, indexed: Path, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program has another model now than when the folder was indexed."""
    monkeypatch.setattr(embedder, "model_id", "other")


@pytest.mark.usefixtures("other")
def test_search_answers_by_words_and_names_both_models(zhiye: Run) -> None:
    result = zhiye("search", QUESTION, "--json")
    assert result.code == 0
    assert result.record["hits"][0]["document"] == "保密.md"
    assert result.record["hits"][0]["dense"] is None
    assert "fake/" in result.err
    assert "other/" in result.err


@pytest.mark.usefixtures("other")
def test_doctor_says_what_to_do(zhiye: Run) -> None:
    findings = {finding["code"]: finding for finding in zhiye("doctor", "--json").record["findings"]}
    assert "更新这个知识库" in findings["vectors_of_another_model"]["advice"]
    assert findings["vectors_of_another_model"]["library"]


@pytest.mark.usefixtures("other")
def test_indexing_again_puts_it_right(zhiye: Run, indexed: Path) -> None:
    result = zhiye("ingest", str(indexed), "--json")
    assert result.code == 0
    again = zhiye("search", QUESTION, "--json")
    assert again.record["hits"][0]["dense"] is not None
    assert again.err == ""
