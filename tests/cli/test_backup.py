from pathlib import Path

import pytest

from engine import shelf
from engine.backup.making import PREFIX
from tests.cli.conftest import QUESTION, Run
from tests.cli.shapes import check_error, has

BACKUP = {"backup", "libraries", "bytes"}
RESTORED = {"restored", "runs"}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "备份"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    return tmp_path / "别人"


def test_a_home_comes_back_as_it_was(zhiye: Run, indexed: Path, place: Path, elsewhere: Path) -> None:
    answer = zhiye("ask", QUESTION, "--no-model", "--json").record
    made = zhiye("backup", place, "--json").record
    has(made, BACKUP)
    assert made["libraries"] == ["制度"] and made["left_out"] == []
    assert Path(made["backup"]).parent == place and Path(made["backup"]).name.startswith(PREFIX)
    record = zhiye("restore", place, "--home", elsewhere, "--json").record
    has(record, RESTORED)
    assert (record["restored"], record["runs"], record["kept_aside"]) == (["制度"], 1, [])
    again = zhiye("ask", QUESTION, "--no-model", "--home", elsewhere, "--json").record
    for name in ("answer", "sentences", "citations", "evidence"):
        assert again[name] == answer[name]
    synced = zhiye("sync", "制度", "--home", elsewhere, "--json").record
    assert (synced["embedded"], synced["removed"]) == (0, 0)
    assert len(zhiye("runs", "list", "--home", elsewhere, "--json").record["runs"]) == 2


def test_people_are_told_what_is_not_in_a_backup(zhiye: Run, indexed: Path, place: Path) -> None:
    result = zhiye("backup", place)
    assert result.code == 0 and "模型" in result.out and str(place) in result.out


def test_what_is_here_stays(zhiye: Run, indexed: Path, place: Path) -> None:
    zhiye("backup", place, "--json")
    result = zhiye("restore", place, "--json")
    assert result.code == 2
    check_error(result.record, "library_name_taken")
    assert zhiye("search", QUESTION, "--json").record["hits"]


def test_a_damaged_library_is_left_out_and_comes_back(
    zhiye: Run, indexed: Path, place: Path, private_home: Path
) -> None:
    zhiye("backup", place, "--json")
    (private_home / "libraries" / shelf.library_id("制度") / "library.sqlite").write_bytes(b"broken" * 999)
    later = zhiye("backup", place / "später", "--json")
    assert later.code == 4
    assert later.record["left_out"] == [shelf.library_id("制度")]
    record = zhiye("restore", place, "--json").record
    assert record["restored"] == ["制度"]
    (kept,) = record["kept_aside"]
    assert (Path(kept) / "library.sqlite").read_bytes() == b"broken" * 999
    assert zhiye("search", QUESTION, "--json").record["hits"]


def test_a_folder_without_a_backup(zhiye: Run, tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "无"):
        result = zhiye("restore", folder, "--json")
        assert result.code == 5
        check_error(result.record, "backup_invalid")
