"""Twenty rounds of ``python -m tests.soak.kill`` with a double of the embedder."""

from pathlib import Path

from tests.soak import kill


def test_a_library_is_whole_after_every_kill(tmp_path: Path) -> None:
    soak = kill.run(tmp_path, rounds=20, seed=20, double=True, count=10)
    assert soak.problems == []
    assert soak.moments.total() == 20
