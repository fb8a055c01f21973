import os
from pathlib import Path

import platformdirs
import pytest

from engine import paths
from engine.errors import StorageFailed
from engine.paths import Home


def test_the_place_given_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZHIYE_HOME", str(tmp_path / "env"))
    assert paths.home(tmp_path / "given").root == tmp_path / "given"
    assert paths.home().root == tmp_path / "env"
    monkeypatch.delenv("ZHIYE_HOME")
    assert paths.home().root == Path(platformdirs.user_data_dir("zhiye", appauthor=False))


def test_a_relative_place_and_a_tilde_become_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "张三"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "张三"))
    assert paths.home(Path("数据")).root == tmp_path / "数据"
    assert paths.home(Path("~/数据")).root == tmp_path / "张三" / "数据"
    monkeypatch.setenv("ZHIYE_HOME", "~/别处")
    assert paths.home().root == tmp_path / "张三" / "别处"


def test_everything_lies_in_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZHIYE_MODELS")
    home = Home(tmp_path / "知页 数据")
    places = [home.libraries, home.models, home.history, home.logs]
    assert [place.relative_to(home.root).as_posix() for place in places] == [
        "libraries", "models", "history.sqlite", "logs",
    ]  # fmt: skip
    monkeypatch.setenv("ZHIYE_MODELS", str(tmp_path / "shared"))
    assert home.models == tmp_path / "shared"


def test_a_new_home_is_private(tmp_path: Path) -> None:
    home = Home(tmp_path / "知页 数据 😀" / "内").create()
    assert home.libraries.is_dir()
    assert home.create() is home
    if os.name == "posix":
        assert home.root.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix", reason="permissions are another matter there")
def test_a_folder_that_was_there_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Home(tmp_path).create()
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_home_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for place in (tmp_path / "file", tmp_path / "file" / "inner"):
        with pytest.raises(StorageFailed) as caught:
            Home(place).create()
        assert caught.value.params["path"] == str(place)
