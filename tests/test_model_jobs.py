"""Listing, choosing, removing and measuring models: what the engine tells, keeps and refuses."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pytest

from engine import jobs, native
from engine.answer.generation import Generator, Piece, PromptRead
from engine.answer.prompting import Message
from engine.cancel import Cancelled, CancelToken
from engine.chat import model as chat_model
from engine.chat import speed_test
from engine.commands import AskQuestion, Command
from engine.config import Settings
from engine.documents import Page
from engine.errors import GenerationFailed, ModelMissing
from engine.events import Event, ModelsReady, Notice
from engine.index.embedding import Embedder
from engine.model_files.commands import ChooseModel, ListModels, MeasureModel, RemoveModel, RestChatModel
from engine.model_files.events import (
    MeasureProgress,
    ModelChosen,
    ModelMeasured,
    ModelRemoved,
    ModelRested,
    ModelsListed,
)
from engine.model_files.standing import ModelStanding
from engine.paths import Home
from engine.workspace import Workspace
from models import store
from models.catalogue import Catalogue, catalogue
from models.errors import ModelInUse, ModelPermanent, ModelTooLarge, ModelUnknown
from tests import tiny_bert
from tests.builders import add_pages
from tests.fakes import FakeEmbedder, FakeGenerator
from tests.models.conftest import chat_model as chat_entry
from tests.models.conftest import gguf_bytes

_Event = TypeVar("_Event")
LARGE, SMALL = gguf_bytes(entries={"general.name": "large"}), gguf_bytes(tensors=3)
EMBEDDER = "bge-small-zh-v1.5"


class OurWorkspace(Workspace):
    """A real one on disk with doubles for the embedder."""

    def embedder(self) -> Embedder | None:
        return FakeEmbedder()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """Two chat models of the catalogue are here, and one that somebody added."""
    known = Catalogue(
        (
            catalogue().find(EMBEDDER),
            catalogue().find(tiny_bert.BASE),
            chat_entry("gross", LARGE, free_memory=1, order=1),
            chat_entry("klein", SMALL, order=2),
            chat_entry("fern", b"x" * 999, order=3),
        )
    )
    monkeypatch.setattr(store, "catalogue", lambda: known)
    made = Home(tmp_path / "家")
    made.models.mkdir(parents=True)
    (made.models / "gross.gguf").write_bytes(LARGE)
    (made.models / "klein.gguf").write_bytes(SMALL)
    (made.models / "mein.gguf").write_bytes(gguf_bytes())
    return made


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of chat models in the order in which they were loaded; the fakes stand for llama.cpp."""
    loaded: list[str] = []

    def load(path: Path, model_id: str, *_: Any) -> Generator:
        loaded.append(model_id)
        made = FakeGenerator("好" * 60)
        made.model_id = model_id
        return made

    monkeypatch.setattr(chat_model, "prove", lambda *_: None)
    monkeypatch.setattr(chat_model.llama, "load", load)
    return loaded


@pytest.fixture
def workspace(home: Home, loads: list[str]) -> Iterator[Workspace]:
    made = OurWorkspace(home, Settings())
    yield made
    made.close()


def do(workspace: Workspace, command: Command, token: CancelToken | None = None) -> list[Event]:
    return [event for event in jobs.start(command, workspace, token or CancelToken()) if event is not None]


def only(events: Sequence[Event], kind: type[_Event]) -> _Event:
    (found,) = [event for event in events if isinstance(event, kind)]
    return found


def listed(workspace: Workspace) -> dict[str, ModelStanding]:
    return {model.id: model for model in only(do(workspace, ListModels(1)), ModelsListed).models}


def test_every_model_stands_as_it_is_on_this_machine(workspace: Workspace) -> None:
    rows = listed(workspace)
    assert list(rows) == [EMBEDDER, tiny_bert.BASE, "gross", "klein", "fern", "mein"]
    assert rows[EMBEDDER].in_use and rows[EMBEDDER].is_permanent and not rows[EMBEDDER].can_download
    assert rows["gross"].is_default and not rows["gross"].in_use and rows["gross"].installed
    assert rows["fern"].can_download and not rows["fern"].installed
    assert rows[tiny_bert.BASE].publisher and not rows[tiny_bert.BASE].can_download
    assert not rows["mein"].in_catalogue and rows["mein"].licence is None
    # 1.3 × file + 0.5 GB, of a header that does not tell its keys and values.
    assert rows["mein"].memory_needed == pytest.approx(500_000_000, rel=0.01)
    machine = only(do(workspace, ListModels(1)), ModelsListed).machine
    assert machine.cores >= 1 and machine.total_memory >= machine.free_memory > 0 and machine.free_disk > 0


def test_what_does_not_fit_says_so(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "total_memory", lambda: 400_000_000)
    monkeypatch.setattr(native, "free_memory", lambda: 500)
    rows = listed(workspace)
    assert rows["mein"].fit == "too_large"
    assert rows["klein"].fit == "tight"
    assert rows[EMBEDDER].fit == "fits"  # it is in memory already


def test_a_small_laptop_is_told_which_model_suits_it(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """4 GB, of which the system and a browser leave 1.5: the small model, and the larger ones close to it."""
    monkeypatch.setattr(store, "catalogue", catalogue)
    monkeypatch.setattr(native, "total_memory", lambda: 4_000_000_000)
    monkeypatch.setattr(native, "free_memory", lambda: 1_500_000_000)
    laptop = OurWorkspace(home, Settings())
    rows = listed(laptop)
    assert [name for name, row in rows.items() if row.is_recommended] == [
        "qwen2.5-coder-0.5b-instruct-q4_k_m"
    ]
    assert rows["qwen2.5-coder-0.5b-instruct-q4_k_m"].fit == "fits"
    assert rows["qwen2.5-coder-1.5b-instruct-q4_k_m"].fit == "tight"
    assert rows[EMBEDDER].in_use and rows[EMBEDDER].memory_needed <= 300_000_000
    laptop.close()


def test_what_is_loaded_counts_as_room_for_another_one(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a machine would be told that its model is too much for it as soon as it is loaded."""
    workspace.generator()
    monkeypatch.setattr(native, "free_memory", lambda: 0)
    rows = listed(workspace)
    assert rows["gross"].is_default and rows["gross"].is_recommended and rows["klein"].fit == "fits"


def test_a_file_that_is_no_model_is_listed_with_its_fault(workspace: Workspace, home: Home) -> None:
    (home.models / "klein.gguf").write_bytes(b"<html>")
    assert listed(workspace)["klein"].problem == "model_not_gguf"


def test_a_chosen_model_is_loaded_at_once_and_at_the_next_start(
    workspace: Workspace, home: Home, loads: list[str]
) -> None:
    assert workspace.generator().model_id == "gross"
    before = workspace.loaded_generator
    events = do(workspace, ChooseModel(1, "chat", "klein"))
    assert only(events, ModelChosen) == ModelChosen(1, "chat", "klein")
    assert only(events, ModelsReady).chat_model == "klein"
    assert isinstance(before, FakeGenerator) and before.closed
    assert listed(workspace)["klein"].in_use
    later = OurWorkspace(home, Settings())
    assert later.generator().model_id == "klein"
    later.close()
    do(workspace, ChooseModel(1, "chat", None))
    assert loads == ["gross", "klein", "klein", "gross"]


def test_a_model_that_cannot_be_loaded_leaves_the_one_before_in_use(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    do(workspace, ChooseModel(1, "chat", "klein"))
    load = chat_model.llama.load

    def fails(path: Path, model_id: str, *rest: Any) -> Generator:
        if model_id == "gross":
            raise GenerationFailed(model=model_id, detail="no")
        return load(path, model_id, *rest)

    monkeypatch.setattr(chat_model.llama, "load", fails)
    with pytest.raises(GenerationFailed):
        do(workspace, ChooseModel(1, "chat", "gross"))
    assert workspace.generator().model_id == "klein"


def test_only_what_is_here_and_fits_can_be_chosen(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ModelMissing):
        do(workspace, ChooseModel(1, "chat", "fern"))
    with pytest.raises(ModelUnknown):
        do(workspace, ChooseModel(1, "chat", "../fremd"))
    with pytest.raises(ModelUnknown):
        do(workspace, ChooseModel(1, "chat", EMBEDDER))
    monkeypatch.setattr(native, "total_memory", lambda: 500)
    with pytest.raises(ModelTooLarge):
        do(workspace, ChooseModel(1, "chat", "klein"))


@pytest.mark.usefixtures("tiny_catalogue")
def test_another_embedder_tells_how_many_passages_it_costs_and_makes_what_is_new(
    tmp_path: Path, tiny_berts: Mapping[str, Path]
) -> None:
    workspace = OurWorkspace(Home(tmp_path / "家"), Settings())
    workspace.models.add(tiny_berts[tiny_bert.BASE])
    page = Page(1, "保密制度：秘密级数据的保密期限为10年。")
    library = workspace.libraries.for_writing("制度")
    add_pages(library, "保密.txt", [page], FakeEmbedder(512), kind="text")
    events = do(workspace, ChooseModel(1, "embedder", tiny_bert.BASE))
    chosen = only(events, ModelChosen)
    assert chosen.model == tiny_bert.BASE and chosen.passages == library.chunk_count() > 0
    assert workspace.settings.embedder == tiny_bert.BASE and workspace.dimension == 768
    assert workspace.libraries.for_writing("新").dimension == 768
    workspace.close()
    later = OurWorkspace(Home(tmp_path / "家"), Settings())
    assert later.settings.embedder == tiny_bert.BASE
    later.close()


def test_removing_frees_the_disk_and_refuses_what_is_in_use(
    workspace: Workspace, home: Home, loads: list[str]
) -> None:
    workspace.generator()
    with pytest.raises(ModelInUse):
        do(workspace, RemoveModel(1, "gross"))
    with pytest.raises(ModelInUse):
        do(workspace, RemoveModel(1, EMBEDDER))
    events = do(workspace, RemoveModel(1, "klein"))
    assert only(events, ModelRemoved) == ModelRemoved(1, "klein", len(SMALL))
    assert not (home.models / "klein.gguf").exists()
    do(workspace, RemoveModel(1, "mein"))
    # The only one gives way, and the window learns that there is none.
    events = do(workspace, RemoveModel(1, "gross"))
    assert only(events, ModelsReady).chat_model is None
    assert listed(workspace)["gross"].installed is False
    with pytest.raises(ModelMissing):
        workspace.generator()


def test_a_chosen_model_that_is_removed_is_chosen_no_more(workspace: Workspace) -> None:
    do(workspace, ChooseModel(1, "chat", "klein"))
    do(workspace, ChooseModel(1, "chat", None))
    do(workspace, RemoveModel(1, "klein"))
    assert workspace.generator().model_id == "gross"


def test_the_embedder_that_ships_stays(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace, "settings", workspace.settings.model_copy(update={"embedder": "x"}))
    with pytest.raises(ModelPermanent):
        do(workspace, RemoveModel(1, EMBEDDER))


# -- measuring ----------------------------------------------------------------------------------------


class Clock:
    """Time that passes by what is done: 100 prompt tokens and 10 written tokens a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now

    def time_ns(self) -> int:
        return int(self.now * 1e9)


class Timed(FakeGenerator):
    def __init__(self, clock: Clock, prompt: int = 200) -> None:
        super().__init__("好")
        self.clock, self.prompt_length = clock, prompt
        self.prompts_seen: list[str] = []

    def generate(
        self, messages: Sequence[Message], *, max_tokens: int, temperature: float, token: CancelToken
    ) -> Iterator[PromptRead | Piece]:
        self.prompts_seen.append(messages[0]["content"])
        yield PromptRead(20, self.prompt_length)  # its first tokens were known already
        for done in range(120, self.prompt_length + 1, 100):
            token.check()
            self.clock.now += 1.0
            yield PromptRead(done, self.prompt_length)
        for count in range(1, max_tokens + 1):
            token.check()
            self.clock.now += 0.1
            yield Piece("好", count)


class Slow(FakeEmbedder):
    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock

    def embed_passages(self, texts: Sequence[str]) -> Any:
        self.clock.now += 0.25 * len(texts)
        return super().embed_passages(texts)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(speed_test, "time", made)
    return made


@pytest.fixture
def measuring(home: Home, clock: Clock, loads: list[str], monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A workspace whose embedder and chat model take their time."""
    workspace = OurWorkspace(home, Settings())
    embedder, generator = Slow(clock), Timed(clock, 220)
    generator.model_id = "gross"
    monkeypatch.setattr(workspace, "embedder", lambda: embedder)
    monkeypatch.setattr(workspace, "generator", lambda: generator)
    return workspace


def test_a_measurement_ends_within_ten_seconds_and_is_kept(measuring: Workspace, clock: Clock) -> None:
    begun = clock.now
    events = do(measuring, MeasureModel(1))
    assert clock.now - begun <= jobs.models.TOTAL_S + 1  # the warm-up of the embedder is none of it
    embedder, chat = [event for event in events if isinstance(event, ModelMeasured)]
    assert (embedder.role, embedder.speed.passages_per_second) == ("embedder", 4.0)
    assert (chat.model, chat.role) == ("gross", "chat")
    assert chat.speed.prompt_tokens_per_second == 100.0
    assert chat.speed.tokens_per_second == pytest.approx(10.0, abs=0.3)
    # 350 tokens of rules and as much evidence as ten seconds allow: 650 of them.
    assert chat.speed.first_token_s == 10.0
    spent = [event.done_s for event in events if isinstance(event, MeasureProgress)]
    assert spent == sorted(spent) and max(spent) <= jobs.models.TOTAL_S
    rows = listed(measuring)
    assert rows["gross"].speed == chat.speed and rows[EMBEDDER].speed == embedder.speed
    assert rows["klein"].speed is None


def test_the_first_prompt_of_a_model_counts_whole(clock: Clock) -> None:
    class Fresh(Timed):
        def generate(self, *args: Any, **options: Any) -> Iterator[PromptRead | Piece]:
            yield PromptRead(0, 200)
            for done in (128, 200):
                self.clock.now += 1.0
                yield PromptRead(done, 200)

    assert _returned(speed_test.measure_chat(Fresh(clock), CancelToken())).prompt_tokens_per_second == 100.0


def test_a_server_that_tells_nothing_of_its_prompt_is_known_by_its_first_word(clock: Clock) -> None:
    class Server(Timed):
        def generate(self, *args: Any, **options: Any) -> Iterator[PromptRead | Piece]:
            self.clock.now += 3.0
            for count in range(1, 12):
                yield Piece("好", count)
                self.clock.now += 0.1

    measured = _returned(speed_test.measure_chat(Server(clock), CancelToken()))
    assert (measured.prompt_tokens_per_second, measured.first_token_s) == (None, 3.0)


def _returned(steps: Any) -> Any:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def test_a_second_measurement_reads_its_prompt_again(measuring: Workspace) -> None:
    do(measuring, MeasureModel(1))
    do(measuring, MeasureModel(2))
    first, second = measuring.generator().prompts_seen  # type: ignore[attr-defined]
    assert first[:8] != second[:8]


def test_without_a_chat_model_the_embedder_alone_is_measured(
    measuring: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> Generator:
        raise ModelMissing(model="chat")

    monkeypatch.setattr(measuring, "generator", missing)
    events = do(measuring, MeasureModel(1))
    assert only(events, ModelMeasured).role == "embedder"
    assert not [event for event in events if isinstance(event, Notice)]


def test_a_machine_that_cannot_even_read_the_prompt_is_told(
    measuring: Workspace, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Dead(Timed):
        def generate(self, *args: Any, **options: Any) -> Iterator[PromptRead | Piece]:
            self.clock.now += 60
            yield PromptRead(0, 200)

    monkeypatch.setattr(measuring, "generator", lambda: Dead(clock))
    assert only(do(measuring, MeasureModel(1)), Notice).code == "speed_too_slow"


def test_a_measurement_can_be_stopped(measuring: Workspace) -> None:
    token = CancelToken()
    steps = jobs.start(MeasureModel(1), measuring, token)
    next(steps)
    token.cancel()
    with pytest.raises(Cancelled):
        list(steps)


@pytest.mark.parametrize("content", ["", "[]", "{", '{"a": {"wrong": 1}}', '{"a": 5}'])
def test_a_torn_file_of_figures_costs_another_measurement(home: Home, content: str) -> None:
    (home.create().root / "model-speed-tests.json").write_text(content, encoding="utf-8")
    assert speed_test.kept(home) == {}


def test_files_are_not_read_while_it_measures(
    measuring: Workspace, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    quiet: list[str] = []

    class Pool:
        def pause(self) -> None:
            quiet.append("pause")

        def resume(self) -> None:
            quiet.append("resume")

    monkeypatch.setattr(measuring, "_reading", [Pool()])
    do(measuring, MeasureModel(1))
    assert quiet == ["pause", "resume"]


# -- a rest ---------------------------------------------------------------------------------------


@pytest.fixture
def ticking(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> "Ticking":
    made = Ticking()
    monkeypatch.setattr(workspace._chat_model, "_clock", made)
    return made


class Ticking:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_model_that_nobody_needed_for_long_gives_its_memory_back(
    workspace: Workspace, ticking: Ticking, loads: list[str]
) -> None:
    first = workspace.generator()
    assert isinstance(first, FakeGenerator)
    ticking.now = 30 * 60 - 1
    assert do(workspace, RestChatModel(1)) == []
    workspace.generator()
    ticking.now += 30 * 60 - 1
    assert do(workspace, RestChatModel(1)) == [] and not first.closed
    ticking.now += 1
    assert do(workspace, RestChatModel(1)) == [ModelRested(1, first.model_id)]
    assert first.closed and workspace.loaded_generator is None
    assert do(workspace, RestChatModel(1)) == [], "there is nothing left to free"
    assert workspace.generator() is not first
    assert len(loads) == 2


def test_a_model_at_work_does_not_rest_and_its_rest_begins_with_the_end(
    workspace: Workspace, ticking: Ticking
) -> None:
    workspace.generator()
    with workspace.quiet():
        ticking.now = 1e6
        assert do(workspace, RestChatModel(1)) == []
    ticking.now += 30 * 60 - 1
    assert do(workspace, RestChatModel(1)) == []


@pytest.mark.parametrize(("minutes", "rests"), [(0, False), (1, True), (90, False)])
def test_how_long_is_a_setting_that_counts_at_once(
    workspace: Workspace, ticking: Ticking, minutes: int, rests: bool
) -> None:
    workspace.generator()
    workspace.settings_file.change({"unload_after_minutes": minutes})
    workspace.take_settings()
    ticking.now = 60 * 60
    assert bool(do(workspace, RestChatModel(1))) is rests
    assert (workspace.loaded_generator is None) is rests


def test_a_question_says_that_it_loaded_the_model_and_the_next_one_does_not(
    workspace: Workspace, ticking: Ticking, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "embedder", lambda: FakeEmbedder(512))
    library = workspace.libraries.for_writing("库")
    page = Page(1, "秘密级数据的保密期限为10年。")
    add_pages(library, "保密.md", [page], FakeEmbedder(512))
    question = AskQuestion(1, "秘密级数据的保密期限")
    model = only(do(workspace, question), ModelsReady).chat_model
    assert model == workspace.generator().model_id
    assert not [event for event in do(workspace, question) if isinstance(event, ModelsReady)]
    ticking.now = 1e6
    do(workspace, RestChatModel(2))
    assert only(do(workspace, question), ModelsReady).chat_model == model
