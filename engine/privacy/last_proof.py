"""The proof that was run last, with its report, in the data folder."""

import json
from collections.abc import Iterator
from contextlib import suppress

from engine.cancel import CancelToken
from engine.events import Event
from engine.index.replacing import write_file
from engine.offline_proof import report
from engine.offline_proof.proving import prove
from engine.paths import Home
from engine.privacy.messages import LastProof, OfflineProved, ProveOffline
from engine.privacy.places import PROOF
from engine.workspace import Workspace

_RECORD, _REPORT = "last.json", "offline-proof.html"


def run(command: ProveOffline, workspace: Workspace, token: CancelToken) -> Iterator[Event | None]:
    """Prove and keep it; raises as :func:`engine.offline_proof.proving.prove`, and StorageFailed."""
    folder = workspace.home.root / PROOF
    libraries = workspace.libraries.chosen(())
    proof = yield from prove(command.task_id, libraries, workspace.home.models, token)
    file = folder / _REPORT
    report.write(proof, file, command.language)
    last = LastProof(proof.ok, len(proof.tried), proof.at.isoformat(timespec="seconds"), file)
    record = {"ok": last.ok, "attempts": last.attempts, "at": last.at}
    write_file(folder / _RECORD, json.dumps(record).encode("ascii"))
    yield OfflineProved(command.task_id, last)


def read(home: Home) -> LastProof | None:
    """None: there was none, or its report is gone."""
    folder = home.root / PROOF
    with suppress(OSError, ValueError, KeyError, TypeError):
        record = json.loads((folder / _RECORD).read_text(encoding="ascii"))
        if (folder / _REPORT).is_file():
            return LastProof(bool(record["ok"]), int(record["attempts"]), str(record["at"]), folder / _REPORT)
    return None
