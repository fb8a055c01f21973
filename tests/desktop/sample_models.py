"""How models may stand on a machine: two installed, one in use, one too large, one that nobody knows."""

from dataclasses import replace

from engine.events import Event
from engine.model_files.events import ModelsListed
from engine.model_files.standing import Machine, ModelSpeed, ModelStanding

MACHINE = Machine("Intel(R) Core(TM) i5-1135G7", 4, 3, 16_600_000_000, 9_300_000_000, 212_000_000_000)
SMALL_MACHINE = replace(MACHINE, cores=2, threads=2, total_memory=4_100_000_000, free_memory=1_900_000_000)
AT = "2026-11-30T08:15:00+00:00"
CHAT_SPEED = ModelSpeed(AT, 158.0, 12.4, 7.1)
EMBEDDER_SPEED = ModelSpeed(AT, passages_per_second=12.3)

SMALL = ModelStanding(
    "qwen2.5-coder-0.5b-instruct-q4_k_m", "chat", "Qwen2.5-Coder 0.5B Instruct (Q4_K_M)", 491_400_064,
    1_200_000_000, "fits", "Apache-2.0", installed=True, checked_by="hash",
)  # fmt: skip
LARGE = replace(
    SMALL, id="qwen2.5-coder-1.5b-instruct-q4_k_m", name="Qwen2.5-Coder 1.5B Instruct (Q4_K_M)",
    size=1_117_320_768, memory_needed=2_200_000_000, in_use=True, is_default=True, is_recommended=True,
    speed=CHAT_SPEED,
)  # fmt: skip
ABSENT = replace(
    LARGE, id="qwen2.5-1.5b-instruct-q4_k_m", name="Qwen2.5 1.5B Instruct (Q4_K_M)", installed=False,
    checked_by=None, in_use=False, is_default=False, is_recommended=False, can_download=True, speed=None,
)  # fmt: skip
TORN = replace(
    SMALL, id="qwen2.5-0.5b-instruct-q4_k_m", name="Qwen2.5 0.5B Instruct (Q4_K_M)", checked_by=None,
    problem="model_damaged",
)  # fmt: skip
STRANGER = replace(
    SMALL, id="Yi-34B-Chat-Q4", name="Yi-34B-Chat-Q4", size=20_700_000_000, memory_needed=27_900_000_000,
    fit="too_large", licence=None, in_catalogue=False, checked_by="structure",
)  # fmt: skip
BGE_SMALL = ModelStanding(
    "bge-small-zh-v1.5", "embedder", "BAAI bge-small-zh-v1.5 (float16, lossless)", 47_940_000, 300_000_000,
    "fits", "MIT", installed=True, checked_by="hash", in_use=True, is_default=True, is_permanent=True,
    speed=EMBEDDER_SPEED,
)  # fmt: skip
BGE_BASE = replace(
    BGE_SMALL, id="bge-base-zh-v1.5", name="BAAI bge-base-zh-v1.5", size=409_000_000,
    memory_needed=820_000_000, checked_by="structure", in_use=False, is_default=False, is_permanent=False,
    speed=None,
)  # fmt: skip
BGE_LARGE = replace(
    BGE_BASE, id="bge-large-zh-v1.5", name="BAAI bge-large-zh-v1.5", size=1_298_000_000,
    memory_needed=2_150_000_000, installed=False, checked_by=None, publisher="BAAI/bge-large-zh-v1.5",
)  # fmt: skip

ALL = (BGE_SMALL, BGE_BASE, BGE_LARGE, LARGE, SMALL, ABSENT, TORN, STRANGER)
WITHOUT_CHAT = (
    replace(BGE_SMALL, speed=None),
    BGE_LARGE,
    replace(ABSENT, is_recommended=True),
    replace(ABSENT, id=SMALL.id, name=SMALL.name, size=SMALL.size, memory_needed=SMALL.memory_needed),
)


def listed(task_id: int, models: tuple[ModelStanding, ...] = ALL, machine: Machine = MACHINE) -> Event:
    return ModelsListed(task_id, models, machine)
