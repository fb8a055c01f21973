"""The executable of the packages: the command line, the window, and the processes that both start.

``zhiye …`` is the command line, ``zhiye-gui …`` or ``zhiye --window …`` the window.
``zhiye --process MODULE …`` stands for ``python -m MODULE …``, which a frozen program has not; only the
modules of :data:`models.processes.MODULES` are run.
"""

import sys
from pathlib import Path


def _start(arguments: list[str]) -> int:
    from models import processes

    if arguments[:1] == [processes.FLAG]:
        return processes.run(arguments[1], arguments[2:])
    from engine import seal

    seal.install()
    import multiprocessing

    # A parsing process of the package is this executable, too; from here it goes its own way.
    multiprocessing.freeze_support()
    if arguments[:1] == ["--window"] or Path(sys.executable).stem == "zhiye-gui":
        from desktop.app import main as window

        return window([argument for argument in arguments if argument != "--window"])
    from engine.cli import main as command_line

    return command_line(arguments)


if __name__ == "__main__":
    sys.exit(_start(sys.argv[1:]))
