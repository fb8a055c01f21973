"""``zhiye ingest``: libraries, sync, the portable layout and files that cannot be read."""

from pathlib import Path
from typing import Any

import pymupdf
import pytest

from tests.cli import shapes
from tests.cli.conftest import FILES, QUESTION, Run
from tests.fakes import FakeEmbedder, FakeGenerator


def test_the_record_has_every_file_with_its_state(zhiye: Run, folder: Path) -> None:
    (folder / "坏.pdf").write_bytes(b"no pdf at all")
    (folder / "空.txt").write_bytes(b"")
    (folder / "~$锁.docx").write_bytes(b"x")
    result = zhiye("ingest", folder, "--json")
    assert result.code == 0
    record = result.record
    shapes.has(record, shapes.INGEST)
    shapes.has(record["seconds"], shapes.INGEST_SECONDS)
    for file in record["files"]:
        shapes.has(file, shapes.FILE)
    states = {file["path"]: file["state"] for file in record["files"]}
    assert states == dict.fromkeys(FILES, "indexed") | {
        "坏.pdf": "damaged",
        "空.txt": "empty",
        "~$锁.docx": "excluded",
    }
    assert record["counts"] == {"indexed": 3, "damaged": 1, "empty": 1, "excluded": 1}
    assert record["library"] == "制度"
    assert record["chunks"] == record["embedded"] == sum(file["chunks"] for file in record["files"]) >= 3
    by_path: dict[str, Any] = {file["path"]: file for file in record["files"]}
    assert by_path["保密.md"]["reason"] is None
    assert by_path["保密.md"]["encoding"] == "utf-8"
    assert by_path["空.txt"]["reason"].startswith("文件是空的")


def test_run_again_reads_nothing_twice_and_follows_changes(
    zhiye: Run, indexed: Path, embedder: FakeEmbedder
) -> None:
    embedder.embedded.clear()
    again = zhiye("ingest", indexed, "--json").record
    assert (again["embedded"], embedder.embedded) == (0, [])
    (indexed / "访客.html").unlink()
    (indexed / "新.txt").write_text("加急校准加收四成费用。", encoding="utf-8")
    changed = zhiye("ingest", indexed, "--json").record
    assert changed["removed"] == 1
    assert changed["embedded"] == 1
    assert {file["path"] for file in changed["files"]} == {"保密.md", "部门/差旅.txt", "新.txt"}


def test_a_library_can_be_named(zhiye: Run, folder: Path) -> None:
    assert zhiye("ingest", folder, "--library", "人事 😀", "--json").record["library"] == "人事 😀"
    (library,) = zhiye("libraries", "--json").record["libraries"]
    assert library["name"] == "人事 😀"


def test_several_folders_go_into_the_first_ones_library(zhiye: Run, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "合同"
    other.mkdir()
    (other / "采购.txt").write_text("违约金为每日千分之三。", encoding="utf-8")
    record = zhiye("ingest", folder, "--json", other).record
    assert record["library"] == "制度"
    assert "采购.txt" in {file["path"] for file in record["files"]}


def test_a_folder_that_is_not_there_is_wrong_use(zhiye: Run, tmp_path: Path) -> None:
    result = zhiye("ingest", tmp_path / "没有", "--json")
    assert result.code == 2
    shapes.check_error(result.record, "not_readable")
    assert "没有" in result.record["error"]["message"]
    assert zhiye("libraries", "--json").record == {"libraries": []}


def test_an_empty_folder_says_what_to_do(zhiye: Run, tmp_path: Path) -> None:
    (tmp_path / "空").mkdir()
    result = zhiye("ingest", tmp_path / "空", "--json")
    assert (result.code, result.record["files"]) == (0, [])
    assert "没有可以检索的文档" in result.err or "空" in result.err


def test_people_get_lines_instead_of_json(zhiye: Run, folder: Path) -> None:
    result = zhiye("ingest", folder)
    assert "知识库“制度”：3 个文件" in result.out
    assert "已索引: 3" in result.out
    assert "保密.md: 已索引" in result.err
    assert "{" not in result.out


def test_messages_follow_the_locale(zhiye: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    (folder / "空.txt").write_bytes(b"")
    result = zhiye("ingest", folder)
    assert "Knowledge base “制度”: 4 files" in result.out
    assert "The file is empty" in result.err


def test_fail_on_error_exits_with_1_and_names_the_files(zhiye: Run, folder: Path) -> None:
    (folder / "坏.pdf").write_bytes(b"%PDF-1.7 torn")
    result = zhiye("ingest", folder, "--fail-on-error", "--json")
    assert result.code == 1
    shapes.has(result.record, shapes.INGEST)
    assert result.record["counts"]["damaged"] == 1
    assert zhiye("ingest", folder, "--json").code == 0


def test_empty_and_excluded_files_are_no_failure(zhiye: Run, folder: Path) -> None:
    (folder / "空.txt").write_bytes(b"")
    (folder / ".verborgen").write_text("x", encoding="utf-8")
    assert zhiye("ingest", folder, "--fail-on-error", "--json").code == 0


def test_retry_failed_reads_failed_files_again(zhiye: Run, folder: Path) -> None:
    (folder / "坏.pdf").write_bytes(b"%PDF-1.7 torn")
    zhiye("ingest", folder, "--json")
    assert zhiye("ingest", folder, "--retry-failed", "--json").record["counts"]["damaged"] == 1


# -- the portable layout --------------------------------------------------------------------------


def contents(out: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in out.iterdir()}


def test_a_portable_index_is_written_and_asked(
    zhiye: Run, folder: Path, tmp_path: Path, generator: FakeGenerator
) -> None:
    out = tmp_path / "便携 索引"
    record = zhiye("ingest", folder, "--out", out, "--json").record
    shapes.has(record, shapes.INGEST)
    assert set(contents(out)) == {"index.faiss", "chunks.jsonl", "metadata.json"}
    assert zhiye("libraries", "--json").record == {"libraries": []}

    found = zhiye("search", QUESTION, "--index", out, "--json").record
    assert found["hits"][0]["document"] == "保密.md"
    asked = zhiye("ask", "--index", out, QUESTION, "--json").record
    shapes.check_answer(asked)
    (citation,) = asked["citations"]
    assert (citation["document"], citation["quote"]) == ("保密.md", "秘密级数据的保密期限为10年。")

    zhiye("ingest", folder, "--json")
    direct = zhiye("search", QUESTION, "--library", "制度", "--json").record
    assert [(h["chunk"], round(h["score"], 3)) for h in direct["hits"]] == [
        (h["chunk"], round(h["score"], 3)) for h in found["hits"]
    ]


def test_fail_on_error_keeps_the_old_portable_index(zhiye: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "索引"
    zhiye("ingest", folder, "--out", out, "--json")
    before = contents(out)
    (folder / "新.txt").write_text("新的内容。", encoding="utf-8")
    (folder / "坏.pdf").write_bytes(b"%PDF-1.7 torn")
    result = zhiye("ingest", folder, "--out", out, "--fail-on-error", "--json")
    assert result.code == 1
    assert contents(out) == before
    assert str(out) in result.err
    assert zhiye("ingest", folder, "--out", out, "--json").code == 0
    assert contents(out) != before


def test_fail_on_error_may_stand_in_the_settings_file(zhiye: Run, folder: Path, tmp_path: Path) -> None:
    config = tmp_path / "设置.yaml"
    config.write_text("fail_on_error: true\n", encoding="utf-8")
    (folder / "坏.pdf").write_bytes(b"%PDF-1.7 torn")
    assert zhiye("ingest", folder, "--config", config, "--json").code == 1
    assert zhiye("ingest", folder, "--out", tmp_path / "索引", "--config", config, "--json").code == 1
    assert not (tmp_path / "索引").exists()


def test_a_broken_portable_index_is_refused_with_exit_code_4(
    zhiye: Run, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "索引"
    zhiye("ingest", folder, "--out", out, "--json")
    with (out / "chunks.jsonl").open("ab") as file:
        file.write(b"{}\n")
    result = zhiye("search", QUESTION, "--index", out, "--json")
    assert result.code == 4
    shapes.check_error(result.record, "index_damaged")
    missing = zhiye("search", QUESTION, "--index", tmp_path / "没有", "--json")
    assert missing.code == 4


def test_an_index_of_another_model_is_refused_by_name(
    zhiye: Run, folder: Path, tmp_path: Path, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "索引"
    zhiye("ingest", folder, "--out", out, "--json")
    monkeypatch.setattr(embedder, "model_id", "ein-anderes")
    result = zhiye("search", QUESTION, "--index", out, "--json")
    assert result.code == 4
    shapes.check_error(result.record, "index_mismatch")
    assert "ein-anderes" in result.record["error"]["message"]


def test_passwords_come_from_a_file(zhiye: Run, folder: Path, tmp_path: Path) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "The quarterly budget is 4711 yuan.")
    document.save(folder / "密.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw=" 星桥", owner_pw="x")
    document.close()
    passwords = tmp_path / "passwords.txt"
    passwords.write_bytes("\ufefffalsch\r\n 星桥\r\n".encode())
    before = zhiye("ingest", folder, "--json").record
    assert before["counts"] == {"indexed": 3, "needs_password": 1}
    after = zhiye("ingest", folder, "--password-file", passwords, "--json").record
    assert after["counts"] == {"indexed": 4}
    assert zhiye("ingest", folder, "--password-file", tmp_path / "nirgends", "--json").code == 2
    inspected = zhiye("inspect", folder / "密.pdf", "--password", " 星桥", "--json").record
    assert (inspected["state"], "4711" in inspected["pages"][0]["text"]) == ("indexed", True)
    assert zhiye("inspect", folder / "密.pdf", "--json").record["state"] == "needs_password"
