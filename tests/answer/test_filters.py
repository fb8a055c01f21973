"""Which documents a filter leaves, and what is no filter."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest

from engine.answer import filters, retrieval
from engine.config import Settings
from engine.document_filter import DocumentFilter
from engine.errors import FilterInvalid
from engine.index.library import Library
from tests.builders import memory_library
from tests.fakes import FakeEmbedder

TEXTS = {
    "合同/采购合同.pdf": "采购合同的违约金为每日千分之三。",
    "合同/2023/租赁合同.docx": "租赁合同的违约金为每日千分之五。",
    "员工手册.pdf": "员工违约的，按手册处理。",
    "Minutes.EML": "The penalty was discussed.",
}


@pytest.fixture
def library() -> Iterator[Library]:
    made = memory_library(TEXTS)
    dates: dict[str, tuple[dict[str, Any], datetime]] = {
        "合同/采购合同.pdf": ({"creationDate": "D:20220301120000+08'00'"}, datetime(2024, 1, 1, tzinfo=UTC)),
        "合同/2023/租赁合同.docx": ({"modified": "2023-05-31T10:00:00Z"}, datetime(2024, 1, 1, tzinfo=UTC)),
        "员工手册.pdf": ({"modDate": "never"}, datetime(2021, 6, 15, 12, tzinfo=UTC)),
        "Minutes.EML": ({"date": "2023-06-01 09:00 +0800"}, datetime(2024, 1, 1, tzinfo=UTC)),
    }
    for path, (metadata, moment) in dates.items():
        made.db.execute(
            "UPDATE documents SET metadata = ?, mtime_ns = ?, kind = iif(path LIKE '%EML', 'mail', kind)"
            " WHERE path = ?",
            (json.dumps(metadata), int(moment.timestamp() * 1e9), path),
        )
    yield made
    made.close()


def left(library: Library, **given: Any) -> set[str]:
    ids = filters.document_ids(filters.parse(**given), library)
    return {path for row, path in library.db.execute("SELECT id, path FROM documents") if row in ids}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"folders": ["合同"]}, {"合同/采购合同.pdf", "合同/2023/租赁合同.docx"}),
        ({"folders": ["合同/2023/"]}, {"合同/2023/租赁合同.docx"}),
        ({"folders": ["合同\\2023", "没有"]}, {"合同/2023/租赁合同.docx"}),
        ({"folders": ["/资料/合同"]}, {"合同/采购合同.pdf", "合同/2023/租赁合同.docx"}),
        ({"folders": ["合"]}, set()),
        ({"folders": ["."]}, set(TEXTS)),
        ({"types": ["pdf"]}, {"合同/采购合同.pdf", "员工手册.pdf"}),
        ({"types": [".DOCX,eml"]}, {"合同/2023/租赁合同.docx", "Minutes.EML"}),
        ({"types": ["mail", "docx"]}, {"合同/2023/租赁合同.docx", "Minutes.EML"}),
        ({"names": ["合同"]}, {"合同/采购合同.pdf", "合同/2023/租赁合同.docx"}),
        ({"names": ["*合同.pdf"]}, {"合同/采购合同.pdf"}),
        ({"names": ["minutes.*", "員工*"]}, {"Minutes.EML", "员工手册.pdf"}),
        ({"names": ["合同/*.pdf"]}, {"合同/采购合同.pdf"}),
        ({"names": ["[合同"]}, set()),
        ({"since": "2023"}, {"合同/2023/租赁合同.docx", "Minutes.EML"}),
        ({"until": "2023-05"}, {"合同/采购合同.pdf", "合同/2023/租赁合同.docx", "员工手册.pdf"}),
        ({"since": "2023-06-01", "until": "2023-06-01"}, {"Minutes.EML"}),
        ({"until": "2021"}, {"员工手册.pdf"}),
        ({"types": ["pdf"], "folders": ["合同"], "since": "2022"}, {"合同/采购合同.pdf"}),
        ({}, set(TEXTS)),
    ],
)
def test_a_filter_leaves_what_meets_all_of_it(
    library: Library, given: dict[str, Any], expected: set[str]
) -> None:
    assert left(library, **given) == expected


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"since": "gestern"}, "--since"),
        ({"since": "2023-13"}, "--since"),
        ({"until": "2023-02-30"}, "--until"),
        ({"until": "23"}, "--until"),
        ({"since": "0000"}, "--since"),
        ({"since": "2024", "until": "2023"}, "--since, --until"),
        ({"types": ["pdf,quark"]}, "--type"),
        ({"types": [""]}, "--type"),
        ({"folders": [" "]}, "--in"),
        ({"names": [""]}, "--name"),
    ],
)
def test_a_value_that_means_nothing_is_an_error_that_names_the_option(
    given: dict[str, Any], option: str
) -> None:
    with pytest.raises(FilterInvalid) as failure:
        filters.parse(**given)
    assert failure.value.params["option"] == option


def test_full_width_dates_are_read() -> None:
    assert filters.period("２０２４-０２", "--since") == (date(2024, 2, 1), date(2024, 2, 29))


def test_a_filter_chooses_candidates_and_not_what_they_are_measured_against(library: Library) -> None:
    def scores(chosen: DocumentFilter | None) -> dict[str, float]:
        settings = Settings(rerank=False)  # it compares the candidates with one another
        hits = retrieval.search("违约金是多少", [library], FakeEmbedder(), settings, 10, chosen)
        return {hit.document: hit.score for hit in hits}

    among = scores(filters.parse(folders=["合同"]))
    assert among.keys() == {"合同/采购合同.pdf", "合同/2023/租赁合同.docx"}
    everywhere = scores(None)
    assert among == pytest.approx({path: everywhere[path] for path in among}, abs=1e-4)


def test_documents_and_conditions_hold_together(library: Library) -> None:
    both = DocumentFilter(types=("pdf",), documents=frozenset({"员工手册.pdf", "Minutes.EML"}))
    assert filters.matching([library], both) == (1, 4)


def test_a_filter_is_false_only_when_it_restricts_nothing() -> None:
    assert not DocumentFilter()
    assert DocumentFilter(documents=frozenset())
    assert DocumentFilter(until=date(2023, 1, 1))
