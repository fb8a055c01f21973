"""The switches of the libraries that would speak to somebody, as they stand once the seal is on."""

import json
import os
import subprocess
import sys

from tests.conftest import ROOT

CODE = """
import json, os
from engine import seal
seal.install()
import huggingface_hub.constants as hub
print(json.dumps({
    "hub offline": hub.HF_HUB_OFFLINE, "hub telemetry off": hub.HF_HUB_DISABLE_TELEMETRY,
    "transformers offline": os.environ["TRANSFORMERS_OFFLINE"] == "1",
    "do not track": os.environ["DO_NOT_TRACK"] == "1",
    "attempts": len(seal.attempts()),
}))
"""


def test_hub_libraries_are_offline_and_silent_whatever_the_environment_says() -> None:
    wishes = {"HF_HUB_OFFLINE": "0", "TRANSFORMERS_OFFLINE": "0", "HF_HUB_DISABLE_TELEMETRY": "0"}
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120,
        env={**os.environ, **wishes}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.pop("attempts") == 0
    assert all(found.values()), found
