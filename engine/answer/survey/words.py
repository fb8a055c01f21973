"""The words of a survey, in the question's language, from resources/prompts/survey.toml."""

import tomllib
from collections.abc import Mapping
from functools import lru_cache

import resources
from engine.answer.prompting import language_of


def words(question: str) -> Mapping[str, str]:
    """Prompt and table words for a question."""
    return _load()[language_of(question)]


@lru_cache(maxsize=1)
def _load() -> Mapping[str, Mapping[str, str]]:
    data: Mapping[str, Mapping[str, str]] = tomllib.loads(resources.read_text("prompts", "survey.toml"))
    return data
