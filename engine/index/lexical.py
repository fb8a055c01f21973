"""The lexical lane: Chinese bigrams, whole latin words and designations in SQLite's FTS5, scored by BM25.

``VERSION`` says which terms a text has. What a library was indexed with stands in its table meta, and its
rows are taken out with the same; :mod:`engine.index.renewing` brings an older one up to date.
"""

import heapq
import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.index import aliases
from engine.index.designations import designations, fiscal_years
from engine.normalise import normalise

VERSION = 2
"""1: bigrams and words. 2: designations as well."""

VERSION_FACT = "terms_version"

_HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# A run of Han characters, or a word that may hold . _ / - + # & % @ inside (GB/T, v1.2, C++, 3.5%).
_RUN = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:[._/\-&@][^\W_{_HAN}]+)*(?:[+#%]+)?")
_PART = re.compile(r"[^\W_]+")
_BEGINS_HAN = re.compile(f"[{_HAN}]").match

BODY, HEADING, NAME = 1.0, 0.6, 0.4
"""BM25 column weights: passage, title with section, file name."""

_MAX_QUERY_TERMS = 96

_WEIGHT = 3
"""How often a designation counts in a question. Measured on lawbench_articles (184 questions by article,
hit@1 of the passage): once 0.951, asked in digits 0.821; three times 0.995 and 0.989; four times 0.984 and
0.995."""

_STEM = 5
"""Letters from which a latin word is looked for as the beginning of others, without its plural s. Measured,
hit@1 of the lane: xquad_en 0.967 to 0.971, expmrc_en 0.969 to 0.972, rageval_en 0.905 to 0.918."""

_SENTENCE = 8
"""Letters and digits from which a question may be a sentence of a document."""

_LOOKED_AT = 20
"""The best passages, in which the question is looked for word by word."""

_LARGE = 10_000
"""Chunks from which a library is large."""

_FEWEST, _MOST = 500, 5_000
"""Chunks of it that are looked at: those of the rarest terms, another term's only while they are few or stay
below the most."""

_MERGED = 128
"""Pages of the index that are merged in one step: some 20 ms."""


def terms(text: str, version: int = VERSION) -> list[str]:
    """The index terms of a text, in order: bigrams and the last character of each Han run, words whole
    and, when they hold punctuation, in parts too; then what :mod:`engine.index.designations` adds to
    these."""
    found: list[str] = []
    normal = normalise(text)
    for match in _RUN.finditer(normal):
        run = match.group()
        if is_han(run[0]):
            found.extend(run[i : i + 2] for i in range(len(run) - 1))
            # With it every character is the beginning of some term, so a prefix query finds any.
            found.append(run[-1])
        else:
            found.append(run)
            parts = _PART.findall(run)
            if len(parts) > 1:
                found.extend(parts)
    if version > 1:
        known = set(found)
        found.extend(term for term in designations(normal) if term not in known)
    return found


def query_terms(question: str) -> list[str]:
    """The distinct terms to look for; single Han characters only where they stand alone."""
    normal = normalise(question)
    found: dict[str, None] = dict.fromkeys((*designations(normal), *fiscal_years(normal)))
    for match in _RUN.finditer(normal):
        run = match.group()
        if not is_han(run[0]):
            for term in terms(run):
                found.setdefault(term)
        elif len(run) == 1:
            found.setdefault(run)
        else:
            for i in range(len(run) - 1):
                found.setdefault(run[i : i + 2])
    return list(found)


def is_han(term: str) -> bool:
    """Whether a term is a piece of a Han run and not a word."""
    return _BEGINS_HAN(term) is not None


def version(db: sqlite3.Connection) -> int:
    """Which terms the index holds: 1 where the library does not say, unless it is empty still."""
    noted = db.execute("SELECT value FROM meta WHERE key = ?", (VERSION_FACT,)).fetchone()
    if noted is not None:
        return int(noted[0])
    return VERSION if db.execute("SELECT 1 FROM terms_docsize LIMIT 1").fetchone() is None else 1


def note_version(db: sqlite3.Connection) -> None:
    """The index holds the terms of today; call it inside a transaction."""
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (VERSION_FACT, str(VERSION)))


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """BM25 of every chunk that holds a term; all other chunks score 0. ``count`` is the library's size."""

    scores: Mapping[int, float]
    count: int

    def moments(self) -> tuple[int, float, float]:
        """Count, sum and sum of squares of the scores over the whole library."""
        values = self.scores.values()
        return self.count, sum(values), sum(value * value for value in values)


def add(db: sqlite3.Connection, row: int, body: str, heading: str, name: str, table: str = "terms") -> None:
    """Index one chunk under its row id; ``table`` is the index, or one that will take its place."""
    number = VERSION
    if table == "terms" and (number := version(db)) == VERSION:
        db.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", (VERSION_FACT, str(VERSION)))
    db.execute(
        f"INSERT INTO {table} (rowid, body, heading, name) VALUES (?, ?, ?, ?)",
        (row, *_columns(number, body, heading, name)),
    )


def remove(db: sqlite3.Connection, row: int, body: str, heading: str, name: str) -> None:
    """Take one chunk out; the texts must be those it was added with (the table stores terms only)."""
    db.execute(
        "INSERT INTO terms (terms, rowid, body, heading, name) VALUES ('delete', ?, ?, ?, ?)",
        (row, *_columns(version(db), body, heading, name)),
    )


def rename(
    db: sqlite3.Connection, row: int, body: str, before: tuple[str, str], after: tuple[str, str]
) -> None:
    """Give one chunk another heading and name, which are given as it was added with and as they are now."""
    number = version(db)
    (passage,) = _columns(number, body)
    old, new = ((passage, *_columns(number, *texts)) for texts in (before, after))
    db.execute(
        "INSERT INTO terms (terms, rowid, body, heading, name) VALUES ('delete', ?, ?, ?, ?)", (row, *old)
    )
    db.execute("INSERT INTO terms (rowid, body, heading, name) VALUES (?, ?, ?, ?)", (row, *new))


def purge(db: sqlite3.Connection, *, first: bool) -> bool:
    """One step of merging the index into one piece: until then terms of removed chunks stay in the file.

    ``first`` begins it. True when there is nothing left to merge.
    """
    before = db.total_changes
    # A negative number of pages is "merge all there is", a positive one goes on with it (FTS5, section 6.8).
    db.execute("INSERT INTO terms (terms, rank) VALUES ('merge', ?)", (-_MERGED if first else _MERGED,))
    return db.total_changes - before < 2 and not first


def search(db: sqlite3.Connection, question: str, count: int) -> LexicalScores:
    """BM25 of the question over the library of ``count`` chunks. No term of a question is an operator.

    With the library's aliases and the shipped synonyms for its words. A passage that holds the whole question
    word by word comes first.
    """
    normal = normalise(question)
    wanted = query_terms(normal)[:_MAX_QUERY_TERMS]
    if not wanted or not count:
        return LexicalScores({}, count)
    for other in (*aliases.alternatives(db, normal), *aliases.synonyms(normal)):
        wanted += [term for term in query_terms(other) if term not in wanted]
    named = [term for term in designations(normal) if not term.isdigit()]
    # FTS5 adds up the phrases of a query: one that stands there three times counts three times.
    phrases = wanted + list(dict.fromkeys(named)) * (_WEIGHT - 1)
    query, times = _query(db, phrases, count)
    found = db.execute(
        "SELECT rowid, bm25(terms, ?, ?, ?) FROM terms WHERE terms MATCH ?", (BODY, HEADING, NAME, query)
    )
    scores = {row: -score / times for row, score in found}
    _raise_verbatim(db, normal, scores)
    return LexicalScores(scores, count)


def _query(db: sqlite3.Connection, phrases: Sequence[str], count: int) -> tuple[str, int]:
    """The question in FTS5's language, and how many times what it should be its scores are.

    In a large library a passage must hold one of the question's rarest terms to be looked at. Those that hold
    none of them score little, and are most of all there are. Every phrase counts as often as any other: FTS5
    adds up all that stand in the query, so each stands there twice. Lone characters (年 after a number) begin
    bigrams of most passages: slow, and worth nothing beside other terms.
    Measured with 30,000 chunks of random words and 40 questions of eight words: the best 50 are the same as
    without all this, in 16 ms of processor time for 49 (median) and 23 for 67 (p95); of 120 questions of
    rgb_zh (6,373 chunks, taken as large) 0.9997 of the best 50.
    """
    if count <= _LARGE:
        return " OR ".join(map(_quoted, phrases)), 1
    phrases = [term for term in phrases if len(term) > 1 or not is_han(term)] or phrases
    frequency = document_frequency(db, dict.fromkeys(phrases), _MOST + 1)
    if sum(number for number in frequency.values() if number <= _MOST) < _FEWEST:
        frequency = document_frequency(db, dict.fromkeys(phrases))
    rare: list[str] = []
    rows = 0
    for term in sorted(phrases, key=frequency.__getitem__):
        if rows >= _FEWEST and rows + frequency[term] > _MOST:
            break
        rare.append(term)
        rows += frequency[term]
    common = [term for term in phrases if term not in rare]
    if not common:
        return " OR ".join(map(_quoted, phrases)), 1
    either = " OR ".join(map(_quoted, rare))
    return f"({either}) AND ({' OR '.join(map(_quoted, [*rare, *common, *common]))})", 2


def _raise_verbatim(db: sqlite3.Connection, normal: str, scores: dict[int, float]) -> None:
    """Passages that hold the question letter by letter get the best score on top of their own.

    Blanks, line ends and punctuation do not count.
    """
    sentence = _letters(normal)
    if len(sentence) < _SENTENCE:
        return
    best = heapq.nlargest(_LOOKED_AT, scores, key=scores.__getitem__)
    for row, text in db.execute(
        "SELECT id, text FROM chunks WHERE id IN (SELECT value FROM json_each(?))", (json.dumps(best),)
    ).fetchall():
        if sentence in _letters(normalise(text)):
            scores[row] += scores[best[0]]


def _letters(normal: str) -> str:
    return "".join(character for character in normal if character.isalnum())


def document_frequency(
    db: sqlite3.Connection, wanted: Iterable[str], most: int | None = None
) -> dict[str, int]:
    """In how many chunks each term occurs; counting stops at ``most``."""
    found = "SELECT 1 FROM terms WHERE terms MATCH ?" + ("" if most is None else f" LIMIT {most:d}")
    count = f"SELECT count(*) FROM ({found})"
    return {term: db.execute(count, (_quoted(term),)).fetchone()[0] for term in wanted}


def _quoted(term: str) -> str:
    is_beginning = len(term) == 1 and is_han(term)  # a lone Han character begins some bigram
    if len(term) >= _STEM and term.isascii() and term.isalpha():
        is_beginning = True
        if term.endswith("s") and not term.endswith("ss"):
            term = term[:-1]
    quoted = '"' + term.replace('"', '""') + '"'
    return quoted + "*" if is_beginning else quoted


def _columns(number: int, *texts: str) -> tuple[str, ...]:
    return tuple(" ".join(terms(text, number)) for text in texts)
