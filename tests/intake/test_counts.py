"""Whatever a folder holds, every entry of it has exactly one report, and a second round costs nothing."""

import io
import os
import time
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.desk import Desk

LONG = "".join(f"第{n}条规定了第{n}件事情应当如何办理。" for n in range(40))
LEFT_OUT = frozenset({"thumbs.db", "desktop.ini", "node_modules", "__pycache__", "$recycle.bin"})


def _zip(*names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, "<a>年假可以顺延。</a>")
    return buffer.getvalue()


KINDS = (
    b"",
    b" \n\xe3\x80\x80\n",
    "年假可以顺延。".encode(),
    "年假可以顺延。".encode("gb18030"),
    "\ufeff年假可以顺延。".encode("utf-16"),
    "# 标题\n\n正文一句。".encode(),
    "<p>网页</p>".encode(),
    "名称,数量\n甲,1\n".encode(),
    b"Subject: a\nContent-Type: text/plain\n\nbody\n",
    rb"{\rtf1\ansi text\par}",
    LONG.encode(),
    b"\0\1\2" * 40,
    b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504),
    _zip("word/document.xml", "[Content_Types].xml"),
    _zip("ppt/presentation.xml"),
    _zip("xl/workbook.xml"),
    _zip("META-INF/container.xml"),
    _zip("a.txt")[:60],
)

PLAIN_NAMES = st.text(st.sampled_from("ab制度.😀 -_#%~$'\u0301"), min_size=1, max_size=8).filter(
    lambda name: name.strip(". ") != "" and name == name.strip()
)
NAMES = PLAIN_NAMES | st.sampled_from(["Thumbs.db", "~$合同", ".~lock.a#", "README", "长" * 70])
SUFFIXES = st.sampled_from([
    ".txt", ".md", ".html", ".csv", ".pdf", ".docx", ".pptx", ".xlsx", ".epub", ".odt", ".eml", ".rtf",
    ".msg", ".zip", ".xyz", ".doc", ".TXT", "",
])  # fmt: skip
FOLDERS = st.lists(st.sampled_from(["子", "孙 二", ".git", "node_modules", "😀", "~$x"]), max_size=4)
PATHS = st.builds(lambda folders, name, suffix: "/".join([*folders, name + suffix]), FOLDERS, NAMES, SUFFIXES)
CONTENTS = st.sampled_from(KINDS) | st.binary(max_size=60)
LINKS = st.sampled_from(["断", "自己", "文件", "上层"]) if os.name == "posix" else st.nothing()
TREES = st.dictionaries(PATHS, CONTENTS | LINKS, max_size=10)


def make(folder: Path, tree: dict[str, bytes | str]) -> None:
    for name, content in tree.items():
        path = folder / name
        if any(parent.is_file() or parent.is_symlink() for parent in path.parents) or path.is_dir():
            continue  # a file of this tree has the name of a folder that another one needs
        path.parent.mkdir(parents=True, exist_ok=True)
        up = "./" + "../" * name.count("/")  # relative: the folder is moved at the end
        match content:
            case bytes():
                path.write_bytes(content)
            case "断":
                path.symlink_to("没有")
            case "自己":
                path.symlink_to(path.name)
            case "文件":
                (folder / "目标.txt").write_text("被链接的文件。", encoding="utf-8")
                path.symlink_to(up + "目标.txt")
            case "上层":
                path.symlink_to(up)


def clear(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


def entries(folder: Path) -> list[str]:
    """What os.walk finds: every entry that is no folder, and a folder left out by its name once.

    A link to a folder above shows nothing new and counts for nothing.
    """
    found = []
    for root, folders, files in os.walk(folder):
        left_out = [name for name in folders if is_left_out(name)]
        folders[:] = [name for name in folders if name not in left_out]
        found += [Path(root, name).relative_to(folder).as_posix() for name in files + left_out]
    return sorted(found)


def is_left_out(name: str) -> bool:
    return name.startswith((".", "~$")) or name.lower() in LEFT_OUT


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TREES, TREES)
def test_counts_add_up_to_the_folder_whatever_it_holds(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, bytes | str], after: dict[str, bytes | str]
) -> None:
    place = tmp_path_factory.mktemp("any")
    desk = Desk(place)
    for tree in (before, after):
        clear(desk.folder)
        make(desk.folder, tree)
        result = desk.ingest()
        assert sorted(report.path for report in result.files) == entries(desk.folder)
        assert sum(result.counts.values()) == len(result.files)
        assert result.counts == Counter(report.state.value for report in result.files)
        assert result.counts == desk.library.counts()
        assert [file.report for file in desk.library.files()] == sorted(result.files, key=lambda r: r.path)
        assert result.chunks == sum(report.chunks for report in result.files) == desk.library.chunk_count()
        assert len(desk.library.store) == result.chunks
        assert all(report.reason or report.state.value == "indexed" for report in result.files)
        again = desk.ingest()
        assert (again.files, again.embedded, again.removed) == (result.files, 0, 0)
        assert desk.read == []
    fresh = Desk(place / "frisch")
    fresh.folder.rmdir()
    desk.folder.rename(fresh.folder)
    fresh.ingest()
    # The embedder has read a passage under the name that its file had then, so the keys may differ.
    once, over_time = ([(*c[:4], *c[5:]) for c in each.contents()] for each in (fresh, desk))
    assert once == over_time, "a history leaves no trace"
    desk.library.close()
    fresh.library.close()


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_ten_thousand_files_that_have_not_changed_take_seconds(desk: Desk) -> None:
    for number in range(10_000):
        (desk.folder / f"{number:05}.txt").write_text(f"第{number}号文件。", encoding="utf-8")
    assert desk.ingest().counts == {"indexed": 10_000}
    begun = time.monotonic()
    again = desk.ingest()
    seconds = time.monotonic() - begun
    print(f"10,000 files again: {seconds:.1f} s")
    assert (again.counts, again.embedded, desk.read) == ({"indexed": 10_000}, 0, [])
    assert seconds < 10
