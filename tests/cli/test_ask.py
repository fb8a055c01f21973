"""``zhiye search`` and ``zhiye ask``: shapes, scopes, refusals, batches and models that are not there."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.answer.generation import Generator
from engine.errors import GenerationFailed, ProcessorUnsupported
from engine.workspace import Workspace
from models.errors import ModelDamaged
from tests.cli import shapes
from tests.cli.conftest import FILES, QUESTION, REPLY, Run
from tests.fakes import FakeGenerator


def test_search_prints_hits_and_gate(zhiye: Run, indexed: Path) -> None:
    result = zhiye("search", QUESTION, "--json")
    assert result.code == 0
    record = result.record
    shapes.has(record, shapes.SEARCH)
    shapes.has(record["gate"], shapes.GATE)
    for rank, hit in enumerate(record["hits"], start=1):
        shapes.check_hit(hit)
        assert hit["rank"] == rank
    first = record["hits"][0]
    assert (first["document"], first["title"], first["section"]) == (
        "保密.md",
        "保密制度",
        ["保密制度", "期限"],
    )
    assert first["library"] == "制度"
    assert isinstance(record["seconds"], float)
    assert {hit["document"] for hit in record["hits"]} == set(FILES)


def test_search_names_files_that_might_hold_the_answer_but_could_not_be_read(
    zhiye: Run, folder: Path
) -> None:
    (folder / "坏.pdf").write_bytes(b"%PDF-1.7 torn")
    (folder / "空.txt").write_bytes(b"")
    zhiye("ingest", folder, "--json")
    assert zhiye("search", QUESTION, "--json").record["unreadable"] == [
        {"path": "坏.pdf", "state": "damaged"}
    ]


def test_top_limits_the_hits(zhiye: Run, indexed: Path) -> None:
    assert len(zhiye("search", QUESTION, "--top", 1, "--json").record["hits"]) == 1


@pytest.mark.parametrize("top", ["0", "-1", "viele"])
def test_an_impossible_number_is_wrong_use(zhiye: Run, indexed: Path, top: str) -> None:
    result = zhiye("search", QUESTION, "--top", top, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "wrong_use")


def test_ask_prints_the_whole_answer(zhiye: Run, indexed: Path, generator: FakeGenerator) -> None:
    result = zhiye("ask", QUESTION, "--json")
    assert result.code == 0
    record = result.record
    shapes.check_answer(record)
    assert record["answer"] == REPLY
    assert (record["refused"], record["refused_by"]) == (False, None)
    assert [record[key] for key in ("qid", "rewritten", "table")] == [None] * 3
    assert (record["indexed_share"], record["stopped"]) == (1.0, False)
    (citation,) = record["citations"]
    assert (citation["number"], citation["document"], citation["page"]) == (1, "保密.md", 1)
    ((span),) = citation["spans"]
    page = zhiye("inspect", indexed / "保密.md", "--json").record["pages"][0]
    start, end = span["span"]
    assert page["text"][start:end] == citation["quote"] == "秘密级数据的保密期限为10年。"
    assert record["evidence"][0] == citation["chunk"]
    assert record["model"] == "fake-chat"
    assert record["tokens"]["answer"] == len(REPLY)
    assert record["nearest"] == []


def test_a_refusal_is_a_result_and_exits_with_0(zhiye: Run, indexed: Path, generator: FakeGenerator) -> None:
    result = zhiye("ask", "红烧肉怎么做", "--json")
    assert result.code == 0
    record = result.record
    shapes.check_answer(record)
    assert record["answer"] == "证据不足，无法根据当前知识库回答该问题。"
    assert (record["refused"], record["refused_by"]) == (True, "gate")
    assert (record["citations"], record["sentences"], record["model"]) == ([], [], None)
    assert record["nearest"]
    assert record["seconds"]["first_token"] is None


def test_a_wrong_detail_gives_way_to_the_words_of_the_source(
    zhiye: Run, indexed: Path, generator: FakeGenerator
) -> None:
    generator.replies = ["差旅报销单须在99个工作日内提交财务部。"]
    out = zhiye("ask", "差旅报销单须在几个工作日内提交？").out
    assert out.startswith("资料原文：“") and "10个工作日" in out and "99" not in out


def test_people_read_answer_sources_and_what_is_not_verified(
    zhiye: Run, indexed: Path, generator: FakeGenerator
) -> None:
    generator.replies = [REPLY + "差旅报销单须在99个工作日内提交财务部。"]
    out = zhiye("ask", QUESTION).out
    assert out.startswith(REPLY)
    assert "未核实：差旅报销单须在99个工作日内提交财务部。" in out
    assert "[1] 保密.md｜期限" in out
    refused = zhiye("ask", "红烧肉怎么做").out
    assert "最接近的片段" in refused


@pytest.mark.parametrize(
    "form",
    [
        ["--library", "制度", "合同", QUESTION],
        [QUESTION, "--library", "制度", "合同"],
        ["--library", "制度", "--library", "合同", "--json", QUESTION],
        ["--library", "制度", "合同", "--", QUESTION],
        [QUESTION],
    ],
)
@pytest.mark.parametrize("command", ["ask", "search"])
def test_libraries_are_named_before_or_after_the_question(
    zhiye: Run, indexed: Path, tmp_path: Path, generator: FakeGenerator, form: list[str], command: str
) -> None:
    other = tmp_path / "合同"
    other.mkdir()
    (other / "采购.txt").write_text("秘密级合同的违约金为每日千分之三。", encoding="utf-8")
    zhiye("ingest", other, "--json")
    record = zhiye(command, *(["--json"] if "--json" not in form else []), *form).record
    assert record["question"] == QUESTION
    assert {hit["library"] for hit in record["hits"]} == {"制度", "合同"}
    only = zhiye(command, "--library", "合同", QUESTION, "--json").record
    assert {hit["library"] for hit in only["hits"]} == {"合同"}


def test_an_unknown_library_is_wrong_use(zhiye: Run, indexed: Path, generator: FakeGenerator) -> None:
    result = zhiye("ask", QUESTION, "--library", "没有", "--json")
    assert result.code == 2
    shapes.check_error(result.record, "library_unknown")
    assert "没有" in result.record["error"]["message"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["ask"], "wrong_use"),
        (["ask", "--library", "制度"], "wrong_use"),
        (["ask", " "], "question_empty"),
        (["search"], "question_empty"),
        (["search", "？"], "question_empty"),
        (["ask", "长" * 20_000], "question_too_long"),
        (["ask", "问", "--index", "a", "--library", "b"], "wrong_use"),
        (["ask", "问", "--mode", "wild"], "wrong_use"),
        (["erase"], "wrong_use"),
        ([], "wrong_use"),
        (["ask", "问", "还有"], "wrong_use"),
        (["ask", "问", "--wrong"], "wrong_use"),
    ],
)
def test_wrong_use_is_a_typed_error_with_exit_code_2(
    zhiye: Run, indexed: Path, generator: FakeGenerator, arguments: list[str], code: str
) -> None:
    result = zhiye(*arguments, "--json")
    assert result.code == 2
    shapes.check_error(result.record, code)
    plain = zhiye(*arguments)
    assert (plain.code, plain.out) == (2, "")
    assert plain.err.strip()


def test_an_error_is_said_in_the_language_of_the_locale(
    zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chinese = zhiye("search", "？", "--json").record["error"]
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    english = zhiye("search", "？", "--json").record["error"]
    assert chinese["code"] == english["code"]
    assert english["message"] == "The question holds no words that can be searched for."
    assert english["advice"]
    assert any("\u4e00" <= character <= "\u9fff" for character in chinese["message"])


def test_help_exits_with_0(zhiye: Run) -> None:
    result = zhiye("ask", "--help")
    assert result.code == 0
    assert "--batch" in result.out


# -- batches --------------------------------------------------------------------------------------


def write_lines(path: Path, *items: object) -> Path:
    path.write_text("".join(json.dumps(item, ensure_ascii=False) + "\n" for item in items), encoding="utf-8")
    return path


def test_a_batch_loads_everything_once_and_prints_a_line_a_question(
    zhiye: Run, indexed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loads: list[int] = []

    def load(self: Workspace) -> Generator:
        loads.append(1)
        return FakeGenerator(REPLY)

    monkeypatch.setattr(Workspace, "generator", load)
    batch = write_lines(
        tmp_path / "问题.jsonl",
        {"qid": "q1", "question": QUESTION},
        {"qid": "q2", "question": QUESTION, "documents": ["访客.html"]},
        {"qid": "q3", "question": " "},
        {"question": "红烧肉\u2028怎么做"},
    )
    result = zhiye("ask", "--batch", batch, "--json")
    assert result.code == 0
    first, second, third, fourth = result.records
    for record in (first, second, fourth):
        shapes.check_answer(record)
    assert (first["qid"], first["answer"]) == ("q1", REPLY)
    assert {hit["document"] for hit in second["hits"]} == {"访客.html"}
    assert second["citations"] == []
    assert third["qid"] == "q3"
    shapes.check_error({"error": third["error"]}, "question_empty")
    assert third["error"]["advice"]
    assert (fourth["qid"], fourth["question"], fourth["refused"]) == (None, "红烧肉\u2028怎么做", True)
    assert loads == [1]


def test_a_batch_with_libraries(zhiye: Run, indexed: Path, tmp_path: Path, generator: FakeGenerator) -> None:
    batch = write_lines(tmp_path / "问题.jsonl", {"qid": 1, "question": QUESTION})
    (record,) = zhiye("ask", "--library", "制度", "--batch", batch, "--json").records
    assert (record["qid"], record["answer"]) == (1, REPLY)


@pytest.mark.parametrize("content", ["kein json\n", "[1]\n", '"text"\n'])
def test_a_line_that_is_no_object_is_wrong_use(
    zhiye: Run, indexed: Path, tmp_path: Path, generator: FakeGenerator, content: str
) -> None:
    batch = tmp_path / "问题.jsonl"
    batch.write_text(content, encoding="utf-8")
    result = zhiye("ask", "--batch", batch, "--json")
    assert result.code == 2
    shapes.check_error(result.record, "wrong_use")
    assert "问题.jsonl:1" in result.record["error"]["message"]


def test_a_missing_batch_is_not_readable(zhiye: Run, indexed: Path, generator: FakeGenerator) -> None:
    shapes.check_error(zhiye("ask", "--batch", "没有.jsonl", "--json").record, "not_readable")


# -- models that are not there --------------------------------------------------------------------


def test_without_a_chat_model_the_passages_answer_and_it_is_said(zhiye: Run, indexed: Path) -> None:
    result = zhiye("ask", QUESTION, "--json")
    assert result.code == 0
    shapes.check_answer(result.record)
    assert result.record["model"] is None
    assert result.record["answer"].startswith("秘密级数据的保密期限为10年。[1]")
    assert "对话模型" in result.err


def test_no_model_asks_for_none(zhiye: Run, indexed: Path, generator: FakeGenerator) -> None:
    result = zhiye("ask", QUESTION, "--no-model", "--json")
    assert result.record["model"] is None
    assert generator.prompts == []
    assert "对话模型" not in result.err


def test_a_model_asked_for_by_name_must_be_there(zhiye: Run, indexed: Path) -> None:
    unknown = zhiye("ask", QUESTION, "--model", "没有这个", "--json")
    assert unknown.code == 3
    shapes.check_error(unknown.record, "model_unknown")
    missing = zhiye("ask", QUESTION, "--model", "qwen2.5-coder-0.5b-instruct-q4_k_m", "--json")
    assert missing.code == 3
    shapes.check_error(missing.record, "model_missing")


def failing_with(error: Exception) -> Callable[[Workspace], Generator]:
    def fails(self: Workspace) -> Generator:
        raise error

    return fails


def test_a_damaged_model_exits_with_3(zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workspace, "generator", failing_with(ModelDamaged(path="模型.gguf")))
    result = zhiye("ask", QUESTION, "--json")
    assert result.code == 3
    shapes.check_error(result.record, "model_damaged")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (GenerationFailed(model="模型", detail="died"), "无法运行"),
        (ProcessorUnsupported(model="模型", processor="486"), "486"),
    ],
)
def test_a_machine_that_cannot_run_the_model_still_answers_with_quotes(
    zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    monkeypatch.setattr(Workspace, "generator", failing_with(error))
    result = zhiye("ask", QUESTION, "--json")
    assert result.code == 0
    assert result.record["model"] is None
    assert result.record["citations"]
    assert words in result.err
    assert zhiye("ask", QUESTION, "--model", "模型", "--json").code == 3


def test_without_an_embedder_search_goes_on_with_words(
    zhiye: Run, indexed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Workspace, "embedder", lambda self: None)
    result = zhiye("search", QUESTION, "--json")
    assert result.code == 0
    assert result.record["hits"][0]["document"] == "保密.md"
    assert result.record["hits"][0]["dense"] is None
    assert "关键词" in result.err


def test_a_question_about_all_documents_is_a_table(zhiye: Run, indexed: Path) -> None:
    question = "哪些文件提到了保密期限？"
    record = zhiye("ask", question, "--no-model", "--json").record
    table = record["table"]
    assert (table["columns"], table["read"], table["of"], table["count"]) == (["文件", "内容"], 3, 3, 1)
    (row,) = table["rows"]
    assert (row["cells"][0], row["citations"], row["verdict"]) == ("保密.md", [1], "supported")
    assert record["citations"][0]["document"] == "保密.md"
    out = zhiye("ask", question, "--no-model").out
    assert "| 文件 | 内容 |  |" in out
    assert "| 保密.md | " in out
