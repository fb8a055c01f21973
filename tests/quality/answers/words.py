"""Make resources/claims/words.npz: which Chinese words there are, how common each is, which are names.

    python -m tests.quality.answers.words JIEBA_DICT

JIEBA_DICT is ``jieba/dict.txt`` of jieba 0.42.1 (MIT). It is not needed at run time.
"""

import math
import sys
from pathlib import Path

import numpy as np

from engine.answer.grounding.claims.lexicon import FILE, LONGEST, NAME, STEPS, keys
from engine.normalise import normalise

LEAST, LEAST_NAME = 4, 2
"""Occurrences in the dictionary's corpus below which a word is left out."""

_NAMES = ("ns", "nt", "nrt", "nrfg", "nr", "nz")


def words(file: Path) -> dict[str, tuple[int, bool]]:
    """Count and whether it is a name, for each word of two to LONGEST Han characters."""
    found: dict[str, tuple[int, bool]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        word, count, tag = line.split(" ")
        word = normalise(word)
        # 文明 and 明白 stand there as given names: of two characters only a place is surely a name.
        is_name = tag in _NAMES and (tag not in ("nr", "nz", "nrt") or len(word) > 2)
        if not 2 <= len(word) <= LONGEST or not all("\u4e00" <= c <= "\u9fff" for c in word):
            continue
        if int(count) >= (LEAST_NAME if is_name else LEAST):
            found[word] = (int(count), is_name)
    return found


def main() -> None:
    found = words(Path(sys.argv[1]))
    key = keys(list(found))
    flags = np.array(
        [
            min(int(math.log(count) * STEPS), NAME - 1) | (NAME if is_name else 0)
            for count, is_name in found.values()
        ],
        np.uint8,
    )
    order = np.argsort(key)
    np.savez_compressed(FILE, keys=key[order], flags=flags[order])
    print(len(found), "words,", sum(is_name for _, is_name in found.values()), "names,", FILE.stat().st_size)


if __name__ == "__main__":
    main()
