import pytest

from engine.offline_proof import tracing

OUTSIDE = [
    (
        '77 connect(5, {sa_family=AF_INET, sin_port=htons(443), sin_addr=inet_addr("192.0.2.7")}, 16) ='
        " -1 ENETUNREACH (Network is unreachable)",
        "192.0.2.7:443",
    ),
    (
        'connect(5, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6,'
        ' "2001:db8::7", &sin6_addr), sin6_scope_id=0}, 28) = 0',
        "[2001:db8::7]:80",
    ),
    (
        '9 sendto(5, ""..., 12, MSG_NOSIGNAL, {sa_family=AF_INET, sin_port=htons(9),'
        ' sin_addr=inet_addr("10.0.0.1")}, 16 <unfinished ...>',
        "10.0.0.1:9",
    ),
    (
        '9 sendmsg(5, {msg_name={sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("192.0.2.9")},'
        ' msg_namelen=16, msg_iov=[{iov_base=""..., iov_len=1}], msg_iovlen=1}, 0) = 1',
        "192.0.2.9:9",
    ),
    # A resolver on this machine asks others.
    (
        'connect(3, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("127.0.0.53")}, 16) = 0',
        "127.0.0.53:53",
    ),
    (
        'connect(3, {sa_family=AF_UNIX, sun_path="/run/systemd/resolve/io.systemd.Resolve"}, 42) = 0',
        "/run/systemd/resolve/io.systemd.Resolve",
    ),
    ("connect(3, {sa_family=AF_VSOCK, svm_cid=2, svm_port=9}, 16) = 0", "AF_VSOCK"),
    ("8 io_uring_setup(8, {flags=0}) = 4", "io_uring"),
]  # fmt: skip

LOCAL = [
    'connect(5, {sa_family=AF_INET, sin_port=htons(11434), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
    'connect(5, {sa_family=AF_INET6, sin6_port=htons(9), inet_pton(AF_INET6, "::1", &sin6_addr)}, 28) = 0',
    'connect(5, {sa_family=AF_UNIX, sun_path=@"/tmp/.X11-unix/X0"}, 20) = 0',
    'connect(5, {sa_family=AF_UNIX, sun_path="/run/user/1000/bus"}, 110) = 0',
    "connect(5, {sa_family=AF_UNSPEC, sa_data=\"\"}, 16) = 0",
    'sendto(3, [{nlmsg_len=20, nlmsg_type=0x16}], 20, 0, {sa_family=AF_NETLINK, nl_pid=0}, 12) = 20',
    'sendto(5, ""..., 12, MSG_NOSIGNAL, NULL, 0) = 12',
    "77 +++ exited with 0 +++",
    "77 <... connect resumed>) = 0",
]  # fmt: skip


@pytest.mark.parametrize(("line", "target"), OUTSIDE)
def test_what_leaves_is_found_with_its_address(line: str, target: str) -> None:
    assert [seen.target for seen in tracing.parse([line]).attempts] == [target]


@pytest.mark.parametrize("line", LOCAL)
def test_this_machine_and_the_kernel_are_no_attempt(line: str) -> None:
    assert tracing.parse([line]).attempts == ()


def test_one_call_may_send_to_several() -> None:
    one = '{msg_hdr={msg_name={sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("192.0.2.%d")}}}'
    line = f"sendmmsg(4, [{one % 1}, {one % 2}], 2, 0) = 2"
    found = [seen.target for seen in tracing.parse([line]).attempts]
    assert found == ["192.0.2.1:9", "192.0.2.2:9"]


def test_files_that_were_read_are_listed_once_and_with_their_names() -> None:
    lines = [
        '7 openat(AT_FDCWD, "/a/\\345\\220\\210\\345\\220\\214.pdf", O_RDONLY|O_CLOEXEC) = 5',
        '7 openat(AT_FDCWD, "/a/\\345\\220\\210\\345\\220\\214.pdf", O_RDONLY) = 5',
        '7 openat(AT_FDCWD, "/a/both", O_RDWR|O_CREAT, 0600) = 6',
        '7 openat(AT_FDCWD, "/a/none", O_RDONLY) = -1 ENOENT (No such file or directory)',
        '7 openat(AT_FDCWD, "/a/out", O_WRONLY|O_CREAT|O_TRUNC, 0600) = 6',
        '7 openat(AT_FDCWD, "/a", O_RDONLY|O_NONBLOCK|O_CLOEXEC|O_DIRECTORY) = 6',
        '7 openat2(AT_FDCWD, "/a/two", {flags=O_RDONLY, resolve=0}, 24) = 7',
    ]
    assert tracing.parse(lines).files == ("/a/合同.pdf", "/a/both", "/a/two")
