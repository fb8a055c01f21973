#!/usr/bin/env python3
"""Packages for machines without Python, network or developer tools; ``python3 installer/build.py deb``.

Sets up the same environment as ``bootstrap.py``, freezes the program in it and packs what came out into
``dist/``. What there is to build on which system: ``python3 installer/build.py --help``.
"""

import os
import sys

if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit("Building needs Python 3.11 or newer.")

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120

from distribution.commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
