"""The reading verdict: the chat model itself is asked, before a word is shown, whether its evidence answers.

Not its word counts (a model of 1.5 B says 能 to half of the questions that have no answer) but how
much likelier one of two answers is, over a few wordings put behind one prefix, which the answer
then goes on from. A logistic regression weighs these margins with the gate's log-odds; signs and
weights are fitted for each model file. A model without weights is not asked.
"""

from collections.abc import Generator, Sequence
from dataclasses import replace

from engine.answer import generation
from engine.answer.generation import PromptRead, ReadsMargins
from engine.answer.prompting import Message
from engine.answer.reading import questions, weights
from engine.answer_events import PromptProgress
from engine.answers import Gate
from engine.cancel import CancelToken

_FRAME = 8
"""Tokens of the template around a question."""


def can_judge(generator: generation.Generator) -> bool:
    """Whether this model is asked before it answers: it has weights, and logits can be had of it."""
    return weights.are_known(generator.model_id) and isinstance(generator, ReadsMargins)


def tokens(generator: generation.Generator, language: str) -> int:
    """What :func:`judge` has this model read beside the messages."""
    fitted = weights.find(generator.model_id, language)
    if fitted is None or not isinstance(generator, ReadsMargins):
        return 0
    asked = questions.load(language)
    return sum(generator.count_tokens(asked[name].question) + _FRAME for name in fitted.margins)


def judge(
    task_id: int,
    gate: Gate,
    generator: generation.Generator,
    messages: Sequence[Message],
    language: str,
    mode: str,
    token: CancelToken,
) -> Generator[PromptProgress | None, None, Gate]:
    """The gate's verdict with the model's own added to it, returned after the steps of reading.

    ``messages`` end with evidence and question. Raises Cancelled when stopped.
    """
    fitted = weights.find(generator.model_id, language)
    if fitted is None or not isinstance(generator, ReadsMargins):
        return gate
    asked = questions.load(language)
    found: list[float] = []
    for step in generator.margins(messages, [asked[name] for name in fitted.margins], token):
        if isinstance(step, PromptRead):
            yield None if found else PromptProgress(task_id, step.done, step.total)
        else:
            found.append(step.value)
    margins = dict(zip(fitted.margins, found, strict=True))
    probability = fitted.probability(margins, gate.probability)
    return replace(gate, reading=probability, reading_threshold=fitted.thresholds[mode])
