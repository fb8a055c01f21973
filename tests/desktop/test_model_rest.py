"""The footer says that the chat model gave its memory back, and when a question has loaded it again."""

from engine.events import ModelsReady
from engine.model_files.commands import RestChatModel
from engine.model_files.events import ModelRested


def test_the_footer_says_that_the_model_rests_until_a_question_wakes_it(qtbot, opened):
    button, rest = opened.window.model_button, opened.controller.rest
    assert rest.timer.isActive()
    rest.look()
    task = opened.engine.last(RestChatModel).task_id
    opened.engine.done(task)
    qtbot.wait(20)
    assert button.text().startswith("对话模型：")
    rest.look()
    task = opened.engine.last(RestChatModel).task_id
    opened.engine.done(task, ModelRested(task, "qwen"))
    qtbot.waitUntil(lambda: "休息" in button.text())
    assert button.text() == "对话模型休息中：qwen（提问时再加载）"
    assert not rest.timer.isActive(), "nothing is left to be freed"
    task = opened.ask("差旅报销")
    opened.engine.emit(ModelsReady(task, "bge", "qwen"))
    qtbot.waitUntil(lambda: button.text() == "对话模型：qwen")
    assert rest.timer.isActive()
