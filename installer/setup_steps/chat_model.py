"""The chat model: fetched by a process of its own, then proven in another."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from setup_steps import system
from setup_steps.console import CommandFailed, Console
from setup_steps.packages import Packages
from setup_steps.project import Project
from setup_steps.wording import words


@dataclass(frozen=True, slots=True)
class ChatModel:
    """``file`` is None where no model could be had; ``works`` once a token came out of it."""

    folder: Path
    file: Path | None = None
    works: bool = False


class ChatModelSetup:
    """Two steps: fetch and prove. Neither can fail the setup: search works without."""

    STEPS = 2

    def __init__(self, project: Project, console: Console, packages: Packages) -> None:
        self._project = project
        self._console = console
        self._packages = packages

    def prepare(self, *, smallest: bool) -> ChatModel:
        facts = self._facts()
        folder = Path(facts["folder"])
        wanted = str(facts["smallest" if smallest else "recommended"])
        self._console.step(words("title_model", model=wanted))
        file = self._fetch(wanted, folder)
        if file is None and facts["installed"]:
            file = self._fetch(str(facts["installed"]), folder)
        works = file is not None and self._prove(file)
        return ChatModel(folder, file, works)

    def _facts(self) -> dict[str, Any]:
        script = self._project.root / "installer" / "machine_facts.py"
        result = subprocess.run(
            [str(self._project.python), str(script)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=True,
            cwd=self._project.root,
        )
        return dict(json.loads(result.stdout))

    def _fetch(self, model: str, folder: Path) -> Path | None:
        command = [str(self._project.python), "-m", "models.acquire", model, "--folder", str(folder)]
        process = subprocess.Popen(
            [*command, "--json-progress"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            cwd=self._project.root,
        )
        assert process.stdout is not None
        shown = -10
        outcome: dict[str, Any] = {}
        try:
            for line in process.stdout:
                event = json.loads(line)
                if event["event"] == "progress":
                    shown = self._show(event, shown)
                elif event["event"] == "source_failed":
                    self._console.say("source_failed", source=event["source"], reason=event["reason"])
                else:
                    outcome = event
        finally:
            process.stdout.close()
            process.terminate()
            process.wait()
        if outcome.get("event") == "done":
            return Path(outcome["path"])
        self._console.say("no_model", reason=why_not(outcome))
        return None

    def _show(self, event: dict[str, Any], shown: int) -> int:
        """Say every tenth of the way; gives the percentage that was said last."""
        percent = int(100 * event["done"] // event["total"])
        if percent < shown + 10:
            return shown
        megabytes = {key: round(event[key] / 1e6) for key in ("done", "total")}
        self._console.say("fetching", percent=percent, source=event["source"], **megabytes)
        return percent - percent % 10

    def _prove(self, file: Path) -> bool:
        self._console.step(words("title_proof"))
        result = self._probe(file)
        if result["cause"] == "illegal_instruction" and not system.missing_cpu_features():
            # The processor has what we ask for, so the wheel is somebody else's.
            self._console.say("rebuilding")
            try:
                self._packages.rebuild_llama()
                result = self._probe(file)
            except CommandFailed as exc:
                self._console.say("llama_failed", log=self._console.log, tail=exc.tail)
                return False
        if result["ok"]:
            return True
        if result["cause"] == "illegal_instruction":
            missing = ", ".join(system.missing_cpu_features()).upper() or "?"
            self._console.say("proof_illegal_instruction", missing=missing)
        elif result["cause"] == "not_installed":
            self._console.say("proof_not_installed", detail=result["detail"])
        else:
            self._console.say("proof_failed", detail=result["detail"] or result["cause"])
        return False

    def _probe(self, file: Path) -> dict[str, Any]:
        result = subprocess.run(
            [str(self._project.python), "-m", "models.probe", str(file)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
            cwd=self._project.root,
            env=os.environ,
        )
        try:
            return dict(json.loads(result.stdout))
        except ValueError:
            return {"ok": False, "cause": "failed", "detail": result.stderr[-300:]}


def why_not(outcome: dict[str, Any]) -> str:
    """The last event of a fetch that brought nothing, in words."""
    params = outcome.get("params", {})
    if outcome.get("code") == "model_disk_full":
        gigabytes = {key: f"{params[key] / 1e9:.1f}" for key in ("needed", "free")}
        return words("no_space", path=params["path"], **gigabytes)
    if outcome.get("code") == "model_sources_failed":
        return words("all_sources_failed")  # each was named with its reason when it failed
    details = ", ".join(str(value) for value in params.values())
    return f"{outcome.get('code', 'stopped')} {details}".strip()
