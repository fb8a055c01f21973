"""``python -m tests.bench [PART …]`` prints the table of tests/bench/README.md."""

import argparse
import importlib
import os

from engine import seal
from tests.bench.measuring import machine

PARTS = (
    "memory",
    "window",
    "gap",
    "gui",
    "reader",
    "background",
    "intake",
    "sync",
    "retrieval",
    "answer",
    "packs",
    "versions",
)
LARGE = ("scale", "indexing", "package")
"""Run only when named: a quarter of an hour and 10 GiB of disk; ten minutes and other programs' packages; a
program that was frozen before."""


def main() -> None:
    seal.install()
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    names = f"any of {', '.join(PARTS)} (default: all of these), {', '.join(LARGE)}"
    parser.add_argument("parts", nargs="*", metavar="PART", help=names)
    parser.add_argument("--rivals", metavar="PYTHON", help="interpreter that has the group bench (indexing)")
    options = parser.parse_args()
    if options.rivals:
        os.environ["ZHIYE_BENCH_RIVALS"] = options.rivals
    wanted = options.parts or PARTS
    print(f"Machine: {machine()}\n")
    print("| what | figure | against |\n|---|---|---|")
    for part in wanted:
        for row in importlib.import_module(f"tests.bench.{part}").run():
            print(f"| {row.name} | {row.value} | {row.against} |", flush=True)


if __name__ == "__main__":
    main()
