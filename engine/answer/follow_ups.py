"""Questions that live on the one before: 那病假呢？ 它的有效期呢？ and the second one?

Only a question that cannot stand alone is said again in full, by rules that put its words in the place of
those that differ, or the subject of the question before in the place of a pronoun. What the rules cannot do
a chat model that is loaded may try (:func:`by_model`); what it says must hold the words of the question.
"""

import re
import tomllib
from collections.abc import Generator as Steps
from collections.abc import Sequence

import resources
from engine.answer.generation import Generator, PromptRead
from engine.answer.prompting import harmless, is_chinese, language_of
from engine.cancel import CancelToken
from engine.index import lexical

_LONGEST, _WORDS = 30, 14
"""Characters and English words of a question that may lean on the one before."""

_MODEL_TOKENS = 64
_LONGEST_REWRITTEN = 200

_END = re.compile(r"[\s?？!！。.，,]+$")
_POLITE = re.compile(r"^(?:请问一?下?|请告诉我|我想知道|想问一?下?|问一下|帮我查一?下)[，,]?")
_OPENING = re.compile(r"^(?:什么是|谁是|哪[些个]是|何为|关于|根据|按照?|在)")

# Where the subject of a Chinese question ends: at the first word that says or asks something of it.
_PREDICATE = re.compile(
    r"的|是|有|为(?!了)|要|需|可以?|能|会|应|必须|怎|如何|多[少久长大高]|几|什么|何时|哪|谁|包[括含]|由|从|在|被|"
    r"分|属于|规定|适用|不|和谁|[，,？?。]"
)
_WHAT_OF = re.compile(
    r"^(?:那么?|还有|以及|而|至于|换成|如果是|要是)?[，,]?\s*(.{1,14}?)(?:又|怎么样|的话)?呢$"
)
_THEN = re.compile(r"^(?:那么?|那如果是|要是)[，,]?\s*(.{1,14})$")
_PRONOUN = re.compile(
    r"它们?|他们?|她们?|(?:这|那)(?:个|份|些|种|项|本|条|家|部|款)?(?=的|是|有|要|需|能|可|怎|多|什|由|在|适|会|呢|$)|"
    r"(?:该|上述|此|前述|这[个份项种]|那[个份项种])(?=[\u4e00-\u9fff])|其(?=[^他它她余中实次])"
)
_WITHOUT_SUBJECT = re.compile(
    r"^(?:那么?|还|又|也|一共|具体|大概|最多|最少|最晚|最迟|总共|分别)*"
    r"(?:是?多少|多久|多长|几|怎么|怎样|如何|为什么|为何|什么时候|何时|在哪|哪里|哪[些个天年]|谁|由谁|有没有|有什么|有哪些|"
    r"有例外|需要|要(?!求)|可以|能不能|能否|是否|是什么|包括|什么)"
)

_EN_WHAT_OF = re.compile(
    r"^(?:and |but |so |then |or )?(?:what|how) about (.+)$|^(?:and|or|but) (?:for |in |of |on )?(.+)$"
)
_EN_PRONOUN = re.compile(
    r"\b(its|it|they|their|them|this one|that one|this|these|those|he|she|his|her|him)\b"
)
_EN_ASKING = re.compile(
    r"^(?:(?:what|which|who|whom|whose|when|where|why|how(?: (?:much|many|long|often|far|old))?|is|are|"
    r"was|were|do|does|did|can|could|must|should|will|would|may|has|have|had|please|tell me|be)\b\s*)+"
)
_EN_ARTICLE = re.compile(r"^(?:the|a|an|our|my|your|their)\s+")
_EN_VERB = re.compile(
    r"\s+(?:is|are|was|were|be|do|does|did|can|could|must|should|will|would|may|has|have|had|last|take|cost|"
    r"apply|begin|start|end|expire|happen|include|contain|cover|need|require|mean|say)s?\b.*$"
)


def is_elliptical(question: str) -> bool:
    """Whether a question cannot be understood without the one before."""
    text = _bare(question)
    if is_chinese(question) and not _is_english(text):
        if not text or len(text) > _LONGEST:
            return False
        pronoun = _PRONOUN.search(text)
        return bool(
            _WHAT_OF.match(text)
            or (_THEN.match(text) and text.startswith("那") and not text.startswith(("那些", "那个", "那里")))
            or (pronoun and pronoun.start() <= 6)
            or (len(text) <= 14 and _WITHOUT_SUBJECT.match(text))
        )
    words = text.lower().split()
    lowered = " ".join(words)
    return len(words) <= _WORDS and bool(_EN_WHAT_OF.match(lowered) or _EN_PRONOUN.search(lowered))


def rewritten(question: str, previous: str) -> str | None:
    """The question in full, with what it takes from the ``previous`` one; None where no rule can say it."""
    if not previous.strip() or not is_elliptical(question):
        return None
    text, before = _bare(question), _bare(previous)
    found = _in_english(text, before) if _is_english(text) else _in_chinese(text, before)
    if found is None or found == before:
        return None
    return found + ("?" if _is_english(text) else "？")


def in_full(
    question: str, previous: Sequence[str], loaded: Generator | None, token: CancelToken
) -> Steps[None, None, str | None]:
    """The question in full where it leans on the last of the ``previous``: by rules, else by the model."""
    if not previous or not lexical.query_terms(previous[-1]):
        return None
    found = rewritten(question, previous[-1])
    if found is None and loaded is not None and is_elliptical(question):
        found = yield from by_model(question, previous[-1], loaded, token)
    return found


def by_model(
    question: str, previous: str, generator: Generator, token: CancelToken
) -> Steps[None, None, str | None]:
    """Let a chat model say the question in full: a generator of steps that returns it, or None.

    None, too, when what it says lacks a word of the question or is longer than a question, and when both
    questions together do not fit into its context.
    """
    words = tomllib.loads(resources.read_text("prompts", "rewrite.toml"))[language_of(question)]
    user = words["user"].format(previous=harmless(previous.strip()), question=harmless(question.strip()))
    messages = [{"role": "system", "content": words["system"]}, {"role": "user", "content": user.strip()}]
    if generator.prompt_tokens(messages) + _MODEL_TOKENS >= generator.context_length:
        return None
    written = ""
    for step in generator.generate(messages, max_tokens=_MODEL_TOKENS, temperature=0.0, token=token):
        if not isinstance(step, PromptRead):
            written += step.text
        yield None
    line = next((line.strip() for line in written.splitlines() if line.strip()), "")
    return line if _holds(line, question) else None


def _holds(line: str, question: str) -> bool:
    content = set(lexical.query_terms(_content(question)))
    return bool(content) and len(line) <= _LONGEST_REWRITTEN and content <= set(lexical.query_terms(line))


def _content(question: str) -> str:
    """A question without its pronouns and without what only ties it to the one before."""
    text = _bare(question)
    if _is_english(text):
        match = _EN_WHAT_OF.match(text.lower())
        text = next(group for group in match.groups() if group) if match else text
        return _EN_PRONOUN.sub(" ", text.lower())
    match = _WHAT_OF.match(text) or _THEN.match(text)
    return _PRONOUN.sub(" ", match.group(1) if match else text)


def _in_chinese(text: str, before: str) -> str | None:
    subject = subject_of(before)
    if subject is None:
        return None
    match = _WHAT_OF.match(text) or (_THEN.match(text) if text.startswith("那") else None)
    new = match.group(1).strip() if match else text
    pronoun = _PRONOUN.search(new)
    if pronoun is not None and pronoun.start() <= 6:
        rest = new[pronoun.end() :]
        if subject.endswith(rest[:2]) and len(rest) >= 2 and not rest.startswith("的"):
            rest = rest[2:]  # 该合同的有效期: 合同 is said by the subject
        return new[: pronoun.start()] + subject + rest
    if match is None or _WITHOUT_SUBJECT.match(new):
        return subject + new
    return _in_place(new, before, subject)


def _in_place(new: str, before: str, subject: str) -> str:
    """``before`` with ``new`` in place of its counterpart: what ends alike (年假, 病假), else the subject."""
    for shared in range(len(new) - 1, 0, -1):
        ending = new[-shared:]
        at = before.find(ending)
        # Of a counterpart as long as the new word: 一线城市 for 二线城市.
        start = at + shared - len(new)
        if at >= 0 and start >= 0 and not _PREDICATE.search(before[start:at]):
            return before[:start] + new + before[at + shared :]
    return before.replace(subject, new, 1)


def subject_of(question: str) -> str | None:
    """What a question is about: its first words up to what it says or asks of them."""
    text = _bare(question)
    if _is_english(text):
        return _english_subject(text)
    text = _OPENING.sub("", text)
    end = _PREDICATE.search(text, 2)
    subject = (text[: end.start()] if end else text).strip('《》“”" ')
    return subject if 2 <= len(subject) <= 24 and not _PRONOUN.match(subject) else None


def _in_english(text: str, before: str) -> str | None:
    lowered = text.lower()
    match = _EN_WHAT_OF.match(lowered)
    subject = _english_subject(before)
    if match is None:
        if subject is None:
            return None
        pronoun = _EN_PRONOUN.search(lowered)
        assert pronoun is not None, "an English question leans by a pronoun or by what about"
        owner = "'s" if pronoun.group() in ("its", "their", "his", "her") else ""
        return text[: pronoun.start()] + "the " + subject + owner + text[pronoun.end() :]
    new = text[match.start(1) if match.group(1) else match.start(2) :]
    if _EN_PRONOUN.search(new.lower()) and subject is not None:
        return _EN_PRONOUN.sub(subject, new.lower(), count=1)
    head = re.sub(r"\bones?$", subject or "one", _EN_ARTICLE.sub("", new))
    words, known = head.split(), before.split()
    # What ends alike: sick leave for annual leave.
    for at in range(1, len(known)):
        if len(words) > 1 and known[at].lower() == words[-1].lower():
            start = max(0, at + 1 - len(words))
            start += bool(_EN_ARTICLE.match(known[start].lower() + " "))
            return " ".join([*known[:start], *words, *known[at + 1 :]])
    return f"{before}: {head}" if subject is None else f"{before.replace(subject, head, 1)}"


def _english_subject(question: str) -> str | None:
    text = _EN_ASKING.sub("", question[:1].lower() + question[1:])
    of = re.search(r"\bof (?:the |a |an |our )?(.+)$", text)
    text = _EN_VERB.sub("", _EN_ARTICLE.sub("", of.group(1) if of else text))
    return text if text and len(text.split()) <= 8 else None


def _bare(question: str) -> str:
    return _POLITE.sub("", _END.sub("", question.strip()))


def _is_english(text: str) -> bool:
    return not any(lexical.is_han(character) for character in text)
