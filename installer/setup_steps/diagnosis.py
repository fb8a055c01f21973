"""What the output of a failed pip means, in words a person can act on."""

from pathlib import Path

from setup_steps.console import CommandFailed, SetupFailed

_NO_SPACE = ("no space left on device", "disk quota exceeded", "not enough space on the disk")
_NO_NETWORK = (
    "temporary failure in name resolution",
    "name or service not known",
    "nodename nor servname",
    "getaddrinfo failed",
    "failed to establish a new connection",
    "network is unreachable",
    "connection refused",
    "connectionerror",
    "connecttimeout",
    "readtimeout",
    "max retries exceeded",
    "proxyerror",
)
_NO_CMAKE = (
    "cmake executable not found",
    "could not find cmake",
    "cmake must be installed",
    "no such file or directory: 'cmake'",
)
_NO_COMPILER = (
    "no cmake_c_compiler could be found",
    "no cmake_cxx_compiler could be found",
    "cmake_c_compiler not set",
    "cmake_cxx_compiler not set",
    "is not able to compile a simple test program",
    "microsoft visual c++ 14",
)


def kind_of(output: str) -> str:
    """``space``, ``network``, ``compiler``, ``cmake`` or ``other``; the cause of a failed install."""
    text = output.lower()
    # Space before network: a full disk breaks downloads too. cmake before network: pip says that it
    # could not fetch cmake when it is the build's requirement.
    if any(sign in text for sign in _NO_SPACE):
        return "space"
    if any(sign in text for sign in _NO_COMPILER):
        return "compiler"
    if any(sign in text for sign in _NO_CMAKE) or "no matching distribution found for cmake" in text:
        return "cmake"
    if any(sign in text for sign in _NO_NETWORK):
        return "network"
    return "other"


def setup_failed(error: CommandFailed, what: str, log: Path, free_gb: float) -> SetupFailed:
    """The failure of a step that nothing can do without."""
    kind = kind_of(error.output)
    if kind == "space":
        return SetupFailed("no_space", path=log.parent, free=f"{free_gb:.1f}", needed=5)
    if kind == "network":
        return SetupFailed("no_network", what=what)
    return SetupFailed("install_failed", what=what, log=log, tail=error.tail)
