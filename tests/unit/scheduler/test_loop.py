"""The scheduler looks, asks, runs and writes down; nothing that a job does can stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import NoReturn

import pytest

from gotgan.domain import GO, SimpleDecision
from gotgan.errors import Conflict, DatabaseUnavailable, FetchTimeout, GotganError
from gotgan.schedule import Tick
from gotgan.scheduler import DueJob
from tests.unit.scheduler.house import SOON, Held, housed, job

NOON = datetime(2025, 10, 20, 3, tzinfo=UTC)  # 12:00 in Seoul, a Monday
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
HOURLY = job("a.hourly", "0 * * * *")
WAIT = SimpleDecision("waiting", "before_retry_time", "it is tried again at 18:00")


def test_a_job_that_is_due_runs_and_its_tick_says_so() -> None:
    with housed(NOON, HOURLY) as (house, _):
        house.look()
        [tick] = house.history()
    assert (tick.job, tick.at, tick.status, tick.reason) == ("a.hourly", NOON, "done", "due")
    assert (tick.finished_at, tick.error) == (NOON, None)


def test_a_job_runs_once_for_each_time_it_comes_round() -> None:
    with housed(NOON, HOURLY) as (house, clock):
        for _ in range(180):
            house.look()
            clock.advance(MINUTE)
        assert [at for at, _, _ in house.told("a.hourly")] == [NOON, NOON + HOUR, NOON + 2 * HOUR]
        assert house.begun == ["a.hourly"] * 3


def test_what_was_missed_is_made_up_for_once() -> None:
    with housed(NOON, HOURLY) as (house, clock):
        house.look()
        clock.advance(timedelta(days=3, minutes=7))
        house.look()
        house.look()
        assert [at for at, _, _ in house.told("a.hourly")] == [NOON, NOON + timedelta(days=3)]


def test_a_tick_that_a_wrong_clock_wrote_ahead_holds_nothing_up() -> None:
    with housed(NOON, HOURLY) as (house, _):
        house.ticks.claim(DueJob(HOURLY, NOON + timedelta(days=900)), WAIT, NOON)
        house.look()
        assert house.begun == ["a.hourly"]


def test_a_clock_that_was_set_back_runs_nothing_twice() -> None:
    with housed(NOON - MINUTE, HOURLY) as (house, clock):
        house.ticks.claim(DueJob(HOURLY, NOON), WAIT, NOON)
        house.ticks.claim(DueJob(HOURLY, NOON - HOUR), WAIT, NOON)
        house.look()
        clock.advance(2 * MINUTE)
        house.look()
        assert house.begun == []


def test_a_gate_that_does_not_let_it_through_is_quoted() -> None:
    with housed(NOON, HOURLY) as (house, _):
        house.gates["a.hourly"] = lambda: WAIT
        house.look()
        house.look()
        [tick] = house.history()
        assert house.begun == []
    assert (tick.status, tick.reason, tick.words) == (WAIT.status, WAIT.reason, WAIT.words)
    assert tick.finished_at == NOON


def test_a_verb_that_fails_leaves_its_sentence_and_ticks_again() -> None:
    with housed(NOON, HOURLY, job("b.other", "0 * * * *")) as (house, clock):
        house.works["a.hourly"] = _raising(FetchTimeout("it took too long"))
        house.look()
        clock.advance(HOUR)
        house.look()
        assert [status for _, status, _ in house.told("a.hourly")] == ["failed", "failed"]
        assert [tick.error for tick in house.history("a.hourly")] == ["it took too long"] * 2
        assert [status for _, status, _ in house.told("b.other")] == ["done", "done"]


def test_a_gate_that_is_broken_stops_its_own_job_alone() -> None:
    with housed(NOON, HOURLY, job("b.other", "0 * * * *")) as (house, _):
        house.gates["a.hourly"] = _raising(KeyError("innards"))
        house.look()
        [broken] = house.history("a.hourly")
        assert house.begun == ["b.other"]
    assert (broken.status, broken.reason) == ("failed", GotganError.code)
    assert "innards" not in f"{broken.words}{broken.error}"


def test_a_gate_that_cannot_reach_its_database_is_told_by_its_error() -> None:
    with housed(NOON, HOURLY) as (house, _):
        house.gates["a.hourly"] = _raising(DatabaseUnavailable("it does not answer"))
        house.look()
        assert house.told("a.hourly") == [(NOON, "failed", DatabaseUnavailable.code)]


def test_a_verb_that_takes_longer_than_its_period_is_not_run_twice_at_once() -> None:
    with housed(NOON, HOURLY) as (house, clock):
        work = house.works["a.hourly"] = Held()
        house.scheduler.tick()
        assert work.begun.wait(SOON)
        clock.advance(HOUR)
        house.scheduler.tick()
        assert house.told("a.hourly") == [
            (NOON, "running", "due"),
            (NOON + HOUR, "skipped", "in_progress"),
        ]
        work.let_go()
        house.runs.join()
        assert house.told("a.hourly")[0] == (NOON, "done", "due")
        clock.advance(HOUR)
        house.look()
        assert house.told("a.hourly")[2] == (NOON + 2 * HOUR, "done", "due")


def test_a_verb_for_which_there_is_no_room_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    with housed(NOON, HOURLY) as (house, _):
        monkeypatch.setattr(house, "start", _raising(Conflict("8 runs are under way")))
        house.look()
        [tick] = house.history()
    assert (tick.status, tick.reason, tick.finished_at) == ("skipped", "in_progress", NOON)
    assert "8 runs" in str(tick.words)


def test_a_verb_that_nobody_knows_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with housed(NOON, HOURLY) as (house, _):
        monkeypatch.setattr(house, "start", _raising(RuntimeError("can't start new thread")))
        house.look()
        assert house.told("a.hourly") == [(NOON, "failed", GotganError.code)]


@dataclass(frozen=True)
class Report:
    outcome: str
    words: str


def test_a_report_that_tells_what_came_of_it_is_quoted() -> None:
    with housed(NOON, HOURLY) as (house, clock):
        house.works["a.hourly"] = lambda: Report("success", "959 prices are there")
        house.look()
        clock.advance(HOUR)
        house.works["a.hourly"] = lambda: Report("failed", "KRX does not answer")
        house.look()
        good, bad = house.history()
    assert (good.status, good.words, good.error) == ("done", "959 prices are there", None)
    assert (bad.status, bad.words, bad.error) == ("failed", "KRX does not answer", bad.words)


def test_a_day_that_is_there_in_part_is_not_done() -> None:
    with housed(NOON, HOURLY) as (house, _):
        house.works["a.hourly"] = lambda: Report("partial", "prices: KRX does not answer")
        house.look()
        assert house.told("a.hourly") == [(NOON, "failed", "due")]


def test_a_run_that_was_given_up_and_ends_after_all_has_no_error() -> None:
    with housed(NOON, HOURLY) as (house, _):
        work = house.works["a.hourly"] = Held()
        house.scheduler.tick()
        assert work.begun.wait(SOON)
        house.ticks.claim(DueJob(HOURLY, NOON + HOUR), GO, NOON + HOUR)  # by another process
        assert house.told("a.hourly")[0] == (NOON, "failed", "due")
        work.let_go()
        house.runs.join()
        [ended, _] = house.history()
    assert (ended.status, ended.error) == ("done", None)


def test_a_job_waits_for_the_one_before_it_in_the_same_minute() -> None:
    second = job("b.second", "0 * * * *", after="a.hourly")
    with housed(NOON, HOURLY, second) as (house, clock):
        work = house.works["a.hourly"] = Held()
        house.gates["b.second"] = lambda: GO if work.has_ended.is_set() else WAIT
        house.scheduler.tick()
        assert work.begun.wait(SOON)
        clock.advance(3 * MINUTE)
        house.scheduler.tick()
        assert house.told("b.second") == []
        work.let_go()
        house.runs.join()
        house.look()
        assert house.told("b.second") == [(NOON, "done", "due")]


def test_a_job_whose_forerunner_died_is_not_held_up_for_ever() -> None:
    second = job("b.second", "0 12 * * *", after="a.first")
    with housed(NOON, job("a.first", "0 12 * * *"), second) as (house, clock):
        work = house.works["a.first"] = Held()
        house.scheduler.tick()
        assert work.begun.wait(SOON)
        clock.advance(HOUR + MINUTE)
        house.scheduler.tick()
        assert [at for at, _, _ in house.told("b.second")] == [NOON]
        work.let_go()


def test_at_the_start_missed_days_are_swept_and_the_rest_is_made_up_for() -> None:
    """Down since the evening before, and up again at 23:30, as a laptop is."""
    late = datetime(2025, 10, 20, 14, 30, tzinfo=UTC)  # 23:30 in Seoul
    collect = job("collect", "0 16-23 * * 1-5")
    sweep = job("sweep", "15 16-23 * * 1-5", at_start=True)
    with housed(late - timedelta(days=1), collect, sweep) as (house, clock):
        house.look()
        clock.advance(timedelta(days=1))
        house.look(is_start=True)
        house.look()
        assert [at for at, _, _ in house.told("collect")][1:] == [late - MINUTE * 30]
        assert [at for at, _, _ in house.told("sweep")][1:] == [late]


def test_old_ticks_are_forgotten() -> None:
    with housed(NOON, HOURLY) as (house, clock):
        house.look()
        clock.advance(timedelta(days=29))
        house.look()
        clock.advance(timedelta(days=2))
        house.look()
        kept = [at for at, _, _ in house.told("a.hourly")]
    assert kept == [NOON + timedelta(days=29), NOON + timedelta(days=31)]


def test_stopping_returns_while_a_job_runs_and_starts_nothing_more() -> None:
    with housed(NOON, HOURLY) as (house, clock):
        work = house.works["a.hourly"] = Held()
        with house.scheduler:
            assert work.begun.wait(SOON)
        assert house.told("a.hourly") == [(NOON, "running", "due")]
        clock.advance(HOUR)
        house.scheduler.tick()
        assert house.begun == ["a.hourly"]
        work.let_go()
        house.runs.join()
        assert house.told("a.hourly") == [(NOON, "done", "due")]


def test_the_end_of_a_run_wakes_the_loop_for_what_waits_on_it() -> None:
    second, third = job("b.second", "0 * * * *", after="a.hourly"), job("c.third", "0 * * * *")
    passed_over, done = threading.Event(), threading.Event()
    with housed(NOON, HOURLY, second, third) as (house, _):
        work = house.works["a.hourly"] = Held()
        house.works["b.second"], house.works["c.third"] = done.set, passed_over.set
        with house.scheduler:
            assert passed_over.wait(SOON)
            work.let_go()
            assert done.wait(SOON)  # the next look at the clock would be much later


def test_a_database_that_is_away_for_a_while_loses_no_tick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gotgan.scheduler.loop._MAX_PAUSE_S", 0.01)
    sweep, done = job("a.sweep", "0 4 * * *", at_start=True), threading.Event()
    with housed(NOON, sweep) as (house, _):
        house.works["a.sweep"] = done.set
        broken, looked = iter([True, True]), house.ticks.last

        def last(jobs: list[str], now: datetime) -> dict[str, Tick]:
            if next(broken, False):
                raise DatabaseUnavailable("it does not answer")
            return looked(jobs, now)

        monkeypatch.setattr(house.ticks, "last", last)
        with house.scheduler:
            assert done.wait(SOON)
        house.runs.join()
        assert house.told("a.sweep") == [(NOON, "done", "due")]


def _raising(error: Exception) -> Callable[..., NoReturn]:
    def fail(*_: object) -> NoReturn:
        raise error

    return fail
