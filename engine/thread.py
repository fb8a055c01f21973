"""The engine thread: an inbox, a queue by priority, and one step of one job at a time.

A question overtakes an index between two steps. Everything that is not thread-safe (SQLite, FAISS, the
embedder, the chat model) is created, used and closed in this thread.
"""

import heapq
import itertools
import logging
import queue
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from functools import partial

from engine import jobs
from engine.aside import AsideTasks
from engine.cancel import Cancelled, CancelToken
from engine.commands import Command, StopTask
from engine.config import Settings
from engine.errors import CodedError, EngineStopped
from engine.events import Event, TaskDone, TaskFailed, TaskStarted, TaskStopped
from engine.jobs import model_files
from engine.paths import Home
from engine.privacy import moving
from engine.workspace import Workspace

_LAST_STEPS = 16
"""Steps that a stopped job may still take to tell what it has kept."""

_log = logging.getLogger(__name__)


@dataclass(order=True)
class _Job:
    """Ordered by priority, then by arrival."""

    priority: int
    arrival: int
    command: Command = field(compare=False)
    token: CancelToken = field(compare=False)
    steps: jobs.Steps | None = field(default=None, compare=False)


class EngineThread:
    """Owns a workspace in a thread of its own.

    ``on_event`` is called in that thread, for tasks that run aside in theirs.
    """

    def __init__(
        self,
        home: Home,
        settings: Settings,
        on_event: Callable[[Event], None],
        make_workspace: Callable[[Home, Settings], Workspace] = Workspace,
    ) -> None:
        self._home, self._settings, self._make_workspace = home, settings, make_workspace
        self._on_event = on_event
        self._inbox: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._jobs: list[_Job] = []
        self._tokens: dict[int, CancelToken] = {}
        self._tokens_lock = threading.Lock()
        self._arrivals = itertools.count()
        self._aside = AsideTasks(on_event)
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="zhiye-engine", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def send(self, command: Command) -> None:
        """Hand a command over, from any thread.

        Raises:
            EngineStopped: the thread is stopping or has ended.
        """
        if self._stopping:
            raise EngineStopped()
        if isinstance(command, StopTask):
            # At once, not when its turn comes: the job notices at its next check.
            with self._tokens_lock:
                if token := self._tokens.get(command.task_id):
                    token.cancel()
            return
        with self._tokens_lock:
            self._tokens[command.task_id] = CancelToken()
        self._inbox.put(command)

    def stop(self, timeout: float = 5.0) -> bool:
        """Cancel everything, end the threads and wait; False when one is still alive after ``timeout`` s."""
        deadline = time.monotonic() + timeout
        self._stopping = True
        with self._tokens_lock:
            for token in self._tokens.values():
                token.cancel()
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout)
        has_ended = self._aside.join(max(0.0, deadline - time.monotonic()))
        return has_ended and not self._thread.is_alive()

    def _run(self) -> None:
        try:
            workspace = self._make_workspace(self._home, self._settings)
        except CodedError as exc:
            self._refuse_everything(exc)
            return
        except Exception as exc:  # a thread that died here would leave every task without an end
            _log.exception("the workspace could not be opened")
            self._refuse_everything(CodedError(detail=type(exc).__name__))
            return
        moving.remove_left_behind(self._home)
        try:
            while self._take_commands():
                self._end_cancelled()
                if self._jobs:
                    self._step(workspace)
            for job in sorted(self._jobs):
                self._end(job, TaskStopped(job.command.task_id))
        finally:
            workspace.close()

    def _take_commands(self) -> bool:
        """Move the inbox into the queue, waiting when there is nothing else to do; False to end."""
        while True:
            try:
                command = self._inbox.get(block=not self._jobs)
            except queue.Empty:
                return True
            if command is None:
                return False
            with self._tokens_lock:
                token = self._tokens[command.task_id]
            if (work := model_files.work_of(command, self._home)) is not None:
                self._aside.start(command.task_id, work, token, partial(self._forget, command.task_id))
                continue
            heapq.heappush(self._jobs, _Job(jobs.priority(command), next(self._arrivals), command, token))

    def _end_cancelled(self) -> None:
        """A stopped task ends now, also one that waits behind another."""
        for job in [job for job in self._jobs if job.token.is_cancelled]:
            self._wind_up(job)
            self._end(job, TaskStopped(job.command.task_id))

    def _wind_up(self, job: _Job) -> None:
        """Let a job that is stopped between two steps tell what it has kept."""
        if not isinstance(job.steps, Generator):
            return
        try:
            event = job.steps.throw(Cancelled())
            for _ in range(_LAST_STEPS):
                if event is not None:
                    self._on_event(event)
                event = next(job.steps)
        except (Cancelled, StopIteration):
            pass
        except Exception:  # the task has ended all the same
            _log.exception("a job did not stop in order")

    def _step(self, workspace: Workspace) -> None:
        job = self._jobs[0]
        try:
            if job.steps is None:
                self._on_event(TaskStarted(job.command.task_id))
                job.steps = jobs.start(job.command, workspace, job.token)
            event = next(job.steps)
        except StopIteration:
            self._end(job, TaskDone(job.command.task_id))
        except Cancelled:
            self._end(job, TaskStopped(job.command.task_id))
        except CodedError as exc:
            _log.warning("task failed: %s", exc.code)
            self._end(job, TaskFailed(job.command.task_id, exc.code, exc.params, exc.retryable))
        except jobs.STORAGE_ERRORS as exc:
            _log.exception("storage failed")
            failure = jobs.failure(exc, workspace)
            self._end(job, TaskFailed(job.command.task_id, failure.code, failure.params, failure.retryable))
        except Exception as exc:  # the job border: one broken job must not end the engine
            _log.exception("job failed")
            self._end(job, TaskFailed(job.command.task_id, "internal", {"detail": type(exc).__name__}))
        else:
            if event is not None:
                self._on_event(event)

    def _end(self, job: _Job, event: Event) -> None:
        if isinstance(job.steps, Generator):
            try:
                job.steps.close()  # lets the job give back its lock and its child process
            except Exception:  # the task has ended all the same
                _log.exception("a job did not clean up")
        if job in self._jobs:
            self._jobs.remove(job)
            heapq.heapify(self._jobs)
        self._forget(job.command.task_id)
        self._on_event(event)

    def _forget(self, task_id: int) -> None:
        with self._tokens_lock:
            self._tokens.pop(task_id, None)

    def _refuse_everything(self, exc: CodedError) -> None:
        """The home cannot be used: every command fails with the reason until the thread is stopped."""
        while (command := self._inbox.get()) is not None:
            self._on_event(TaskFailed(command.task_id, exc.code, exc.params, exc.retryable))
