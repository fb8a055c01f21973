import re
import string
from pathlib import Path

import pytest
from setup_steps.wording import speaks_chinese, texts, words


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("code", sorted(texts()))
def test_both_languages_say_the_same(code: str) -> None:
    entry = texts()[code]
    assert set(entry) == {"zh", "en"}
    assert places(entry["zh"]) == places(entry["en"])


def test_every_sentence_used_exists(root: Path) -> None:
    used: set[str] = set()
    for module in (root / "installer" / "setup_steps").glob("*.py"):
        source = module.read_text(encoding="utf-8")
        used |= set(re.findall(r'(?:words|say|SetupFailed)\(\s*"([a-z_]+)"', source))
        used |= set(re.findall(r'provide\("([a-z_]+)"', source))
    assert used <= set(texts())
    assert len(used) > 20


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "linux", True),
        ({"LC_ALL": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"}, "linux", False),
        ({"LC_MESSAGES": "zh_TW"}, "linux", True),
        ({}, "linux", False),
    ],
)
def test_the_locale_decides(environment: dict[str, str], platform: str, expected: bool) -> None:
    assert speaks_chinese(environment, platform) is expected


def test_chinese_users_read_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert words("no_network", what="PyTorch").startswith("无法连接")
