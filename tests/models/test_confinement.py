"""What the kernel keeps a process to, each in a process that may be bound for good."""

import subprocess
import sys
from pathlib import Path

import pytest

from models.confinement import kernel, landlock, seccomp
from tests.conftest import ROOT

pytestmark = pytest.mark.skipif(kernel.processor() is None, reason="Linux on x86-64 or arm64")
needs_landlock = pytest.mark.skipif(not landlock.version(), reason="this kernel has no Landlock")


def run(code: str, *arguments: object) -> list[str]:
    """The lines that ``code`` prints; ``refused(f, *args)`` says whether the system refused a call."""
    prepared = """
import errno, os, socket, subprocess, sys, threading
from pathlib import Path
from models.confinement import kernel, landlock, seccomp
def refused(call, *arguments):
    try:
        call(*arguments)
    except OSError as exc:
        return errno.errorcode[exc.errno]
    return "allowed"
"""
    done = subprocess.run(
        [sys.executable, "-c", prepared + code, *map(str, arguments)], cwd=ROOT, capture_output=True,
        encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_sockets_are_unix_ones_or_none() -> None:
    code = """
assert seccomp.deny_network()
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, socket.AF_PACKET, 40):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        print(refused(socket.socket, family, kind))
ours, theirs = socket.socketpair()
ours.send(b"x")
with socket.socket(socket.AF_UNIX) as server:
    server.bind("\\0zhiye-test-" + str(os.getpid()))
print(theirs.recv(1))
"""
    assert run(code) == ["EPERM"] * 10 + ["b'x'"]


def test_native_code_threads_and_programs_are_bound_too() -> None:
    code = """
begin, answers = threading.Event(), []
def later():
    begin.wait()
    answers.append(refused(socket.socket))
thread = threading.Thread(target=later)
thread.start()
assert seccomp.deny_network()
begin.set()
thread.join()
print(answers)
print(kernel.libc().socket(2, 1, 0))
print(kernel.libc().socket(2 + (1 << 32), 1, 0))
child = "import socket\\ntry: socket.socket()\\nexcept PermissionError: print('refused')"
print(subprocess.run([sys.executable, "-c", child], capture_output=True, text=True).stdout.strip())
"""
    assert run(code) == ["['EPERM']", "-1", "-1", "refused"]


def test_what_leads_around_the_filter_is_refused() -> None:
    code = """
assert seccomp.deny_network()
cpu = kernel.processor()
print(refused(kernel.call, kernel.IO_URING_SETUP, 1, None))
print(refused(kernel.call, kernel.PIDFD_GETFD, 0, 0, 0))
print(refused(kernel.call, cpu.ptrace, 0, 0, 0, 0))
print(refused(kernel.call, cpu.process_vm_readv, os.getpid(), None, 0, None, 0, 0))
print(refused(kernel.call, cpu.process_vm_writev, os.getpid(), None, 0, None, 0, 0))
if cpu.foreign_from:
    print(refused(kernel.call, cpu.foreign_from + cpu.socket, 2, 1, 0))
"""
    assert set(run(code)) == {"EPERM"}


@pytest.mark.skipif(
    kernel.processor() != kernel._PROCESSORS["x86_64"], reason="32-bit calls of an x86-64 process"
)
def test_a_call_of_the_32_bit_abi_opens_no_socket_either() -> None:
    """``int 0x80`` reaches i386's numbers, where 359 is socket."""
    code = """
import ctypes, mmap
assert seccomp.deny_network()
#            mov eax,359     mov ebx,2       mov ecx,1       xor edx,edx int 0x80  ret; rbx is kept
machine = bytes.fromhex("53 b867010000 bb02000000 b901000000 31d2 cd80 5b c3")
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(machine)
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
print(ctypes.CFUNCTYPE(ctypes.c_int)(address)())
os._exit(0) if sys.stdout.flush() is None else None
"""
    try:
        printed = run(code)
    except AssertionError as exc:
        if "SIGSEGV" in str(exc) or not str(exc).strip():
            pytest.skip("this kernel has no 32-bit calls")
        raise
    assert printed == ["-1"]


def test_every_jump_of_the_filter_stays_inside_it() -> None:
    """And on each processor a socket's family decides, by way of both answers."""
    for processor in kernel._PROCESSORS.values():
        program = seccomp.program(processor)
        ends = {len(program) - 1, len(program) - 2, len(program) - 5}
        assert {place for place, step in enumerate(program) if step[0] == seccomp._RETURN} == ends
        for place, (code, if_true, if_false, _) in enumerate(program):
            if code in (seccomp._EQUALS, seccomp._AT_LEAST):
                assert max(if_true, if_false) + place + 1 < len(program)
        assert _decide(program, 0xDEAD, processor.socket, 1) == seccomp._REFUSE
        for family, answer in ((1, seccomp._ALLOW), (2, seccomp._REFUSE), (10, seccomp._REFUSE)):
            assert _decide(program, processor.audit_arch, processor.socket, family) == answer
        for number, answer in ((0, seccomp._ALLOW), (425, seccomp._REFUSE), (438, seccomp._REFUSE)):
            assert _decide(program, processor.audit_arch, number, 2) == answer


def _decide(program: list[seccomp.Instruction], arch: int, number: int, argument: int) -> int:
    """What the kernel's interpreter would return."""
    words = {seccomp._NUMBER: number, seccomp._ARCH: arch, seccomp._FIRST_ARGUMENT: argument}
    place = loaded = 0
    while True:
        code, if_true, if_false, constant = program[place]
        place += 1
        if code == seccomp._LOAD:
            loaded = words[constant]
        elif code == seccomp._RETURN:
            return constant
        else:
            holds = loaded == constant if code == seccomp._EQUALS else loaded >= constant
            place += if_true if holds else if_false


@needs_landlock
def test_only_the_named_folder_can_be_written(tmp_path: Path) -> None:
    folder, other = tmp_path / "可写", tmp_path / "别处"
    folder.mkdir()
    other.mkdir()
    (other / "文件.txt").write_text("原文", encoding="utf-8")
    code = """
folder, other = map(Path, sys.argv[1:])
assert landlock.confine(landlock.Bounds([folder, Path("/dev/null"), folder / "nowhere"]))
(folder / "a").mkdir()
(folder / "a" / "b").write_text("x")
(folder / "a" / "b").rename(folder / "c")
(folder / "c").unlink()
Path("/dev/null").write_text("x")
print((other / "文件.txt").read_text(encoding="utf-8"))
print(refused((other / "neu").write_text, "x"))
print(refused(socket.socket(socket.AF_UNIX).bind, str(other / "s")))
print(refused((other / "neu").mkdir))
print(refused((other / "文件.txt").unlink))
print(refused((other / "文件.txt").rename, folder / "mein"))
print(refused((other / "文件.txt").write_text, "x") if landlock.version() >= 3 else "EACCES")
"""
    assert run(code, folder, other) == ["原文", *["EACCES"] * 6]
    assert (other / "文件.txt").read_text(encoding="utf-8") == "原文"


@needs_landlock
def test_where_programs_meet_sockets_can_be_made_and_removed_and_nothing_else(tmp_path: Path) -> None:
    code = """
os.chdir(sys.argv[1])
assert landlock.confine(landlock.Bounds([], meeting=[Path(sys.argv[1])]))
socket.socket(socket.AF_UNIX).bind("s")
os.unlink("s")
print(refused(Path("x").write_text, "x"), refused(os.mkdir, "d"))
"""
    assert run(code, tmp_path) == ["EACCES EACCES"]


@needs_landlock
def test_only_the_named_folders_can_be_read(tmp_path: Path) -> None:
    shown, hidden = tmp_path / "a", tmp_path / "b"
    for folder in (shown, hidden):
        folder.mkdir()
        (folder / "x").write_text("x", encoding="utf-8")
    code = """
shown, hidden = map(Path, sys.argv[1:])
assert landlock.confine(landlock.Bounds([], [shown, hidden / "no"]))
print((shown / "x").read_text(), *(refused((shown / name).write_text, "y") for name in "xy"))
print(refused((hidden / "x").read_text), refused(os.listdir, hidden))
"""
    assert run(code, shown, hidden) == ["x EACCES EACCES", "EACCES EACCES"]


@needs_landlock
@pytest.mark.skipif(landlock.version() < 6, reason="needs Landlock 6")
def test_tcp_and_other_programs_are_out_of_reach_when_offline() -> None:
    code = """
server = socket.create_server(("127.0.0.1", 0))
unix = socket.socket(socket.AF_UNIX)
unix.bind("\\0zhiye-test-" + str(os.getpid()))
unix.listen()
assert landlock.confine(landlock.Bounds([], is_offline=True))
print(refused(socket.create_connection, server.getsockname()), refused(os.kill, os.getppid(), 0))
print(refused(socket.socket(socket.AF_UNIX).connect, unix.getsockname()))
"""
    assert run(code) == ["EACCES EPERM", "EPERM"]
