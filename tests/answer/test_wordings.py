"""In which ways a question is searched for, and which of them is kept."""

import pytest

from engine.answer import wordings
from engine.answers import Gate
from engine.document_filter import DocumentFilter
from engine.documents import SearchHit
from engine.index import aliases
from engine.index.library import Library
from tests.builders import make_hit, memory_library


class Searches:
    """Answers each wording with the probability it was told; the gate lets through from one half."""

    def __init__(self, **probabilities: float) -> None:
        self.probabilities = probabilities
        self.asked: list[tuple[str, str]] = []

    def __call__(self, wording: str, among: DocumentFilter | None) -> tuple[tuple[SearchHit, ...], Gate]:
        self.asked.append((wording, str(among or "")))
        key = wording + ("_里" if among else "")
        probability = self.probabilities.get(key, 0.1)
        return (make_hit(wording),), Gate(probability >= 0.5, probability, 0.5)


@pytest.fixture
def library() -> Library:
    return memory_library({"员工手册.pdf": "年假十天。", "合同.pdf": "违约金。"})


def best(library: Library, searches: Searches, question: str, rewritten: str | None = None) -> wordings.Found:
    return wordings.best(question, rewritten, [library], None, searches)


def test_a_plain_question_is_searched_for_once(library: Library) -> None:
    searches = Searches(年假几天=0.9)
    found = best(library, searches, "年假几天")
    assert searches.asked == [("年假几天", "")]
    assert (found.wording, found.understood, found.gate.probability) == ("年假几天", None, 0.9)


def test_the_document_that_is_named_is_asked_first_and_alone_when_it_answers(library: Library) -> None:
    question = "在员工手册里年假几天"
    searches = Searches(**{question + "_里": 0.6, question: 0.9})
    found = best(library, searches, question)
    assert searches.asked == [(question, "员工手册")]
    assert found.understood is not None


def test_all_documents_are_asked_when_the_named_one_does_not_answer(library: Library) -> None:
    question = "在员工手册里违约金多少"
    searches = Searches(**{question + "_里": 0.4, question: 0.6})
    found = best(library, searches, question)
    assert [among for _, among in searches.asked] == ["员工手册", ""]
    assert (found.understood, found.gate.answerable) == (None, True)


def test_a_filter_that_was_given_is_the_only_one(library: Library) -> None:
    given = DocumentFilter(types=("pdf",))
    searches = Searches()
    wordings.best("在员工手册里年假几天", None, [library], given, searches)
    assert {among for _, among in searches.asked} == {"pdf"}


def test_the_question_as_asked_is_kept_when_only_it_passes_the_gate(library: Library) -> None:
    searches = Searches(那病假呢=0.7, 病假有几天=0.2)
    assert best(library, searches, "那病假呢", "病假有几天").wording == "那病假呢"
    searches = Searches(那病假呢=1.0, 病假有几天=0.6)
    assert best(library, searches, "那病假呢", "病假有几天").wording == "病假有几天"
    searches = Searches(那病假呢=0.3, 病假有几天=0.4)
    assert best(library, searches, "那病假呢", "病假有几天").wording == "病假有几天"


def test_other_words_are_tried_only_when_the_gate_lets_nothing_through(library: Library) -> None:
    library.set_meta(aliases.FACT, aliases.dump(aliases.parse(["年假=年休假=带薪假=休假"])))
    searches = Searches(年休假几天=0.8)
    assert best(library, searches, "年假几天").wording == "年休假几天"
    assert len(searches.asked) == 3
    searches = Searches(年假几天=0.8)
    best(library, searches, "年假几天")
    assert len(searches.asked) == 1


def test_five_searches_at_most(library: Library) -> None:
    library.set_meta(aliases.FACT, aliases.dump(aliases.parse(["年假=年休假=带薪假=休假"])))
    searches = Searches()
    best(library, searches, "在员工手册里年假呢", "在员工手册里年假几天")
    assert len(searches.asked) == 5
