"""A library and its self-test questions as files that ``zhiye eval --corpus --questions`` reads."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from engine.index.library import Library
from engine.index.replacing import replacing
from engine.self_test.marking import asked, names_by_hash
from engine.self_test.records import SelfTestQuestion

CORPUS, QUESTIONS = "corpus.jsonl", "questions.jsonl"


def export(questions: Sequence[SelfTestQuestion], library: Library, folder: Path) -> Iterator[None]:
    """Write both files, a document a step; what nobody has marked is left out.

    A document is named by its path, its pages stand one after the other. Raises StorageFailed.
    """
    names = names_by_hash(library)
    with replacing(folder / QUESTIONS) as file:
        for question in questions:
            if question.state != "unmarked":
                _write(file, _question(question, names))
    with replacing(folder / CORPUS) as file:
        for document in _documents(library):
            _write(file, document)
            yield None


def _question(question: SelfTestQuestion, names: Mapping[str, frozenset[str]]) -> dict[str, Any]:
    wanted = asked(question, names)
    return {
        "qid": wanted.qid,
        "question": wanted.question,
        "answers": [],
        "doc_ids": sorted(wanted.documents),
        "evidence": list(wanted.evidence),
        "answerable": wanted.answerable,
    }


def _documents(library: Library) -> Iterator[dict[str, Any]]:
    """Every document that has text; its copies say the same and are left out."""
    for file in library.files():
        if file.copy_of is not None or not file.report.chunks:
            continue
        title = library.db.execute("SELECT title FROM documents WHERE id = ?", (file.id,)).fetchone()[0]
        pages = library.db.execute("SELECT text FROM pages WHERE document_id = ? ORDER BY number", (file.id,))
        text = "\n".join(text for (text,) in pages)
        yield {"doc_id": file.report.path, "title": title, "text": text}


def _write(file: BinaryIO, item: Mapping[str, Any]) -> None:
    line = json.dumps(item, ensure_ascii=False)
    file.write(line.encode("utf-8", "backslashreplace") + b"\n")
