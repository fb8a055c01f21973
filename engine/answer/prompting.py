"""From question and evidence to the messages a chat model reads; the words stand in resources/prompts."""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import resources
from engine.answer.evidence import Evidence, place
from engine.wording import Language

Message = dict[str, str]

_HAN = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"(?<![\w-])[A-Za-z]{2,}(?![\w-])")
# Of ChatML, Llama 3, Phi (<|…|>), DeepSeek (<｜…｜>), Gemma, Llama 2 and Mistral; and thinking.
_CONTROL = re.compile(
    r"<(?=[|｜])|(?<=[|｜])>|<<?/?(?:s|bos|eos|pad|unk|think|start_of_turn|end_of_turn|SYS)>>?|\[/?INST\]",
    re.I,
)
_WIDE = str.maketrans("<>[]", "＜＞［］")
_MARK = re.compile(r"\[(\d{1,3}(?:\s*[,，-]\s*\d{1,3})*)\]")


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt in one language: ``name`` is noted in runs, ``user`` carries {evidence} and {question}.

    ``instruction_read`` takes the place of ``instruction`` once the reading verdict found an answer.
    """

    name: str
    language: Language
    system: str
    user: str
    instruction: str
    block: str
    instruction_read: str = ""

    def messages(self, question: str, evidence: Sequence[Evidence]) -> list[Message]:
        """System and user message; evidence is numbered data, question and rules come after it."""
        system, user = self.beginning(question, evidence)
        return [system, user | {"content": f"{user['content']}\n\n{self.instruction.strip()}"}]

    def after_reading(self) -> "Prompt":
        """The prompt that does not offer to refuse, because the evidence was found to hold the answer."""
        if not self.instruction_read:
            return self
        return replace(self, name=f"{self.name}-read", instruction=self.instruction_read)

    def beginning(self, question: str, evidence: Sequence[Evidence]) -> list[Message]:
        """The messages up to the question, for whatever else is asked about the same evidence."""
        blocks = "\n".join(
            self.block.format(
                number=e.number, place=_in_a_line(place(e.hit, self.language)), text=harmless(e.text)
            )
            for e in evidence
        )
        user = self.user.format(evidence=blocks, question=harmless(question.strip()))
        return [{"role": "system", "content": self.system.strip()}, {"role": "user", "content": user.strip()}]


def is_chinese(question: str) -> bool:
    """Whether an answer should be in Chinese: English takes at least three words and no Han character.

    A code or two ("HT-300 E05") is asked in no language, and most users write Chinese.
    """
    return _HAN.search(question) is not None or len(_WORD.findall(question)) < 3


def language_of(question: str) -> Language:
    """The language that a question is answered in."""
    return "zh" if is_chinese(question) else "en"


def load(name: str, question: str) -> Prompt:
    """The prompt file of that name (``small`` or ``large``) in the question's language."""
    return _load(name, language_of(question))


@lru_cache(maxsize=8)
def _load(name: str, language: Language) -> Prompt:
    data = tomllib.loads(resources.read_text("prompts", f"{name}.toml"))
    words = data[language]
    return Prompt(f"{name}-{language}-{data['version']}", language, **words)


def _in_a_line(where: str) -> str:
    """A file may be called anything, also a line break and the beginning of a block."""
    return harmless(" ".join(where.split()))


def harmless(text: str) -> str:
    """Text of a document or a question that can neither leave its fence nor speak as a control token.

    ``<|im_end|>`` would be read as the end of the turn, because the prompt is tokenised with its control
    tokens, and other families of models have others; a document's own [3] would be copied into the answer and
    be taken for a citation. Nothing changes its length.
    """
    text = _CONTROL.sub(lambda match: match.group().translate(_WIDE), text)
    return _MARK.sub(r"［\1］", text.replace("===", "＝＝＝"))
