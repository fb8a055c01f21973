"""The JSON shapes of hits, answers and files, as ``--json`` prints them and runs keep them.

Names here are a contract with people's scripts: add fields, never rename or drop one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from engine.answers import Answer, AnswerTable, CheckedDraft, Citation, Gate, Sentence, WhyNot
from engine.config import Settings
from engine.documents import PageSpan, SearchHit
from engine.events import FileReport, IngestFinished
from engine.history.records import RunSummary
from engine.standing import LibrarySummary
from engine.version import program_version
from engine.wording import Language, describe


def span_records(spans: Iterable[PageSpan]) -> list[dict[str, Any]]:
    return [{"page": span.page, "span": [span.start, span.end]} for span in spans]


def hit_record(hit: SearchHit) -> dict[str, Any]:
    return {
        "rank": hit.rank,
        "score": hit.score,
        "dense": hit.dense,
        "lexical": hit.lexical,
        "library": hit.library,
        "document": hit.document,
        "title": hit.title,
        "page": hit.page,
        "label": hit.label,
        "location": hit.location,
        "section": list(hit.section),
        "spans": span_records(hit.spans),
        "chunk": hit.chunk,
        "text": hit.text,
        "kind": hit.kind,
        "copies": list(hit.copies),
        "also_in": list(hit.also_in),
    }


def gate_record(gate: Gate | None) -> dict[str, Any] | None:
    if gate is None:
        return None
    return {
        "probability": gate.probability,
        "threshold": gate.threshold,
        "answerable": gate.answerable,
        "missing_terms": list(gate.missing_terms),
        "reading": gate.reading,
        "reading_threshold": gate.reading_threshold,
    }


def citation_record(citation: Citation) -> dict[str, Any]:
    return {
        "number": citation.number,
        "library": citation.library,
        "document": citation.document,
        "page": citation.page,
        "label": citation.label,
        "location": citation.location,
        "section": list(citation.section),
        "spans": span_records(citation.spans),
        "quote": citation.quote,
        "excerpt": citation.excerpt,
        "chunk": citation.chunk,
        "kind": citation.kind,
        "content_hash": citation.content_hash,
    }


def sentence_record(sentence: Sentence) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "verdict": sentence.verdict,
        "citations": list(sentence.citations),
        "flags": [asdict(flag) for flag in sentence.flags],
    }


def check_record(checked: CheckedDraft) -> dict[str, Any]:
    """What ``zhiye check --json`` prints; ``span`` is a sentence's place in the draft."""
    return {
        "sentences": [
            sentence_record(sentence) | {"span": list(span)}
            for sentence, span in zip(checked.sentences, checked.spans, strict=True)
        ],
        "citations": [citation_record(citation) for citation in checked.citations],
        "counts": dict(checked.counts),
    }


def why_not_record(why: WhyNot | None) -> dict[str, Any] | None:
    """For ``--json``; null for an answer."""
    if why is None:
        return None
    return {
        "missing_terms": list(why.missing_terms),
        "lexical": _brief(why.lexical),
        "dense": _brief(why.dense),
        "unreadable": [{"path": path, "state": state} for path, state in why.unreadable],
        "suggestion": None if why.suggestion is None else why.suggestion.code,
    }


def _brief(hit: SearchHit | None) -> dict[str, Any] | None:
    if hit is None:
        return None
    return {
        "library": hit.library, "document": hit.document, "page": hit.page, "chunk": hit.chunk,
        "score": hit.score, "dense": hit.dense, "lexical": hit.lexical,
    }  # fmt: skip


def table_record(table: AnswerTable | None) -> dict[str, Any] | None:
    """Rows with their cells, citations and verdicts; what was read of what was to be read."""
    if table is None:
        return None
    return {
        "columns": list(table.columns),
        "rows": [
            {"cells": list(row.cells), "citations": list(row.citations), "verdict": row.verdict}
            for row in table.rows
        ],
        "read": table.read,
        "of": table.of,
        "documents": table.documents,
        "chosen": table.chosen,
        "count": table.count,
        "totals": [
            {"unit": total.unit, "value": total.value, "addends": list(total.addends)}
            for total in table.totals
        ],
    }


def answer_record(answer: Answer) -> dict[str, Any]:
    """What ``zhiye ask --json`` prints; keys whose feature comes later are null."""
    return {
        "qid": answer.qid,
        "question": answer.question,
        "rewritten": answer.rewritten,
        "filter": answer.filter,
        "answer": answer.text,
        "refused": answer.refused,
        "refused_by": answer.refused_by,
        "sentences": [sentence_record(sentence) for sentence in answer.sentences],
        "citations": [citation_record(citation) for citation in answer.citations],
        "table": table_record(answer.table),
        "parts": [
            {"question": part.question, "gate": gate_record(part.gate), "found": list(part.found)}
            for part in answer.parts
        ],
        "versions": [
            {
                "library": note.library,
                "document": note.document,
                "newer": note.newer,
                "differs": note.differs,
                "citations": list(note.citations),
            }
            for note in answer.versions
        ],
        "evidence": list(answer.evidence),
        "hits": [hit_record(hit) for hit in answer.hits],
        "gate": gate_record(answer.gate),
        "nearest": [hit_record(hit) for hit in answer.nearest],
        "why_not": why_not_record(answer.why_not),
        "indexed_share": answer.indexed_share,
        "model": answer.model,
        "prompt": answer.prompt,
        "stopped": answer.stopped,
        "evidence_only": answer.evidence_only,
        "seconds": _rounded(answer.seconds, ("retrieve", "first_token", "total")),
        "tokens": {key: answer.tokens.get(key) for key in ("prompt", "answer")},
    }


def ask_record(
    answer: Answer, libraries: Sequence[str], settings: Settings, more: Mapping[str, Any]
) -> dict[str, Any]:
    """What a run keeps: the answer, the libraries asked, and the settings and program it was made with.

    ``more`` is what :attr:`engine.history.recording.Recording.record` gathered. Paths of this machine are
    left out of the settings.
    """
    safe = {name: value for name, value in settings if not isinstance(value, Path)}
    return answer_record(answer) | {
        "libraries": list(libraries),
        "settings": safe,
        "program": program_version(),
        **more,
    }


def run_record(run: RunSummary) -> dict[str, Any]:
    """What ``zhiye runs list`` prints of a run."""
    return {
        "id": run.id,
        "asked_at": run.asked_at,
        "question": run.question,
        "refused": run.refused,
        "model": run.model,
        "thread": run.thread,
        "place": run.place,
        "state": run.state,
        "superseded": run.superseded,
        "rating": run.rating,
        "note": run.note,
    }


def file_record(report: FileReport, language: Language) -> dict[str, Any]:
    return {
        "path": report.path,
        "state": report.state.value,
        "reason": reason_text(report, language),
        "pages": report.pages,
        "chunks": report.chunks,
        "missing_pages": list(report.missing_pages),
        "from_ocr": list(report.from_ocr),
        "encoding": report.encoding,
    }


def reason_text(report: FileReport, language: Language) -> str | None:
    """Why the file is in its state, and what to do, in words."""
    if report.reason is None:
        return None
    return str(describe(report.reason.code, report.reason.params, language))


def ingest_record(result: IngestFinished, language: Language) -> dict[str, Any]:
    return {
        "library": result.library,
        "files": [file_record(report, language) for report in result.files],
        "counts": dict(result.counts),
        "chunks": result.chunks,
        "embedded": result.embedded,
        "reused": result.reused,
        "removed": result.removed,
        "seconds": _rounded(result.seconds, ("parse", "embed", "write", "total")),
    }


def library_record(summary: LibrarySummary) -> dict[str, Any]:
    return {
        "name": summary.name,
        "folders": list(summary.folders),
        "counts": dict(summary.counts),
        "chunks": summary.chunks,
        "bytes": summary.bytes,
        "model": summary.model,
        "last_sync": summary.last_sync,
        "busy": summary.busy,
        "paused": summary.paused,
        "offline": list(summary.offline),
        "include": list(summary.include),
        "exclude": list(summary.exclude),
        "hidden": summary.hidden,
        "generation": summary.generation,
        "last_error": None if summary.last_error is None else asdict(summary.last_error),
        "team": summary.team,
    }


def _rounded(seconds: Mapping[str, float | None], keys: Iterable[str]) -> dict[str, float | None]:
    """Seconds to the millisecond; null for what did not happen."""
    found = {key: seconds.get(key) for key in keys}
    return {key: None if value is None else round(value, 3) for key, value in found.items()}
