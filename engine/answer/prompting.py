"""From question and evidence to the messages a chat model reads; the words stand in resources/prompts."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import resources
from engine.answer.evidence import Evidence

Message = dict[str, str]


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file: ``name`` is noted in the run, the texts carry {evidence} and {question}."""

    name: str
    system: str
    user: str
    block: str

    def messages(self, question: str, evidence: Sequence[Evidence]) -> list[Message]:
        """System and user message; evidence is fenced as data and the rules come after it."""
        blocks = "\n".join(
            self.block.format(number=e.number, place=harmless(e.place), text=harmless(e.text))
            for e in evidence
        )
        user = self.user.format(evidence=blocks, question=harmless(question.strip()))
        return [{"role": "system", "content": self.system.strip()}, {"role": "user", "content": user.strip()}]


@lru_cache(maxsize=4)
def load(name: str) -> Prompt:
    """The prompt file of that name (``small`` or ``large``)."""
    data = tomllib.loads(resources.read_text("prompts", f"{name}.toml"))
    return Prompt(f"{name}-{data['version']}", data["system"], data["user"], data["block"])


def harmless(text: str) -> str:
    """Text of a document or a question that cannot end its fence or speak as a control token.

    ``<|im_end|>`` in a document would be read as the end of the turn, because the prompt is tokenised with
    its control tokens.
    """
    return (
        text.replace("<|", "<｜").replace("|>", "｜>").replace("</资料", "＜/资料").replace("<资料", "＜资料")
    )
