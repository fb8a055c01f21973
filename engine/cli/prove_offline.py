"""``zhiye prove-offline [--report FILE]``: a run on the sample documents that shows whether anything leaves.

The exit code is 5 where something was tried or a step was not taken.
"""

import argparse
import dataclasses

from engine.cancel import CancelToken
from engine.cli.console import Console
from engine.errors import OutsideConnection, WrongUse
from engine.offline_proof import report
from engine.offline_proof.proving import Proof, ProofSteps, prove
from engine.workspace import Workspace


def run(options: argparse.Namespace, workspace: Workspace, console: Console) -> int:
    """Raises ProofRefused, and WrongUse for a report that is neither HTML nor PDF."""
    file = None if options.report is None else options.report.absolute()
    if file is not None and file.suffix.lower() not in report.SUFFIXES:
        raise WrongUse(detail=str(options.report))
    libraries = workspace.libraries.chosen(())
    steps = prove(0, libraries, workspace.home.models, CancelToken())
    proof = _follow(steps, console)
    if file is not None:
        report.write(proof, file, console.language)
    unfinished = [part.name for part in proof.parts if part.problem]
    record = {
        "ok": proof.ok,
        "attempts": len(proof.tried),
        "namespace": proof.isolated,
        "report": None if file is None else str(file),
        "traced": proof.traced,
        "tried": [dataclasses.asdict(tried) for tried in proof.tried],
        "parts": [
            {"name": part.name, "steps": [code for code, _ in part.steps], "problem": part.problem or None}
            for part in proof.parts
        ],
        "files": proof.files.counts(),
        "versions": dict(proof.versions),
        "program": {folder.folder: folder.sha256 for folder in proof.program},
        "models": {model.name: model.sha256 for model in proof.models},
        "seconds": round(proof.seconds, 1),
    }
    if proof.ok:
        lines = [console.say("proof_done")]
    else:
        lines = [console.say("proof_failed", count=len(proof.tried), unfinished=len(unfinished))]
        lines += [f"- {tried.how} → {tried.target} {tried.library}".rstrip() for tried in proof.tried]
        lines += [
            f"- {console.say(part.name)}: {console.say('proof_part_stopped', detail=part.problem)}"
            for part in proof.parts
            if part.problem
        ]
    if file is not None:
        lines.append(console.say("proof_written", path=str(file)))
    console.result(record, lines)
    return 0 if proof.ok else OutsideConnection.exit_code


def _follow(steps: ProofSteps, console: Console) -> Proof:
    while True:
        try:
            console.progress(next(steps))
        except StopIteration as end:
            proof: Proof = end.value
            return proof
