"""What a check and a repair have to say: one knowledge base in order, one in disorder, one damaged."""

from dataclasses import replace

from engine.events import HealthChecked
from engine.standing import Finding, LibraryHealth, LibrarySummary, SyncError

HOME = "/home/li/.local/share/zhiye"
DAMAGED = f"{HOME}/libraries/4b227777d4dd/library.sqlite"

GOOD = LibrarySummary(
    "公司制度", ("/资料/公司制度",), {"indexed": 482, "partial": 11, "needs_password": 3}, 12840, 61_400_000,
    "bge-small-zh-v1.5", "2026-11-30T08:15:00+00:00", generation=503,
)  # fmt: skip
UNTIDY = replace(
    GOOD,
    name="研发文档（2019–2026）",
    counts={"indexed": 96, "needs_ocr": 4, "unreadable": 2},
    chunks=3108,
    bytes=15_900_000,
    generation=118,
    last_error=SyncError(
        "2026-11-29T16:40:00+00:00", "storage_failed", {"path": HOME, "detail": "database or disk is full"}
    ),
)

FINDINGS = (
    Finding("terms_amiss", UNTIDY.name, {"count": 14}, 4, can_repair=True),
    Finding("vectors_unnamed", UNTIDY.name, {"count": 208}, can_repair=True),
    Finding("folder_unreachable", UNTIDY.name, {"path": "/media/li/U盘/测试报告"}),
    Finding(
        "library_damaged", "合同", {"path": DAMAGED, "detail": "database disk image is malformed"}, 4,
        can_repair=True,
    ),
    Finding("little_memory", None, {"free_mb": 1530}),
)  # fmt: skip


def checked(task_id: int) -> HealthChecked:
    libraries = (
        LibraryHealth(GOOD.name, GOOD),
        LibraryHealth(UNTIDY.name, UNTIDY, 222),
        LibraryHealth("合同"),
    )
    return HealthChecked(task_id, FINDINGS, libraries)


def repaired(task_id: int) -> HealthChecked:
    params = {"documents": 214, "lost": 3, "vectors": 5120, "path": DAMAGED + ".damaged-20261130-081502"}
    told = Finding("library_salvaged", "合同", params, repaired=True)
    findings = tuple(replace(f, repaired=True) if f.can_repair else f for f in FINDINGS)
    saved = replace(GOOD, name="合同", counts={"indexed": 214}, chunks=5031, bytes=27_300_000)
    libraries = (
        LibraryHealth(GOOD.name, GOOD),
        LibraryHealth(UNTIDY.name, UNTIDY),
        LibraryHealth("合同", saved),
    )
    return HealthChecked(task_id, (told, *findings), libraries)
