"""A model hub over HTTPS, with resume; the standard library's client, so that proxies are honoured."""

import http.client
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from models.catalogue import HubSource, ModelFile
from models.sources import SourceFailed, size_of
from models.verification import CHUNK, Report

# A hub that is blocked answers nothing at all: the next source must have its turn within seconds.
ANSWER_TIMEOUT_S = 5.0
STALL_TIMEOUT_S = 30.0
_TRIES = 3

Answer = TypeVar("Answer")


class Hub:
    """Fetches one file from one address; interrupted transfers go on where they stopped."""

    def __init__(self, source: HubSource, answer_timeout_s: float = ANSWER_TIMEOUT_S) -> None:
        self.name = source.hub
        self._url = source.url
        self._answer_timeout_s = answer_timeout_s

    def fetch(self, file: ModelFile, part: Path, report: Report) -> None:
        failures = 0
        while (have := size_of(part)) < file.size:
            try:
                self._go_on(file, part, have, report)
            except (http.client.HTTPException, ConnectionError) as exc:
                # A connection that brought something is worth another; one that never does is not.
                failures = 0 if size_of(part) > have else failures + 1
                if failures == _TRIES:
                    raise SourceFailed(f"the connection broke: {exc!r}") from exc

    def _go_on(self, file: ModelFile, part: Path, have: int, report: Report) -> None:
        request = urllib.request.Request(
            self._url.replace("{file}", file.name), headers={"User-Agent": "zhiye", "Accept": "*/*"}
        )
        if have:
            request.add_header("Range", f"bytes={have}-")
        with self._open(request) as response:
            if response.status == 200:
                have = 0  # the server does not know ranges: from the start
            self._check(response, file, have)
            with part.open("ab" if have else "wb") as target:
                while block := _read(response, min(CHUNK, file.size - have)):
                    target.write(block)
                    have += len(block)
                    report(have, file.size)
        if have < file.size:
            raise ConnectionError(f"ended after {have} of {file.size} bytes")

    def _open(self, request: urllib.request.Request) -> Any:
        try:
            return within(
                self._answer_timeout_s, lambda: urllib.request.urlopen(request, timeout=STALL_TIMEOUT_S)
            )
        except urllib.error.HTTPError as exc:
            exc.close()
            raise SourceFailed(f"HTTP {exc.code}") from exc
        except urllib.error.URLError as exc:
            raise SourceFailed(f"not reachable: {exc.reason}") from exc
        except TimeoutError as exc:
            raise SourceFailed(f"no answer within {self._answer_timeout_s:.0f} s") from exc
        except OSError as exc:
            raise ConnectionError(str(exc)) from exc

    def _check(self, response: Any, file: ModelFile, have: int) -> None:
        if response.status not in (200, 206):
            raise SourceFailed(f"HTTP {response.status}")
        if "text/html" in (response.headers.get("Content-Type") or ""):
            raise SourceFailed("a web page came instead of the file")
        length = response.headers.get("Content-Length")
        if length and length.isdecimal() and have + int(length) != file.size:
            raise SourceFailed(f"a file of another size ({have + int(length)} bytes)")


def _read(response: Any, count: int) -> bytes:
    try:
        return bytes(response.read(count))
    except OSError as exc:
        # The network's errors (of TLS, of routing) must not pass for the disk's.
        raise ConnectionError(str(exc)) from exc


def within(seconds: float, call: Callable[[], Answer]) -> Answer:
    """The result of ``call``, or TimeoutError.

    A thread, because a name look-up and a proxy's handshake heed no socket timeout; one that hangs is
    left behind and ends with the process.
    """
    outcome: list[Answer] = []
    error: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(call())
        except BaseException as exc:
            error.append(exc)

    thread = threading.Thread(target=run, name="hub-answer", daemon=True)
    thread.start()
    thread.join(seconds)
    if error:
        raise error[0]
    if not outcome:
        raise TimeoutError
    return outcome[0]
