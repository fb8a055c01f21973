"""Negation: whether two texts say that something is so, or one that it is not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.answer.grounding.claims.directions import blanked

# Longest first. 不得不 and 无不 affirm; 不仅, 不断, 非常, 未来 negate nothing.
_CHINESE = re.compile(
    r"不得不|无不|无一不|莫不|不可不|"
    r"(不得|不应当?|不能够?|不可以?|不许|不准|不允许|不宜|不必|不需要?|不用|不会|不曾|不再|不予|"
    r"不属于?|无须|无需|毋须|毋庸|"
    r"禁止|严禁|切勿|请勿|尚未|从未|并未|未曾|未能|未经|未予|没有|并非|绝非|并不|拒绝|免于|"
    r"不(?![仅但断过同少久料锈管论足动产时良透])|未(?![来婚知成免])|没(?![收落入])|"
    r"非(?![常洲法典凡]|物质)|无(?![论锡线机偿效限数害疑边穷]|人机)|勿)"
)
_ENGLISH = re.compile(
    r"\b(?:(cannot|can't|won't|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hasn't|haven't|hadn't|"
    r"not(?! only\b)|no(?! (?:later|earlier|more|less|fewer)\b)|never|neither|nor|without|prohibited|"
    r"forbidden|refused|denied|failed to))\b"
)
_AUXILIARY = re.compile(
    r"\b(?:did|does|do|was|were|is|are|has|have|had|can|could|will|would|should|may|be|been)\b"
)
_IGNORED = re.compile(r"[\s,，、的了地]+")
_SENTENCE_END = re.compile(r"[。；;!?！？\n]")

_SCOPE = 4
"""Characters behind a negation that it is about."""

_WORDS = 3
"""Words behind an English one."""


@dataclass(frozen=True, slots=True)
class Negation:
    """``scope`` is what is negated, ``before`` what stands in front; ``start`` to ``end`` the negating
    word."""

    scope: str
    before: str
    start: int
    end: int
    is_attribute: bool = False


def negations(normal: str) -> list[Negation]:
    """The negations of a normalised text, in order; limits such as 不超过 are none."""
    text = blanked(normal)
    found = []
    for match in _CHINESE.finditer(text):
        if match[1]:
            rest = _SENTENCE_END.split(text[match.end() : match.end() + 9])[0]
            before = _IGNORED.sub("", _SENTENCE_END.split(text[: match.start()])[-1])
            is_attribute = "的" in rest[1 : _SCOPE + 2]
            found.append(Negation(_IGNORED.sub("", rest)[:_SCOPE], before[-3:], *match.span(), is_attribute))
    for match in _ENGLISH.finditer(text):
        words = _content_words(_SENTENCE_END.split(text[match.end() :])[0])[:_WORDS]
        before = " ".join(_content_words(text[: match.start()])[-2:])
        found.append(Negation(" ".join(words), before, *match.span()))
    return found


def opposed(statement: str, evidence: str) -> Iterator[tuple[int, int]]:
    """Where the (normalised) statement says the opposite of the evidence: spans of the statement.

    A negation is opposed when the evidence says what it is about without one; what the evidence negates, when
    the statement says it without one. What only one of them speaks of cannot be compared.
    """
    mine, others = negations(statement), negations(evidence)
    if not mine and not others:
        return
    plain_statement, plain_evidence = _plain(statement), _plain(evidence)
    affirmed = _plain(_without(evidence, others))
    for negation in mine:
        scope = _longest(negation.scope, plain_evidence)
        if scope:
            if scope in affirmed and not _is_negated(scope, others):
                yield negation.start, negation.end
        elif not others and len(negation.before) > 2 and negation.before in plain_evidence:
            yield negation.start, negation.end
    said = _plain(_without(statement, mine))
    for negation in others:
        if negation.is_attribute:
            continue
        scope = _longest(negation.scope, plain_statement)
        if scope and scope in said and not _is_negated(scope, mine) and scope not in affirmed:
            at = statement.find(scope)
            yield (at, at + len(scope)) if at >= 0 else (0, len(statement))


def _content_words(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", _AUXILIARY.sub(" ", text))


def _plain(text: str) -> str:
    """Without what is ignored; words of a language with blanks keep one between them."""
    if re.search(r"[a-z] [a-z]", text) and not re.search(r"[\u4e00-\u9fff]", text):
        return " ".join(_content_words(text))
    return _IGNORED.sub("", text)


def _longest(scope: str, text: str) -> str:
    """The longest beginning of a scope, of two characters or a long word at least, that a text holds."""
    if re.search(r"[a-z]", scope) and not re.search(r"[\u4e00-\u9fff]", scope):
        words = scope.split()
        for count in range(len(words), 0, -1):
            piece = " ".join(words[:count])
            if len(piece) > 4 and re.search(rf"\b{re.escape(piece)}", text):
                return piece
        return ""
    for length in range(len(scope), 1, -1):
        if scope[:length] in text:
            return scope[:length]
    return ""


def _is_negated(scope: str, negations: Sequence[Negation]) -> bool:
    return any(scope in each.scope for each in negations)


def _without(text: str, found: Sequence[Negation]) -> str:
    """The text with each negation and its scope blanked."""
    characters = list(text)
    for negation in found:
        end = min(len(text), negation.end + len(negation.scope) + 1)
        characters[negation.start : end] = "\0" * (end - negation.start)
    return "".join(characters)
