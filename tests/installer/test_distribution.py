"""What a package is made of, short of freezing the program: that takes minutes (test_package.py)."""

import gzip
import hashlib
import importlib.metadata
import os
import re
import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from configparser import RawConfigParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "installer"))

from distribution import (  # noqa: E402
    archive,
    bundle,
    components,
    deb,
    desktops,
    freeze,
    left_out,
    linux_files,
    pictures,
)

LINUX = ROOT / "installer" / "distribution" / "linux"
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="shell scripts and packages of Linux")


@pytest.fixture
def frozen(tmp_path: Path) -> Path:
    """A folder that looks like a frozen program; its executable says how it was called."""
    folder = tmp_path / "frozen" / "zhiye"
    (folder / "_internal").mkdir(parents=True)
    (folder / "_internal" / "library.so").write_bytes(b"\x7fELF")
    (folder / "LICENSE").write_text("AGPL", encoding="utf-8")
    program = folder / "zhiye"
    program.write_text('#!/bin/sh\nprintf "%s\\n" "$*" >> "$HOME/calls"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


@pytest.fixture(autouse=True)
def icons(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "icons"
    pictures.draw(ROOT / "resources" / "icons" / "zhiye.svg", folder)
    monkeypatch.setattr(linux_files, "ICONS", folder)
    return folder


def test_the_icon_is_drawn_in_each_size_and_format(icons: Path) -> None:
    from PIL import Image

    for size in pictures.SIZES:
        with Image.open(icons / f"{size}.png") as image:
            assert image.size == (size, size)
            assert image.convert("RGBA").getpixel((size // 2, size // 8))[3] == 255, "the picture is empty"
    with Image.open(icons / "zhiye.ico") as image:
        assert (16, 16) in image.info["sizes"] and (256, 256) in image.info["sizes"]
    with Image.open(icons / "zhiye.icns") as image:
        assert (512, 512, 1) in image.info["sizes"] or (256, 256, 2) in image.info["sizes"]


def test_the_menu_entry_names_program_icon_and_file_type_in_both_languages() -> None:
    entry = RawConfigParser(delimiters=("=",), interpolation=None)
    entry.optionxform = str  # type: ignore[method-assign,assignment]
    entry.read(LINUX / "zhiye.desktop", encoding="utf-8")
    facts = entry["Desktop Entry"]
    assert facts["Exec"] == "zhiye-gui %F"
    assert facts["Icon"] == "zhiye"
    assert (facts["Name"], facts["Name[zh_CN]"]) == ("Zhiye", "知页")
    kind = ET.parse(LINUX / "zhiye.xml").getroot()[0].get("type")
    assert facts["MimeType"] == f"{kind};"
    if tool := shutil.which("desktop-file-validate"):
        assert subprocess.run([tool, LINUX / "zhiye.desktop"], check=False).returncode == 0


def test_the_file_type_is_the_one_of_packs() -> None:
    names = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    kind = ET.parse(LINUX / "zhiye.xml").getroot()
    assert [glob.get("pattern") for glob in kind.findall(".//m:glob", names)] == ["*.zhiye"]


def test_the_description_for_software_centres_is_valid() -> None:
    root = ET.parse(LINUX / "zhiye.metainfo.xml").getroot()
    assert root.findtext("launchable") == "zhiye.desktop"
    if tool := shutil.which("appstreamcli"):
        command = [tool, "validate", "--no-net", str(LINUX / "zhiye.metainfo.xml")]
        result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
        assert result.returncode == 0, result.stdout


@linux_only
@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs Debian's tools")
def test_a_debian_package_holds_program_menu_entry_and_papers(frozen: Path, tmp_path: Path) -> None:
    package = deb.build(frozen, tmp_path / "dist")
    listing = subprocess.run(
        ["dpkg-deb", "--contents", package], capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert set(re.findall(r"^\S+ (\S+)", listing, re.MULTILINE)) == {"root/root"}
    for place in (
        "./opt/zhiye/zhiye", "./opt/zhiye/_internal/library.so", "./usr/bin/zhiye -> /opt/zhiye/zhiye",
        "./usr/bin/zhiye-gui", "./usr/share/applications/zhiye.desktop",
        "./usr/share/mime/packages/zhiye.xml",
        "./usr/share/metainfo/zhiye.metainfo.xml", "./usr/share/icons/hicolor/256x256/apps/zhiye.png",
        "./usr/share/icons/hicolor/scalable/apps/zhiye.svg", "./usr/share/doc/zhiye/copyright",
    ):  # fmt: skip
        assert re.search(rf"{re.escape(place)}$", listing, re.MULTILINE), place
    field = subprocess.run(
        ["dpkg-deb", "--field", package, "Depends"], capture_output=True, encoding="utf-8", check=True
    ).stdout
    assert "fonts-noto-cjk | fonts-wqy-microhei" in field and "libxcb-cursor0" in field
    out = tmp_path / "out"
    subprocess.run(["dpkg-deb", "--extract", package, out], check=True)
    assert os.access(out / "usr/bin/zhiye-gui", os.X_OK)
    changes = gzip.decompress((out / "usr/share/doc/zhiye/changelog.gz").read_bytes())
    assert changes == (ROOT / "CHANGELOG.md").read_bytes()


@pytest.fixture
def unpacked(frozen: Path, tmp_path: Path) -> Path:
    made = archive.build(frozen, tmp_path / "dist")
    place = tmp_path / "下载 夹"
    shutil.unpack_archive(made, place, filter="data")
    (folder,) = place.iterdir()
    return folder


def installed(
    script: Path, home: Path | None, *arguments: str, path: str = ""
) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": f"{path}:{os.environ['PATH']}" if path else os.environ["PATH"], "LC_ALL": "C"}
    if home is not None:
        environment["HOME"] = str(home)
    return subprocess.run(
        ["sh", str(script), *arguments], env=environment, capture_output=True, encoding="utf-8", check=False
    )


@linux_only
def test_the_archive_installs_for_one_user_and_goes_again(unpacked: Path, tmp_path: Path) -> None:
    home = tmp_path / "用户 甲"
    mine = home / ".local" / "share" / "zhiye" / "libraries" / "mine"
    mine.parent.mkdir(parents=True)
    mine.write_text("stays", encoding="utf-8")
    for _ in range(2):  # the second time over the first
        result = installed(unpacked / "install.sh", home)
        assert result.returncode == 0, result.stderr
    started = subprocess.run(
        [home / ".local/bin/zhiye-gui", "a b"],
        env={"HOME": str(home), "PATH": os.environ["PATH"]},
        check=True,
    )
    assert started.returncode == 0
    assert (home / "calls").read_text(encoding="utf-8") == "--window a b\n"
    entry = (home / ".local/share/applications/zhiye.desktop").read_text(encoding="utf-8")
    assert f'Exec="{home}/.local/bin/zhiye-gui" %F' in entry
    assert installed(unpacked / "install.sh", home, "--remove").returncode == 0
    left = [path for path in (home / ".local").rglob("*") if path.is_file() or path.is_symlink()]
    caches = {"mimeinfo.cache"}  # of the desktop's own tools
    assert [path for path in left if "mime" not in path.parts and path.name not in caches] == [mine]


@linux_only
def test_the_archive_says_when_there_is_no_room_no_home_and_no_right(unpacked: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "df").write_text("#!/bin/sh\necho header\necho disk 9 9 0 100% /\n", encoding="utf-8")
    (tools / "df").chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    full = installed(unpacked / "install.sh", home, path=str(tools))
    assert full.returncode == 1 and "Not enough room" in full.stderr
    assert not (home / ".local/share/zhiye-program").exists()
    without = installed(unpacked / "install.sh", None)
    assert without.returncode == 1 and "HOME is not set" in without.stderr
    nowhere = installed(unpacked / "install.sh", Path("/dev/null/home"))
    assert nowhere.returncode == 1 and "Cannot write" in nowhere.stderr


@linux_only
def test_an_offline_bundle_with_a_damaged_model_installs_nothing(frozen: Path, tmp_path: Path) -> None:
    folder = tmp_path / "U盘"
    (folder / "models").mkdir(parents=True)
    (folder / "models" / "small.gguf").write_bytes(b"GGUF" * 100)
    shutil.copy(archive.build(frozen, tmp_path / "dist"), folder)
    shutil.copy(LINUX / "install-offline.sh", folder)
    bundle.write_sums(folder)
    sums = (folder / bundle.SUMS).read_text(encoding="utf-8")
    assert f"{hashlib.sha256(b'GGUF' * 100).hexdigest()}  models/small.gguf" in sums
    home = tmp_path / "home"
    home.mkdir()
    (folder / "models" / "small.gguf").write_bytes(b"GGUF" * 99)
    refused = installed(folder / "install-offline.sh", home)
    assert refused.returncode == 1 and "damaged" in refused.stderr
    assert list(home.iterdir()) == []
    (folder / "models" / "small.gguf").write_bytes(b"GGUF" * 100)
    done = installed(folder / "install-offline.sh", home)
    assert done.returncode == 0, done.stderr
    assert (home / "calls").read_text(encoding="utf-8") == "models add models/small.gguf\n"


def test_a_bundle_without_a_chat_model_is_refused(tmp_path: Path, frozen: Path) -> None:
    with pytest.raises(bundle.NothingToBundle):
        bundle.build(frozen, tmp_path / "dist", tmp_path)


def test_installers_of_other_systems_say_which_tool_is_missing(frozen: Path, tmp_path: Path) -> None:
    if shutil.which("ISCC") is None:
        with pytest.raises(desktops.ToolMissing, match="ISCC"):
            desktops.build_windows(frozen, tmp_path)
    if shutil.which("hdiutil") is None:
        with pytest.raises(desktops.ToolMissing, match="hdiutil"):
            desktops.build_macos(frozen, tmp_path)


def test_the_windows_script_uses_what_it_is_given_and_installs_without_an_administrator() -> None:
    script = (ROOT / "installer/distribution/windows/zhiye.iss").read_text(encoding="utf-8")
    assert set(re.findall(r"\{#(\w+)\}", script)) == {"Version", "Frozen", "Output", "Icons"}
    assert "PrivilegesRequired=lowest" in script and "HKLM" not in script
    assert "[UninstallDelete]" not in script, "uninstalling must leave libraries and settings"
    sections = re.findall(r"^\[(\w+)\]", script, re.MULTILINE)
    assert len(sections) == len(set(sections))
    for name in set(re.findall(r"\{cm:(\w+)\}", script)):
        assert {f"en.{name}", f"zh.{name}"} <= set(re.findall(r"^(\w+\.\w+)=", script, re.MULTILINE))
    spec = (ROOT / "installer/distribution/zhiye.spec").read_text(encoding="utf-8")
    for executable in set(re.findall(r"\{app\}\\([\w-]+)\.exe", script)):
        assert f'executable("{executable}"' in spec


def test_what_only_developers_need_stays_out() -> None:
    assert left_out.is_left_out("torch/include/c10/macros/Macros.h")
    assert left_out.is_left_out("PySide6\\Qt\\qml\\QtQuick\\qmldir")
    assert left_out.is_left_out("libgtk-3.so.0")
    assert left_out.is_left_out("torch/bin/test_jit")
    for kept in (
        "torch/lib/libtorch_cpu.so", "PySide6/Qt/lib/libQt6Pdf.so.6", "resources/messages/zh.toml",
        "PySide6/Qt/plugins/platforms/libqxcb.so", "PySide6/Qt/translations/qtbase_zh_CN.qm",
        "torch/bin/torch_shm_manager", "torch/functional.py", "torch/_inductor/config.py",
    ):  # fmt: skip
        assert not left_out.is_left_out(kept), kept


def test_every_shipped_file_of_a_distribution_brings_its_licence(tmp_path: Path) -> None:
    numpy = importlib.metadata.distribution("numpy")
    source = next(
        str(numpy.locate_file(file)) for file in numpy.files or () if str(file) == "numpy/version.py"
    )
    for listing in ("COLLECT-00.toc", "PYZ-00.toc"):
        (tmp_path / listing).write_text(
            repr(("name", [("numpy.version", source, "PYMODULE")])), encoding="utf-8"
        )
    found = components.shipped(tmp_path)
    assert {"numpy", "CPython", "bge-small-zh-v1.5"} <= {component.name for component in found}
    frozen = tmp_path / "frozen"
    frozen.mkdir()
    components.write(found, frozen, ROOT)
    table = (frozen / "THIRD_PARTY.md").read_text(encoding="utf-8")
    assert f"| numpy | {numpy.version} | BSD" in table
    assert list((frozen / "licences" / "numpy").iterdir()), "the text of the licence is missing"
    assert f'"purl": "pkg:pypi/numpy@{numpy.version}"' in (frozen / "sbom.cdx.json").read_text(
        encoding="utf-8"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no such links there")
def test_copies_of_a_library_become_links_again(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    for name, content in (("libllama.so", b"a"), ("libllama.so.0", b"a"), ("libllama.so.0.5", b"a"),
                          ("libother.so", b"a"), ("libggml.so", b"b"), ("libggml.so.0", b"c")):  # fmt: skip
        (tmp_path / "lib" / name).write_bytes(content)
    freeze.link_twins(tmp_path)
    links = {path.name: path.readlink().name for path in (tmp_path / "lib").iterdir() if path.is_symlink()}
    assert links == {"libllama.so": "libllama.so.0.5", "libllama.so.0": "libllama.so.0.5"}
    assert (tmp_path / "lib" / "libllama.so").read_bytes() == b"a"


@linux_only
def test_a_library_that_cannot_be_mapped_is_told(tmp_path: Path) -> None:
    library = tmp_path / "library.so"
    content = bytearray(Path(sys.executable).resolve().read_bytes())
    library.write_bytes(content)
    assert freeze.can_be_mapped(library)
    headers = struct.unpack_from("<Q", content, 32)[0]
    loadable = next(
        at for at in range(headers, len(content), 56) if struct.unpack_from("<I", content, at)[0] == 1
    )
    content[loadable + 8] ^= 8  # the segment's place in the file
    library.write_bytes(content)
    assert not freeze.can_be_mapped(library)
