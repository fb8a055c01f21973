import json
import shutil
from pathlib import Path

import pytest

from engine import drafts
from engine.errors import StorageFailed
from engine.index.pack.origin import Origin
from tests.cli.conftest import FILES, QUESTION, Run
from tests.cli.shapes import check_error, has
from tests.fakes import FakeEmbedder
from tests.packs import changed_manifest, rebuilt

EXPORTED = {"exported", "file", "bytes", "documents", "chunks"}
IMPORTED = {"imported", "documents", "chunks", "relinked", "embedded"}


@pytest.fixture(autouse=True)
def known_origin(embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch) -> None:
    """The double stands for the embedder of the catalogue that is in use."""
    monkeypatch.setattr(Origin, "of_catalogue", lambda _: Origin.of_embedder(embedder))


@pytest.fixture
def pack(zhiye: Run, indexed: Path, tmp_path: Path) -> Path:
    """The library 制度 as a pack."""
    file = tmp_path / "出门 一.zhiye"
    assert zhiye("export", "制度", file, "--json").code == 0
    return file


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of another person, from now on."""
    home = tmp_path / "别人"
    monkeypatch.setenv("ZHIYE_HOME", str(home))
    return home


def left(home: Path) -> list[str]:
    """Everything in the libraries' folder of a home."""
    return sorted(path.name for path in (home / "libraries").iterdir())


def test_export_says_what_went_in(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.zhiye"
    record = zhiye("export", "制度", file, "--json").record
    has(record, EXPORTED)
    assert record["exported"] == "制度" and record["file"] == str(file)
    assert (record["documents"], record["bytes"]) == (len(FILES), file.stat().st_size)
    assert record["chunks"] > 0
    assert "制度" in zhiye("export", "制度", file).out


def test_another_home_finds_the_same(
    zhiye: Run, pack: Path, elsewhere: Path, embedder: FakeEmbedder, private_home: Path
) -> None:
    ours = zhiye("search", QUESTION, "--json", "--home", private_home).record
    embedder.embedded.clear()
    record = zhiye("import", pack, "--json").record
    has(record, IMPORTED)
    assert record["imported"] == "制度" and record["documents"] == len(FILES)
    assert (record["relinked"], record["embedded"]) == (None, 0)
    theirs = zhiye("search", QUESTION, "--json").record
    for hits in (ours["hits"], theirs["hits"]):
        for hit in hits:
            hit["score"] = pytest.approx(hit["score"], abs=1e-5)
            hit["dense"] = pytest.approx(hit["dense"], abs=1e-5)
            hit["lexical"] = pytest.approx(hit["lexical"], abs=1e-5)
    assert json.dumps(ours["gate"]) == json.dumps(theirs["gate"])
    assert [hit["chunk"] for hit in theirs["hits"]] == [hit["chunk"] for hit in ours["hits"]]
    assert embedder.embedded == []
    (library,) = zhiye("status", "--json").record["libraries"]
    assert library["name"] == "制度" and library["folders"] == ["制度"]


def test_a_question_is_answered_alike(zhiye: Run, pack: Path, elsewhere: Path, private_home: Path) -> None:
    ours = zhiye("ask", QUESTION, "--no-model", "--json", "--home", private_home).record
    zhiye("import", pack, "--json")
    theirs = zhiye("ask", QUESTION, "--no-model", "--json").record
    for name in ("answer", "refused", "sentences", "citations", "evidence"):
        assert theirs[name] == ours[name]


def test_a_name_that_is_taken_gets_a_number(zhiye: Run, pack: Path) -> None:
    assert zhiye("import", pack, "--json").record["imported"] == "制度 2"
    assert zhiye("import", pack, "--json").record["imported"] == "制度 3"
    assert zhiye("import", pack, "--library", "新的", "--json").record["imported"] == "新的"
    result = zhiye("import", pack, "--library", "制度 2", "--json")
    assert result.code == 2
    check_error(result.record, "library_name_taken")
    names = {item["name"] for item in zhiye("libraries", "--json").record["libraries"]}
    assert names == {"制度", "制度 2", "制度 3", "新的"}


def test_the_folder_wherever_it_lies_gives_the_documents_their_place_again(
    zhiye: Run, pack: Path, indexed: Path, elsewhere: Path, embedder: FakeEmbedder, tmp_path: Path
) -> None:
    moved = tmp_path / "移到这里" / "资料夹"
    shutil.copytree(indexed, moved / "里面")
    (moved / "里面" / "访客.html").unlink()
    (moved / "里面" / "部门" / "差旅.txt").rename(moved / "差旅费.txt")
    embedder.embedded.clear()
    record = zhiye("import", pack, "--relink", moved, "--json").record
    assert (record["relinked"], record["embedded"], embedder.embedded) == (2, 0, [])
    assert record["documents"] == len(FILES)
    (library,) = zhiye("status", "--json").record["libraries"]
    assert set(library["folders"]) == {"制度", str(moved)}
    answer = zhiye("ask", QUESTION, "--no-model", "--json").record
    assert answer["citations"][0]["document"] == "里面/保密.md"
    (first, *_) = zhiye("search", "访客须在前台登记", "--json").record["hits"]
    assert first["document"] == "访客.html"
    embedder.embedded.clear()
    again = zhiye("sync", "制度", "--json").record
    assert (again["embedded"], again["removed"], embedder.embedded) == (0, 0, [])
    assert zhiye("search", "访客须在前台登记", "--json").record["hits"][0]["document"] == "访客.html"


def test_a_folder_or_file_that_is_not_there_is_said_before_anything_is_made(
    zhiye: Run, pack: Path, elsewhere: Path, tmp_path: Path
) -> None:
    for arguments in (
        ("import", pack, "--relink", tmp_path / "无"),
        ("import", tmp_path / "无.zhiye"),
        ("import", tmp_path),
    ):
        result = zhiye(*arguments, "--json")
        assert result.code == 2
        check_error(result.record, "not_readable")
    assert zhiye("libraries", "--json").record["libraries"] == []
    assert left(elsewhere) == []


@pytest.mark.parametrize(
    ("change", "code", "exit_code"),
    [
        ({"format": 9}, "pack_invalid", 5),
        ({"pages": 99}, "pack_invalid", 5),
        ({"model": "另一个"}, "index_mismatch", 4),
    ],
)
def test_of_a_pack_that_is_refused_nothing_is_left(
    zhiye: Run,
    pack: Path,
    elsewhere: Path,
    tmp_path: Path,
    change: dict[str, object],
    code: str,
    exit_code: int,
) -> None:
    bad = rebuilt(pack, tmp_path / "bad.zhiye", changed_manifest(change))
    result = zhiye("import", bad, "--json")
    assert result.code == exit_code
    check_error(result.record, code)
    assert left(elsewhere) == []
    assert str(bad) in zhiye("import", bad).err


def test_what_a_killed_import_left_goes_at_the_next_start(
    zhiye: Run, pack: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as killed:
        killed.setattr(drafts.shutil, "rmtree", lambda *_, **__: None)  # the end never came

        def refuse(*_: object) -> None:
            raise StorageFailed(path="", detail="")

        killed.setattr("engine.jobs.packs.settle", refuse)
        zhiye("import", pack)
    (draft,) = left(elsewhere)
    assert (elsewhere / "libraries" / draft / "library" / "library.sqlite").is_file()
    assert zhiye("libraries", "--json").record["libraries"] == []
    assert left(elsewhere) == []


def test_another_program_does_not_sweep_an_import_away(tmp_path: Path) -> None:
    with drafts.drafting(tmp_path) as draft:
        (draft / "library").mkdir()
        drafts.sweep(tmp_path)
        assert (draft / "library").is_dir()
    assert list(tmp_path.iterdir()) == []


def test_export_of_what_is_not_there_and_over_what_is_no_pack(
    zhiye: Run, indexed: Path, tmp_path: Path
) -> None:
    file = tmp_path / "信.zhiye"
    check_error(zhiye("export", "没有", file, "--json").record, "library_unknown")
    assert not file.exists()
    file.write_text("一封信", encoding="utf-8")
    result = zhiye("export", "制度", file, "--json")
    assert result.code == 2
    check_error(result.record, "target_taken")
    assert file.read_text(encoding="utf-8") == "一封信"
