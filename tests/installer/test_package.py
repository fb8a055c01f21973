"""The real package: built, installed with apt, started, self-checked and removed again.

    pytest -m package tests/installer/test_package.py      # as root on Debian or Ubuntu; 10 to 20 minutes

The self-check also runs in a bare root file system that has no Python, no repository and no network, as a
user without rights.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GIGABYTE = 10**9
pytestmark = [
    pytest.mark.package,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0 or shutil.which("apt-get") is None,
        reason="installs a package: needs root on Debian or one of its kin",
    ),
]


def run(*command: str, **options: object) -> subprocess.CompletedProcess[str]:
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=False, **options)  # type: ignore[call-overload]
    assert result.returncode == 0, f"{' '.join(command)}\n{result.stdout[-3000:]}\n{result.stderr[-3000:]}"
    return result


@pytest.fixture(scope="module")
def package() -> Path:
    """The .deb, built with the command that README gives."""
    return Path(run(sys.executable, str(ROOT / "installer" / "build.py"), "deb").stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def installed(package: Path) -> Iterator[Path]:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    run("apt-get", "install", "-y", "--no-install-recommends", str(package), env=environment)
    yield Path("/opt/zhiye")
    subprocess.run(["apt-get", "remove", "-y", "zhiye"], env=environment, capture_output=True, check=False)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """That of a person whose home has a Chinese name, in a locale that says nothing."""
    home = tmp_path / "用户 甲"
    home.mkdir()
    return {"HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C", "ZHIYE_HOME": str(home / "数据")}


def checked(result: subprocess.CompletedProcess[str]) -> dict[str, object]:
    findings: dict[str, object] = json.loads(result.stdout)
    assert findings["ok"], findings
    assert findings["attempts"] == 0
    return findings


def test_the_installed_program_checks_itself(installed: Path, environment: dict[str, str]) -> None:
    findings = checked(run("zhiye", "--self-check", env=environment))
    steps = [step for step, _ in findings["steps"]]  # type: ignore[attr-defined]
    assert steps.count("proof_indexed") == 2 and "proof_window_closed" in steps
    assert findings["probe"]["ok"]  # type: ignore[index]


def test_the_package_stays_below_its_size(installed: Path) -> None:
    files = [path for path in installed.rglob("*") if path.is_file() and not path.is_symlink()]
    assert sum(path.stat().st_size for path in files) <= 1.2 * GIGABYTE
    assert (installed / "THIRD_PARTY.md").exists() and (installed / "sbom.cdx.json").exists()


def test_the_window_opens_with_the_package_alone(installed: Path, environment: dict[str, str]) -> None:
    server = subprocess.Popen(["Xvfb", ":87", "-screen", "0", "1440x1000x24"], stderr=subprocess.DEVNULL)
    try:
        time.sleep(2)
        window = subprocess.Popen(["zhiye-gui"], env=environment | {"DISPLAY": ":87"})
        found = ""
        for _ in range(60):
            time.sleep(1)
            tree = subprocess.run(
                ["xwininfo", "-root", "-tree", "-display", ":87"],
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            if found := next(iter(re.findall(r'0x\w+ "(Zhiye|知页)"', tree.stdout)), ""):
                break
        assert window.poll() is None, "it ended by itself"
        assert found, "no window within a minute"
        window.terminate()
        window.wait(20)
    finally:
        server.terminate()
        server.wait()


def test_it_works_where_there_is_nothing_else(package: Path, tmp_path: Path) -> None:
    """A bare root file system: the package's own dependencies, no Python, no network, not root."""
    root = tmp_path / "root"
    run("debootstrap", "--variant=minbase", "bookworm", str(root))
    try:
        shutil.copy(package, root / "zhiye.deb")
        run("chroot", str(root), "apt-get", "install", "-y", "--no-install-recommends", "/zhiye.deb",
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"})  # fmt: skip
        assert not (root / "usr/bin/python3").exists()
        for name in ("proc", "dev"):
            run("mount", "--rbind", f"/{name}", str(root / name))
        run("chroot", str(root), "useradd", "--create-home", "yonghu")
        result = run("unshare", "--net", "chroot", "--userspec=yonghu", str(root), "/usr/bin/env", "-i",
                     "HOME=/home/yonghu", "PATH=/usr/bin:/bin", "zhiye", "--self-check")  # fmt: skip
        checked(result)
    finally:
        for name in ("proc", "dev"):
            subprocess.run(["umount", "-l", str(root / name)], check=False)


def test_a_later_version_takes_over_what_the_earlier_one_left(
    package: Path, installed: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """n+1 over n: libraries, settings and history stay and answer."""
    folder = tmp_path / "文档"
    folder.mkdir()
    (folder / "制度.md").write_text("# 差旅\n\n报销单在出差结束后十个工作日内提交。\n", encoding="utf-8")
    run("zhiye", "ingest", str(folder), "--library", "甲", env=environment)
    later = tmp_path / "later"
    run("dpkg-deb", "--raw-extract", str(package), str(later))
    control = later / "DEBIAN" / "control"
    text = control.read_text(encoding="utf-8")
    control.write_text(
        re.sub(r"^Version: (.*)$", r"Version: \1.1", text, flags=re.MULTILINE), encoding="utf-8"
    )
    run("dpkg-deb", "--root-owner-group", "-Znone", "--build", str(later), str(tmp_path / "later.deb"))
    run("apt-get", "install", "-y", "--no-install-recommends", str(tmp_path / "later.deb"))
    found = run("zhiye", "search", "报销单几天内提交", "--library", "甲", "--json", env=environment)
    assert "十个工作日" in json.dumps(json.loads(found.stdout), ensure_ascii=False)


def test_removing_it_leaves_what_is_the_users(
    package: Path, installed: Path, environment: dict[str, str]
) -> None:
    kept = Path(environment["ZHIYE_HOME"]) / "settings.yaml"
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text("top_k: 6\n", encoding="utf-8")
    run("apt-get", "remove", "-y", "zhiye")
    assert not installed.exists()
    assert not Path("/usr/bin/zhiye").exists()
    assert kept.exists()
    run("apt-get", "install", "-y", "--no-install-recommends", str(package))
