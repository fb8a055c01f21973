import ast
import locale
import re
import string
from collections.abc import Iterator

import pytest

from engine import errors, wording
from engine.documents import FileState
from engine.wording import Language, codes, describe, system_language
from models import errors as model_errors
from models.errors import CodedError
from tests.conftest import ROOT

LANGUAGES: tuple[Language, ...] = ("zh", "en")


def sentences(language: Language) -> Iterator[tuple[str, str, str]]:
    """Code, field and sentence."""
    for code, entry in codes(language).items():
        for field, text in entry.items():
            if field != "action":
                yield code, field, text


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def error_classes() -> list[type[CodedError]]:
    found = {
        kind
        for module in (errors, model_errors)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, CodedError)
    }
    return sorted(found, key=lambda kind: kind.__name__)


def literals(name: str, folder: str, position: int = 0) -> set[str]:
    """The strings that calls of ``name`` in ``folder`` may have as an argument."""
    found: set[str] = set()
    for source in (ROOT / folder).rglob("*.py"):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or len(node.args) <= position:
                continue
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            argument = node.args[position]
            branches = [argument.body, argument.orelse] if isinstance(argument, ast.IfExp) else [argument]
            if called == name:
                found |= {
                    item.value
                    for item in branches
                    if isinstance(item, ast.Constant) and isinstance(item.value, str)
                }
    return found


def test_both_languages_know_the_same_codes() -> None:
    assert list(codes("zh")) == list(codes("en"))


def test_both_languages_fill_the_same_placeholders() -> None:
    for code, entry in codes("zh").items():
        other = codes("en")[code]
        assert entry.keys() == other.keys() <= {"title", "advice", "action"}, code
        for field in entry:
            assert placeholders(entry[field]) == placeholders(other[field]), (code, field)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_has_words_and_they_name_its_parameters(language: Language) -> None:
    for kind in error_classes():
        entry = codes(language).get(kind.code)
        assert entry, kind.__name__
        assert entry["title"] and entry.get("advice"), kind.__name__
        documented = set(re.findall(r"``(\w+)``", (kind.__doc__ or "").split(":")[0]))
        used = placeholders(entry["title"]) | placeholders(entry["advice"])
        assert used <= documented | {"detail"}, kind.__name__


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_notice_and_state_has_words(language: Language) -> None:
    reasons = literals("Reason", "engine")
    # These come by way of a variable.
    reasons |= {"pages_scanned", "pages_unmapped", "pages_damaged"}
    assert {"scanned", "locked", "no_permission", "loader_crashed"} <= reasons, (
        "the search finds what it should"
    )
    notices = literals("Notice", "engine", 1)
    assert "lexical_only" in notices
    states = {f"state_{state.value}" for state in FileState}
    assert sorted((reasons | notices | states) - codes(language).keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_the_command_line_says_has_words(language: Language) -> None:
    said = literals("say", "engine/cli") | literals("tick", "engine/cli")
    assert "ingest_done" in said
    assert sorted(said - codes(language).keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_calm_and_tidy(language: Language) -> None:
    for code, field, text in sentences(language):
        assert not set("!！") & set(text), (code, field)
        assert text == " ".join(text.split()), (code, field)
        assert field == "title" or text.endswith((".", "。")), (code, field)


def test_chinese_sentences_use_full_width_punctuation() -> None:
    for code, field, text in sentences("zh"):
        plain = re.sub(r"\{\w+\}", "x", text)
        assert not re.findall(r"""[,;:?!()"']""", plain), (code, field, text)
        assert not re.findall(r"[\u4e00-\u9fff]\.|\.(?=[\u4e00-\u9fff])|\.$", plain), (code, field, text)


def test_english_sentences_hold_no_chinese() -> None:
    for code, field, text in sentences("en"):
        assert not re.findall(r"[\u3000-\u9fff\uff00-\uffef]", text), (code, field)


def test_both_languages_offer_the_same_actions_on_files_that_are_named() -> None:
    for code, entry in codes("zh").items():
        assert entry.get("action") == codes("en")[code].get("action"), code
        if entry.get("action") == "show_file":
            assert "path" in placeholders(entry["title"]), code
    words = describe("not_readable", {"path": "/资料/甲.pdf"}, "zh")
    assert (words.action, words.target) == ("show_file", "/资料/甲.pdf")
    assert describe("never_heard").action == "open_log"


def test_words_are_filled_with_their_parameters() -> None:
    words = describe("index_mismatch", {"path": "a", "found": 768, "expected": [1, 512]}, "zh")
    assert words.title == "索引 a 与当前程序不匹配：是 768，应为 1, 512。"
    assert str(words).endswith(words.advice)
    assert describe("state_indexed", None, "zh").advice == ""


def test_braces_in_a_parameter_are_plain_text() -> None:
    assert "{x} {0} %s" in describe("not_readable", {"path": "{x} {0} %s"}, "en").title


def test_a_missing_parameter_never_fails() -> None:
    assert "…" in describe("not_readable", {}, "zh").title


def test_an_unknown_code_is_said_with_its_code() -> None:
    title = describe("never_heard", {"a": 1}, "zh").title
    assert "never_heard" in title
    assert "程序内部出错" in title


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW.Big5"}, "zh"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "en_GB", "LC_ALL": "ZH_cn"}, "zh"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "", "LC_ALL": ""}, "en"),
    ],
)
def test_the_language_follows_the_locale(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], expected: Language
) -> None:
    monkeypatch.delenv("LANG")
    monkeypatch.setattr(locale, "getlocale", lambda: (None, None))
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert system_language() == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("Chinese (Simplified)_China", "zh"), ("German_Germany", "en")]
)
def test_the_language_of_windows(monkeypatch: pytest.MonkeyPatch, name: str, expected: Language) -> None:
    monkeypatch.delenv("LANG")
    monkeypatch.setattr(locale, "getlocale", lambda: (name, "936"))
    assert system_language() == expected


def test_the_tables_are_read_once() -> None:
    assert wording.codes("zh") is wording.codes("zh")
