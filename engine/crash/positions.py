"""Positions in code without anything of the person whose machine it is: no folders of theirs, no messages."""

import re
import traceback
from collections.abc import Callable, Iterator
from types import TracebackType

_PACKAGES = ("desktop", "engine", "models", "resources", "installer", "tests")
_OF_PYTHON = re.compile(r".*(?:site-packages|dist-packages|python3\.\d+|Lib)/")

_NATIVE_LINE = re.compile(r'^\s*File "(?P<file>.+)", line (?P<line>\d+|\?\?\?) in (?P<name>\S+)\s*$')
_NATIVE_HEAD = re.compile(
    r"^(?:Fatal Python error: [\w ,.:()-]{1,80}|Windows fatal exception: [\w .:()-]{1,80}"
    r"|(?:Current thread|Thread) 0x[0-9a-f]+(?: \[[\w.-]{1,32}\])? \(most recent call first\):"
    r"|Extension modules: [\w., ()-]*|\s*<no Python frame>)$"
)
_LINES_KEPT = 400


def shortened(file: str) -> str:
    """A source file as seen from its package or from Python's own folders; of any other its name alone."""
    path = file.replace("\\", "/")
    if _OF_PYTHON.match(path):
        return _OF_PYTHON.sub("", path, count=1)
    parts = path.split("/")
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] in _PACKAGES:
            while at > 0 and parts[at - 1] in _PACKAGES:
                at -= 1
            return "/".join(parts[at:])
    return parts[-1]


def of_exception(
    error: BaseException, detail: Callable[[BaseException], str] = lambda error: ""
) -> list[str]:
    """Type and positions of an exception and of those it came from, the first cause first.

    Its message, which may quote anything, is left out; ``detail`` says what may be told beside the type.
    """
    lines: list[str] = []
    for number, each in enumerate(reversed(list(_chain(error)))):
        if number:
            lines.append("then:")
        lines.append(f"{type(each).__module__}.{type(each).__qualname__} {detail(each)}".rstrip())
        lines += of_traceback(each.__traceback__)
    return lines


def of_traceback(trace: TracebackType | None) -> list[str]:
    """``  at engine/thread.py:120 in _step``, the outermost call first."""
    return [
        f"  at {shortened(frame.filename)}:{frame.lineno} in {frame.name}"
        for frame in traceback.StackSummary.extract(traceback.walk_tb(trace), lookup_lines=False)
    ]


def of_native_dump(text: str) -> list[str]:
    """What faulthandler wrote, its files shortened; lines it does not write are left out."""
    lines: list[str] = []
    for line in text.splitlines()[:_LINES_KEPT]:
        if found := _NATIVE_LINE.match(line):
            lines.append(f"  at {shortened(found['file'])}:{found['line']} in {found['name']}")
        elif _NATIVE_HEAD.match(line):
            lines.append(line.rstrip())
    return lines


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or (None if current.__suppress_context__ else current.__context__)
