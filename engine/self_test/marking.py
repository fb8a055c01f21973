"""From a passage that somebody clicked to a mark that outlives it, and to a question of an evaluation."""

from collections import defaultdict
from collections.abc import Mapping

from engine.answer.evidence import Evidence
from engine.answer.grounding.citations import cite
from engine.answer.hits import pages_of
from engine.documents import SearchHit
from engine.errors import LibraryUnknown
from engine.evaluation.dataset import Question
from engine.index.library import Library
from engine.self_test.records import Mark, SelfTestQuestion


def mark(question: str, passage: SearchHit, library: Library) -> Mark:
    """The mark of a passage of ``library``: it keeps the sentence that says most of the question.

    A sentence is found again where passages are cut in another way; a whole passage would not be.

    Raises:
        LibraryUnknown: the library no longer holds this passage.
    """
    stored = library.chunks([passage.row]).get(passage.row)
    if stored is None or stored.chunk.id != passage.chunk:
        raise LibraryUnknown(name=library.name)
    cited = cite(1, question, Evidence(1, passage, passage.text), lambda hit: pages_of(hit, [library]))
    return Mark(
        document=stored.document,
        file_hash=stored.content_hash,
        page=cited.page,
        label=cited.label,
        location=cited.location,
        section=cited.section,
        kind=cited.kind,
        spans=cited.spans,
        quote=cited.quote,
        excerpt=cited.excerpt,
        passage_hash=cited.content_hash,
    )


def names_by_hash(library: Library) -> Mapping[str, frozenset[str]]:
    """The names that the documents of a library have now, by the hash of their bytes; copies share one."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in library.files():
        if file.content_hash is not None:
            found[file.content_hash].add(file.report.path)
    return {digest: frozenset(names) for digest, names in found.items()}


def asked(question: SelfTestQuestion, names: Mapping[str, frozenset[str]]) -> Question:
    """The question as an evaluation asks it; ``names`` are those of :func:`names_by_hash`."""
    known = question.mark
    if known is None:
        return Question(str(question.id), question.question, answerable=False)
    documents = names.get(known.file_hash or "") or frozenset({known.document})
    return Question(str(question.id), question.question, documents=documents, evidence=(known.quote,))
