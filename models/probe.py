"""Proof that this machine can run a chat model: one token is decoded in a child process.

A llama.cpp build that uses an instruction the processor lacks dies of a signal, and takes with it
whatever process it lives in. So it is tried in a process that may die, which then times a short prompt.

``python -m models.probe FILE`` prints a :class:`Probe` as JSON and exits with 0
or 3; ``cause`` is one of the words of :data:`Cause`.
"""

import argparse
import dataclasses
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from models import cpu_variants, processes
from models.errors import ModelError
from models.gguf import read_header

Cause = Literal["not_installed", "model_unusable", "illegal_instruction", "died", "failed", "too_slow"]

TIMEOUT_S = 180.0
PROMPT_TOKENS = 128
"""Tokens of the prompt that is timed: one slice of a real one."""

_WINDOWS_ILLEGAL_INSTRUCTION = 0xC000001D


@dataclass(frozen=True, slots=True)
class Probe:
    """``cause`` and ``detail`` say why ``ok`` is False; ``seconds`` for loading and one token.

    ``prompt_s`` is how long ``prompt_tokens`` tokens of a prompt took once the file was in memory.
    """

    ok: bool
    cause: Cause | None = None
    detail: str = ""
    seconds: float = 0.0
    prompt_tokens: int = 0
    prompt_s: float = 0.0


def probe(
    file: Path,
    threads: int = 1,
    *,
    variant: str = cpu_variants.BASELINE,
    run: Callable[..., "subprocess.CompletedProcess[str]"] = subprocess.run,
) -> Probe:
    """Try the model in a child process; never raises for a model or a build that cannot be used.

    ``variant`` is one of :mod:`models.cpu_variants`.
    """
    try:
        read_header(file)
    except ModelError as exc:
        return Probe(False, "model_unusable", str(exc))
    command = (
        *processes.command("models.probe"), "--in-this-process", "--threads", str(threads),
        "--variant", variant, str(file.absolute()),
    )  # fmt: skip
    try:
        result = run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT_S,
            cwd=processes.FOLDER,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Probe(False, "too_slow", f"no token within {TIMEOUT_S:.0f} s")
    return _judge(result.returncode, result.stdout, result.stderr)


def _judge(status: int, output: str, errors: str) -> Probe:
    if status in (-getattr(signal, "SIGILL", 4), _WINDOWS_ILLEGAL_INSTRUCTION):
        return Probe(False, "illegal_instruction", f"status {status}")
    last = output.strip().rpartition("\n")[2]
    try:
        return Probe(**json.loads(last))
    except (ValueError, TypeError):
        return Probe(False, "died", f"status {status}: {errors.strip()[-300:]}")


def _decode_one_token(file: Path, threads: int, variant: str) -> Probe:
    started = time.monotonic()
    try:
        cpu_variants.load(variant)
        from llama_cpp import Llama
    except (ImportError, OSError, RuntimeError) as exc:
        return Probe(False, "not_installed", str(exc))
    try:
        model = Llama(
            model_path=str(file), n_ctx=2 * PROMPT_TOKENS, n_batch=PROMPT_TOKENS, n_threads=threads,
            n_threads_batch=threads, verbose=False,
        )  # fmt: skip
        tokens = model.tokenize("知页".encode(), add_bos=False)
        next(iter(model.generate(tokens, temp=0.0)))
        seconds = time.monotonic() - started
        model.reset()
        prompt = (tokens * PROMPT_TOKENS)[:PROMPT_TOKENS]
        begun = time.monotonic()
        model.eval(prompt)
        prompt_s = time.monotonic() - begun
        model.close()
    except Exception as exc:  # a border: whatever a native library raises is the answer here
        return Probe(False, "failed", repr(exc))
    return Probe(True, seconds=round(seconds, 2), prompt_tokens=len(prompt), prompt_s=round(prompt_s, 3))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; prints the result as one line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m models.probe")
    parser.add_argument("file", type=Path)
    parser.add_argument("--in-this-process", action="store_true", help="the child's side")
    parser.add_argument("--threads", type=int, default=1, help="processor threads")
    parser.add_argument(
        "--variant", default=cpu_variants.BASELINE, help="build of llama.cpp's processor part"
    )
    options = parser.parse_args(arguments)
    if options.in_this_process:
        result = _decode_one_token(options.file, options.threads, options.variant)
    else:
        result = probe(options.file, options.threads, variant=options.variant)
    sys.stdout.write(json.dumps(dataclasses.asdict(result)) + "\n")
    return 0 if result.ok else ModelError.exit_code


if __name__ == "__main__":
    sys.exit(main())
