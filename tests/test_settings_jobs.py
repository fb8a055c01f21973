"""Settings shown and changed through the engine's jobs, and what happens to the chat model."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import jobs
from engine.cancel import CancelToken
from engine.commands import Command, PrepareModels
from engine.config import Settings
from engine.errors import ServerNotLocal, SettingInvalid
from engine.events import Event, ModelsReady, Notice
from engine.paths import Home
from engine.settings.commands import ChangeSettings, ReadSettings, ResetSettings
from engine.settings.events import SettingsListed
from engine.settings.standing import Setting
from engine.wording import codes
from engine.workspace import Workspace
from tests.fakes import FakeEmbedder, FakeGenerator


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "家")


@pytest.fixture
def ours(home: Home) -> Iterator[Workspace]:
    made = open_workspace(home)
    yield made
    made.close()


def open_workspace(home: Home, **given: object) -> Workspace:
    """One that loads no embedder."""
    made = Workspace(home, Settings(**given))  # type: ignore[arg-type]
    made._embedder = FakeEmbedder()
    return made


def run(command: Command, workspace: Workspace) -> list[Event]:
    return [event for event in jobs.start(command, workspace, CancelToken()) if event is not None]


def listed(command: Command, workspace: Workspace) -> dict[str, Setting]:
    (event,) = (event for event in run(command, workspace) if isinstance(event, SettingsListed))
    return {setting.name: setting for setting in event.settings}


def test_every_setting_is_listed_with_what_it_may_be(ours: Workspace) -> None:
    found = listed(ReadSettings(1), ours)
    assert found.keys() == Settings.model_fields.keys() - {"version", "home"}
    top_k, mode, threads = found["top_k"], found["mode"], found["threads"]
    assert (top_k.kind, top_k.value, top_k.default, top_k.least, top_k.most) == ("whole", 5, 5, 1, 20)
    assert (mode.kind, mode.choices) == ("choice", ("strict", "balanced", "loose"))
    assert threads.is_optional and threads.value is None
    assert threads.automatic and threads.most and threads.automatic <= threads.most
    assert (found["ocr"].kind, found["model_path"].kind, found["temperature"].kind) == (
        "switch", "file", "decimal",
    )  # fmt: skip
    assert found["survey_seconds"].above_least
    assert "bge-small-zh-v1.5" in found["embedder"].choices


def test_every_setting_and_choice_has_words(ours: Workspace) -> None:
    for setting in listed(ReadSettings(1), ours).values():
        words = codes("zh")[f"setting_{setting.name}"]
        assert words["title"] and words["advice"]
        if setting.name != "embedder":
            assert all(f"setting_{setting.name}_{choice}" in codes("zh") for choice in setting.choices)


def test_a_change_counts_at_once_and_at_the_next_start(ours: Workspace, home: Home) -> None:
    found = listed(ChangeSettings(1, {"top_k": 9, "mode": "strict"}), ours)
    assert (found["top_k"].value, found["top_k"].is_changed, found["rerank"].is_changed) == (9, True, False)
    assert (ours.settings.top_k, ours.settings.mode) == (9, "strict")
    later = Workspace(home, Settings())
    assert later.settings.top_k == 9
    later.close()
    assert listed(ResetSettings(2, ("top_k",)), ours)["top_k"].value == 5
    assert (ours.settings.top_k, ours.settings.mode) == (5, "strict")
    run(ResetSettings(3), ours)
    assert ours.settings == Settings()


def test_what_the_command_line_gave_stands_and_says_so(home: Home) -> None:
    ours = open_workspace(home, top_k=3)
    found = listed(ChangeSettings(1, {"top_k": 9}), ours)
    assert (found["top_k"].value, found["top_k"].is_fixed, found["top_k"].is_changed) == (3, True, True)
    assert not found["mode"].is_fixed
    ours.close()


def test_an_address_of_another_computer_is_never_kept(ours: Workspace) -> None:
    with pytest.raises(ServerNotLocal):
        run(ChangeSettings(1, {"server": "http://192.168.1.9:11434"}), ours)
    with pytest.raises(SettingInvalid):
        run(ChangeSettings(1, {"top_k": 99}), ours)
    assert not ours.settings_file.path.exists()


def loaded(workspace: Workspace) -> FakeGenerator:
    model = FakeGenerator("好")
    workspace._chat_model.loaded = model
    return model


def test_a_chat_model_is_loaded_anew_only_for_what_it_is_loaded_with(ours: Workspace) -> None:
    model = loaded(ours)
    assert not any(isinstance(e, ModelsReady) for e in run(ChangeSettings(1, {"temperature": 0.3}), ours))
    assert not model.closed
    events = run(ChangeSettings(2, {"context_length": 2048}), ours)
    assert model.closed
    kinds = [type(event) for event in events]
    assert kinds.index(SettingsListed) < kinds.index(ModelsReady), "the list does not wait for the model"


def test_a_model_that_nobody_has_asked_for_yet_is_not_loaded(ours: Workspace) -> None:
    assert [type(e) for e in run(ChangeSettings(1, {"threads": 1}), ours)] == [SettingsListed]
    assert ours.threads == 1


def test_another_embedder_is_used_from_now_on(ours: Workspace) -> None:
    found = listed(ChangeSettings(1, {"embedder": "bge-base-zh-v1.5"}), ours)
    assert (found["embedder"].value, found["embedder"].effect) == ("bge-base-zh-v1.5", "sync")
    assert (ours.settings.embedder, ours.dimension) == ("bge-base-zh-v1.5", 768)
    run(ResetSettings(2, ("embedder",)), ours)
    assert (ours.settings.embedder, ours.dimension) == ("bge-small-zh-v1.5", 512)


def test_a_damaged_file_is_told_with_the_models_once(home: Home) -> None:
    home.create()
    (home.root / "settings.yaml").write_bytes(b"\0" * 200)
    ours = open_workspace(home)
    told = [
        event.code for _ in range(2) for event in run(PrepareModels(1), ours) if isinstance(event, Notice)
    ]
    assert told.count("settings_set_aside") == 1
    ours.close()


def test_a_file_that_is_damaged_meanwhile_is_told_with_the_next_change(ours: Workspace) -> None:
    ours.settings_file.path.write_bytes(b"\0" * 200)
    kinds = [type(event) for event in run(ChangeSettings(1, {"top_k": 7}), ours)]
    assert kinds == [SettingsListed, Notice]
    assert ours.settings.top_k == 7


def test_a_change_waits_for_a_question_but_a_look_does_not() -> None:
    assert jobs.priority(ReadSettings(1)) == jobs.AT_ONCE
    assert jobs.priority(ChangeSettings(1, {})) == jobs.priority(ResetSettings(1)) == jobs.SOON
