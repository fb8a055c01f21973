"""How fast the models are on this machine: a test of ten seconds at most, whose figures are kept.

Kept in ``model-speed-tests.json`` in the data folder, by model file, build and processor as in
:mod:`engine.chat.speed`, so that a figure is never shown for another machine or another file.
"""

import time
from collections.abc import Generator as Steps
from dataclasses import asdict
from datetime import UTC, datetime

from engine import kept_table
from engine.answer import budget
from engine.answer.generation import Generator, PromptRead
from engine.answer.prompting import Message
from engine.cancel import CancelToken
from engine.chat import speed
from engine.index.embedding import Embedder
from engine.model_files.standing import ModelSpeed
from engine.paths import Home

CHAT_S, EMBEDDER_S = 8.0, 2.0
"""Seconds; together ten, which is as long as people wait for figures."""

WRITTEN_TOKENS = 48

USUAL_RULES = 350
"""Prompt tokens of rules and question beside the evidence, as in tests/quality/README.md."""

_TEXT = (
    "仪器送检须提前五个工作日在台账中登记，写明编号、量程和上次检定的日期。检定不合格的仪器贴红色标签，"
    "停用并移入隔离区；修复后重新送检，合格的方可领用。借用仪器的部门在归还时检查外观、电量和附件，"
    "发现损坏的当天告知保管员。台账由保管员每季度核对一次，核对结果交质量部备案，保存三年。"
)
_TOKENS = 200
"""Of a passage with its number, at most: so many fill one step of the embedder."""

_FILE = "model-speed-tests.json"


def measure_chat(generator: Generator, token: CancelToken) -> Steps[float, None, ModelSpeed | None]:
    """Read a prompt of some 200 tokens and write for the rest of the time; yields the seconds spent.

    Returns None where not even the prompt could be read in time. Raises Cancelled and GenerationFailed.
    """
    begun = time.perf_counter()
    # Another beginning each time: what two prompts have in common is not read twice.
    question = f"{time.time_ns()}。{_TEXT}\n把上面的规定改写成一份通知。"
    messages: list[Message] = [{"role": "user", "content": question}]
    known: int | None = None
    read, read_s, wrote, first_s = 0, 0.0, 0, 0.0
    steps = generator.generate(messages, max_tokens=WRITTEN_TOKENS, temperature=0.1, token=token)
    try:
        for step in steps:
            spent = time.perf_counter() - begun
            if isinstance(step, PromptRead):
                known = step.done if known is None else known
                read, read_s = step.done - known, spent
            else:
                first_s = first_s or spent
                wrote = step.tokens
            yield spent
            if spent >= CHAT_S:
                break
    finally:
        if isinstance(steps, Steps):
            steps.close()
    writing_s = time.perf_counter() - begun - first_s
    writes = round((wrote - 1) / writing_s, 1) if wrote > 1 and writing_s > 0 else None
    if read and read_s > 0:
        reads = read / read_s
        usual_s = (USUAL_RULES + budget.within(reads, USUAL_RULES)) / reads
        return ModelSpeed(_now(), round(reads, 1), writes, round(usual_s, 1))
    # A chat server does not tell how it gets on with a prompt; its own first word is all that is known.
    return ModelSpeed(_now(), None, writes, round(first_s, 1)) if wrote else None


def measure_embedder(embedder: Embedder, token: CancelToken) -> Steps[float, None, ModelSpeed]:
    """Embed passages of some 150 characters; yields the seconds spent. Raises Cancelled."""
    embedder.embed_passages([_TEXT])  # what is made at the first call is no part of it
    begun = time.perf_counter()
    count, spent = 0, 0.0
    while spent < EMBEDDER_S:
        token.check()
        batch = embedder.step_tokens // _TOKENS
        embedder.embed_passages([f"{count + number}。{_TEXT}" for number in range(batch)])
        count += batch
        spent = time.perf_counter() - begun
        yield spent
    return ModelSpeed(at=_now(), passages_per_second=round(count / spent, 1))


def keep(home: Home, identity: str, measured: ModelSpeed) -> None:
    """Remember what was measured; what cannot be kept is measured again."""
    kept_table.keep(home.root / _FILE, identity, asdict(measured))


def kept(home: Home) -> dict[str, ModelSpeed]:
    """What was measured on this machine, by identity."""
    found: dict[str, ModelSpeed] = {}
    for identity, figures in kept_table.read(home.root / _FILE).items():
        try:
            found[identity] = ModelSpeed(**figures)
        except TypeError:
            continue  # written by another version
    return found


def embedder_identity(model_id: str) -> str:
    return f"{model_id}|{speed.processor()}"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
