"""Make resources/gate/background.npz: how common terms are in general, and how general text scores.

    python -m tests.quality.gate.background JIEBA_DICT ENGLISH_WORDS EMBEDDER_FOLDER

JIEBA_DICT is ``jieba/dict.txt`` of jieba 0.42.1 (MIT), ENGLISH_WORDS is
``frequency_dictionary_en_82_765.txt`` of symspellpy 6.10.1 (MIT; its counts come from the Google Books
Ngrams, CC BY 3.0, and its word list from SCOWL). Neither is needed at run time. A dictionary with
frequencies gives the bigrams inside words exactly and those across two words as if words followed each
other at random. The cohort is made of the same words drawn at random, so that no text of anybody is in it.
"""

import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.answer.gate.background import FILE, term_keys
from engine.index.embedding import BgeEmbedder, Vectors
from engine.normalise import normalise

MODEL = "bge-small-zh-v1.5"
BIGRAMS, WORDS = 160_000, 40_000
PASSAGE_CHARACTERS, PASSAGE_WORDS = 300, 200
"""Length of the passage that a term is said to occur in or not."""

FREQUENT_CHARACTERS = 3_000
COHORT, COHORT_WORDS = 600, 60
SEED = 3


def word_counts(file: Path) -> Counter[str]:
    """Frequencies of the words of Han characters alone."""
    counts: Counter[str] = Counter()
    for line in file.read_text(encoding="utf-8").splitlines():
        word, count, _ = line.split(" ")
        word = normalise(word)
        if all("\u4e00" <= character <= "\u9fff" for character in word):
            counts[word] += int(count)
    return counts


def bigram_rarity(counts: Counter[str]) -> dict[str, float]:
    """−log of the share of passages that hold a bigram, for the most frequent ones."""
    words, characters = counts.total(), sum(count * len(word) for word, count in counts.items())
    total: Counter[str] = Counter()
    first: Counter[str] = Counter()
    last: Counter[str] = Counter()
    for word, count in counts.items():
        first[word[0]] += count
        last[word[-1]] += count
        for at in range(len(word) - 1):
            total[word[at : at + 2]] += count
    frequent = [character for character, _ in (first + last).most_common(FREQUENT_CHARACTERS)]
    across = np.outer([last[c] for c in frequent], [first[c] for c in frequent]) / words
    across = np.rint(across)
    for row, column in np.argwhere(across > 3):
        total[frequent[row] + frequent[column]] += int(across[row, column])
    return _rarity(dict(total.most_common(BIGRAMS)), PASSAGE_CHARACTERS / characters)


def english_rarity(file: Path) -> dict[str, float]:
    """The same of the most frequent English words."""
    counts: Counter[str] = Counter()
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        word, count = line.split()
        counts[word] += int(count)
    return _rarity(dict(counts.most_common(WORDS)), PASSAGE_WORDS / counts.total())


def _rarity(counts: dict[str, int], rate: float) -> dict[str, float]:
    # Occurrences are taken as independent: a passage holds none with probability exp(-expected).
    return {term: float(-np.log(-np.expm1(-count * rate))) for term, count in counts.items()}


def cohort(counts: Counter[str], folder: Path) -> Vectors:
    """Vectors of passages without a subject; shape (COHORT, dimension)."""
    drawn = random.Random(SEED)
    words = [word for word in counts if len(word) >= 2]
    weights = [counts[word] ** 0.75 for word in words]
    texts = ["".join(drawn.choices(words, weights, k=COHORT_WORDS)) for _ in range(COHORT)]
    embedder = BgeEmbedder(folder, MODEL, 512, 1)
    return np.concatenate([embedder.embed_passages(texts[at : at + 16]) for at in range(0, COHORT, 16)])


def main(dictionary: Path, english: Path, folder: Path) -> None:
    """Write the file."""
    counts = word_counts(dictionary)
    rarity = bigram_rarity(counts) | english_rarity(english)
    keys = term_keys(list(rarity))
    order = np.argsort(keys, kind="stable")
    steps: NDArray[np.uint8] = np.rint(np.clip(list(rarity.values()), 0, 10) * 25).astype(np.uint8)
    vectors = cohort(counts, folder)
    np.savez_compressed(
        FILE,
        keys=keys[order],
        rarity=steps[order],
        mean=vectors.mean(axis=0).astype(np.float16),
        covariance=np.cov(vectors, rowvar=False, bias=True).astype(np.float16),
        model=np.array(MODEL),
    )
    print(f"{len(keys)} terms, {len(vectors)} vectors, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
