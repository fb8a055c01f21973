"""Documents whose name holds words of the question come forward, and nothing is left out."""

from collections.abc import Iterator

import pytest

from engine.answer.retrieval import named_documents
from engine.answer.retrieval.lanes import Key
from engine.index.library import Library
from tests.builders import memory_library

TEXTS = {
    "BOEING_2022_10K.pdf": "Revenues rose.",
    "ADOBE_2022_10K.pdf": "Total revenue.",
    "AMAZON_2019_10K.pdf": "Net sales.",
    "员工手册.pdf": "年假十天。",
}


@pytest.fixture(scope="module")
def library() -> Iterator[Library]:
    made = memory_library(TEXTS)
    yield made
    made.close()


def gains(question: str, library: Library) -> dict[str, float]:
    """What each document's passage gains, by the file's name; only those that gain something."""
    stored = {(0, each.row): each.document for each in library.all_chunks()}
    fused: dict[Key, float] = dict.fromkeys(stored, 2.0)
    raised = named_documents.raise_named(question, fused, [library])
    assert raised.keys() == fused.keys()
    return {stored[key]: round(score - 2, 3) for key, score in raised.items() if score > 2}


def test_the_document_with_name_and_year_of_the_question_gains_most(library: Library) -> None:
    found = gains("How did Boeing's revenue change in FY2022?", library)
    assert found["BOEING_2022_10K.pdf"] == named_documents.RAISE
    assert 0 < found["ADOBE_2022_10K.pdf"] < 0.5
    assert "AMAZON_2019_10K.pdf" not in found


@pytest.mark.parametrize("question", ["What are the revenues?", "年假有几天？", "员工手册", "???", ""])
def test_a_question_with_no_word_of_a_name_changes_nothing(library: Library, question: str) -> None:
    assert gains(question, library) == {}


def test_what_all_names_hold_says_nothing() -> None:
    library = memory_library({"report 2022.txt": "a", "report 2023.txt": "b"})
    assert gains("What does the report say?", library) == {}
    library.close()


def test_no_candidates_stay_none(library: Library) -> None:
    assert named_documents.raise_named("Boeing 2022", {}, [library]) == {}
