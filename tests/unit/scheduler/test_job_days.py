"""What the timetable did on a day: how often, how long, what it took; in both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from gotgan.app import App
from gotgan.clock import Zone, day_span
from gotgan.day.page import JobDay
from gotgan.domain import GO, SimpleDecision, domains
from gotgan.domains.shops.workers import PoolReport
from gotgan.errors import FetchTimeout
from gotgan.schedule import Tick
from gotgan.scheduler import DueJob, Ticks
from gotgan.scheduler.history import job_days, runs_by_day
from gotgan.scheduler.loop import tick_result
from gotgan.settings import Secret, Settings
from gotgan.sql import Database
from gotgan.store import Cost
from tests.unit.scheduler.house import ZONE, housed, job

DAY = date(2025, 10, 20)
SPAN = day_span(DAY, "kst")
NOON = datetime(2025, 10, 20, 3, tzinfo=UTC)  # 12:00 in Seoul
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
ONE, OTHER = job("a.one", "0 * * * *"), job("b.other", "30 9 * * *")
CLOSED = SimpleDecision("skipped", "market_closed", "there is no trading on a weekend")
DONE = {"status": "done", "finished_at": NOON + 2 * SECOND, "reads": 10.0, "writes": 2.5}
FAILED = {"status": "failed", "finished_at": NOON + SECOND, "error": "it did not answer"}


@pytest.fixture
def ticks(database: Database) -> Ticks:
    return Ticks(database)


def ran(ticks: Ticks, at: datetime, ended: dict[str, object] | None = None) -> Tick:
    """A job that was run at some time, two seconds long and begun at noon."""
    tick = ticks.claim(DueJob(ONE, at), GO, NOON)
    assert tick is not None
    ticks.end(tick, **(DONE if ended is None else ended))
    return tick


def worked(ticks: Ticks) -> JobDay:
    [one, _] = job_days([ONE, OTHER], ticks, SPAN, NOON, ZONE)
    return one


def test_a_job_tells_how_often_it_ran_how_long_and_what_it_took(ticks: Ticks) -> None:
    ran(ticks, NOON)
    ran(ticks, NOON + HOUR)
    told = worked(ticks)
    assert (told.job, told.domain, told.ran, told.counts) == ("a.one", "a", 2, {"done": 2})
    assert (told.seconds, told.reads, told.writes) == (4.0, 20.0, 5.0)
    assert [tick.at for tick in told.ticks] == [NOON + HOUR, NOON]
    assert (told.last, told.why, told.later) == (told.ticks[0], None, None)


def test_a_job_that_never_came_round_tells_when_it_will(ticks: Ticks) -> None:
    one, other = job_days([ONE, OTHER], ticks, SPAN, NOON, ZONE)
    assert (one.ran, one.counts, one.ticks, one.why) == (0, {}, (), None)
    assert (one.next_at, other.next_at) == (NOON + HOUR, datetime(2025, 10, 21, 0, 30, tzinfo=UTC))


def test_a_job_that_was_not_run_tells_why(ticks: Ticks) -> None:
    for hours in range(3):
        assert ticks.claim(DueJob(ONE, NOON + hours * HOUR), CLOSED, NOON) is not None
    told = worked(ticks)
    assert (told.ran, told.counts, told.ticks) == (0, {"skipped": 3}, ())
    assert told.why == CLOSED.words


def test_only_ticks_of_the_day_are_told(ticks: Ticks) -> None:
    for at in (SPAN.first - SECOND, SPAN.first, SPAN.last - SECOND, SPAN.last):
        ran(ticks, at)
    assert [tick.at for tick in worked(ticks).ticks] == [SPAN.last - SECOND, SPAN.first]


def test_a_hundred_runs_are_told_and_all_are_counted(ticks: Ticks) -> None:
    for minutes in range(103):
        ran(ticks, NOON + timedelta(minutes=minutes))
    told = worked(ticks)
    assert (told.ran, len(told.ticks)) == (103, 100)
    assert told.ticks[0].at == NOON + timedelta(minutes=102)


def test_a_run_that_was_never_measured_tells_no_units(ticks: Ticks) -> None:
    ran(ticks, NOON, {"status": "done", "finished_at": NOON})
    [tick] = worked(ticks).ticks
    assert (tick.reads, tick.writes, tick.seconds, tick.words) == (None, None, 0.0, None)


def test_a_run_that_is_under_way_has_no_length_yet(ticks: Ticks) -> None:
    assert ticks.claim(DueJob(ONE, NOON), GO, NOON) is not None
    [tick] = worked(ticks).ticks
    assert (tick.status, tick.started_at, tick.seconds) == ("running", NOON, None)


def test_a_failure_at_the_end_of_the_day_tells_the_run_that_made_up_for_it(ticks: Ticks) -> None:
    ran(ticks, NOON, FAILED)
    ran(ticks, SPAN.last, FAILED)
    ran(ticks, SPAN.last + HOUR)
    ran(ticks, SPAN.last + 2 * HOUR)
    later = worked(ticks).later
    assert later is not None
    assert later.at == SPAN.last + HOUR


def test_a_failure_that_was_made_up_for_on_the_day_needs_no_later_run(ticks: Ticks) -> None:
    ran(ticks, NOON, FAILED)
    ran(ticks, NOON + HOUR)
    ran(ticks, SPAN.last)
    assert worked(ticks).later is None


# How a run is written down


def test_a_tick_knows_when_its_run_began() -> None:
    with housed(NOON, ONE) as (house, _):
        house.look()
        [tick] = house.history()
    assert (tick.started_at, tick.status) == (NOON, "done")


def test_what_a_run_took_is_written_down_with_its_end() -> None:
    class Report:
        cost = Cost.of("upload", "PutItem", {"ConsumedCapacity": _consumed(writes=3.0)})

    with housed(NOON, ONE) as (house, _):
        house.works[ONE.verb] = Report
        house.look()
        [tick] = house.history()
    assert (tick.reads, tick.writes) == (0.0, 3.0)


def test_a_crew_took_what_all_of_its_shops_took() -> None:
    with housed(NOON, ONE) as (house, _):
        house.works[ONE.verb] = PoolReport
        house.look()
        [tick] = house.history()
    assert (tick.reads, tick.writes) == (0.0, 0.0)


def test_of_a_run_that_failed_nobody_knows_what_it_took() -> None:
    def fail() -> None:
        raise FetchTimeout("it took too long")

    with housed(NOON, ONE) as (house, _):
        house.works[ONE.verb] = fail
        house.look()
        run = house.runs.latest(ONE.verb)
        assert run is not None
        told = tick_result(run)
    assert told == {"status": "failed", "finished_at": NOON, "error": "it took too long"}


def _consumed(*, writes: float) -> dict[str, object]:
    table = {"CapacityUnits": writes, "WriteCapacityUnits": writes}
    return {"TableName": "news_items", "CapacityUnits": writes, "Table": table}


# Days in numbers


@pytest.mark.parametrize("zone", ["kst", "ny"])
def test_runs_are_counted_by_the_days_of_the_zone(
    database: Database, ticks: Ticks, zone: Zone
) -> None:
    days = [date(2025, 11, 1), date(2025, 11, 2), date(2025, 11, 3)]  # New York: 24, 25, 24 hours
    for day in days[1:]:
        ran(ticks, day_span(day, zone).first)
        ran(ticks, day_span(day, zone).last - SECOND, FAILED)
    assert ticks.claim(DueJob(ONE, day_span(days[0], zone).first), CLOSED, NOON) is not None
    assert runs_by_day(database, ["a.one", "b.other"], days, zone) == {
        days[0]: {},
        days[1]: {"done": 1, "failed": 1},
        days[2]: {"done": 1, "failed": 1},
    }


def test_jobs_that_nobody_asks_for_are_not_counted(database: Database, ticks: Ticks) -> None:
    ran(ticks, NOON)
    assert runs_by_day(database, ["b.other"], [DAY], "kst") == {DAY: {}}


# What is not set up


def test_a_domain_that_lacks_a_setting_says_what_to_do() -> None:
    told = _unset(Settings())
    assert set(told) == {"news", "shops", "market", "videos"}
    assert "GOTGAN_CONTACT" in told["news"]
    assert "KRX_ID" in told["market"]
    assert "YOUTUBE_API_KEY" in told["videos"]


def test_a_house_that_is_set_up_lacks_nothing() -> None:
    settings = Settings(
        contact="https://example.com/bot",
        krx_id="family",
        krx_password=Secret("open sesame"),
        youtube_key=Secret("a key"),
    )
    assert _unset(settings) == {}


def _unset(settings: Settings) -> dict[str, str]:
    chosen = replace(settings, given_secret=Secret("for tests alone, 32 letters long"))
    with App.in_memory(settings=chosen) as app:
        found = {each.name: app.domain(each.name).unset() for each in domains()}
    return {name: each.words for name, each in found.items() if each is not None}
