"""Faster builds of llama.cpp's processor library beside the portable one; models/cpu_variants.py uses them.

Only the library ``ggml-cpu`` is compiled, a minute each on two cores. AMX is in none: the kernels of a
native build died on a machine that lists AMX and does not grant it. A failure costs speed and nothing else.
"""

import hashlib
import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from setup_steps import system
from setup_steps.console import CommandFailed, Console
from setup_steps.diagnosis import kind_of
from setup_steps.project import Project, Stamps
from setup_steps.wording import words


@dataclass(frozen=True, slots=True)
class Variant:
    """``flags`` as the system lists them; ``options`` of ggml's build beside AVX2, FMA, F16C and BMI2."""

    name: str
    flags: tuple[str, ...]
    options: tuple[str, ...]


_AVX2 = ("avx2", "fma", "f16c", "bmi2")
_AVX512 = (*_AVX2, "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "avx512_vnni")
_AVX512_OPTIONS = ("AVX512", "AVX512_VBMI", "AVX512_VNNI")

VARIANTS = (
    Variant("avx512-bf16", (*_AVX512, "avx512_bf16"), (*_AVX512_OPTIONS, "AVX512_BF16")),
    Variant("avx512-vnni", _AVX512, _AVX512_OPTIONS),
    Variant("avx-vnni", (*_AVX2, "avx_vnni"), ("AVX_VNNI",)),
)
"""The fastest first. Zen 4 and Sapphire Rapids on; Ice Lake on; the desktop processors since Alder Lake."""

Pip = Callable[[Sequence[str], dict[str, str]], None]
"""Runs ``pip wheel`` with arguments and an environment; raises CommandFailed."""


class CpuVariants:
    """One step of the setup."""

    def __init__(self, project: Project, console: Console, stamps: Stamps, pip: Pip) -> None:
        self._project, self._console, self._stamps, self._pip = project, console, stamps, pip

    def build(self, libraries: Path, version: str, *, every: bool) -> None:
        """Build what this processor promises to run best, or ``every`` variant for a package.

        ``libraries`` is the folder of the installed llama.cpp of this ``version``.
        """
        promised = VARIANTS if every else suited(system.cpu_flags())[:1]
        base = libraries / "libggml-base.so"
        if sys.platform != "linux" or platform.machine() != "x86_64" or not base.is_file():
            promised = ()
        key = [version, *(variant.name for variant in promised)]
        key += [hashlib.sha256(base.read_bytes()).hexdigest()] if promised else []
        kept = not promised or self._stamps.is_done("variants", key)
        self._console.step(words("title_variants"), kept=kept)
        if kept:
            return
        for variant in promised:
            try:
                self._build(variant, libraries, version, base)
            except (CommandFailed, OSError) as exc:
                self._console.say("variant_failed", name=variant.name, log=self._console.log)
                if isinstance(exc, CommandFailed) and kind_of(exc.output) == "network":
                    return  # tried again next time; what the compiler refused once it refuses again
        self._stamps.done("variants", key)

    def _build(self, variant: Variant, libraries: Path, version: str, base: Path) -> None:
        work = self._project.root / "build" / "llama-variants" / variant.name
        shutil.rmtree(work, ignore_errors=True)
        # Past pip's cache, in which this would take the place of the portable wheel.
        settings = {"build.targets": "ggml-cpu", "install.components": "none", "build-dir": str(work)}
        options = [os.environ.get("CMAKE_ARGS", ""), *cmake_arguments(variant)]
        self._pip(
            ["--no-deps", "--no-cache-dir", "--no-binary", "llama-cpp-python",
             "--wheel-dir", str(work / "wheel"),
             *(f"--config-settings={name}={value}" for name, value in settings.items()),
             f"llama-cpp-python=={version}"],
            os.environ | {"CMAKE_ARGS": " ".join(options).strip()},
        )  # fmt: skip
        place = libraries / "variants" / variant.name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        shutil.copyfile(work / "bin" / "libggml-cpu.so", place / "libggml-cpu.so")
        facts = {
            "rank": VARIANTS.index(variant),
            "flags": variant.flags,
            "base": hashlib.sha256(base.read_bytes()).hexdigest(),
        }
        (place / "note.json").write_text(
            json.dumps(facts), encoding="utf-8"
        )  # last: it says that all is there
        shutil.rmtree(work, ignore_errors=True)


def suited(flags: frozenset[str]) -> tuple[Variant, ...]:
    """The variants that a processor with these flags promises to run."""
    return tuple(variant for variant in VARIANTS if flags.issuperset(variant.flags))


def cmake_arguments(variant: Variant) -> list[str]:
    """Of a library that holds no path of the folder it was built in."""
    options = ("AVX2", "FMA", "F16C", "BMI2", *variant.options)
    return ["-DGGML_NATIVE=OFF", "-DCMAKE_SKIP_RPATH=ON", *(f"-DGGML_{option}=ON" for option in options)]
