"""What an answer takes over from its question, other than the evidence has it: 阿根廷队 for 阿根廷."""

import re
from collections.abc import Callable

from engine.answer.grounding.claims import lexicon

_HAN, _LATIN, _DIGIT = re.compile(r"[\u3400-\u9fff]{2,}"), re.compile(r"[a-z]{3,}"), re.compile(r"\d")

_STEM, _PLURAL = 6, 5
"""Letters of a word that are compared (occupation, occupied), and of a name that may be a plural (Sites)."""


def is_repeated(words: str, question: str, is_known: Callable[[str], bool]) -> bool:
    """Whether both the question and the evidence say most of a piece of a sentence.

    All is squeezed; ``is_known`` says whether the evidence holds a piece of text. With a digit in it the
    piece must be there as it is: of 第168場 and 第968場 most is the same.
    """
    if _DIGIT.search(words):
        return words in question and is_known(words)
    pieces = [word[:_STEM] for word in _LATIN.findall(words)]
    for run in _HAN.findall(words):
        lone = -1  # where the last character stood that belongs to no word: 拉杜卡努 is four of them
        for word in lexicon.segment(run):
            is_lone = word.kind == "unknown"
            start = lone if is_lone and lone == word.start - 1 >= 0 else word.start
            pieces += [run[at : at + 2] for at in range(start, word.end - 1)]
            lone = word.start if is_lone else -2
    said = [piece in question and is_known(piece) for piece in pieces]
    # 侯景封 is a name and a verb, cut so because the question begins with both.
    least = len(said) / 2 if words in question else (len(said) + 1) / 2
    return any(said) and sum(said) >= least


def is_plural(name: str, is_known: Callable[[str], bool]) -> bool:
    """Whether a squeezed name is the plural of what the evidence holds."""
    return len(name) >= _PLURAL and name.endswith("s") and is_known(name[:-1])
