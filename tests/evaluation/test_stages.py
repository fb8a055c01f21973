"""Each way of losing an answer has its own name."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engine.answers import Gate, Sentence
from engine.documents import SearchHit
from engine.evaluation import stages
from engine.evaluation.dataset import Question
from engine.evaluation.sought import Corpus
from engine.evaluation.stages import Answered
from engine.index.library import Library
from tests.evaluation.doubles import answer, hit
from tests.indexed import put, row_of

FIRST, SECOND, OTHER = "年假可以顺延。顺延的年假须在", "次年三月前休完。逾期作废。", "报销须在三十日内提交。"
OPEN, SHUT = Gate(True, 0.9), Gate(False, 0.1)
HELD = Question("1", "年假？", ("次年三月",), frozenset({"年假.txt"}), evidence=("逾期 作废。",))
SPLIT = replace(HELD, evidence=("顺延的年假须在次年三月前休完。",))


@pytest.fixture
def library() -> Iterator[Library]:
    made = Library(None, dimension=64)
    made.set_meta("name", "库")
    put(made, "制度/年假.txt", [FIRST, SECOND])
    put(made, "报销.txt", [OTHER])
    made.db.execute("UPDATE pages SET text = text || '第 7 页 内部资料' WHERE text = ?", (FIRST,))
    yield made
    made.close()


@pytest.fixture
def hits(library: Library) -> dict[str, SearchHit]:
    """A hit for each chunk, by its text."""
    places = {FIRST: "制度/年假.txt", SECOND: "制度/年假.txt", OTHER: "报销.txt"}
    return {
        text: hit(place, rank, row=row_of(library, text), text=text)
        for rank, (text, place) in enumerate(places.items(), start=1)
    }


def stage(
    library: Library,
    question: Question,
    found: list[SearchHit],
    gate: Gate = OPEN,
    answered: Answered | None = None,
    top_k: int = 5,
) -> str | None:
    return stages.missed(Corpus([library]).seek(question), found, gate, top_k, answered)


def test_what_no_page_holds_was_lost_at_reading(library: Library, hits: dict[str, SearchHit]) -> None:
    everything = list(hits.values())
    assert stage(library, replace(HELD, evidence=("年假为五天。",)), everything) == "reading"
    assert stage(library, replace(HELD, documents=frozenset({"没有.txt"})), everything) == "reading"
    assert stage(library, Question("1", "?", source_part="没有"), everything) == "reading"
    # The sentence stands in another document only.
    assert stage(library, replace(HELD, evidence=(OTHER,)), everything) == "reading"


def test_what_a_page_holds_and_no_passage_was_lost_at_chunking(
    library: Library, hits: dict[str, SearchHit]
) -> None:
    assert stage(library, replace(HELD, evidence=("第7页",)), list(hits.values())) == "chunking"
    both = replace(HELD, evidence=("第7页", "年假为五天。"))
    assert stage(library, both, list(hits.values())) == "reading"


def test_evidence_across_two_passages_needs_both(library: Library, hits: dict[str, SearchHit]) -> None:
    assert stage(library, SPLIT, [hits[FIRST], hits[OTHER]]) == "retrieval"
    assert stage(library, SPLIT, [hits[OTHER], hits[SECOND], hits[FIRST]]) is None
    joined = replace(hits[FIRST], text=FIRST + "\n" + SECOND)
    assert stage(library, SPLIT, [joined]) is None


def test_every_sentence_of_the_evidence_is_needed(library: Library, hits: dict[str, SearchHit]) -> None:
    two = replace(HELD, evidence=("年假可以顺延。", "逾期作废。"))
    assert stage(library, two, [hits[SECOND]]) == "retrieval"
    assert stage(library, two, [hits[SECOND], hits[FIRST]]) is None


def test_the_right_document_with_the_wrong_passage_is_lost_at_retrieval(
    library: Library, hits: dict[str, SearchHit]
) -> None:
    assert stage(library, HELD, [hits[FIRST]]) == "retrieval"
    by_answer = replace(HELD, evidence=())
    assert stage(library, by_answer, [hits[FIRST]]) == "retrieval"
    assert stage(library, by_answer, [hits[SECOND]]) is None
    by_page = replace(HELD, evidence=(), answers=("不在文中",), pages=(2,))
    assert stage(library, by_page, [hits[FIRST]]) == "retrieval"
    assert stage(library, by_page, [hits[SECOND]]) is None
    # Where neither is known, any passage of the document will do.
    assert stage(library, replace(HELD, evidence=(), answers=("不在文中",)), [hits[FIRST]]) is None


def test_the_same_words_in_another_document_are_not_the_evidence(
    library: Library, hits: dict[str, SearchHit]
) -> None:
    assert stage(library, HELD, [replace(hits[OTHER], text=SECOND)]) == "retrieval"
    copy = replace(hits[OTHER], text=SECOND, copies=("备份/年假.txt",))
    assert stage(library, HELD, [copy]) is None


def test_evidence_without_a_document_may_stand_anywhere(library: Library, hits: dict[str, SearchHit]) -> None:
    question = Question("1", "?", evidence=("三十日内",))
    assert stage(library, question, [hits[OTHER]]) is None
    assert stage(library, question, [hits[FIRST]]) == "retrieval"


def test_a_refusal_is_the_gates_only_where_the_passage_was_found(
    library: Library, hits: dict[str, SearchHit]
) -> None:
    assert stage(library, HELD, [hits[SECOND]], SHUT) == "gate"
    assert stage(library, HELD, [hits[OTHER]], SHUT) == "retrieval"
    refused = Answered(answer("?", "证据不足", refused=True))
    assert stage(library, HELD, [hits[SECOND]], OPEN, refused) == "gate"


def test_what_the_model_was_not_given_was_lost_to_the_budget(
    library: Library, hits: dict[str, SearchHit]
) -> None:
    found = [hits[OTHER], hits[SECOND]]
    assert stage(library, HELD, found, top_k=1) == "budget"
    answered = Answered(answer("?", "不知道", hits=tuple(found), evidence=(hits[OTHER].chunk,)))
    assert stage(library, HELD, found, OPEN, answered) == "budget"
    answered = Answered(answer("?", "次年三月", hits=tuple(found), evidence=(hits[SECOND].chunk,)))
    assert stage(library, HELD, found, OPEN, answered) is None


@pytest.mark.parametrize(
    ("text", "written", "by", "verdict", "expected"),
    [
        ("次年三月[1]", "次年三月[1]", None, "supported", None),
        ("次年三月", "次年三月", None, "partly", None),
        ("五天", "五天", None, "supported", "answer"),
        ("次年三月", "次年三月", None, "unsupported", "grounding"),
        ("其余见制度。", "次年三月。其余见制度。", None, "supported", "grounding"),
        ("证据不足", "证据不足", "model", "no_claim", "answer"),
        ("证据不足", "须在次年三月前休完", "grounding", "unsupported", "grounding"),
        ("证据不足", "五天", "grounding", "unsupported", "answer"),
    ],
)
def test_a_wrong_answer_is_the_models_and_a_right_one_that_was_refused_the_checks(
    library: Library,
    hits: dict[str, SearchHit],
    text: str,
    written: str,
    by: str,
    verdict: str,
    expected: str,
) -> None:
    given = answer(
        "?", text, refused=by is not None, refused_by=by, hits=(hits[SECOND],),
        evidence=(hits[SECOND].chunk,),
        sentences=() if by else (Sentence(text, verdict),),  # type: ignore[arg-type]
    )  # fmt: skip
    assert stage(library, HELD, [hits[SECOND]], OPEN, Answered(given, written)) == expected


def test_without_a_gold_answer_only_a_refusal_is_a_miss(library: Library, hits: dict[str, SearchHit]) -> None:
    question = replace(HELD, answers=())
    found = (hits[SECOND],)
    said = Answered(answer("?", "五天", hits=found, evidence=(hits[SECOND].chunk,)), "五天")
    assert stage(library, question, list(found), OPEN, said) is None
    refused = replace(said, answer=replace(said.answer, refused=True, refused_by="grounding"))
    assert stage(library, question, list(found), OPEN, refused) == "grounding"
