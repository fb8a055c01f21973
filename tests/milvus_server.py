"""A Milvus server for tests: milvus-lite in this process, behind the same client as any other."""

from pathlib import Path
from typing import Any

import pytest

from engine import native


class MilvusServer:
    """Started on a free port; can be stopped and started again on the same data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = 0
        self._running: tuple[Any, Any] | None = None
        self.start()

    @property
    def uri(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        native.faiss(1)  # milvus-lite imports it too, and torch must come first
        adapter = pytest.importorskip(
            "milvus_lite.adapter.grpc.server", reason="milvus-lite is not installed (group test)"
        )
        server, database, self._port = adapter.start_server_in_thread(
            data_dir=str(self._folder), host="127.0.0.1", port=self._port
        )
        self._running = server, database

    def stop(self) -> None:
        if self._running is not None:
            server, database = self._running
            server.stop(grace=0).wait()
            database.close()
            self._running = None
