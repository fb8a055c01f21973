"""Pictures of messages with buttons, the card after a crash, a report and the log. Run like
``tests.desktop.screenshots``: ``xvfb-run -a python -m tests.desktop.problems_screenshots OUT_DIR``.
"""

from pathlib import Path

from engine.crash.reports import CrashFolder
from engine.paths import Home
from tests.desktop.picture_taking import WindowPictures, main, settle

_LOG = """\
2025-06-03 09:12:00,101 INFO engine.pipeline: indexed 128 files, 1804 new vectors in 74.2 s
2025-06-03 09:14:41,377 INFO engine.answer.inquiry: answered in 6.1 s, refused by None
2025-06-03 09:15:02,004 WARNING engine.intake.parsing: the parsing process died (memory)
2025-06-03 09:20:18,950 ERROR engine.thread: job failed
builtins.RuntimeError
  at engine/thread.py:153 in _step
  at engine/jobs/answering.py:41 in _ask
2025-06-03 09:21:30,412 INFO engine.answer.inquiry: answered in 5.4 s, refused by gate
"""


def take(folder: Path, work: Path, prefix: str) -> None:
    """The card with banners below it, the report, the log page."""
    home = Home(work / "home")
    home.logs.mkdir(parents=True)
    (home.logs / "zhiye.log").write_text(_LOG, encoding="utf-8")
    CrashFolder(home.crash).write(
        [
            "Fatal Python error: Segmentation fault",
            "Current thread 0x00007f64af7fe6c0 (most recent call first):",
            "  at llama_cpp/_internals.py:312 in decode",
            "  at engine/answer/generation/llama.py:204 in generate",
            "  at engine/thread.py:152 in _step",
        ],
        fatal=True,
    )
    pictures = WindowPictures(folder, work, prefix)
    controller = pictures.controller
    controller.problems.attach(home)
    for code, params in (
        ("library_damaged", {"path": "/home/li/zhiye/libraries/4f2a/library.sqlite", "detail": "malformed"}),
        ("not_readable", {"path": "/home/li/资料/合同.pdf"}),
        ("generation_failed", {"model": "qwen2.5-1.5b", "detail": "out of memory"}),
    ):
        controller._on_problem(code, params)
    pictures.shoot("messages")
    crash = controller.problems.crash
    assert crash is not None
    crash.show()
    assert crash.window is not None
    pictures.shoot("report", crash.window)
    controller.settings.open_page("log")
    settle()
    assert controller.settings.window is not None
    pictures.shoot("log", controller.settings.window)
    pictures.close()


if __name__ == "__main__":
    main(__doc__, take)
