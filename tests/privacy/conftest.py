from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import paths, shelf
from engine.config import Settings
from engine.workspace import Workspace
from tests.fakes import FakeEmbedder
from tests.indexed import put

SENTINEL = "绝密哨兵甲乙丙XQ7731"


@pytest.fixture
def settled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder at its usual place, which nothing names: a person may move it."""
    for name in ("ZHIYE_HOME", "ZHIYE_MODELS"):
        monkeypatch.delenv(name)
    monkeypatch.setattr(
        paths.platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "平常" / "zhiye")
    )
    monkeypatch.setattr(paths.platformdirs, "user_config_dir", lambda *_, **__: str(tmp_path / "config"))
    return tmp_path / "平常" / "zhiye"


@pytest.fixture
def workspace(settled: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """Two libraries, a conversation and a setting that hold the sentinel, and a model file."""
    monkeypatch.setattr(Workspace, "dimension", 64)
    made = Workspace(paths.home(), Settings())
    for name in ("制度", SENTINEL):
        put(
            made.libraries.for_writing(name),
            f"{SENTINEL}.txt",
            [f"第一条{SENTINEL}", "第二条"],
            FakeEmbedder(),
        )
        library = made.libraries.open(name)
        library.checkpoint()
    made.runs.save(SENTINEL, False, "m", {"question": SENTINEL}, [shelf.library_id("制度")])
    made.settings_file.change({"model_path": Path(f"/{SENTINEL}.gguf")})
    made.take_settings()
    (settled / "logs").mkdir(exist_ok=True)
    (settled / "logs" / "zhiye.log.1").write_text(SENTINEL, encoding="utf-8")
    (settled / "crash").mkdir(exist_ok=True)
    (settled / "crash" / "a.txt").write_text(SENTINEL, encoding="utf-16")
    (settled / "models").mkdir()
    (settled / "models" / "eigenes.gguf").write_bytes(bytes(range(256)) * 40_000)
    yield made
    made.close()
