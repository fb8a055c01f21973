"""What a chat model is asked about its evidence; the words stand in resources/reading/questions.toml."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache

import resources
from engine.answer.generation import Choice


@lru_cache(maxsize=2)
def load(language: str) -> Mapping[str, Choice]:
    """By name, in the order of the file; ``language`` is zh or en."""
    words = tomllib.loads(resources.read_text("reading", "questions.toml"))[language]
    return {name: Choice(**choice) for name, choice in words.items()}
