"""The one way text takes before embedder, token counts and lexical index.

NFKC, lower case, traditional to simplified characters. bge's tokenizer knows no capital letters
(every capitalised latin word becomes [UNK]), so nothing may go around this module. ``VERSION`` is part
of every vector's key: change the rules, raise the version.
"""

import unicodedata
from functools import lru_cache

VERSION = 2


@lru_cache(maxsize=1)
def _simplified() -> dict[int, str]:
    """Traditional to simplified, character by character, from OpenCC's own tables.

    Character by character, because phrase rules would make a word's form depend on its neighbours:
    a question and its passage must come out alike, and offsets must survive.
    """
    from opencc import OpenCC

    blocks = ((0x3400, 0x4DC0), (0x4E00, 0xA000), (0xF900, 0xFB00), (0x20000, 0x2A6E0))
    characters = [chr(code) for start, end in blocks for code in range(start, end)]
    converted = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    table = {
        ord(old): new for old, new in zip(characters, converted, strict=True) if new != old and len(new) == 1
    }
    # 薴 gives 苧, which is itself a traditional character: go on to the end.
    table = {old: table.get(ord(new), new) for old, new in table.items()}
    # Lower-casing writes a sigma at the end of a word in another way.
    return table | {ord("ς"): "σ"}


def normalise(text: str) -> str:
    """The searchable form of ``text``. Idempotent; may be longer or shorter than the input."""
    text = unicodedata.normalize("NFKC", text).lower().translate(_simplified())
    # Lower-casing can undo composition (U+0130 gives i plus a combining dot): compose once more.
    return unicodedata.normalize("NFKC", text)


def normalise_with_offsets(text: str) -> tuple[str, list[int]]:
    """:func:`normalise` and, for each character of the result, the index in ``text`` it comes from.

    Composition across characters is taken cluster by cluster (a base with its combining marks).
    """
    result: list[str] = []
    origin: list[int] = []
    start = 0
    for end in range(1, len(text) + 1):
        if end < len(text) and unicodedata.combining(text[end]):
            continue
        piece = normalise(text[start:end])
        result.append(piece)
        origin.extend([start] * len(piece))
        start = end
    return "".join(result), origin
