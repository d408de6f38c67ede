"""Document 004's day, in its own words: its tables, its hours, its retries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import inspect, select

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.market.days import DaySpan
from gotgan.domains.market.decisions import MarketDecision, RunNow
from gotgan.domains.market.keys import COLLECTION_LOG, INDICATOR_LOG, STOCK_PRICES
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from gotgan.world import FaultKind, World, world_server
from tests.sql.fixtures import (
    database_settings,
    postgres,
    prepared_file,
)

__all__ = ["database_settings", "postgres", "prepared_file"]

MONDAY = date(2025, 10, 20)
KRX = "data.krx.co.kr"
PRICES = "/comm/bldAttendant/getJsonData.cmd"


@dataclass(frozen=True)
class Scene:
    """The market at an hour, and the exchange that it asks."""

    app: App
    clock: FixedClock
    world: World
    zone: ZoneInfo
    shares: int

    def at(self, hour: int, minute: int = 0, day: date = MONDAY) -> None:
        """Let it be that hour."""
        moment = datetime(day.year, day.month, day.day, hour, minute, tzinfo=self.zone)
        self.clock.advance(moment - self.clock.now())

    def tick(self, hour: int, day: date = MONDAY) -> tuple[MarketDecision, MarketDecision]:
        """What the timetable does at an hour: collection first, then indicators."""
        self.at(hour, day=day)
        if hour == 16:
            self.app.market.open_day()
        collected = self.app.market.collect().decision
        calculated = self.app.market.indicators().decision
        return collected, calculated

    def has_history(self) -> None:
        """Collect the five sessions before the Monday, so that there is something to average."""
        self.app.market.recover(DaySpan(date(2025, 10, 13), date(2025, 10, 17)))

    def log(self, day: date = MONDAY) -> dict[str, Any]:
        """The row of a day, as anybody reads it who knows the document."""
        return self._row(COLLECTION_LOG, day)

    def indicator_log(self, day: date = MONDAY) -> dict[str, Any]:
        """The row of a day's indicators."""
        return self._row(INDICATOR_LOG, day)

    def _row(self, table: Any, day: date) -> dict[str, Any]:
        with self.app.database.read() as connection:
            found = connection.execute(select(table).where(table.c.date == day)).mappings()
            return dict(found.one())


@pytest.fixture(params=["Asia/Seoul", "UTC"])
def scene(request: pytest.FixtureRequest, database_settings: Settings) -> Iterator[Scene]:
    zone = ZoneInfo(request.param)
    clock = FixedClock(datetime(2025, 10, 20, 9, tzinfo=zone))
    # As many as the document has; the other zone is there for the hours, and a few will do.
    shares = 959 if request.param == "Asia/Seoul" else 120
    world = World(clock=clock, shares={"KOSPI": shares})
    with world_server(world) as served:
        settings = replace(
            database_settings,
            given_secret=Secret("of this scenario, 32 letters long"),
            resolve=served.resolve,
            delay=0,
            zone=request.param,
            markets=("KOSPI",),
            krx_id="kim",
            krx_password=Secret("a password"),
        )
        with App(settings, Store.in_memory(clock=clock)) as app:
            yield Scene(app, clock, world, zone, shares)


# The tables


def test_the_logs_have_the_documents_columns(scene: Scene) -> None:
    tables = inspect(scene.app.database.engine)
    logs = {
        name: {column["name"] for column in tables.get_columns(name)}
        for name in ("collection_log", "indicator_log")
    }
    sides = {
        f"{side}_{what}"
        for side in ("price", "indices")
        for what in ("status", "count", "error_message", "completed_at", "retry_count")
    }
    of_the_day = {"id", "date", "collection_date", "overall_status", "started_at"}
    assert logs["collection_log"] >= sides | of_the_day
    assert logs["indicator_log"] >= {
        *("id", "date", "indicator_date", "status", "indicators_count"),
        *("error_message", "retry_count", "completed_at", "created_at"),
    }


@pytest.mark.parametrize("table", ["collection_log", "indicator_log"])
def test_there_is_one_row_for_a_day(scene: Scene, table: str) -> None:
    constraints = inspect(scene.app.database.engine).get_unique_constraints(table)
    assert [each["column_names"] for each in constraints] == [["date"]]


# 2025-10-20, a Monday


def test_the_documents_monday(scene: Scene) -> None:
    scene.has_history()
    collected, calculated = scene.tick(16)
    assert (collected.status, collected.reason) == ("skipped", "before_collection_time")
    assert calculated.status == "skipped"
    row = scene.log()
    assert (row["price_status"], row["indices_status"]) == ("pending", "pending")
    assert (row["overall_status"], row["collection_date"]) == ("pending", MONDAY)

    scene.at(16, 59)
    assert scene.app.market.collect().decision.reason == "before_collection_time"

    collected, calculated = scene.tick(17)
    assert (collected.status, collected.reason) == ("run", "first_run")
    assert calculated.reason == "before_calculation_time"
    row = scene.log()
    assert (row["price_status"], row["price_count"]) == ("success", scene.shares)
    assert (row["indices_status"], row["indices_count"]) == ("success", 2)
    assert (row["overall_status"], row["price_retry_count"]) == ("success", 0)
    assert row["price_completed_at"] == datetime(2025, 10, 20, 17, tzinfo=scene.zone)

    collected, calculated = scene.tick(18)
    assert (collected.status, collected.reason) == ("skipped", "already_success")
    assert (calculated.status, calculated.reason) == ("run", "first_run")
    assert scene.indicator_log()["status"] == "success"

    for hour in range(19, 24):
        collected, calculated = scene.tick(hour)
        assert collected.reason == calculated.reason == "already_success"


def test_the_documents_failure(scene: Scene) -> None:
    scene.has_history()
    scene.tick(16)
    scene.world.fail(KRX, PRICES, FaultKind.GARBAGE)
    scene.tick(17)
    row = scene.log()
    assert (row["price_status"], row["price_retry_count"]) == ("failed", 1)
    assert row["price_error_message"]

    scene.world.heal()
    collected, calculated = scene.tick(18)
    assert (collected.status, collected.reason) == ("run", "retry")
    row = scene.log()
    assert (row["price_status"], row["price_retry_count"]) == ("success", 1)
    assert row["overall_status"] == "success"
    assert calculated.status == "run"
    assert scene.indicator_log()["status"] == "success"


def test_three_retries_and_no_more(scene: Scene) -> None:
    scene.world.fail(KRX, PRICES, FaultKind.GARBAGE)
    counted = []
    for hour in (17, 18, 19, 20):
        scene.tick(hour)
        counted.append(scene.log()["price_retry_count"])
    assert counted == [1, 2, 3, 3]
    asked = len(scene.world.requests)
    for hour in (21, 22, 23):
        collected, calculated = scene.tick(hour)
        assert (collected.status, collected.reason) == ("failed", "max_retry_exceeded")
        assert (calculated.status, calculated.reason) == ("waiting", "collection_not_success")
    assert len(scene.world.requests) == asked

    scene.world.heal()
    scene.at(17, day=date(2025, 10, 21))
    caught_up = scene.app.market.catch_up()
    assert {report.day for report in caught_up.days} >= {MONDAY, date(2025, 10, 21)}
    assert scene.log()["overall_status"] == "success"


# Days that are none, and days that were missed


def test_a_saturday_has_no_row(scene: Scene) -> None:
    saturday = date(2025, 10, 25)
    collected, calculated = scene.tick(17, saturday)
    assert collected.reason == calculated.reason == "market_closed"
    assert scene.app.market.open_day().outcome == "closed"
    assert scene.app.market.status_between(saturday, saturday)[0].log is None


def test_a_holiday_that_no_calendar_knew_is_found_by_the_answer(scene: Scene) -> None:
    scene.tick(16)
    scene.world.fail(KRX, PRICES, FaultKind.HOLIDAY)
    scene.at(17)
    assert scene.app.market.collect().outcome == "closed"
    assert scene.app.market.status_between(MONDAY, MONDAY)[0].log is None
    assert scene.app.market.collect().decision.reason == "market_closed"
    with scene.app.database.read() as connection:
        assert connection.execute(select(STOCK_PRICES)).first() is None


def test_whoever_starts_late_at_night_after_a_day_off_makes_up_for_it(scene: Scene) -> None:
    tuesday = date(2025, 10, 21)
    scene.at(23, 30, tuesday)
    caught_up = scene.app.market.catch_up()
    days = scene.app.market.last_sessions()
    assert sorted(report.day for report in caught_up.days) == days
    assert days[-2:] == [MONDAY, tuesday]
    assert {report.outcome for report in caught_up.days} == {"success"}
    outcomes = [report.outcome for report in caught_up.indicators]
    assert outcomes == ["waiting"] * 4 + ["success"] * (len(days) - 4)  # the first have no past
    again = scene.app.market.catch_up()
    assert (again.days, again.final, again.indicators) == ([], [], [])


def test_the_year_changes_and_nothing_is_missed(scene: Scene) -> None:
    scene.at(17, day=date(2026, 1, 2))
    days = [report.day for report in scene.app.market.catch_up().days]
    assert days[:2] == [date(2026, 1, 2), date(2025, 12, 30)]  # closed on New Year's Eve and Day


def test_a_month_is_recovered_and_once_only(scene: Scene) -> None:
    scene.at(23, day=date(2025, 10, 31))
    first, last = date(2025, 10, 20), date(2025, 10, 24)
    report = scene.app.market.recover(DaySpan(first, last))
    assert [day.outcome for day in report.days] == ["success"] * 5
    again = scene.app.market.recover(DaySpan(first, last))
    assert (again.days, again.duplicates) == ([], 5)
    assert scene.app.market.gaps(DaySpan(first, last)).is_whole
    missing = scene.app.market.gaps(DaySpan(first, date(2025, 10, 28))).missing
    assert [gap.day for gap in missing] == [date(2025, 10, 27), date(2025, 10, 28)]


def test_what_the_gate_says_is_what_status_says(scene: Scene) -> None:
    scene.at(16)
    today = scene.app.market.status(month="2025-10").days[19]
    assert (today.day, today.collection.reason) == (MONDAY, "before_collection_time")
    scene.at(17)
    assert isinstance(scene.app.market.status(month="2025-10").days[19].collection, RunNow)
    assert scene.app.market.status(month="2025-10").days[8].closed  # Hangul Day


def test_at_night_the_day_becomes_final(scene: Scene) -> None:
    scene.tick(17)
    if scene.zone.key == "UTC":  # it is night in Seoul
        assert scene.log()["finalised_at"] == scene.clock.now()
        return
    assert scene.log()["finalised_at"] is None
    scene.at(23, 15)
    assert [report.outcome for report in scene.app.market.catch_up().final] == ["success"]
    assert scene.log()["finalised_at"] == scene.clock.now()
    assert scene.app.market.catch_up().final == []


def test_all_of_it_is_told_in_utc(scene: Scene) -> None:
    scene.tick(17)
    with scene.app.database.read() as connection:
        kept = connection.exec_driver_sql("SELECT price_completed_at FROM collection_log").scalar()
    moment = datetime(2025, 10, 20, 17, tzinfo=scene.zone).astimezone(UTC).replace(tzinfo=None)
    assert str(kept)[:19] == str(moment)
