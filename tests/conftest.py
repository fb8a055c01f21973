"""What every test stands on: no network, a home of its own, no hub look-ups, fixed languages."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from engine import paths, seal  # noqa: E402
from models import store  # noqa: E402
from models.errors import ModelMissing  # noqa: E402
from models.store import ModelStore  # noqa: E402
from tests import tiny_bert  # noqa: E402
from tests.desk import Desk  # noqa: E402

seal.install()

# The models folder of this machine, asked before the tests get homes of their own.
_MODELS = paths.home().models


@pytest.fixture(autouse=True)
def private_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test has a data folder of its own, with a Chinese name and a blank in it."""
    home = tmp_path_factory.mktemp("home") / "知页 数据"
    monkeypatch.setenv("ZHIYE_HOME", str(home))
    monkeypatch.setenv("ZHIYE_MODELS", str(home / "models"))
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    return home


@pytest.fixture
def installed_models(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The models that this machine has; for tests that load a real one."""
    monkeypatch.setenv("ZHIYE_MODELS", str(_MODELS))
    return _MODELS


SMALL_CHAT_MODEL = "qwen2.5-coder-0.5b-instruct-q4_k_m"


@pytest.fixture
def small_chat_model(installed_models: Path) -> str:
    """The id of the small chat model; for tests marked ``chat_model``."""
    try:
        ModelStore(installed_models).locate(SMALL_CHAT_MODEL)
    except ModelMissing:
        pytest.skip(f"the chat model is not on this machine (zhiye models get {SMALL_CHAT_MODEL})")
    return SMALL_CHAT_MODEL


@pytest.fixture(scope="session")
def tiny_berts(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Folders of the larger embedders' stand-ins, by id; not to be changed."""
    folder = tmp_path_factory.mktemp("U盘") / "模型 一"
    return {name: tiny_bert.make(folder / name, name) for name in (tiny_bert.BASE, tiny_bert.LARGE)}


@pytest.fixture
def tiny_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Model stores take the stand-ins for the larger embedders."""
    monkeypatch.setattr(store, "catalogue", tiny_bert.known)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A folder and its library, empty."""
    made = Desk(tmp_path)
    yield made
    made.library.close()


@pytest.fixture(scope="session")
def shared_material() -> Path:
    """The measuring material beside the checkout; tests that use it are marked ``shared``."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip("no measuring material beside this checkout")
    return folder


@pytest.fixture(scope="session", autouse=True)
def nothing_leaves() -> Iterator[None]:
    """The whole suite fails when anything tried to leave the machine, even if the attempt was swallowed."""
    yield
    escaped = [attempt for attempt in seal.attempts() if not attempt.target.startswith(EXPECTED_TARGET)]
    assert not escaped, f"tried to leave: {escaped}"


EXPECTED_TARGET = ("('192.0.2.", "192.0.2.", "seal-test.invalid")
"""Targets that the seal's own tests aim at (RFC 5737 and RFC 2606: they lead nowhere)."""


def pytest_unconfigure() -> None:
    """llama-cpp-python keeps two files open for good; closed here they do not complain after the summary."""
    if utils := sys.modules.get("llama_cpp._utils"):
        utils.outnull_file.close()
        utils.errnull_file.close()
