"""Indexing keeps within its share of the processor, and is told of the battery."""

from collections.abc import Iterator

import pytest

from engine import native
from engine.config import Settings
from engine.events import Event, Notice, OnBattery
from engine.ingest import power, processor_share
from engine.intake.pool import ParsingPool


class Machine:
    """Time passes only by work and by sleep; ``log`` says what happened."""

    def __init__(self) -> None:
        self.now = self.own = self.parsers = 0.0
        self.asleep = self.longest_sleep = 0.0
        self.is_paused = False
        self.log: list[str] = []

    def work(self, seconds: float, threads: float, parsers: float = 0.0) -> None:
        self.now += seconds
        self.own += seconds * threads
        self.parsers += seconds * parsers

    def sleep(self, seconds: float) -> None:
        assert self.is_paused, "parsing goes on while the rest rests"
        self.now += seconds
        self.asleep += seconds
        self.longest_sleep = max(self.longest_sleep, seconds)

    def spent_s(self) -> float:
        return self.parsers

    def pause(self) -> None:
        self.is_paused = True

    def resume(self) -> None:
        self.is_paused = False

    def within(self, steps: Iterator[Event | None], cores: float | None) -> Iterator[Event | None]:
        return processor_share.within(
            steps, cores, self, clock=lambda: self.now, processor_clock=lambda: self.own, sleep=self.sleep
        )


@pytest.mark.parametrize(
    ("cores", "threads", "parsers"), [(1.0, 2, 0), (1.0, 1, 1), (0.5, 2, 1), (1.5, 2, 1)]
)
def test_no_more_is_taken_than_the_share(cores: float, threads: float, parsers: float) -> None:
    machine = Machine()

    def steps() -> Iterator[None]:
        for _ in range(50):
            machine.work(0.08, threads, parsers)
            yield None

    list(machine.within(steps(), cores))
    assert (machine.own + machine.parsers) / machine.now == pytest.approx(cores, rel=0.01)
    assert machine.longest_sleep <= processor_share.LONGEST_REST_S
    assert not machine.is_paused


def test_waiting_earns_no_rush_and_work_within_the_share_no_rest() -> None:
    machine = Machine()

    def steps() -> Iterator[None]:
        machine.work(60.0, 0)  # a slow disk
        yield None
        machine.work(1.0, 1)
        yield None
        assert machine.asleep == 0
        machine.work(1.0, 2)
        yield None

    list(machine.within(steps(), 1.0))
    assert machine.asleep == pytest.approx(1.0)


def test_what_others_do_between_two_steps_does_not_count() -> None:
    machine = Machine()
    steps = machine.within(iter([None, None]), 1.0)
    next(steps)
    machine.work(30.0, 2)  # a question
    list(steps)
    assert machine.asleep == 0


def test_a_question_gets_its_turn_during_a_rest_and_parsing_rests_again_after_it() -> None:
    machine = Machine()

    def steps() -> Iterator[None]:
        machine.work(1.0, 2)
        yield None

    taken = machine.within(steps(), 1.0)
    next(taken)
    next(taken)
    assert 0 < machine.asleep <= processor_share.LONGEST_REST_S
    machine.resume()  # as a question does when it has been answered
    list(taken)
    assert machine.asleep == pytest.approx(1.0)


def test_a_parsing_process_that_ended_takes_nothing_back() -> None:
    machine = Machine()
    machine.parsers = 50.0

    def steps() -> Iterator[None]:
        machine.parsers = 0.0
        machine.work(1.0, 2)
        yield None
        machine.work(1.0, 2)
        yield None

    list(machine.within(steps(), 1.0))
    assert machine.asleep == pytest.approx(1.0), "the second step is measured anew"


def test_all_of_the_processor_costs_no_measuring() -> None:
    class Unasked(Machine):
        def spent_s(self) -> float:
            raise AssertionError

    assert list(Unasked().within(iter([None, None]), None)) == [None, None]


def test_given_up_it_lets_the_steps_and_the_parsers_go() -> None:
    machine, ended = Machine(), []

    def steps() -> Iterator[None]:
        try:
            machine.work(1.0, 2)
            yield None
        finally:
            ended.append(True)

    taken = machine.within(steps(), 1.0)
    next(taken)
    next(taken)
    assert machine.is_paused
    taken.close()  # type: ignore[attr-defined]
    assert ended and not machine.is_paused


def test_what_nobody_asked_for_takes_half_of_the_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "core_count", lambda: 4)
    usual, half = Settings(), Settings(indexing_share=50)
    assert processor_share.cores_for(usual, is_quiet=False) is None
    assert processor_share.cores_for(usual, is_quiet=True) == 2
    assert processor_share.cores_for(half, is_quiet=False) == 2
    assert processor_share.cores_for(half, is_quiet=True) == 1


def test_a_pool_without_processes_has_spent_nothing() -> None:
    with ParsingPool(Settings(readers=2)) as pool:
        assert pool.spent_s() == 0


# -- the battery ----------------------------------------------------------------------------------


def told(seconds: list[float], is_on_battery: list[bool]) -> list[float]:
    """When an OnBattery came, of steps that each take so many seconds."""
    now = [0.0]

    def steps() -> Iterator[Event | None]:
        for length in seconds:
            now[0] += length
            yield Notice(7, "lexical_only")

    looks = iter(is_on_battery)
    times = []
    for event in power.telling(steps(), 7, lambda: next(looks), lambda: now[0]):
        if isinstance(event, OnBattery):
            assert event.task_id == 7
            times.append(now[0])
    return times


def test_short_work_is_done_on_battery_without_a_word() -> None:
    assert told([1.0] * 59, []) == []


def test_long_work_is_told_of_the_battery_now_and_then() -> None:
    assert told([1.0] * 85, [True] * 3) == [60.0, 70.0, 80.0]


def test_unplugged_later_it_is_told_at_the_next_look() -> None:
    assert told([1.0] * 85, [False, True, False]) == [70.0]


class Battery:
    def __init__(self, power_plugged: bool | None) -> None:
        self.power_plugged = power_plugged


@pytest.mark.parametrize(
    ("found", "is_on"),
    [(None, False), (Battery(None), False), (Battery(True), False), (Battery(False), True)],
)
def test_a_battery_counts_where_it_is_known_to_be_in_use(
    found: Battery | None, is_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power.psutil, "sensors_battery", lambda: found, raising=False)
    assert power.on_battery() is is_on


def test_a_battery_that_cannot_be_read_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise OSError

    monkeypatch.setattr(power.psutil, "sensors_battery", broken, raising=False)
    assert power.on_battery() is False
    monkeypatch.delattr(power.psutil, "sensors_battery")
    assert power.on_battery() is False
