"""``zhiye check``: drafts against a library, and against evidence without one."""

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.workspace import Workspace
from tests.cli import shapes
from tests.cli.conftest import Run
from tests.conftest import ROOT

EVIDENCE = [
    {"document": "保密.pdf", "page": 3, "text": "秘密级数据的保密期限为10年，自2024年3月1日起计算。"},
    {"document": "差旅.pdf", "page": 1, "text": "差旅报销单须在返回后10个工作日内提交给财务部。"},
]


def lines_of(file: Path, *items: object) -> Path:
    file.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
    return file


def check_shape(record: dict[str, Any]) -> None:
    shapes.has(record, {"sentences", "citations", "counts"})
    for sentence in record["sentences"]:
        shapes.has(sentence, shapes.SENTENCE)
    for citation in record["citations"]:
        shapes.has(citation, shapes.CITATION | {"content_hash"})
    assert sum(record["counts"].values()) == len(record["sentences"])


def test_a_draft_is_checked_against_the_library(zhiye: Run, indexed: Path, tmp_path: Path) -> None:
    draft = tmp_path / "稿.txt"
    draft.write_text("秘密级数据的保密期限为六十年。\n红烧肉要小火慢炖。", encoding="gb18030")
    result = zhiye("check", draft, "--json")
    assert result.code == 0
    check_shape(result.record)
    assert [s["verdict"] for s in result.record["sentences"]] == ["unsupported", "unsupported"]
    assert result.record["sentences"][0]["flags"]
    shown = zhiye("check", draft)
    assert shown.code == 0
    assert "六十" in shown.out


def test_what_limits_the_search_is_said_once(
    zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Workspace, "embedder", lambda self: None)
    draft = tmp_path / "稿.txt"
    draft.write_text("秘密级数据的保密期限为十年。", encoding="utf-8")
    assert zhiye("check", draft).err.count("只按关键词检索") == 1


def test_the_filter_restricts_what_a_draft_is_checked_against(
    zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (indexed / "访客.html").read_text(encoding="utf-8")
    assert text
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO("访客须在前台登记。".encode()), encoding="utf-8")
    )
    record = zhiye("check", "-", "--name", "差旅*", "--json").record
    assert {citation["document"] for citation in record["citations"]} <= {"部门/差旅.txt"}


def test_each_line_of_evidence_is_checked_by_itself(zhiye: Run, tmp_path: Path) -> None:
    file = lines_of(
        tmp_path / "证据.jsonl",
        {"qid": "a", "text": "保密期限为二十年[1]。差旅报销须在10个工作日内提交。", "evidence": EVIDENCE},
        {"text": "保密期限为十年。", "evidence": []},
    )
    first, second = zhiye("check", "--evidence", file, "--json").records
    check_shape(first)
    assert first["qid"] == "a"
    assert [s["verdict"] for s in first["sentences"]] == ["unsupported", "supported"]
    (flag,) = first["sentences"][0]["flags"]
    assert flag == {"kind": "number", "text": "二十", "start": 5, "end": 7, "why": "absent"}
    assert first["sentences"][1]["span"] == [12, 28]
    assert (first["citations"][0]["document"], first["citations"][0]["page"]) == ("保密.pdf", 3)
    assert second["sentences"][0]["verdict"] == "unsupported"
    assert second["citations"] == []


@pytest.mark.parametrize(
    "line",
    [
        "[]", "{", '{"text": 3, "evidence": []}', '{"text": "甲", "evidence": "乙"}', '{"text": "甲"}',
        '{"text": "甲", "evidence": [3]}', '{"text": "甲", "evidence": [{"page": 1}]}',
        '{"text": "甲", "evidence": [{"text": "乙", "page": "x"}]}', "\\xff",
    ],
)  # fmt: skip
def test_a_line_that_is_no_evidence_is_named(zhiye: Run, tmp_path: Path, line: str) -> None:
    file = tmp_path / "证据.jsonl"
    file.write_bytes(line.encode().replace(b"\\xff", b"\xff"))
    result = zhiye("check", "--evidence", file, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "wrong_use")
    assert ":1" in result.record["error"]["message"]


def test_without_a_draft_or_with_one_that_is_not_there_it_is_wrong(zhiye: Run, tmp_path: Path) -> None:
    assert zhiye("check", "--json").code == 2
    missing = zhiye("check", tmp_path / "没有.txt", "--json")
    shapes.check_error(missing.record, "not_readable")
    assert zhiye("check", tmp_path, "--json").code == missing.code


def test_a_check_against_evidence_loads_no_model_and_opens_no_library(tmp_path: Path) -> None:
    file = lines_of(tmp_path / "e.jsonl", {"text": "保密期限为十年。", "evidence": EVIDENCE})
    script = (
        "import sys; from engine.cli.run import run;"
        f"code = run(['check', '--evidence', {str(file)!r}, '--home', {str(tmp_path / 'home')!r}, '--json']);"
        "heavy = {'torch', 'faiss', 'llama_cpp', 'transformers'} & set(sys.modules);"
        "sys.exit(code or len(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["counts"]["supported"] == 1
    assert not (tmp_path / "home" / "libraries").exists() or not any(
        (tmp_path / "home" / "libraries").iterdir()
    )
