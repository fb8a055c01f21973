"""The keys of every JSON shape that the command line prints; people's scripts stand on them."""

from typing import Any

SPAN = {"page", "span"}
FILE = {"path", "state", "reason", "pages", "chunks", "missing_pages", "from_ocr", "encoding"}
INGEST = {"library", "files", "counts", "chunks", "embedded", "reused", "removed", "seconds"}
INGEST_SECONDS = {"parse", "embed", "write", "total"}
INSPECT = {"path", "state", "reason", "title", "encoding", "pages", "chunks"}
INSPECT_PAGE = {"number", "label", "location", "text", "from_ocr", "dropped"}
INSPECT_CHUNK = {"id", "page", "page_end", "spans", "location", "section", "tokens", "text"}
HIT = {
    *("rank", "score", "dense", "lexical", "library", "document", "title", "page", "label", "location"),
    *("section", "spans", "chunk", "text"),
}
GATE = {"probability", "threshold", "answerable", "missing_terms"}
SEARCH = {"question", "gate", "hits", "unreadable", "seconds"}
CITATION = {
    *("number", "library", "document", "page", "label", "location", "section", "spans", "quote", "excerpt"),
    "chunk",
}
SENTENCE = {"text", "verdict", "citations", "flags"}
ASK = {
    *("qid", "question", "rewritten", "answer", "refused", "refused_by", "sentences", "citations", "table"),
    *("evidence", "hits", "gate", "nearest", "indexed_share", "model", "prompt", "seconds", "tokens"),
}
ASK_SECONDS = {"retrieve", "first_token", "total"}
ASK_TOKENS = {"prompt", "answer"}
EVAL = {"questions", "retrieval", "gate", "answers", "seconds", "misses"}
EVAL_RETRIEVAL = {
    *("hit@1", "hit@3", "hit@5", "hit@10", "recall@5", "all_evidence@5", "mrr@10", "ndcg@10"),
}
EVAL_GATE = {"auc", "refused_unanswerable", "refused_answerable"}
EVAL_ANSWERS = {
    *("contains_gold", "f1", "cited_sentences", "supported_citations", "right_document", "citation_hit"),
    *("refused_unanswerable", "refused_answerable", "unsupported_shown"),
}
LIBRARY = {
    *("name", "folders", "counts", "chunks", "bytes", "model", "last_sync", "busy", "paused"),
}
DOCTOR = {"ok", "findings", "machine", "models"}
FINDING = {"code", "library", "message", "advice", "repaired"}
MACHINE = {"cpu", "threads", "memory_free", "torch_cuda"}
MODEL = {
    *("id", "role", "path", "size", "licence", "installed", "verified", "memory_needed", "default"),
}
ERROR = {"code", "message", "advice"}


def has(record: dict[str, Any], keys: set[str]) -> None:
    """Every key is there; more may be."""
    assert keys <= record.keys(), f"missing: {sorted(keys - record.keys())}"


def check_hit(hit: dict[str, Any]) -> None:
    has(hit, HIT)
    for span in hit["spans"]:
        has(span, SPAN)
        start, end = span["span"]
        assert 0 <= start < end


def check_answer(record: dict[str, Any]) -> None:
    has(record, ASK)
    has(record["gate"], GATE)
    has(record["seconds"], ASK_SECONDS)
    has(record["tokens"], ASK_TOKENS)
    for hit in (*record["hits"], *record["nearest"]):
        check_hit(hit)
    for sentence in record["sentences"]:
        has(sentence, SENTENCE)
    for citation in record["citations"]:
        has(citation, CITATION)
        assert len(citation["excerpt"]) <= 80


def check_error(record: dict[str, Any], code: str) -> None:
    assert record.keys() == {"error"}
    has(record["error"], ERROR)
    assert record["error"]["code"] == code
    assert record["error"]["message"]
