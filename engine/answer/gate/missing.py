"""The words of a question that no passage holds, as people would write them."""

import re
from collections.abc import Iterator, Sequence, Set

from engine.index import lexical
from engine.normalise import normalise

# Words that ask rather than name something; longest first.
_ASKING = re.compile(
    r"请问|为什么|是什么|什么时候|什么|怎么样|怎么办|怎样|怎么|如何|多少|多久|多长时间|哪一[个年天位种]|"
    r"哪[些个位年里种天]|是谁|谁|几[个年天月次种人]|是否|有没有|能不能|可不可以|可以|需要|应该|吗|呢|的|了|"
    r"\b(?:what|which|who|whom|whose|when|where|why|how|many|much|is|are|was|were|do|does|did|the|a|an|of|in|"
    r"on|for|to|and|or|at|by|it|its|be|can|could|will|would|should|must|may|have|has|had|with|from|that|this|"
    r"there|long|i|we|you|he|she|they|my|our|your|s)\b"
)


def named(question: str) -> str:
    """The question in its searchable form, with blanks where words stood that only ask."""
    return _ASKING.sub(" ", normalise(question))


def words(asked: str, missing: Sequence[str], held: Set[str]) -> tuple[str, ...]:
    """The missing terms as words: bigrams joined again where they stand side by side.

    A character that a held bigram covers belongs to another word: of 公司羽毛球俱乐部 with 公司 held,
    羽毛球俱乐部 is missing and not 司羽毛球俱乐部.
    """
    bigrams = [term for term in missing if lexical.is_han(term)]
    lacking = {i for term in bigrams for i in _places(asked, term)}
    covered = {
        i for start in range(len(asked) - 1) if asked[start : start + 2] in held for i in (start, start + 1)
    }
    found = [term for term in missing if term not in bigrams]
    word = ""
    for i, character in enumerate([*asked, " "]):
        if i in lacking and i not in covered:
            word += character
        elif word:
            found.append(word)
            word = ""
    return tuple(dict.fromkeys(found))


def _places(asked: str, term: str) -> Iterator[int]:
    """Every position in ``asked`` that an occurrence of ``term`` covers."""
    start = asked.find(term)
    while start >= 0:
        yield from range(start, start + len(term))
        start = asked.find(term, start + 1)
