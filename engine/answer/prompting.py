"""From question and evidence to the messages a chat model reads; the words stand in resources/prompts."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import resources
from engine.answer.evidence import Evidence

Message = dict[str, str]

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"(?<![\w-])[A-Za-z]{2,}(?![\w-])")
_MARK = re.compile(r"\[(\d{1,3}(?:\s*[,，-]\s*\d{1,3})*)\]")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt in one language: ``name`` is noted in the run, the texts carry {evidence} and {question}."""

    name: str
    system: str
    user: str
    block: str

    def messages(self, question: str, evidence: Sequence[Evidence]) -> list[Message]:
        """System and user message; evidence is numbered data, rules and question come after it."""
        blocks = "\n".join(
            self.block.format(number=e.number, place=harmless(e.place), text=harmless(e.text))
            for e in evidence
        )
        user = self.user.format(evidence=blocks, question=harmless(question.strip()))
        return [{"role": "system", "content": self.system.strip()}, {"role": "user", "content": user.strip()}]


def is_chinese(question: str) -> bool:
    """Whether an answer should be in Chinese: English takes at least three words and no Han character.

    A code or two ("HT-300 E05") is asked in no language, and most users write Chinese.
    """
    return _HAN.search(question) is not None or len(_WORD.findall(question)) < 3


def load(name: str, question: str) -> Prompt:
    """The prompt file of that name (``small`` or ``large``) in the question's language."""
    return _load(name, "zh" if is_chinese(question) else "en")


@lru_cache(maxsize=8)
def _load(name: str, language: str) -> Prompt:
    data = tomllib.loads(resources.read_text("prompts", f"{name}.toml"))
    words = data[language]
    return Prompt(f"{name}-{language}-{data['version']}", words["system"], words["user"], words["block"])


def harmless(text: str) -> str:
    """Text of a document or a question that can neither leave its fence nor speak as a control token.

    ``<|im_end|>`` would be read as the end of the turn, because the prompt is tokenised with its control
    tokens; a document's own [3] would be copied into the answer and be taken for a citation.
    """
    return _MARK.sub(r"［\1］", text.replace("<|", "<｜").replace("|>", "｜>").replace("===", "＝＝＝"))
