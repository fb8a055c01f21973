import hashlib
import os
import sys
from pathlib import Path

import pytest

from engine.errors import NotReadable
from engine.intake.scanner import content_hash, scan

NAMES = [
    "合同.docx",
    "📊销售数据🚀.md",
    "长" * 60 + ".txt",
    "a" * 196 + ".md",
    " 前后有空格 .txt",
    "b#100%.pdf",
]


def touch(path: Path, data: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def test_every_file_is_found_in_one_order(tmp_path: Path) -> None:
    for name in reversed(NAMES):
        touch(tmp_path / "资料" / name)
    touch(tmp_path / "资料" / "深" / "层" / "文件.unknown")
    found = list(scan(tmp_path / "资料"))
    assert [file.relative for file in found] == sorted([*NAMES, "深/层/文件.unknown"])
    assert all(file.path == tmp_path / "资料" / file.relative and file.size == 1 for file in found)
    assert all(file.excluded is None and file.unreadable is None for file in found)


def test_lock_hidden_and_ignored_files_are_excluded_with_a_reason(tmp_path: Path) -> None:
    for name in ["~$合同.docx", ".隐藏.md", "Thumbs.db", ".git/config", "node_modules/a/README.md", "好.md"]:
        touch(tmp_path / name)
    reasons = {file.relative: file.excluded.code if file.excluded else None for file in scan(tmp_path)}
    assert reasons == {
        "~$合同.docx": "lock_file",
        ".隐藏.md": "hidden",
        "Thumbs.db": "ignored",
        ".git": "hidden",
        "node_modules": "ignored",
        "好.md": None,
    }


def test_a_single_file_is_named_by_its_name(tmp_path: Path) -> None:
    path = touch(tmp_path / "报告.txt", "报告".encode())
    (file,) = scan(path)
    assert (file.relative, file.folder, file.size) == ("报告.txt", tmp_path, 6)


def test_a_missing_folder_is_an_error_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(NotReadable) as caught:
        list(scan(tmp_path / "没有"))
    assert caught.value.params["path"].endswith("没有")


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links and pipes")
def test_link_loops_end_and_pipes_are_not_opened(tmp_path: Path) -> None:
    touch(tmp_path / "z" / "文.md")
    (tmp_path / "a_link").symlink_to(tmp_path / "z")
    (tmp_path / "z" / "loop").symlink_to(tmp_path)
    (tmp_path / "z" / "dead").symlink_to(tmp_path / "nothing")
    os.mkfifo(tmp_path / "管道.txt")
    found = {file.relative: file.unreadable.code if file.unreadable else None for file in scan(tmp_path)}
    assert found == {"z/文.md": None, "z/dead": "vanished", "管道.txt": "not_a_file"}


@pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")
def test_a_link_to_a_folder_outside_is_followed_once(tmp_path: Path) -> None:
    touch(tmp_path / "outside" / "文.md")
    (tmp_path / "inside").mkdir()
    for name in ("one", "two"):
        (tmp_path / "inside" / name).symlink_to(tmp_path / "outside")
    assert [file.relative for file in scan(tmp_path / "inside")] == ["one/文.md"]


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_named(tmp_path: Path) -> None:
    touch(tmp_path / "secret.md").chmod(0)
    (tmp_path / "closed").mkdir(mode=0)
    found = {file.relative: file.unreadable.code if file.unreadable else None for file in scan(tmp_path)}
    (tmp_path / "closed").chmod(0o700)
    assert found == {"closed": "no_permission", "secret.md": "no_permission"}


def test_a_long_chain_of_folders_is_followed(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 300)
    deep.mkdir(parents=True)
    touch(deep / "底.md")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(250)
    try:
        (file,) = scan(tmp_path)
    finally:
        sys.setrecursionlimit(limit)
    assert file.relative.endswith("d/d/底.md")


def test_content_hash_is_sha256(tmp_path: Path) -> None:
    data = b"\0" * (1 << 20) + b"end"
    assert content_hash(touch(tmp_path / "f", data)) == hashlib.sha256(data).hexdigest()
