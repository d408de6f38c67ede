"""What came of the timetable, page by page and day by day, in both databases."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from gotgan.domain import GO, SimpleDecision
from gotgan.errors import BadCursor
from gotgan.schedule import TickStatus
from gotgan.scheduler import DueJob, Ticks
from gotgan.scheduler.history import TickDay, TickHistory, by_job
from gotgan.sql import Database
from tests.unit.scheduler.house import job

NOON = datetime(2025, 10, 20, 12, tzinfo=UTC)
ONE, OTHER = job("a.one", "0 * * * *"), job("b.other", "30 * * * *")
CLOSED = SimpleDecision("skipped", "market_closed", "2025-10-19 is no trading day: a weekend")
BROKEN = SimpleDecision("failed", "database_unavailable", "it does not answer")


@pytest.fixture
def history(database: Database) -> TickHistory:
    return TickHistory(database)


def _ticked(
    database: Database, at: datetime, answer: SimpleDecision = CLOSED, which: object = ONE
) -> None:
    assert Ticks(database).claim(DueJob(which, at), answer, at) is not None  # type: ignore[arg-type]


def test_nothing_happened_yet(history: TickHistory) -> None:
    assert (history.page().items, history.page().cursor) == ((), None)
    assert by_job(history.by_day([NOON.date()])) == {}


def test_pages_follow_one_another_without_a_gap_or_a_repetition(
    database: Database, history: TickHistory
) -> None:
    for number in range(3):
        _ticked(database, NOON - timedelta(hours=number))
        _ticked(database, NOON - timedelta(hours=number), which=OTHER)
    seen, cursor = [], None
    for _ in range(3):
        page = history.page(limit=2, cursor=cursor)
        seen += [(tick.at, tick.job) for tick in page.items]
        cursor = page.cursor
    assert cursor is None
    assert len(set(seen)) == 6
    assert [at for at, _ in seen] == sorted((at for at, _ in seen), reverse=True)


def test_a_page_stays_as_it_was_while_others_come(database: Database, history: TickHistory) -> None:
    for number in range(4):
        _ticked(database, NOON - timedelta(hours=number))
    first = history.page(limit=2)
    _ticked(database, NOON + timedelta(hours=1))
    second = history.page(limit=2, cursor=first.cursor)
    assert [tick.at.hour for tick in (*first.items, *second.items)] == [12, 11, 10, 9]


def test_ticks_are_found_by_job_and_by_status(database: Database, history: TickHistory) -> None:
    _ticked(database, NOON)
    _ticked(database, NOON, BROKEN, OTHER)
    _ticked(database, NOON - timedelta(hours=1), GO, OTHER)
    assert [tick.job for tick in history.page("a.one").items] == ["a.one"]
    assert [tick.status for tick in history.page("b.other").items] == ["failed", "running"]
    assert [tick.job for tick in history.page(status="failed").items] == ["b.other"]
    assert history.page("a.one", status="failed").items == ()


@pytest.mark.parametrize("cursor", ["", "x", "1", "1-", "-1", "1-2-3", "²-1", "1" * 17 + "-1"])
def test_a_cursor_of_another_list_is_refused(history: TickHistory, cursor: str) -> None:
    with pytest.raises(BadCursor):
        history.page(cursor=cursor)


def test_a_job_has_each_of_some_days_in_utc(database: Database, history: TickHistory) -> None:
    _ticked(database, datetime(2025, 10, 20, 0, tzinfo=UTC))
    _ticked(database, datetime(2025, 10, 19, 23, 59, tzinfo=UTC))
    _ticked(database, datetime(2025, 10, 19, 1, tzinfo=UTC), BROKEN)
    _ticked(database, datetime(2025, 9, 21, 0, tzinfo=UTC))
    _ticked(database, datetime(2025, 9, 20, 23, 59, tzinfo=UTC))
    wanted = [date(2025, 9, 21) + timedelta(days=number) for number in range(30)]
    [(name, days)] = by_job(history.by_day(wanted)).items()
    assert (name, len(days)) == ("a.one", 30)
    assert (days[0].day, days[-1].day) == (date(2025, 9, 21), date(2025, 10, 20))
    assert days[0].counts == {"skipped": 1}
    assert days[-2].counts == {"skipped": 1, "failed": 1}
    assert days[-1].counts == {"skipped": 1}
    assert [day.counts for day in days[1:-2]] == [{}] * 27


@pytest.mark.parametrize(
    ("counts", "status"),
    [
        ({}, None),
        ({"skipped": 9}, "skipped"),
        ({"skipped": 9, "waiting": 1}, "waiting"),
        ({"skipped": 9, "done": 1, "waiting": 1}, "done"),
        ({"done": 9, "running": 1}, "running"),
        ({"done": 9, "running": 1, "failed": 1}, "failed"),
    ],
)
def test_of_a_day_the_worst_is_said_first(
    counts: dict[str, int], status: TickStatus | None
) -> None:
    assert TickDay(date(2025, 10, 20), counts).status == status
