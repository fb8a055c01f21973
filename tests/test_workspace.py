"""What one owner works with: libraries, models and runs, opened when first asked for."""

from pathlib import Path

import pytest

from engine.answer.generation import Generator
from engine.answer.generation.server import exchange
from engine.chat import model as chat_model
from engine.chat import speed
from engine.chat.model import LARGE_MODEL_BYTES
from engine.config import Settings
from engine.errors import (
    CodedError,
    EmbedderMissing,
    EmbedderUnusable,
    GenerationFailed,
    LibraryBusy,
    LibraryDamaged,
    LibraryUnknown,
    ModelMissing,
    ServerBusy,
    ServerNotLocal,
    StorageFailed,
)
from engine.paths import Home
from engine.shelf import WriteLock
from engine.workspace import Workspace
from models.errors import ModelNotGguf, ModelUnknown
from models.gguf import read_header
from tests.chat_server import answer, listing, serving
from tests.fakes import FakeGenerator
from tests.models.conftest import gguf_bytes


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "家 目录")


@pytest.fixture
def ours(home: Home) -> Workspace:
    return Workspace(home, Settings())


def open_again(home: Home, **settings: object) -> Workspace:
    return Workspace(home, Settings(**settings))


# -- libraries ------------------------------------------------------------------------------------


def test_a_library_is_created_when_written_and_found_again_by_its_name(ours: Workspace, home: Home) -> None:
    names = ["合同/2024", "a.b", "😀 知识库", "制度"]
    for name in names:
        ours.libraries.for_writing(name)
    ours.close()
    later = open_again(home)
    assert later.libraries.names() == sorted(names)
    assert all(later.libraries.open(name).name == name for name in names)
    assert later.libraries.open("制度") is later.libraries.for_writing("制度")
    later.close()


def test_names_never_lead_out_of_the_libraries_folder(ours: Workspace) -> None:
    folder = ours.libraries.for_writing("../../逃").folder
    assert folder is not None
    assert folder.parent == ours.home.libraries
    ours.close()


def test_an_unknown_library_is_named(ours: Workspace) -> None:
    with pytest.raises(LibraryUnknown) as failure:
        ours.libraries.open("没有")
    assert failure.value.params == {"name": "没有"}


def test_none_chosen_means_all_and_a_name_given_twice_counts_once(ours: Workspace) -> None:
    for name in ("乙", "甲"):
        ours.libraries.for_writing(name)
    assert sorted(library.name for library in ours.libraries.chosen(())) == ["乙", "甲"]
    assert [library.name for library in ours.libraries.chosen(("甲", "甲"))] == ["甲"]
    with pytest.raises(LibraryUnknown):
        ours.libraries.chosen(("甲", "丙"))
    ours.close()


def test_a_removed_library_is_gone_from_disk_and_the_others_stay(ours: Workspace, home: Home) -> None:
    folder = ours.libraries.for_writing("甲").folder
    ours.libraries.for_writing("乙")
    ours.remove_library("甲")
    assert folder is not None and not folder.exists()
    assert ours.libraries.names() == ["乙"]
    with pytest.raises(LibraryUnknown):
        ours.remove_library("甲")
    ours.close()


def test_a_damaged_library_does_not_take_the_others_with_it(ours: Workspace, home: Home) -> None:
    damaged = ours.libraries.for_writing("坏").folder
    ours.libraries.for_writing("好")
    ours.close()
    assert damaged is not None
    (damaged / "library.sqlite").write_bytes(b"kein SQLite" * 500)

    later = open_again(home)
    assert later.libraries.names() == ["好"]
    assert list(later.libraries.damaged) == [damaged.name]
    for use in (later.libraries.open, later.libraries.for_writing):
        with pytest.raises(LibraryDamaged):
            use("坏")
    later.remove_library("坏")
    assert not damaged.exists()
    assert later.libraries.damaged == {}
    later.libraries.for_writing("坏")
    assert later.libraries.names() == ["坏", "好"]
    later.close()


def test_a_library_that_never_got_its_name_is_ignored(ours: Workspace, home: Home) -> None:
    library = ours.libraries.for_writing("甲")
    library.db.execute("DELETE FROM meta WHERE key = 'name'")
    ours.close()
    later = open_again(home)
    assert later.libraries.names() == []
    assert later.libraries.for_writing("甲").name == "甲"
    later.close()


def test_two_writers_take_turns(ours: Workspace, home: Home) -> None:
    library = ours.libraries.for_writing("甲")
    other = open_again(home)
    with WriteLock(library):
        with pytest.raises(LibraryBusy) as failure, WriteLock(other.libraries.open("甲")):
            pass
        with pytest.raises(LibraryBusy):
            other.remove_library("甲")
    assert failure.value.params == {"name": "甲"}
    with WriteLock(other.libraries.open("甲")):
        pass
    ours.close()
    other.close()


def test_a_home_that_cannot_be_made_is_a_typed_error(tmp_path: Path) -> None:
    (tmp_path / "文件").write_text("x", encoding="utf-8")
    with pytest.raises(StorageFailed) as failure:
        Workspace(Home(tmp_path / "文件" / "家"), Settings())
    assert "文件" in failure.value.params["path"]


@pytest.mark.skipif("sys.platform == 'win32'")
def test_a_home_of_our_own_is_private_and_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    fresh = Home(tmp_path / "新").create()
    assert fresh.root.stat().st_mode & 0o077 == 0
    shared = tmp_path / "共用"
    shared.mkdir()
    shared.chmod(0o755)
    Home(shared).create()
    assert shared.stat().st_mode & 0o777 == 0o755
    assert (shared / "libraries").stat().st_mode & 0o077 == 0


# -- chat model -----------------------------------------------------------------------------------


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, str, str]]:
    """What was loaded: path, id and prompt name. No native code runs."""
    calls: list[tuple[Path, str, str]] = []

    def load(path: Path, name: str, prompt: str, *_: object) -> Generator:
        calls.append((path, name, prompt))
        return FakeGenerator("好")

    monkeypatch.setattr(chat_model.llama, "load", load)
    monkeypatch.setattr(chat_model, "prove", lambda path, home, threads: None)
    return calls


def add_model(ours: Workspace, name: str = "自己的") -> Path:
    ours.models.folder.mkdir(parents=True, exist_ok=True)
    path = ours.models.folder / f"{name}.gguf"
    path.write_bytes(gguf_bytes())
    return path


def test_no_chat_model_is_said_each_time_and_one_that_comes_later_is_used(
    ours: Workspace, loaded: list[tuple[Path, str, str]]
) -> None:
    for _ in range(2):
        with pytest.raises(ModelMissing):
            ours.generator()
    path = add_model(ours)
    assert ours.generator() is ours.generator() is ours.loaded_generator
    assert loaded == [(path, "自己的", "small")]
    ours.close()


def test_a_load_that_failed_is_not_tried_again(ours: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    add_model(ours)
    tries: list[Path] = []

    def prove(path: Path, home: Home, threads: int) -> None:
        tries.append(path)
        raise GenerationFailed(model=path.name, detail="died: status -11")

    monkeypatch.setattr(chat_model, "prove", prove)
    errors: list[CodedError] = []
    for _ in range(3):
        with pytest.raises(GenerationFailed) as failure:
            ours.generator()
        errors.append(failure.value)
    assert len(tries) == 1
    assert errors[0] is errors[2]


def test_a_model_named_in_the_settings_must_be_known(home: Home, loaded: list[tuple[Path, str, str]]) -> None:
    with pytest.raises(ModelUnknown):
        open_again(home, model="没有这个").generator()
    assert loaded == []


def test_a_file_outside_the_models_folder_is_checked_before_it_is_loaded(
    home: Home, loaded: list[tuple[Path, str, str]], tmp_path: Path
) -> None:
    web_page = tmp_path / "网页.gguf"
    web_page.write_text("<html>404</html>" * 20, encoding="utf-8")
    with pytest.raises(ModelNotGguf):
        open_again(home, model_path=web_page).generator()
    assert loaded == []
    good = tmp_path / "模型.gguf"
    good.write_bytes(gguf_bytes())
    assert read_header(good)
    open_again(home, model_path=good).generator()
    assert loaded == [(good, "模型", "small")]


def test_a_large_file_gets_the_prompt_for_larger_models(
    home: Home, loaded: list[tuple[Path, str, str]], tmp_path: Path
) -> None:
    large = tmp_path / "大.gguf"
    large.write_bytes(gguf_bytes())
    with large.open("r+b") as file:
        file.truncate(LARGE_MODEL_BYTES + 1)  # sparse: takes no space
    open_again(home, model_path=large).generator()
    assert loaded == [(large, "大", "large")]


def test_context_threads_and_speed_are_set_by_what_the_file_and_the_machine_are(
    home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given: list[tuple[object, ...]] = []

    def load(path: Path, name: str, prompt: str, *rest: object) -> Generator:
        given.append(rest)
        return FakeGenerator("好")

    monkeypatch.setattr(chat_model.llama, "load", load)
    monkeypatch.setattr(chat_model, "prove", lambda path, home, threads: None)
    model = tmp_path / "模型.gguf"
    model.write_bytes(gguf_bytes())
    speed.of_model(model, home.create()).note(128, 2.0)
    open_again(home, model_path=model, threads=1).generator()
    ((threads, length, measured),) = given
    assert (threads, length) == (1, 2048)
    assert isinstance(measured, speed.PromptSpeed)
    assert measured.tokens_per_second == 64.0


def test_a_server_answers_unless_a_model_of_our_own_is_named(
    home: Home, loaded: list[tuple[Path, str, str]], tmp_path: Path
) -> None:
    with serving(listing("qwen2.5:1.5b")) as running:
        served = open_again(home, server=running.address)
        assert served.generator().model_id == "qwen2.5:1.5b"
        assert loaded == []
        model = tmp_path / "模型.gguf"
        model.write_bytes(gguf_bytes())
        open_again(home, server=running.address, model_path=model).generator()
    assert [name for _, name, _ in loaded] == ["模型"]
    assert len(running.requests) == 1


def test_a_server_that_was_not_there_is_tried_again_one_elsewhere_never(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "PAUSES_S", (0.01, 0.02))
    with serving(listing("a")) as running:
        served = open_again(home, server=running.address)
        running.replies.insert(0, answer(b"", "503 Busy"))
        running.replies[1:1] = [answer(b"", "503 Busy")] * 2
        with pytest.raises(ServerBusy):
            served.generator()
        assert served.generator().model_id == "a"
    elsewhere = open_again(home, server="http://192.0.2.7:80")
    errors = []
    for _ in range(2):
        with pytest.raises(ServerNotLocal) as failure:
            elsewhere.generator()
        errors.append(failure.value)
    assert errors[0] is errors[1]


def test_closing_frees_the_model_and_the_files(
    ours: Workspace, loaded: list[tuple[Path, str, str]], home: Home
) -> None:
    add_model(ours)
    generator = ours.generator()
    assert isinstance(generator, FakeGenerator)
    ours.runs.save("问", False, None, {})
    ours.libraries.for_writing("甲")
    ours.close()
    assert generator.closed
    assert ours.loaded_generator is None
    ours.close()
    later = open_again(home)
    assert [run.question for run in later.runs.list()] == ["问"]
    later.close()


# -- embedder -------------------------------------------------------------------------------------


def test_an_embedder_that_cannot_be_used_is_asked_for_once_and_says_why(
    ours: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[str] = []

    def missing(model_id: str) -> Path:
        tries.append(model_id)
        raise ModelMissing(model=model_id)

    monkeypatch.setattr(ours.models, "ensure_verified", missing)
    assert ours.embedder() is None
    assert ours.embedder() is None
    assert len(tries) == 1
    assert isinstance(ours.embedder_error, EmbedderUnusable)


def test_the_dimension_is_that_of_the_chosen_embedder(home: Home) -> None:
    for name, dimension in (("small", 512), ("base", 768), ("large", 1024)):
        chosen = Workspace(home, Settings(embedder=f"bge-{name}-zh-v1.5"))
        assert chosen.dimension == dimension
        chosen.close()


def test_a_chosen_embedder_that_is_not_there_is_told_by_its_own_name(home: Home) -> None:
    chosen = Workspace(home, Settings(embedder="bge-base-zh-v1.5"))
    assert chosen.embedder() is None
    assert isinstance(chosen.embedder_error, EmbedderMissing)
    assert chosen.embedder_error.params == {"model": "bge-base-zh-v1.5"}
    assert chosen.question_embedders([]) == (None, ())
    chosen.close()
