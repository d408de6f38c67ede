"""Ticks are written once and found again, in both databases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from gotgan.domain import GO, SimpleDecision
from gotgan.schedule import Tick
from gotgan.scheduler import DueJob, Ticks
from gotgan.sql import Database
from tests.durability.crowd import at_once
from tests.unit.scheduler.house import job

NOON = datetime(2025, 10, 20, 3, tzinfo=UTC)  # 12:00 in Seoul
HOUR = timedelta(hours=1)
ONE, OTHER = job("a.one", "0 * * * *"), job("b.other", "30 * * * *")
CLOSED = SimpleDecision("skipped", "market_closed", "2025-10-19 is no trading day: a weekend")
BROKEN = SimpleDecision("failed", "database_unavailable", "it does not answer")


@pytest.fixture
def ticks(database: Database) -> Ticks:
    return Ticks(database)


def claimed(ticks: Ticks, due: DueJob, answer: SimpleDecision = GO) -> Tick:
    tick = ticks.claim(due, answer, NOON)
    assert tick is not None
    return tick


def test_of_those_who_claim_a_tick_at_once_one_has_it(ticks: Ticks) -> None:
    won = at_once([partial(ticks.claim, DueJob(ONE, NOON), GO, NOON)] * 4)
    [first] = [tick for tick in won if tick is not None]
    assert ticks.history("a.one") == [first]
    assert claimed(ticks, DueJob(OTHER, NOON)).id != first.id


@pytest.mark.parametrize(
    ("answer", "status", "finished_at", "error"),
    [
        (GO, "running", None, None),
        (CLOSED, "skipped", NOON, None),
        (BROKEN, "failed", NOON, BROKEN.words),
    ],
)
def test_a_tick_is_kept_as_the_gate_answered(
    ticks: Ticks,
    answer: SimpleDecision,
    status: str,
    finished_at: datetime | None,
    error: str | None,
) -> None:
    tick = claimed(ticks, DueJob(ONE, NOON - HOUR), answer)
    assert (tick.status, tick.finished_at, tick.error) == (status, finished_at, error)
    assert (tick.reason, tick.words) == (answer.reason, answer.words)
    assert ticks.history() == [tick]


def test_the_last_tick_of_each_job_is_found(ticks: Ticks) -> None:
    for hours in range(3):
        claimed(ticks, DueJob(ONE, NOON + hours * HOUR))
    found = ticks.last(["a.one", "b.other"], NOON + HOUR)
    assert {name: tick.at for name, tick in found.items()} == {"a.one": NOON + HOUR}


def test_what_is_under_way_is_told_by_its_tick(ticks: Ticks) -> None:
    tick = claimed(ticks, DueJob(ONE, NOON))
    assert ticks.is_running("a.one", NOON)
    assert not ticks.is_running("a.one", NOON + HOUR)
    ticks.end(tick, status="done", finished_at=NOON)
    assert not ticks.is_running("a.one", NOON)


def test_a_tick_that_did_not_end_is_said_so_when_its_job_comes_round_again(ticks: Ticks) -> None:
    left, other = claimed(ticks, DueJob(ONE, NOON)), claimed(ticks, DueJob(OTHER, NOON))
    claimed(
        ticks, DueJob(ONE, NOON + HOUR), SimpleDecision("skipped", "in_progress", "it is under way")
    )
    assert [tick.status for tick in ticks.history("a.one")] == ["skipped", "running"]
    claimed(ticks, DueJob(ONE, NOON + 2 * HOUR), CLOSED)
    found = ticks.history("a.one")[-1]
    assert (found.status, found.finished_at) == ("failed", None)
    assert found.error == "The previous run did not finish."
    assert ticks.history("b.other") == [other]
    ticks.end(left, status="done", finished_at=NOON, error=None)  # it was alive all the same
    assert ticks.history("a.one")[-1].status == "done"


def test_the_history_is_newest_first_and_bounded(ticks: Ticks) -> None:
    for hours in range(4):
        claimed(ticks, DueJob(ONE, NOON + hours * HOUR))
    claimed(ticks, DueJob(OTHER, NOON + HOUR))
    latest = [tick.at for tick in ticks.history("a.one", limit=2)]
    assert latest == [NOON + 3 * HOUR, NOON + 2 * HOUR]
    assert [tick.job for tick in ticks.history(limit=4)] == ["a.one", "a.one", "b.other", "a.one"]


def test_what_is_older_than_thirty_days_is_forgotten(ticks: Ticks) -> None:
    old, kept = NOON - timedelta(days=30, minutes=1), NOON - timedelta(days=30)
    claimed(ticks, DueJob(ONE, old))
    claimed(ticks, DueJob(ONE, kept))
    assert ticks.prune(NOON) == 1
    assert [tick.at for tick in ticks.history()] == [kept]
