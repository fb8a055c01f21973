#!/usr/bin/env python3
"""One command from a fresh clone to an answer: ``bootstrap.py run``, and ``bootstrap.py test``.

Needs nothing but Python 3.11 or newer. Everything is installed into ``.venv`` beside the sources; a
second run skips what is there, and one that was interrupted goes on where it stopped.
"""

# This file uses nothing newer than Python 3.6, so that an older one can say what is wrong.
import os
import shutil
import subprocess
import sys

OLDEST = (3, 11)
_IS_NEW = "import sys; sys.exit(sys.version_info < (3, 11))"


def newer_python():
    """The path of a Python on this machine that is new enough, or None."""
    for minor in (13, 12, 11, 14):
        path = shutil.which(f"python3.{minor}")
        # Asked, not believed: a version manager leaves commands that only say that nothing is installed.
        if path and subprocess.call([path, "-c", _IS_NEW], stderr=subprocess.DEVNULL) == 0:
            return path
    return None


def main():
    if sys.version_info < OLDEST:
        other = newer_python()
        if other and not os.environ.get("ZHIYE_BOOTSTRAP_AGAIN"):
            os.environ["ZHIYE_BOOTSTRAP_AGAIN"] = "1"
            os.execv(other, [other, os.path.abspath(__file__)] + sys.argv[1:])  # noqa: PTH100, RUF005
        found = "{}.{}".format(*sys.version_info)
        sys.stderr.write(
            f"知页需要 Python 3.11 或更新的版本，当前是 {found}。请安装后用它运行本脚本。\n"
            f"Zhiye needs Python 3.11 or newer; this is {found}. Install one and run this script with it.\n"
        )
        return 1
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    from setup_steps.commands import main as start

    return start(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
