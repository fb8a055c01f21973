"""Both languages are complete, balanced, compiled and in use."""

import ast
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, Qt, QTranslator

import desktop
import resources
from desktop import languages

FOLDER = resources.path("translations")
PLACEHOLDER = re.compile(r"\{[a-z_]*\}|%n")


def source_texts() -> set[tuple[str, str, bool]]:
    """``(context, text, counted)`` of every tr() and translate() in the desktop's source."""
    found = set()
    for path in sorted(Path(desktop.__path__[0]).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for owner in ast.walk(tree):
            context = owner.name if isinstance(owner, ast.ClassDef) else None
            for node in ast.walk(owner) if context else ():
                if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "tr":
                    found.add((context, constant(node.args[0], path), len(node.args) == 3))
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "translate":
                found.add((constant(node.args[0], path), constant(node.args[1], path), False))
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "QT_TRANSLATE_NOOP":
                found.add((constant(node.args[0], path), constant(node.args[1], path), False))
    return found


def constant(node: ast.expr, path: Path) -> str:
    """An f-string or a variable would be extracted, or not, and never found at run time."""
    assert isinstance(node, ast.Constant) and isinstance(node.value, str), (path.name, ast.dump(node))
    return node.value


def entries(name: str) -> dict[tuple[str, str], list[str]]:
    table = {}
    for context in ElementTree.parse(FOLDER / f"{name}.ts").getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation.get("type") is None, message.find("source").text
            forms = [form.text for form in translation.iter("numerusform")] or [translation.text]
            table[(context.find("name").text, message.find("source").text)] = forms
    return table


def test_chinese_has_every_text_and_no_other():
    expected = {(context, text) for context, text, _ in source_texts()}
    assert len(expected) > 80
    assert set(entries("zhiye_zh_CN")) == expected


def test_english_has_every_plural():
    expected = {(context, text) for context, text, counted in source_texts() if counted}
    table = entries("zhiye_en")
    assert set(table) == expected
    assert all(len(forms) == 2 for forms in table.values())


@pytest.mark.parametrize("name", ["zhiye_zh_CN", "zhiye_en"])
def test_placeholders_are_balanced(name):
    for (_, source), forms in entries(name).items():
        for form in forms:
            assert form and sorted(PLACEHOLDER.findall(form)) == sorted(PLACEHOLDER.findall(source)), source


@pytest.mark.parametrize("name", ["zhiye_zh_CN", "zhiye_en"])
def test_the_compiled_file_says_what_the_source_file_says(qapp, name):
    translator = QTranslator()
    assert translator.load(name, str(FOLDER))
    for (context, source), forms in entries(name).items():
        counts = (-1,) if "%n" not in source else (1, 2) if len(forms) == 2 else (2,)
        assert [translator.translate(context, source, "", n) for n in counts] == forms


def test_chinese_uses_its_own_punctuation():
    for (_, source), forms in entries("zhiye_zh_CN").items():
        assert not re.search(r"[\u4e00-\u9fff][,;:!?]|[\u4e00-\u9fff]\.(?!\w)", forms[0]), source
        assert "您" not in forms[0] and "！" not in forms[0]


MNEMONIC = re.compile(r"&(?!&)")


def test_a_key_of_a_label_is_there_in_both_languages():
    for (_, source), forms in entries("zhiye_zh_CN").items():
        for form in forms:
            assert len(MNEMONIC.findall(form)) == len(MNEMONIC.findall(source)), source


@pytest.mark.parametrize("name", ["zhiye_zh_CN", "zhiye_en"])
def test_pairs_dots_and_edges_are_balanced(name):
    """“ ” ( ) {{ }} in pairs; dots at the end, and blanks at the edges, where the source has them."""
    for (_, source), forms in entries(name).items():
        for form in forms:
            for first, last in ("“”", "()", "（）", "[]", "{}", "《》"):
                assert form.count(first) == form.count(last), form
            assert form.endswith("…") == source.endswith("…"), source
            assert form == form.strip() or source != source.strip(), source
            assert form.count("\n") == source.count("\n"), source


def test_chinese_keeps_blanks_out_of_numbers_and_words():
    """数字与中文之间不加空格；英文单词两侧加空格（标点旁除外）。"""
    for (_, source), forms in entries("zhiye_zh_CN").items():
        assert not re.search(r"[\u4e00-\u9fff] %n|%n [\u4e00-\u9fff]", forms[0]), source
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z]{2,}|[A-Za-z]{2,}[\u4e00-\u9fff]", forms[0]), source


@pytest.mark.parametrize(
    ("language", "shown"), [("zh", ("12,345.7", "2025/3/1")), ("en", ("12,345.7", "3/1/25"))]
)
def test_numbers_and_dates_are_written_as_the_language_writes_them(qapp, language, shown):
    from desktop.health.words import moment
    from desktop.words import moment_words, number

    languages.install(language)
    assert number(12345.67, 1) == shown[0]
    for words in (moment_words, moment):
        assert shown[1] in words("2025-03-01T12:00:00+00:00")
    assert moment_words(None) == "–"


def test_the_folder_dialog_of_qt_speaks_the_window_s_language(qtbot, qapp):
    from PySide6.QtWidgets import QAbstractButton, QFileDialog, QLabel, QTreeView

    for language, is_ours in (("zh", is_chinese), ("en", str.isascii)):
        languages.install(language)
        dialog = QFileDialog()
        qtbot.addWidget(dialog)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        words = [part.text() for part in dialog.findChildren(QLabel)]
        words += [part.text() or part.accessibleName() for part in dialog.findChildren(QAbstractButton)]
        titles = dialog.findChild(QTreeView).model()
        words += [titles.headerData(column, Qt.Orientation.Horizontal) for column in range(4)]
        assert [word for word in words if word and not is_ours(word)] == []
    languages.install("zh")


def is_chinese(text: str) -> bool:
    return bool(re.search(r"[\u4e00-\u9fff]", text))


def test_languages_switch(qapp):
    for language, word, plural in (("zh", "提问", "1句有依据"), ("en", "Ask", "1 sentence supported")):
        languages.install(language)
        assert QCoreApplication.translate("Composer", "Ask") == word
        assert QCoreApplication.translate("TurnPresenter", "%n sentences supported", "", 1) == plural
    languages.install("zh")
    # Qt's own buttons too.
    assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "取消"


def test_state_and_verdict_words_exist_in_both_languages(qapp):
    from desktop.words import state_word, verdict_word
    from engine.documents import FileState

    for language in ("zh", "en"):
        languages.install(language)
        words = [state_word(state) for state in (None, *FileState)]
        assert len(set(words)) == len(words)
        assert all(verdict_word(verdict) for verdict in ("supported", "partly", "unsupported", "no_claim"))
