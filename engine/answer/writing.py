"""The answer that a chat model writes: evidence, reading verdict, streamed text, and the check of it."""

import time
from collections.abc import Generator as Steps
from dataclasses import replace

from engine.answer import evidence, grounding, prompting, reading, trimming
from engine.answer.generation import Generator, PromptRead, Seeded
from engine.answer.grounding import correcting
from engine.answer.inquiry import Inquiry
from engine.answer.refusal import refuse
from engine.answer_events import AnswerText, PromptMade, PromptProgress
from engine.answers import Answer
from engine.cancel import CancelToken
from engine.config import Settings
from engine.events import Event
from engine.index import aliases


def answer(
    inquiry: Inquiry,
    draft: Answer,
    generator: Generator,
    rarity: trimming.Rarity,
    settings: Settings,
    token: CancelToken,
) -> Steps[Event | None, None, Answer]:
    """``draft`` with a checked text, or as a refusal where the model reads that its evidence does not answer.

    Raises what the generator does, and QuestionTooLong where no evidence fits beside the question.
    """
    prompt = prompting.load(generator.prompt, inquiry.question)
    blocks = evidence.for_prompt(
        inquiry.in_full, draft.hits, generator, prompt, settings, inquiry.around, rarity,
        inquiry.found.wording, besides=reading.tokens(generator, prompt.language),
    )  # fmt: skip
    begun = prompt.beginning(inquiry.in_full, blocks)
    gate = inquiry.found.gate
    verdict = yield from reading.judge(
        inquiry.task_id, gate, generator, begun, prompt.language, settings.mode, token
    )
    draft = replace(draft, gate=verdict)
    if verdict.read_in_vain:
        return refuse(draft, "model")
    if verdict.reading is not None:
        prompt = prompt.after_reading()
    messages = prompt.messages(inquiry.in_full, blocks)
    seed = generator.seed if isinstance(generator, Seeded) else None
    yield PromptMade(inquiry.task_id, prompt.name, tuple(messages), generator.model_id, seed)
    written, tokens = "", {"prompt": 0, "answer": 0}
    for step in generator.generate(
        messages,
        max_tokens=evidence.answer_reserve(generator, settings),
        temperature=settings.temperature,
        token=token,
    ):
        if isinstance(step, PromptRead):
            tokens["prompt"] = step.total
            yield PromptProgress(inquiry.task_id, step.done, step.total)
            continue
        inquiry.first_token = inquiry.first_token or time.monotonic()
        written += step.text
        tokens["answer"] = step.tokens
        yield AnswerText(inquiry.task_id, step.text)

    # In the wording it was found with, and in a user's other words for it: those are the subject, too.
    wording = inquiry.found.wording
    groups = [group for library in inquiry.libraries for group in aliases.read(library.db)]
    others = tuple(aliases.other_wordings(groups, wording))
    checked = grounding.check(written, blocks, inquiry.page_texts, wording, others)
    checked = correcting.in_the_words_of_the_source(checked, blocks, inquiry.page_texts, wording)
    made = replace(
        draft,
        text=checked.text,
        sentences=checked.sentences,
        citations=checked.citations,
        evidence=tuple(item.hit.chunk for item in blocks),
        model=generator.model_id,
        prompt=prompt.name,
        tokens=tokens,
    )
    refused_by = checked.refused_after(verdict.reading)
    return made if refused_by is None else refuse(made, refused_by)
