"""What the acquisition process may read and write: it has the network, so it must not see a document.

With Landlock (Linux 5.13) the kernel keeps it so. It reads the system, Python, the program, the settings of
pip and certificates, and what a person named as the model's source; it writes to the models folder.
"""

import atexit
import os
import shutil
import ssl
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from models.confinement import landlock
from models.sources.wheels import TEMPORARY_PREFIX

_SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/etc", "/proc", "/sys", "/dev", "/run",
)  # fmt: skip
_IN_THE_HOME = (".config/pip", ".pip", ".netrc")
_NAMED_BY = (
    "PIP_CONFIG_FILE", "PIP_CERT", "PIP_CLIENT_CERT", "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE", "NETRC",
)  # fmt: skip


def confine(folder: Path, source: Path | None) -> bool:
    """Keep this process and all that it starts to the models ``folder``; False where the system cannot.

    Temporary files go there, too. Raises OSError where the folder cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.tempdir = tempfile.mkdtemp(prefix=TEMPORARY_PREFIX, dir=folder)
    os.environ["TMPDIR"] = tempfile.tempdir
    atexit.register(shutil.rmtree, tempfile.tempdir, ignore_errors=True)
    readable = [path for path in _readable(source) if path.exists()]
    return landlock.confine(landlock.Bounds((folder, Path("/dev/null")), readable))


def _readable(source: Path | None) -> Iterator[Path]:
    yield from map(Path, _SYSTEM)
    yield from map(Path, {sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(sys.executable).parent)})
    yield Path(__file__).parents[1]
    yield from (Path(place) for place in sys.path if place and Path(place) != Path.home())
    yield from (Path.home() / name for name in _IN_THE_HOME)
    yield from (Path(value) for name in _NAMED_BY if (value := os.environ.get(name)))
    certificates = ssl.get_default_verify_paths()
    yield from (Path(value) for value in (certificates.cafile, certificates.capath) if value)
    if source is not None:
        yield source
