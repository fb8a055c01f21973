"""Guesses come from what stood after the same tokens before, and grow rarer where they are wrong."""

from engine.answer.generation.lookup import LEAST, LONG, MOST, SHORT, PromptLookup

PROMPT = list(range(100, 140))


def test_what_followed_the_same_tokens_is_guessed() -> None:
    lookup = PromptLookup(PROMPT)
    assert lookup.guess() == []
    lookup.add(110)
    assert lookup.guess() == []
    lookup.add(111)
    assert lookup.guess() == [112, 113, 114][:SHORT]


def test_a_guess_that_came_true_is_followed_by_a_longer_one() -> None:
    lookup = PromptLookup([*PROMPT, 110, 111])
    for token in lookup.guess():
        lookup.add(token)
    lookup.add(115)
    assert lookup.guess() == list(range(116, 116 + LONG))
    lookup.add(116)
    lookup.add(7)
    lookup.add(120)
    lookup.add(121)
    assert lookup.guess() == [122, 123, 124]


def test_guesses_that_were_wrong_ask_for_a_longer_match() -> None:
    lookup = PromptLookup(PROMPT)
    for wrong in range(MOST - LEAST):
        for token in PROMPT[: LEAST + wrong]:
            lookup.add(token)
        assert lookup.guess()
        lookup.add(1000 + wrong)
    lookup.add(2000)
    for token in PROMPT[: MOST - 1]:
        lookup.add(token)
    assert lookup.guess() == []
    lookup.add(PROMPT[MOST - 1])
    assert lookup.guess() == PROMPT[MOST : MOST + SHORT]


def test_the_longest_match_is_preferred_to_the_latest() -> None:
    lookup = PromptLookup([1, 2, 3, 50, 51, 9, 2, 3, 60, 61, 8, 1, 2, 3])
    assert lookup.guess()[:2] == [50, 51]


def test_the_last_tokens_are_not_found_in_themselves() -> None:
    lookup = PromptLookup([5, 6])
    assert lookup.guess() == []
    assert PromptLookup([]).guess() == []
    assert PromptLookup([5]).guess() == []
