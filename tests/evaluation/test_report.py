import json
from datetime import date
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from engine.errors import StorageFailed
from engine.evaluation import report

DAY = date(2026, 3, 1)
HOSTILE = "<script>alert(1)</script> | `x` [a](http://example.invalid) 年假\n第二行"


def record(**changed: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "questions": 3,
        "retrieval": {"hit@1": 0.5, "hit@5": 1.0, "mrr@10": None},
        "gate": {
            "auc": 0.75, "refused_unanswerable": 0.9, "refused_answerable": 0.02,
            "curve": [{"threshold": 0.3, "refused_unanswerable": 0.8, "refused_answerable": 0.1}],
            "distribution": {"answerable": [0, 2], "unanswerable": [1, 0]},
        },
        "answers": None,
        "seconds": 1.5,
        "misses": [
            {"qid": "甲", "stage": "gate", "question": HOSTILE, "expected": "三月", "got": "别的"},
            {"qid": "乙", "stage": "retrieval", "question": "？", "expected": "", "got": ""},
        ],
        "failed": [{"qid": "丙", "code": "question_empty"}],
        "setup": {"set": "题目.jsonl", "settings": {"top_k": 5}},
    }  # fmt: skip
    return made | changed


def written(folder: Path, **changed: Any) -> tuple[str, str]:
    """Markdown and HTML of a record written into ``folder``."""
    report.write(record(**changed), folder, DAY)
    return tuple((folder / name).read_text(encoding="utf-8") for name in (report.MARKDOWN, report.HTML))  # type: ignore[return-value]


class Tags(HTMLParser):
    """All tags and attributes of a page; checks that they close in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.values: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [value or "" for _, value in attrs]
        if tag != "meta":
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.values += [value or "" for _, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def test_a_report_is_figures_misses_by_stage_and_what_failed(tmp_path: Path) -> None:
    markdown, page = written(tmp_path / "报告")
    assert json.loads((tmp_path / "报告" / "eval.json").read_text(encoding="utf-8")) == record()
    assert "| retrieval hit@1 | 0.5000 |" in markdown
    assert "| retrieval mrr@10 | – |" in markdown
    assert markdown.index("Lost at retrieval: 1") < markdown.index("Lost at gate: 1")
    assert "* 丙: question\\_empty" in markdown
    assert "last report" not in markdown
    for words in ("Lost at gate: 1", "丙: question_empty", "0.5000", "三月"):
        assert words in page


def test_nothing_in_a_page_is_loaded_or_run(tmp_path: Path) -> None:
    _, page = written(tmp_path)
    tags = Tags(page)
    assert not {"script", "img", "link", "iframe", "a", "object"} & set(tags.tags)
    assert not [value for value in tags.values if "://" in value]
    assert tags.tags.count("svg") == 3
    assert "prefers-color-scheme:dark" in page
    assert "default-src 'none'" in page


def test_texts_of_documents_stay_text(tmp_path: Path) -> None:
    markdown, page = written(tmp_path)
    assert "&lt;script&gt;" in page
    assert "<script" not in page + markdown
    (row,) = [line for line in markdown.splitlines() if line.startswith("| 甲")]
    assert row.replace("\\|", "").count("|") == 5
    assert "\\[a\\]" in row


def test_the_next_report_says_what_changed_and_whether_for_the_better(tmp_path: Path) -> None:
    written(tmp_path)
    better = {"hit@1": 0.75, "hit@5": 1.0, "mrr@10": 0.5}
    gate = record()["gate"] | {"refused_unanswerable": 0.8, "refused_answerable": 0.01}
    markdown, page = written(tmp_path, retrieval=better, gate=gate)
    assert "| retrieval hit@1 | 0.7500 | ↑ +0.2500 |" in markdown
    assert "| retrieval hit@5 | 1.0000 | → +0.0000 |" in markdown
    assert "| retrieval mrr@10 | 0.5000 |  |" in markdown
    assert '<td class="number good">↑ +0.2500</td>' in page
    assert '<td class="number bad">↓ -0.1000</td>' in page
    assert '<td class="number good">↓ -0.0100</td>' in page  # fewer false refusals
    assert "other sets or settings" not in markdown + page


def test_a_comparison_of_other_sets_or_settings_says_so(tmp_path: Path) -> None:
    written(tmp_path)
    markdown, page = written(tmp_path, setup={"set": "题目.jsonl", "settings": {"top_k": 8}})
    for text in (markdown, page):
        assert "other sets or settings (settings)" in text


@pytest.mark.parametrize("content", [b"", b"[1]", b"{", b'{"retrieval": 3}', b"\xff"])
def test_a_last_report_that_is_none_is_passed_over(tmp_path: Path, content: bytes) -> None:
    (tmp_path / report.RECORD).write_bytes(content)
    markdown, _ = written(tmp_path)
    assert "last report" not in markdown


def test_all_but_the_date_is_the_same_for_the_same_record(tmp_path: Path) -> None:
    first, again = written(tmp_path / "一"), written(tmp_path / "二")
    assert first == again
    report.write(record(), tmp_path / "三", date(2027, 1, 2))
    later = (tmp_path / "三" / report.HTML).read_text(encoding="utf-8")
    assert later.replace("2027-01-02", "2026-03-01") == first[1]
    assert later.count("2027-01-02") == 2  # title and head


def test_a_record_without_gate_or_misses_has_a_report(tmp_path: Path) -> None:
    empty = {"retrieval": {"hit@1": None}, "gate": {"auc": None, "curve": []}, "misses": [], "failed": []}
    _, page = written(tmp_path, **empty)
    assert Tags(page).tags.count("svg") == 1


def test_a_folder_that_cannot_be_written_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(StorageFailed):
        report.write(record(), tmp_path / "file")
