"""Stopping work that is under way. Being stopped is an outcome, not an error."""

import threading


class Cancelled(Exception):
    """Raised by :meth:`CancelToken.check` where the work noticed that it was stopped."""


class CancelToken:
    """Set by one thread, looked at by another before each page, batch or token."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()

    def check(self) -> None:
        """Raise :class:`Cancelled` once the token has been cancelled."""
        if self._event.is_set():
            raise Cancelled
