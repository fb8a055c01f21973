"""Folders on other machines, of whose changes this one may not be told."""

import sys
from pathlib import Path, PurePath

import psutil

_NETWORK = (
    *("nfs", "cifs", "smb", "afp", "ncp", "webdav", "davfs", "ceph", "glusterfs", "lustre", "fuse"),
    *("9p", "vboxsf", "vmhgfs", "virtiofs", "drvfs"),  # folders that a virtual machine has from its host
)
"""How the file systems of shares are named, at least to begin with; what fuse mounts often is one."""


def is_share(path: Path) -> bool:
    """Whether ``path`` lies on a network share, as far as the operating system says so."""
    if sys.platform == "win32" and str(path).startswith("\\\\"):
        return True
    try:
        mounts = psutil.disk_partitions(all=True)
    except OSError:
        return False
    around = [mount for mount in mounts if path.is_relative_to(mount.mountpoint)]
    nearest = max(around, key=lambda mount: len(PurePath(mount.mountpoint).parts), default=None)
    return nearest is not None and (
        nearest.fstype.lower().startswith(_NETWORK) or "remote" in nearest.opts.split(",")
    )
