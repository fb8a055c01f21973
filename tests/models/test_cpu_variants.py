"""Which builds of llama.cpp's processor part may be tried here, and that the linker takes the one chosen."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from models import cpu_variants
from models.cpu_variants import BASELINE

BASE = b"base library"


def put(folder: Path, name: str, rank: int, flags: list[str], base: bytes = BASE) -> Path:
    place = folder / "variants" / name
    place.mkdir(parents=True)
    (place / "libggml-cpu.so").write_bytes(name.encode())
    facts = {"rank": rank, "flags": flags, "base": hashlib.sha256(base).hexdigest()}
    (place / "note.json").write_text(json.dumps(facts), encoding="utf-8")
    return place


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "libggml-base.so").write_bytes(BASE)
    put(tmp_path, "vnni", 2, ["avx2", "avx_vnni"])
    put(tmp_path, "avx512", 0, ["avx512f", "avx512_bf16"])
    return tmp_path


def names(folder: Path, *flags: str) -> list[str]:
    return [variant.name for variant in cpu_variants.usable(folder, flags)]


def test_only_what_the_processor_lists_is_tried_the_fastest_first(folder: Path) -> None:
    assert names(folder, "avx2", "avx_vnni", "avx512f", "avx512_bf16") == ["avx512", "vnni"]
    assert names(folder, "avx2", "avx_vnni", "avx512f") == ["vnni"]
    assert names(folder, "avx2") == []


def test_a_variant_of_another_llama_is_passed_over(folder: Path) -> None:
    put(folder, "left behind", 1, [], base=b"an older base library")
    assert names(folder) == []
    (folder / "libggml-base.so").write_bytes(b"upgraded")
    assert names(folder, "avx2", "avx_vnni") == []


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"rank": 1, "base": 3, "flags": 5}'])
def test_a_torn_note_is_passed_over(folder: Path, note: str) -> None:
    (folder / "variants" / "vnni" / "note.json").write_text(note, encoding="utf-8")
    assert names(folder, "avx2", "avx_vnni") == []


def test_a_variant_without_its_library_is_passed_over(folder: Path) -> None:
    (folder / "variants" / "vnni" / "libggml-cpu.so").unlink()
    assert names(folder, "avx2", "avx_vnni") == []


def test_flags_come_from_the_system(tmp_path: Path) -> None:
    info = tmp_path / "cpuinfo"
    info.write_text("processor\t: 0\nflags\t\t: fpu avx2 amx_tile\n", encoding="utf-8")
    assert cpu_variants.cpu_flags(info) == {"fpu", "avx2", "amx_tile"}
    assert cpu_variants.cpu_flags(tmp_path / "none") == frozenset()


_ASK = """
import sys
from pathlib import Path
from models import cpu_variants
cpu_variants.load(sys.argv[1], Path(sys.argv[2]))
import llama_cpp
print(llama_cpp.llama_print_system_info().decode())
print(*(line.split()[-1] for line in open("/proc/self/maps") if "ggml-cpu" in line), sep="\\n")
try:
    cpu_variants.load("another")
except OSError:
    print("refused")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the place of a library is asked of /proc")
@pytest.mark.parametrize("name", [BASELINE, "copy"])
def test_llama_runs_with_the_library_that_was_loaded_first(name: str, tmp_path: Path) -> None:
    installed = cpu_variants.library_folder()
    if installed is None or not (installed / "libggml-cpu.so").exists():
        pytest.skip("llama.cpp is not installed")
    shutil.copy(installed / "libggml-base.so", tmp_path)
    place = put(tmp_path, "copy", 0, [])
    shutil.copy(installed / "libggml-cpu.so", place)
    answer = subprocess.run(
        [sys.executable, "-c", _ASK, name, str(tmp_path)], capture_output=True, encoding="utf-8", check=True,
        cwd=Path(cpu_variants.__file__).parents[1],
    )  # fmt: skip
    info, *places, last = answer.stdout.split("\n")[:-1]
    assert "SSE3" in info
    assert last == "refused"
    home = place if name == "copy" else installed
    assert {Path(each).parent for each in places} == {home}
