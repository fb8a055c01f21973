import pytest

from engine.errors import AliasInvalid
from engine.index import aliases, lexical
from engine.index.library import Library
from tests.indexed import put


def with_aliases(*lines: str) -> Library:
    library = Library(None, dimension=8)
    library.set_meta(aliases.FACT, aliases.dump(aliases.parse(lines)))
    put(library, "a.txt", ["出差费用由部门承担", "Travel expenses are refunded", "别的文字"])
    return library


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("差旅费=出差费用", "差旅费谁承担"),
        ("差旅费＝出差费用", "差旅費谁来付"),
        ("差旅费 = 出差费用 = travel expenses", "travel expenses"),
    ],
)
def test_a_word_is_found_by_the_others_of_its_group(line: str, question: str) -> None:
    library = with_aliases(line)
    scores = lexical.search(library.db, question, 3).scores
    texts = [library.chunks([row])[row].chunk.text for row in scores]
    assert "出差费用由部门承担" in texts
    library.close()


def test_a_latin_word_inside_another_is_not_meant() -> None:
    library = with_aliases("OT=出差费用")
    assert aliases.alternatives(library.db, "another note") == []
    assert aliases.alternatives(library.db, "ot是什么") == ["出差费用"]
    library.close()


@pytest.mark.parametrize("line", ["", "差旅费", "差旅费=", "=", "差旅费=差旅费", "a=。", "a=" + "长" * 41])
def test_what_is_no_group_of_words_is_refused(line: str) -> None:
    with pytest.raises(AliasInvalid):
        aliases.parse([line])


def test_groups_that_share_a_word_become_one() -> None:
    known = aliases.parse(["差旅费=出差费用", "年假=年休假"])
    assert aliases.joined(known, aliases.parse(["差旅費=travel"])) == (
        ("年假", "年休假"),
        ("差旅费", "出差费用", "travel"),
    )


def test_a_library_has_500_groups_at_most_and_a_question_eight_more_words() -> None:
    many = aliases.parse(f"词{n}甲=词{n}乙" for n in range(501))
    with pytest.raises(AliasInvalid):
        aliases.joined((), many)
    library = with_aliases("=".join(["差旅费", *(f"说法{n}" for n in range(30))]))
    assert len(aliases.alternatives(library.db, "差旅费")) == 8
    library.close()


def test_a_question_is_said_in_the_other_words() -> None:
    groups = aliases.parse(["差旅费=出差费用=路费"])
    assert list(aliases.other_wordings(groups, "差旅費谁承担？")) == ["出差费用谁承担?", "路费谁承担?"]


def test_what_reports_call_otherwise_ships_as_synonyms() -> None:
    assert aliases.synonyms("does it have an improving gross margin?") == ["gross profit"]
    assert "statement of operations" in aliases.synonyms("what does the p&l say?")
    assert aliases.synonyms("毛利率是多少?") == []
    assert aliases.synonyms("what is the grossest marginalia?") == []


def test_a_passage_with_the_synonym_alone_is_found() -> None:
    library = Library(None, dimension=8)
    put(library, "report.txt", ["Gross profit rose.", "Employees were hired."])
    assert len(lexical.search(library.db, "Which gross margin?", 2).scores) == 1
    assert lexical.search(library.db, "Which margin?", 2).scores == {}
    library.close()
