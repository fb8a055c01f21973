import pytest

from engine.answer.suggestion import as_words, suggest
from engine.answers import Gate
from engine.wording import Language, codes, describe
from tests.builders import make_hit

NEAR = (make_hit("秘密级数据的保密期限为六年。", document="制度/保密.md"), make_hit("访客须登记。"))
HELD, LACKING = Gate(True, 0.6, 0.2), Gate(False, 0.1, 0.2, ("食堂", "夜宵"))


def test_where_only_some_documents_were_searched_all_of_them_come_first() -> None:
    found = suggest("食堂有夜宵吗", NEAR, LACKING, narrowed=True)
    assert found is not None and found.code == "suggest_all_documents"


def test_a_word_that_no_passage_holds_is_named() -> None:
    found = suggest("食堂有夜宵吗", NEAR, LACKING, narrowed=False)
    assert found is not None
    assert (found.code, found.params) == ("suggest_other_words", {"term": "夜宵"})


@pytest.mark.parametrize(
    ("missing", "words"),
    [
        (("能", "下", "最深"), ("最深",)),
        (("班车几点从地铁站发车",), ("班车", "地铁站发车")),
        (("羽毛球俱乐部", "e99"), ("羽毛球俱乐部", "e99")),
        (("能",), ()),
    ],
)
def test_missing_words_are_such_as_a_person_looks_up(
    missing: tuple[str, ...], words: tuple[str, ...]
) -> None:
    assert as_words(missing) == words


def test_a_word_that_only_helps_is_never_suggested() -> None:
    found = suggest("测距仪能在水下使用吗？", NEAR, Gate(True, 0.6, 0.2, ("能",)), narrowed=False)
    assert found is not None and found.code == "suggest_nearest_page"


@pytest.mark.parametrize(
    "question", ["保密期限几年？谁批准？", "两级数据的期限分别是多少", "What are A and B respectively?"]
)
def test_several_questions_in_one_are_better_asked_one_by_one(question: str) -> None:
    found = suggest(question, NEAR, HELD, narrowed=False)
    assert found is not None and found.code == "suggest_one_at_a_time"


def test_a_near_miss_is_told_what_the_nearest_passage_speaks_of() -> None:
    found = suggest("秘密级数据由谁定密？", NEAR, HELD, narrowed=False)
    assert found is not None
    assert (found.code, found.params) == ("suggest_nearest_page", {"document": "保密.md", "page": 1})


def test_a_passage_without_pages_is_named_by_its_section() -> None:
    hit = make_hit("访客须登记。", document="制度/访客.md", kind="markdown", section=("总则", "来访"))
    found = suggest("访客能停车吗？", (hit,), HELD, narrowed=False)
    assert found is not None
    assert (found.code, found.params) == ("suggest_nearest", {"place": "访客.md｜来访"})


@pytest.mark.parametrize(("language", "page"), [("zh", "第 1 页"), ("en", "page 1 of")])
def test_the_page_is_named_in_the_language_of_the_window(language: Language, page: str) -> None:
    found = suggest("秘密级数据由谁定密？", NEAR, HELD, narrowed=False)
    assert found is not None and page in describe(found.code, found.params, language).title


def test_without_passages_there_is_nothing_to_suggest() -> None:
    assert suggest("保密期限？", (), None, narrowed=False) is None


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_suggestion_has_words(language: str) -> None:
    for code in ("all_documents", "other_words", "one_at_a_time", "nearest", "nearest_page"):
        assert codes(language)[f"suggest_{code}"]["title"]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "missing", "word"),
    [
        ("公司去年年会在哪家酒店举办？", ("去年", "酒店"), "酒店"),
        ("How large was the net dividend?", ("net", "dividend"), "dividend"),
    ],
)
def test_of_the_missing_words_the_one_that_says_most_is_named(
    question: str, missing: tuple[str, ...], word: str
) -> None:
    found = suggest(question, NEAR, Gate(False, 0.1, 0.2, missing), narrowed=False)
    assert found is not None and found.params == {"term": word}


def test_a_time_seen_from_today_is_no_word_to_change() -> None:
    found = suggest("去年谁定密？", NEAR, Gate(False, 0.1, 0.2, ("去年",)), narrowed=False)
    assert found is not None and found.code == "suggest_nearest_page"
