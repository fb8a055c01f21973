"""Which documents of a folder are versions of one, and in what order."""

import os
from pathlib import Path

import numpy as np
import pytest

from engine.index import versions
from engine.index.versions import resemblance, sketch
from tests.desk import Desk

BODY = (
    "请假须提前三天向直属主管申请，经批准后方可离岗。考勤以打卡记录为准，迟到三次记警告一次。"
    "病假须提交医院证明。办公用品由行政部统一采购，各部门按需领用。会议室须提前一天预订。"
)


def families(desk: Desk) -> list[list[str]]:
    """Paths of each family, the newest first."""
    found: dict[int, list[str]] = {}
    rows = desk.library.db.execute(
        "SELECT v.family, d.path FROM versions v JOIN documents d ON d.id = v.document_id ORDER BY v.place"
    )
    for family, path in rows:
        found.setdefault(family, []).append(path)
    return sorted(found.values())


def write(desk: Desk, *names: str, body: str = BODY) -> None:
    for at, name in enumerate(names):
        desk.write(name, f"# 标题\n\n年假为{at + 5}天。{body}\n")


@pytest.mark.parametrize(
    "newest_first",
    [
        ["员工手册v10.md", "员工手册v9.md", "员工手册v2.md"],
        ["员工手册终稿.md", "员工手册修订版.md", "员工手册.md", "员工手册初稿.md"],
        ["员工手册2024.md", "员工手册2023.md"],
        ["2024/员工手册.md", "2023/员工手册.md"],
        ["员工手册.md", "旧版/员工手册.md"],
        ["报告/v2.md", "报告/v1.md"],
    ],
)
def test_versions_are_found_by_name_and_text_and_the_newest_is_first(
    desk: Desk, newest_first: list[str]
) -> None:
    write(desk, *newest_first)  # the files' times say the opposite
    desk.ingest()
    assert families(desk) == [newest_first]


def test_where_names_say_nothing_the_time_of_the_file_decides(desk: Desk) -> None:
    write(desk, "员工手册 (1).md", "员工手册.md")
    desk.ingest()
    assert families(desk) == [["员工手册.md", "员工手册 (1).md"]]


def test_the_documents_own_date_comes_before_the_time_of_the_file(desk: Desk) -> None:
    desk.write("员工手册.md", f"---\ndate: 2024-05-01\n---\n\n年假为5天。{BODY}\n")
    desk.write("员工手册(1).md", f"---\ndate: 2021-05-01\n---\n\n年假为6天。{BODY}\n")
    desk.ingest()
    assert families(desk) == [["员工手册.md", "员工手册(1).md"]]


@pytest.mark.parametrize(
    "names",
    [
        ["采购合同-甲公司.md", "采购合同-乙公司.md"],
        ["项目A/合同.md", "项目B/合同.md"],
        ["月报2024-03.md", "月报2024-04.md"],
        ["会议纪要20240301.md", "会议纪要20240308.md"],
    ],
)
def test_documents_of_one_form_are_no_versions(desk: Desk, names: list[str]) -> None:
    write(desk, *names)
    desk.ingest()
    assert families(desk) == []


def test_one_name_with_another_text_is_another_document(desk: Desk) -> None:
    desk.write("说明v1.md", f"年假为5天。{BODY}\n")
    desk.write(
        "说明v2.md", "数据库每晚备份到异地机房，保留三十天。恢复演练每季度进行一次，由运维部负责。\n" * 2
    )
    desk.ingest()
    assert families(desk) == []


def test_files_with_names_that_say_nothing_are_known_by_their_titles(desk: Desk) -> None:
    desk.write("hr-001.md", f"# 员工休假管理制度（2021年版）\n\n年假为5天。{BODY}\n")
    desk.write("doc (scan).md", f"# 员工休假管理制度（2024年版）\n\n年假为10天。{BODY}\n")
    desk.ingest()
    assert families(desk) == [["doc (scan).md", "hr-001.md"]]


def test_a_family_follows_renames_edits_and_removals(desk: Desk) -> None:
    write(desk, "员工手册v1.md", "员工手册v2.md", "员工手册v3.md")
    desk.ingest()
    (desk.folder / "员工手册v1.md").rename(desk.folder / "员工手册v4.md")
    (desk.folder / "员工手册v2.md").unlink()
    desk.ingest()
    assert families(desk) == [["员工手册v4.md", "员工手册v3.md"]]
    assert desk.embedded == []
    desk.write(
        "员工手册v3.md", "内容全部换成了另外一份文件，与之前没有一句话相同，讲的是服务器机房的巡检。\n" * 3
    )
    desk.ingest()
    assert families(desk) == []


def test_an_unchanged_folder_costs_no_comparison(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    write(desk, "员工手册v1.md", "员工手册v2.md")
    desk.ingest()
    monkeypatch.setattr(versions, "_documents", lambda *_: pytest.fail("compared again"))
    desk.ingest()


def test_only_what_changed_is_sketched_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    write(desk, "员工手册v1.md", "员工手册v2.md")
    desk.ingest()
    made: list[str] = []
    monkeypatch.setattr(versions, "_keep_sketch", lambda _, document: made.append(document.path))
    desk.write("别的.md", "别的内容。\n")
    desk.ingest()
    assert made == []


def test_a_library_that_lost_its_families_finds_them_again(desk: Desk) -> None:
    write(desk, "员工手册v1.md", "员工手册v2.md")
    desk.ingest()
    desk.library.db.execute("DELETE FROM versions")
    desk.ingest()
    assert families(desk) == [["员工手册v2.md", "员工手册v1.md"]]


def test_copies_are_one_document_and_no_version(desk: Desk) -> None:
    write(desk, "员工手册v1.md")
    path = desk.folder / "员工手册v1.md"
    copy = path.with_name("员工手册v1 - 副本.md")
    copy.write_bytes(path.read_bytes())
    os.utime(copy, (path.stat().st_mtime, path.stat().st_mtime))
    desk.ingest()
    assert families(desk) == []


def test_a_series_of_a_hundred_files_is_no_family(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "MOST", 2)
    write(desk, *(f"扫描件 ({n}).md" for n in range(1, 4)))
    desk.ingest()
    assert families(desk) == []


def test_resemblance_is_near_the_true_share_of_shingles() -> None:
    rng = np.random.default_rng(1)
    common, first, second = (
        "".join(map(chr, rng.integers(0x4E00, 0x9FFF, size))) for size in (2000, 1000, 1000)
    )
    estimated = resemblance(sketch([common, first]), sketch([common, second]))
    assert estimated == pytest.approx(0.5, abs=0.15)
    assert resemblance(sketch([common]), sketch([common])) == 1.0
    assert resemblance(sketch([first]), sketch([second])) == 0.0
    assert resemblance(sketch([""]), sketch([common])) == 0.0


def test_the_migration_makes_room_for_versions(tmp_path: Path) -> None:
    made = Desk(tmp_path)
    tables = {
        row[0] for row in made.library.db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    }
    made.library.close()
    assert {"versions", "sketches"} <= tables
