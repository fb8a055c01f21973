"""``zhiye doctor [NAME] [--repair]``: what works and what does not, and what to do about it.

The exit code is 4 when a library is damaged and was not put right, else 3 when a model is missing or damaged.
"""

import argparse
import platform
from typing import Any

from engine import native
from engine.cli.console import Console
from engine.health import checkup, inside, machine
from engine.standing import Finding
from engine.steps import finish
from engine.wording import describe
from engine.workspace import Workspace
from models.status import model_status


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Raises LibraryUnknown."""
    look = checkup.mend if options.repair else checkup.check
    report = finish(look(workspace, options.name))
    rows = model_status(workspace.models, native.free_memory(), workspace.settings.embedder)
    open_findings = [finding for finding in report.findings if not finding.repaired]
    record = {
        "ok": not open_findings,
        "findings": [_record(finding, console) for finding in report.findings],
        "machine": {
            "cpu": platform.processor() or platform.machine(),
            "threads": workspace.threads,
            "memory_free": native.free_memory(),
            "torch_cuda": machine.torch_cuda(),
        },
        "models": [{"id": row["id"], "verified": row["verified"]} for row in rows if row["installed"]],
    }
    lines = [_line(finding, console) for finding in report.findings]
    if not open_findings:
        lines.append(console.say("doctor_ok"))
    console.result(record, lines)
    codes = {finding.exit_code for finding in open_findings}
    return next((code for code in (inside.DAMAGED, machine.MODEL) if code in codes), max(codes, default=0))


def _record(finding: Finding, console: Console) -> dict[str, Any]:
    words = describe(finding.code, finding.params, console.language)
    return {
        "code": finding.code,
        "library": finding.library,
        "message": words.title,
        "advice": words.advice,
        "repaired": finding.repaired,
    }


def _line(finding: Finding, console: Console) -> str:
    words = console.say(finding.code, **finding.params)
    if finding.library is not None:
        words = console.say("finding_of_library", name=finding.library, finding=words)
    if finding.repaired and finding.can_repair:  # else it is what the repair has to say
        words = console.say("finding_repaired", finding=words)
    return "- " + words
