"""``zhiye --self-check``: whether everything that was installed works on this machine, as JSON.

Meant for a package on a machine that has nothing else: each library is imported, a tiny chat model decodes
tokens in a process of its own, and the rehearsal of the offline proof reads the samples (which embeds, after
a golden vector was compared), searches, answers and opens a page, with and without the window.
"""

import importlib
import json
import platform
import sys
import time
from dataclasses import asdict
from typing import Any

import resources
from engine import native, paths
from engine.cancel import CancelToken
from engine.errors import CodedError
from engine.offline_proof import proving
from engine.version import program_version
from models.probe import probe

LIBRARIES = ("torch", "faiss", "sentence_transformers", "llama_cpp", "pymupdf", "onnxruntime", "rapidocr",
             "opencc", "lxml", "openpyxl", "msoffcrypto", "watchdog", "sqlite3")  # fmt: skip
"""In the order in which they may be loaded beside each other."""


def main() -> int:
    """Print the findings; 0 when all of it works, else 1."""
    begun = time.monotonic()
    libraries = {name: _imported(name) for name in LIBRARIES}
    tiny = probe(resources.path("self_check", "tiny.gguf"), native.thread_count())
    findings: dict[str, Any] = {
        "version": program_version(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "libraries": libraries,
        "probe": asdict(tiny),
        **_rehearsed(),
    }
    findings["seconds"] = round(time.monotonic() - begun, 1)
    findings["ok"] = not findings["problems"] and tiny.ok and "" not in libraries.values()
    sys.stdout.write(json.dumps(findings, ensure_ascii=True, indent=1) + "\n")
    return 0 if findings["ok"] else 1


def _imported(name: str) -> str:
    """Its version, "there" where it has none, empty where it cannot be imported."""
    try:
        module = importlib.import_module(name)
    except (ImportError, OSError, RuntimeError) as exc:
        sys.stderr.write(f"{name}: {exc}\n")
        return ""
    return str(getattr(module, "__version__", None) or "there")


def _rehearsed() -> dict[str, Any]:
    """Steps that were taken, what tried to leave, and the problems that ended a part early."""
    run = proving.prove(1, (), paths.home().models, CancelToken())
    try:
        while True:
            next(run)
    except StopIteration as stop:
        proof: proving.Proof = stop.value
    except (CodedError, OSError) as exc:
        return {"steps": [], "attempts": 0, "problems": [str(exc)]}
    return {
        "steps": [list(step) for part in proof.parts for step in part.steps],
        "attempts": len(proof.tried),
        "problems": [f"{part.name}: {part.problem}" for part in proof.parts if part.problem],
    }
