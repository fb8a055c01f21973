"""A windowed build has no standard streams: the whole way must work without them, and the log tells it."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

_DRIVE = """
    import sys
    sys.stdout = sys.stderr = None
    from desktop import app

    def main():
        from PySide6.QtCore import QTimer
        from desktop import application
        open_window = application.open_window
        asked = []

        def driven(*arguments, **options):
            window, controller = open_window(*arguments, **options)
            timer = QTimer(window)

            def look():
                if controller.library.is_busy() or controller.ask.is_busy():
                    return
                if not asked:
                    asked.append(1)
                    window.ask_panel.composer.question_box.setPlainText("保密期限是几年？")
                    window.ask_panel.composer.ask_button.click()
                else:
                    text = window.ask_panel.turns[-1].answer_view.toPlainText()
                    open(sys.argv[3], "w", encoding="utf-8").write(text)
                    window.close()

            timer.timeout.connect(look)
            timer.start(50)
            return window, controller

        application.open_window = driven
        return app.main(["--home", sys.argv[1], sys.argv[2]])

    if __name__ == "__main__":
        sys.exit(main())
"""


@pytest.mark.embedder
def test_index_and_ask_without_streams(tmp_path: Path) -> None:
    folder = tmp_path / "制度 一"
    folder.mkdir()
    (folder / "保密.md").write_text("# 保密\n\n秘密级数据的保密期限为六年。\n", encoding="utf-8")
    script, home, answer = tmp_path / "drive.py", tmp_path / "家", tmp_path / "answer.txt"
    script.write_text(textwrap.dedent(_DRIVE), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(home), str(folder), str(answer)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "六年" in answer.read_text(encoding="utf-8")
    log = (home / "logs" / "zhiye.log").read_text(encoding="utf-8")
    assert "indexed 1 files" in log
    assert "answered in" in log
    assert "保密" not in log, "the log is for support, never for surveillance"
