"""Tasks that need nothing of what the engine thread owns: each runs in a thread of its own.

A gigabyte is copied, fetched or hashed for minutes. In the engine thread that would keep an index waiting for
as long, or wait for its end itself.
"""

import logging
import threading
import time
from collections.abc import Callable

from engine.cancel import Cancelled, CancelToken
from engine.errors import CodedError, StorageFailed
from engine.events import Event, TaskDone, TaskFailed, TaskStarted, TaskStopped

Tell = Callable[[Event], None]
Work = Callable[[Tell, CancelToken], None]
"""What a task does: it tells its events, and raises Cancelled where it notices that it was stopped."""

_log = logging.getLogger(__name__)


class AsideTasks:
    """``on_event`` is called in the thread of the task."""

    def __init__(self, on_event: Tell) -> None:
        self._on_event = on_event
        self._threads: list[threading.Thread] = []

    def start(self, task_id: int, work: Work, token: CancelToken, ended: Callable[[], None]) -> None:
        """Begin; ``ended`` is called before the last event is told."""

        def run() -> None:
            self._on_event(TaskStarted(task_id))
            end = _outcome(task_id, lambda: work(self._on_event, token))
            ended()
            self._on_event(end)

        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=run, name=f"zhiye-aside-{task_id}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def join(self, timeout: float) -> bool:
        """Wait for tasks that were stopped; False when one is still alive after ``timeout`` seconds."""
        deadline = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)


def _outcome(task_id: int, work: Callable[[], None]) -> Event:
    try:
        work()
    except Cancelled:
        return TaskStopped(task_id)
    except CodedError as exc:
        _log.warning("task failed: %s", exc.code)
        return TaskFailed(task_id, exc.code, exc.params, exc.retryable)
    except OSError as exc:
        _log.exception("storage failed")
        failure = StorageFailed(path=str(exc.filename or ""), detail=exc.strerror or str(exc))
        return TaskFailed(task_id, failure.code, failure.params, failure.retryable)
    except Exception as exc:  # the border of the task: it must end whatever happened
        _log.exception("task failed")
        return TaskFailed(task_id, "internal", {"detail": type(exc).__name__})
    return TaskDone(task_id)
