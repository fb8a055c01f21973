"""Answers on the screen: hostile text, streaming, chips, badges."""

import re

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextDocument

from desktop.ask.answer_layout import BadgePiece, ChipPiece, TextPiece, lay_out
from desktop.ask.answer_view import AnswerView
from desktop.ask.cited_text import SUPPORTED
from desktop.design_tokens import current_colours
from engine.answer_events import AnswerFinished, AnswerText, SourcesFound
from engine.answers import Flag, Sentence
from engine.commands import AskQuestion, LocatePassage
from engine.events import TaskFailed
from tests.desktop import sample_content

HOSTILE = [
    "List<String> 的用法 [1]",
    "见[1](2)",
    "换行<br>之后还有文字[1]",
    "<td>单元格</td>的内容[1]",
    '<img src="file:///etc/hostname">图片后面[1]',
    "![图](http://example.invalid/a.png)看图[1]",
    "<script>alert(1)</script>脚本之后[1]",
    '<a href="file:///etc/passwd">点这里</a>不行[1]',
    "&lt;转义&amp; 保持原样[1]",
    "```python\nprint('代码')\n```[1]",
    "a[0] 与 **粗体** 和 | 表格 |[1]",
    "零\u200b宽、\u202e反向\u202c与😀表情[1]",
]


@pytest.fixture
def view(qtbot) -> AnswerView:
    made = AnswerView()
    qtbot.addWidget(made)
    made.resize(600, 200)
    made.show()
    return made


def one_sentence(text: str):
    stripped = text.replace("[1]", "")
    return sample_content.answer(
        text=text,
        sentences=(Sentence(stripped, "supported", (1,)),),
        citations=(sample_content.citation(1, sample_content.hit(1)),),
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_shown_whole_and_as_text(view, text):
    view.append_text(text)
    assert tight(view) == "".join(text.split())
    view.show_pieces(lay_out(one_sentence(text)), {})
    shown = tight(view).removesuffix(SUPPORTED)
    assert shown.replace("[1]", "") == "".join(text.replace("[1]", "").split())
    assert shown.count("[1]") == 1
    assert links(view) == ["zhiye:cite/1"]


def tight(view: AnswerView) -> str:
    return "".join(view.toPlainText().split())


def links(view: AnswerView) -> list[str]:
    found = []
    block = view.document().begin()
    while block.isValid():
        for fragment in block:
            if fragment.fragment().charFormat().isAnchor():
                found.append(fragment.fragment().charFormat().anchorHref())
        block = block.next()
    return found


def test_no_resource_is_ever_loaded(view, tmp_path):
    secret = tmp_path / "秘密.txt"
    secret.write_text("x", encoding="utf-8")
    for url in (QUrl.fromLocalFile(str(secret)), QUrl("http://example.invalid/"), QUrl("data:text/plain,x")):
        assert view.loadResource(QTextDocument.ResourceType.ImageResource.value, url) is None


def test_streaming_4000_tokens_paints_at_most_20_times_a_second(qtbot, opened):
    composer = opened.window.ask_panel.composer
    composer.question_box.setPlainText("长回答")
    composer.ask_button.click()
    task = opened.engine.last(AskQuestion).task_id
    view = opened.window.ask_panel.turns[-1].answer_view
    updates, tokens = view.update_count, 4000
    rounds = 20
    for _ in range(rounds):
        opened.engine.emit(*(AnswerText(task, "字") for _ in range(tokens // rounds)))
        qtbot.wait(20)
    qtbot.waitUntil(lambda: len(view.toPlainText()) == tokens)
    # 20 rounds of 20 ms pass in little more than 400 ms on a free machine, which allows 8 or 9 updates.
    assert view.update_count - updates <= rounds


def test_sentences_carry_chips_and_badges(view):
    pieces = lay_out(sample_content.answer())
    view.show_pieces(pieces, {})
    text = view.toPlainText()
    assert re.search(r"15 天\u2009\[1\]。\s*✓\s*当年没有", text)
    assert re.search(r"折算发放。\s*未核实", text)
    assert "部分有依据" in text
    badges = [piece for piece in pieces if isinstance(piece, BadgePiece)]
    assert [badge.verdict for badge in badges] == ["supported", "supported", "unsupported", "partly"]


def test_what_needs_no_verdict_and_what_the_documents_say_themselves_has_none():
    greeting = sample_content.answer(text="你好。", sentences=(Sentence("你好。", "no_claim"),), citations=())
    for answer in (greeting, sample_content.quotes()):
        assert not [piece for piece in lay_out(answer) if isinstance(piece, BadgePiece)]


def fragments(view: AnswerView) -> dict[str, QTextCharFormat]:
    found, block = {}, view.document().begin()
    while block.isValid():
        found |= {each.fragment().text().strip(): each.fragment().charFormat() for each in block}
        block = block.next()
    return found


def test_a_number_that_no_passage_holds_is_underlined_and_says_so(view):
    view.show_pieces(lay_out(sample_content.answer()), {})
    locked = fragments(view)["200%"]
    assert locked.underlineStyle() == QTextCharFormat.UnderlineStyle.WaveUnderline
    assert locked.toolTip() == "数字核对：片段里没有“200%”。"
    assert all(
        style.toolTip() != locked.toolTip() for text, style in fragments(view).items() if text != "200%"
    )


def test_the_flagged_place_is_marked_and_not_the_same_digits_before_it():
    sentence = "共 15 天，其中 5 天带薪。"
    start = sentence.index("5 天带")
    flag = Flag("number", "5", start, start + 1, "elsewhere")
    answer = sample_content.answer(
        text="共15天，其中[1] 5 天带薪。", sentences=(Sentence(sentence, "partly", (1,), (flag,)),)
    )
    pieces = [piece for piece in lay_out(answer) if isinstance(piece, TextPiece)]
    assert [(piece.text, piece.flag is not None) for piece in pieces] == [
        ("共15天，其中", False), (" ", False), ("5", True), (" 天带薪。", False)
    ]  # fmt: skip


def test_a_subject_that_stands_only_in_the_question_marks_nothing():
    sentence = Sentence("它的保修期是两年。", "partly", (1,), (Flag("subject", "HT-310"),))
    answer = sample_content.answer(text=sentence.text, sentences=(sentence,))
    assert all(piece.flag is None for piece in lay_out(answer) if isinstance(piece, TextPiece))


def test_a_citation_without_a_mark_gets_its_chip_and_an_unknown_number_stays_text():
    answer = sample_content.answer(
        text="甲句。乙句见 a[0]。",
        sentences=(Sentence("甲句。", "supported", (1, 2)), Sentence("乙句见 a[0]。", "no_claim")),
    )
    pieces = lay_out(answer)
    assert [piece.number for piece in pieces if isinstance(piece, ChipPiece)] == [1, 2]
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)) == "甲句。乙句见 a[0]。"


def test_a_sentence_that_is_not_in_the_text_is_not_lost():
    answer = sample_content.answer(text="甲。", sentences=(Sentence("乙。", "unsupported"),))
    assert [type(piece).__name__ for piece in lay_out(answer)] == ["TextPiece", "TextPiece", "BadgePiece"]


def test_streamed_and_checked_text_follow_the_theme(view, qapp):
    from desktop.design_tokens import DARK, palette_of

    view.show_pieces(lay_out(sample_content.answer()), {})
    qapp.setPalette(palette_of(DARK))
    view.setPalette(palette_of(DARK))
    cursor = QTextCursor(view.document())
    cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
    assert cursor.charFormat().foreground().color().name() == DARK.text == current_colours().text


def test_clicking_a_citation_leaves_the_text_and_locates_the_passage(qtbot, opened):
    composer = opened.window.ask_panel.composer
    composer.question_box.setPlainText("年假有多少天？")
    composer.ask_button.click()
    task = opened.engine.last(AskQuestion).task_id
    opened.engine.done(
        task, SourcesFound(task, sample_content.five_hits()), AnswerFinished(task, sample_content.answer())
    )
    qtbot.waitUntil(lambda: not opened.controller.ask.is_busy())
    view = opened.window.ask_panel.turns[-1].answer_view
    qtbot.waitUntil(lambda: view.height() > 60)
    before = view.toPlainText()
    place = chip_position(view, "[2]")
    assert view.anchorAt(place) == "zhiye:cite/2"
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    command = opened.engine.last(LocatePassage)
    source = sample_content.five_hits()[1]
    assert (command.library, command.row) == (source.library, source.row)
    assert command.spans == tuple((span.page, span.start, span.end) for span in source.spans)
    assert view.toPlainText() == before


def chip_position(view: AnswerView, chip: str) -> QPoint:
    cursor = view.document().find(chip)
    start = QTextCursor(cursor)
    start.setPosition(cursor.selectionStart() + 1)
    rect = view.cursorRect(start)
    return rect.center() + QPoint(2, 0)


def test_a_refusal_shows_the_nearest_passages(qtbot, opened):
    composer = opened.window.ask_panel.composer
    composer.question_box.setPlainText("食堂？")
    composer.ask_button.click()
    task = opened.engine.last(AskQuestion).task_id
    opened.engine.done(task, AnswerFinished(task, sample_content.refusal()))
    qtbot.waitUntil(lambda: not opened.controller.ask.is_busy())
    turn = opened.window.ask_panel.turns[-1]
    card = turn.refusal_card
    assert card.isVisible() and not turn.answer_view.isVisible()
    assert card.title_label.text() == "未找到依据"
    assert card.nearest_label.text() == "最接近的片段"
    assert "食堂、夜宵" in card.reason_label.text()
    assert card.nearest_list.hits.rowCount() == 3
    opened.window.ask_panel.turn_scroll.ensureWidgetVisible(card.nearest_list)
    first = card.nearest_list.visualRect(card.nearest_list.hits.index(0))
    qtbot.mouseClick(card.nearest_list.viewport(), Qt.MouseButton.LeftButton, pos=first.center())
    assert opened.engine.last(LocatePassage).row == 3


def test_evidence_is_there_before_the_answer_and_says_where(qtbot, opened):
    composer = opened.window.ask_panel.composer
    composer.question_box.setPlainText("年假？")
    composer.ask_button.click()
    task = opened.engine.last(AskQuestion).task_id
    opened.engine.emit(SourcesFound(task, sample_content.five_hits()))
    turn = opened.window.ask_panel.turns[-1]
    qtbot.waitUntil(lambda: turn.evidence_list.isVisible())
    rows = [turn.evidence_list.hits.index(row).data() for row in range(5)]
    assert "第 3 页（页码标签 1）" in rows[0] and "相关度 2.14" in rows[0]
    assert "住宿标准" in rows[2]
    assert rows[4].count("正文") == 1
    assert len(rows[3].rsplit(" · ", 1)[-1]) == 81
    assert not turn.answer_view.isVisible()


def test_a_failure_is_told_in_words(qtbot, opened):
    composer = opened.window.ask_panel.composer
    composer.question_box.setPlainText("年假？")
    composer.ask_button.click()
    task = opened.engine.last(AskQuestion).task_id
    opened.engine.emit(TaskFailed(task, "generation_failed", {"model": "m", "detail": "d"}))
    turn = opened.window.ask_panel.turns[-1]
    qtbot.waitUntil(lambda: turn.failure.isVisible())
    assert turn.failure.title_label.text()
    assert not opened.controller.ask.is_busy()


def test_the_card_of_a_citation_shows_file_page_and_sentence(qtbot, opened):
    opened.ask("年假？", sample_content.answer())
    view = opened.turns[-1].answer_view
    view.highlighted.emit(QUrl("zhiye:cite/2"))
    qtbot.waitUntil(lambda: view.hover.card is not None and view.hover.card.isVisible())
    card = view.hover.card
    assert card.name_label.text() == "员工手册（2025 版）.pdf"
    assert card.place_label.text() == "第 4 页（页码标签 2）"
    assert card.quote_label.text() == f"“{sample_content.CARRY}”"
    assert opened.window.rect().contains(card.geometry()), "it is not cut off"
    view.highlighted.emit(QUrl())
    assert not card.isVisible()


def test_passing_over_a_citation_opens_no_card(qtbot, opened):
    opened.ask("年假？", sample_content.answer())
    view = opened.turns[-1].answer_view
    view.highlighted.emit(QUrl("zhiye:cite/2"))
    view.highlighted.emit(QUrl())
    view.highlighted.emit(QUrl("zhiye:cite/99"))
    qtbot.wait(250)
    assert view.hover.card is None


def test_citations_are_reached_and_opened_with_the_keyboard(qtbot, opened):
    opened.ask("年假？", sample_content.answer())
    view = opened.turns[-1].answer_view
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    assert view.textCursor().selectedText() == "[1]", "the focus is to be seen"
    qtbot.waitUntil(lambda: view.hover.card is not None and view.hover.card.isVisible())
    assert "员工手册" in view.hover.card.name_label.text()
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened.engine.last(LocatePassage).row == 1
