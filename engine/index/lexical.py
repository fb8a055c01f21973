"""The lexical lane: Chinese bigrams and whole latin words in SQLite's FTS5, scored by BM25."""

import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.normalise import normalise

_HAN = "\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
# A run of Han characters, or a word that may hold . _ / - + # & % @ inside (GB/T, v1.2, C++, 3.5%).
_RUN = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}]+(?:[._/\-&@][^\W_{_HAN}]+)*(?:[+#%]+)?")
_PART = re.compile(r"[^\W_]+")

BODY, HEADING, NAME = 1.0, 0.6, 0.4
"""BM25 column weights: passage, title with section, file name."""

_MAX_QUERY_TERMS = 96

_MERGED = 128
"""Pages of the index that are merged in one step: some 20 ms."""


def terms(text: str) -> list[str]:
    """The index terms of a text, in order: bigrams and the last character of each Han run, words whole
    and, when they hold punctuation, in parts too."""
    found: list[str] = []
    for match in _RUN.finditer(normalise(text)):
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
    return found


def query_terms(question: str) -> list[str]:
    """The distinct terms to look for; single Han characters only where they stand alone."""
    found: dict[str, None] = {}
    for match in _RUN.finditer(normalise(question)):
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
    return re.match(f"[{_HAN}]", term) is not None


@dataclass(frozen=True, slots=True)
class LexicalScores:
    """BM25 of every chunk that holds a term; all other chunks score 0. ``count`` is the library's size."""

    scores: Mapping[int, float]
    count: int

    def moments(self) -> tuple[int, float, float]:
        """Count, sum and sum of squares of the scores over the whole library."""
        values = self.scores.values()
        return self.count, sum(values), sum(value * value for value in values)


def add(db: sqlite3.Connection, row: int, body: str, heading: str, name: str) -> None:
    """Index one chunk under its row id."""
    db.execute(
        "INSERT INTO terms (rowid, body, heading, name) VALUES (?, ?, ?, ?)",
        (row, *_columns(body, heading, name)),
    )


def remove(db: sqlite3.Connection, row: int, body: str, heading: str, name: str) -> None:
    """Take one chunk out; the texts must be those it was added with (the table stores terms only)."""
    db.execute(
        "INSERT INTO terms (terms, rowid, body, heading, name) VALUES ('delete', ?, ?, ?, ?)",
        (row, *_columns(body, heading, name)),
    )


def rename(
    db: sqlite3.Connection, row: int, body: str, before: tuple[str, str], after: tuple[str, str]
) -> None:
    """Give one chunk another heading and name, which are given as it was added with and as they are now."""
    passage = " ".join(terms(body))
    columns = [(passage, *(" ".join(terms(text)) for text in texts)) for texts in (before, after)]
    db.execute(
        "INSERT INTO terms (terms, rowid, body, heading, name) VALUES ('delete', ?, ?, ?, ?)",
        (row, *columns[0]),
    )
    db.execute("INSERT INTO terms (rowid, body, heading, name) VALUES (?, ?, ?, ?)", (row, *columns[1]))


def purge(db: sqlite3.Connection, *, first: bool) -> bool:
    """One step of merging the index into one piece: until then terms of removed chunks stay in the file.

    ``first`` begins it. True when there is nothing left to merge.
    """
    before = db.total_changes
    # A negative number of pages is "merge all there is", a positive one goes on with it (FTS5, section 6.8).
    db.execute("INSERT INTO terms (terms, rank) VALUES ('merge', ?)", (-_MERGED if first else _MERGED,))
    return db.total_changes - before < 2 and not first


def search(db: sqlite3.Connection, question: str, count: int) -> LexicalScores:
    """BM25 of the question over the library of ``count`` chunks. No term of a question is an operator."""
    wanted = query_terms(question)[:_MAX_QUERY_TERMS]
    if not wanted or not count:
        return LexicalScores({}, count)
    rows = db.execute(
        "SELECT rowid, bm25(terms, ?, ?, ?) FROM terms WHERE terms MATCH ?",
        (BODY, HEADING, NAME, " OR ".join(map(_quoted, wanted))),
    )
    return LexicalScores({row: -score for row, score in rows}, count)


def document_frequency(db: sqlite3.Connection, wanted: Iterable[str]) -> dict[str, int]:
    """In how many chunks each term occurs."""
    return {
        term: db.execute("SELECT count(*) FROM terms WHERE terms MATCH ?", (_quoted(term),)).fetchone()[0]
        for term in wanted
    }


def _quoted(term: str) -> str:
    quoted = '"' + term.replace('"', '""') + '"'
    # A lone Han character is found as the beginning of a bigram.
    return quoted + "*" if len(term) == 1 and is_han(term) else quoted


def _columns(body: str, heading: str, name: str) -> tuple[str, str, str]:
    return " ".join(terms(body)), " ".join(terms(heading)), " ".join(terms(name))
