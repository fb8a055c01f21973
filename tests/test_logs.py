import io
import logging
import subprocess
import sys
from collections.abc import Iterator
from logging.handlers import RotatingFileHandler
from pathlib import Path

import pytest

from engine import logs
from engine.paths import Home
from tests.conftest import ROOT


@pytest.fixture(autouse=True)
def root_logger() -> Iterator[logging.Logger]:
    """The root logger without our handler, and as it was afterwards."""
    root = logging.getLogger()
    level, before = root.level, list(root.handlers)
    yield root
    for handler in [handler for handler in root.handlers if handler not in before]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


def written(home: Home) -> str:
    return (home.logs / "zhiye.log").read_text(encoding="utf-8")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "数据 一")


def test_the_log_is_utf8_in_the_home(home: Home) -> None:
    logs.set_up(home)
    logging.getLogger("engine.x").info("indexed %s", "制度.pdf")
    logging.getLogger("engine.x").debug("a question")
    assert "INFO engine.x: indexed 制度.pdf\n" in written(home)
    assert "a question" not in written(home)


def test_debug_says_more_but_hub_libraries_stay_quiet(home: Home) -> None:
    logs.set_up(home, debug=True)
    logging.getLogger("engine.x").debug("detail")
    logging.getLogger("transformers").info("chatter")
    assert "detail" in written(home)
    assert "chatter" not in written(home)


def test_setting_up_again_writes_each_line_once(home: Home, tmp_path: Path) -> None:
    logs.set_up(home)
    logs.set_up(home)
    logging.getLogger("engine").info("once")
    other = Home(tmp_path / "other")
    logs.set_up(other)
    logging.getLogger("engine").info("elsewhere")
    assert written(home).count("once") == 1
    assert "elsewhere" in written(other)
    assert "elsewhere" not in written(home)


@pytest.mark.parametrize("blocked", ["folder", "file"])
def test_a_log_that_cannot_be_written_is_no_error(
    home: Home, capsys: pytest.CaptureFixture[str], blocked: str
) -> None:
    home.root.mkdir()
    if blocked == "folder":
        home.logs.write_bytes(b"")
    else:
        (home.logs / "zhiye.log").mkdir(parents=True)
    logs.set_up(home)
    logging.getLogger("engine").warning("something")
    assert capsys.readouterr().err == ""


def test_the_log_is_rolled_over_at_a_megabyte(home: Home, root_logger: logging.Logger) -> None:
    logs.set_up(home)
    (handler,) = [h for h in root_logger.handlers if isinstance(h, RotatingFileHandler)]
    assert (handler.maxBytes, handler.backupCount) == (1_000_000, 2)


def test_streams_that_are_there_are_left_alone() -> None:
    before = sys.stdout, sys.stderr
    logs.ensure_streams()
    assert (sys.stdout, sys.stderr) == before


def test_missing_streams_write_to_the_log(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    logs.set_up(home)
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    logs.ensure_streams()
    print("到标准输出")
    print("到错误输出\n", file=sys.stderr)
    sys.stderr.flush()
    assert sys.stdout.writable() and not sys.stdout.isatty()
    assert isinstance(sys.stdout, io.TextIOBase)
    assert "INFO stream: 到标准输出" in written(home)
    assert "WARNING stream: 到错误输出" in written(home)


def test_a_log_that_fails_does_not_log_its_own_failure_for_ever(
    monkeypatch: pytest.MonkeyPatch, root_logger: logging.Logger
) -> None:
    class Full(logging.Handler):
        calls = 0

        def emit(self, record: logging.LogRecord) -> None:
            Full.calls += 1
            try:
                raise OSError(28, "No space left on device")
            except OSError:
                self.handleError(record)

    handler = Full()
    root_logger.addHandler(handler)
    monkeypatch.setattr(sys, "stderr", None)
    logs.ensure_streams()
    print("line", file=sys.stderr)
    root_logger.removeHandler(handler)
    assert Full.calls == 1


def test_a_process_without_a_console_may_print_before_the_log_is_set_up() -> None:
    code = """
import sys
sys.stdout = sys.stderr = None
from engine import logs
logs.ensure_streams()
print("out")
print("err", file=sys.stderr)
import warnings
warnings.warn("early")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, b"")
