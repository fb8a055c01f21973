"""The same file reached by two picked folders is in the library once."""

from pathlib import Path

import pytest

from engine.errors import NotReadable
from tests.desk import Desk


@pytest.fixture
def inner(desk: Desk) -> Path:
    """Two files of a folder, which lies in another one that holds a third."""
    desk.write("外.txt", "外面的内容。")
    desk.write("甲/年假.txt", "年假可以顺延至次年三月。")
    desk.write("甲/乙/报销.md", "# 报销\n\n报销须在三十日内提交。")
    return desk.folder / "甲"


ALL = ["外.txt", "甲/乙/报销.md", "甲/年假.txt"]


def folders(desk: Desk) -> list[Path]:
    return list(desk.library.folders().values())


def paths(desk: Desk) -> list[str]:
    return sorted(file.report.path for file in desk.library.files())


def texts(desk: Desk) -> list[str]:
    return sorted(chunk.chunk.text for chunk in desk.library.all_chunks())


def test_the_outer_folder_takes_over_what_the_inner_one_holds(desk: Desk, inner: Path) -> None:
    desk.ingest(inner)
    chunks = {chunk.chunk.id: chunk.row for chunk in desk.library.all_chunks()}
    result = desk.ingest(desk.folder)
    assert (desk.read, result.embedded, result.removed) == (["外.txt"], 1, 0)
    assert (folders(desk), paths(desk), result.chunks) == ([desk.folder], ALL, 3)
    assert chunks.items() <= {chunk.chunk.id: chunk.row for chunk in desk.library.all_chunks()}.items()
    hit = desk.found("年假顺延")[0]
    assert hit.document == "甲/年假.txt"
    assert desk.library.chunks([hit.row])[hit.row].file == inner / "年假.txt"
    assert len(desk.library.store) == 3


def test_it_is_then_as_if_only_the_outer_folder_had_been_picked(
    desk: Desk, inner: Path, tmp_path: Path
) -> None:
    desk.ingest(inner)
    desk.ingest(inner / "乙")
    desk.ingest(desk.folder)
    fresh = Desk(tmp_path / "neu")
    fresh.ingest(desk.folder)
    assert desk.contents() == fresh.contents()
    for question in ("甲", "乙", "报销", "年假"):  # the names are searched too
        assert [hit.document for hit in desk.found(question)] == [
            hit.document for hit in fresh.found(question)
        ]
    fresh.library.close()


def test_a_folder_inside_a_known_one_is_a_part_of_it(desk: Desk, inner: Path) -> None:
    desk.ingest(desk.folder)
    result = desk.ingest(inner)
    assert (folders(desk), paths(desk), result.chunks) == ([desk.folder], ALL, 3)
    assert (desk.read, result.embedded) == ([], 0)
    desk.write("甲/新.txt", "新来的内容。")
    assert desk.ingest(inner).embedded == 1
    assert desk.found("新来")[0].document == "甲/新.txt"


def test_a_single_file_goes_to_the_folder_that_holds_it(desk: Desk, inner: Path) -> None:
    desk.ingest(inner / "年假.txt")
    assert paths(desk) == ["年假.txt"]
    desk.ingest(desk.folder)
    assert (folders(desk), paths(desk)) == ([desk.folder], ALL)
    assert sorted(desk.read) == ["外.txt", "报销.md"]
    desk.ingest(inner / "年假.txt")
    assert (folders(desk), paths(desk), desk.read) == ([desk.folder], ALL, [])


def test_a_hidden_folder_that_was_picked_stands_for_itself(desk: Desk, inner: Path) -> None:
    hidden = desk.write(".藏/密.txt", "藏起来的内容。").parent
    desk.ingest(hidden)
    desk.ingest(desk.folder)
    assert folders(desk) == [hidden, desk.folder]
    assert desk.found("藏起来")[0].document == "密.txt"
    desk.ingest(hidden, desk.folder)
    assert texts(desk).count("藏起来的内容。") == 1


def test_a_neighbour_of_a_similar_name_is_no_part(desk: Desk, inner: Path) -> None:
    other = desk.write("甲方/合同.txt", "合同的内容。").parent
    desk.ingest(inner)
    desk.ingest(other)
    assert folders(desk) == [inner, other]


def test_what_an_earlier_version_took_in_twice_is_there_once(desk: Desk, inner: Path) -> None:
    desk.ingest(inner)
    desk.library.db.execute("UPDATE folders SET path = '/woanders'")
    desk.library.db.execute("UPDATE documents SET content_hash = NULL")  # that version knew no copies
    desk.ingest(desk.folder)
    outer_id = desk.library.folder_id(desk.folder)
    desk.library.db.execute("DELETE FROM documents WHERE folder_id = ? AND path LIKE '%年假%'", (outer_id,))
    desk.library.db.execute(
        "INSERT INTO documents (folder_id, path, size, mtime_ns, state, reason) VALUES (?, ?, 1, 1, ?, ?)",
        (outer_id, "甲/年假.txt", "unreadable", '{"code": "locked", "params": {}}'),
    )
    desk.library.db.execute("UPDATE folders SET path = ? WHERE path = '/woanders'", (str(inner),))
    desk.library.raise_generation()  # behind its back
    assert desk.library.chunk_count() == 4
    result = desk.ingest(*folders(desk))
    assert (folders(desk), paths(desk), desk.embedded) == ([desk.folder], ALL, [])
    assert (result.chunks, len(desk.library.store)) == (3, 3)


def test_nothing_moves_when_the_outer_folder_is_gone(desk: Desk, inner: Path) -> None:
    desk.ingest(inner)
    before = desk.contents()
    with pytest.raises(NotReadable):
        desk.ingest(desk.folder / "没有")
    desk.folder.rename(desk.folder.with_name("weg"))
    with pytest.raises(NotReadable):
        desk.ingest(desk.folder)
    assert desk.contents() == before
