"""What the command line prints: words for people, JSON for programs; progress and messages on stderr."""

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from engine.answer_events import AnswerFinished, AnswerText, PromptProgress
from engine.errors import CodedError
from engine.events import (
    Event,
    FileFinished,
    FileProgress,
    FileStarted,
    Notice,
    OcrProgress,
    ScanFinished,
    StepProgress,
)
from engine.trace import reason_text
from engine.wording import Language, describe

_Result = TypeVar("_Result")


class Console:
    """Knows whether a person or a program reads, and in which language."""

    def __init__(self, *, as_json: bool, language: Language) -> None:
        self.as_json = as_json
        self.language = language
        self._live = sys.stderr.isatty()
        self._has_status = False

    def result(self, record: Mapping[str, Any], lines: Iterable[str]) -> None:
        """The command's result: the record for programs, the lines for people."""
        if self.as_json:
            self.record(record)
            return
        for line in lines:
            print(line)

    def record(self, record: Mapping[str, Any]) -> None:
        """One JSON object on one line."""
        # A lone surrogate (a file name that is not valid UTF-8) must not end the output.
        text = json.dumps(record, ensure_ascii=False, default=str)
        # Some readers of lines break them here too (str.splitlines); inside JSON these stand in strings only.
        for mark in "\x85\u2028\u2029":
            text = text.replace(mark, f"\\u{ord(mark):04x}")
        print(text.encode("utf-8", "backslashreplace").decode("utf-8"), flush=True)

    def say(self, code: str, **params: Any) -> str:
        """Words for a code."""
        return str(describe(code, params, self.language))

    def note(self, text: str) -> None:
        """A message beside the result."""
        self._clear()
        print(text, file=sys.stderr, flush=True)

    def fail(self, error: CodedError) -> int:
        """Say what went wrong and return its exit code."""
        if self.as_json:
            self.record({"error": self.error_record(error)})
        else:
            self.note(self.say(error.code, **error.params))
        return error.exit_code

    def error_record(self, error: CodedError) -> dict[str, str]:
        """An error as programs get it."""
        words = describe(error.code, error.params, self.language)
        return {"code": error.code, "message": words.title, "advice": words.advice}

    def prompt(self) -> None:
        """Ask a person for the next line."""
        if self._live:
            print("> ", end="", file=sys.stderr, flush=True)

    def progress(self, event: Event | None) -> None:
        """Show an event of a running job."""
        match event:
            case Notice():
                self.note(self.say(event.code, **event.params))
            case ScanFinished():
                self._status(self.say("progress_scanned", library=event.library, total=event.total))
            case FileStarted():
                self._status(self.say("progress_reading", path=event.path))
            case FileProgress():
                self._status(
                    self.say(
                        "progress_file",
                        path=event.path,
                        pages=event.pages,
                        done=event.chunks_done,
                        chunks=event.chunks,
                    )
                )
            case OcrProgress():
                self._status(self.say("progress_ocr", path=event.path, done=event.done, total=event.total))
            case FileFinished():
                self._file(event)
            case StepProgress():
                self.tick(event.code, event.done, event.total)
            case PromptProgress():
                self._status(self.say("progress_prompt", done=event.done, total=event.total))
            case AnswerText() if not self.as_json and self._live:
                self._clear()
                print(event.text, end="", file=sys.stderr, flush=True)
            case AnswerFinished() if not self.as_json and self._live:
                print("\n", file=sys.stderr, flush=True)
            case _:
                pass

    def follow(self, steps: Iterable[Event | None], result: type[_Result]) -> _Result:
        """Run a job to its end and show how it goes; returns its result, and raises what it raises."""
        found = None
        for event in steps:
            self.progress(event)
            if isinstance(event, result):
                found = event
        assert found is not None, "a job that raises nothing ends with its result"
        return found

    def tick(self, code: str, done: int, total: int | None) -> None:
        """A count that goes up; nothing where no person is watching."""
        self._status(self.say(code, done=done, total="" if total is None else total))

    def _file(self, event: FileFinished) -> None:
        state = describe(f"state_{event.file.state.value}", {}, self.language).title
        why = reason_text(event.file, self.language)
        if event.file.state.value == "excluded" and not self._live:
            return
        self.note(f"[{event.done}/{event.total}] {event.file.path}: {state}" + (f" ({why})" if why else ""))

    def _status(self, text: str) -> None:
        """One line that is overwritten; nothing where no person is watching."""
        if self._live:
            self._clear()
            print(text[:100], end="", file=sys.stderr, flush=True)
            self._has_status = True

    def _clear(self) -> None:
        """Take the status line away; an answer that is being written stays."""
        if self._has_status:
            print("\r\x1b[2K", end="", file=sys.stderr)
            self._has_status = False
