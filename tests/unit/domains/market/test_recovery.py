"""Going back: what is missing is collected, and it ends where there is no sense in going on."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market import indicator_logs, queries
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.catch_up import recover
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.completeness import find_gaps
from gotgan.domains.market.indicator_run import IndicatorRun
from gotgan.domains.market.keys import INDICATORS_KEY
from gotgan.domains.market.reports import RecoverReport
from gotgan.errors import (
    GotganError,
    LostRace,
    MarketClosed,
    PasswordExpired,
    ProviderBlocked,
    ProviderError,
)
from gotgan.sql import Database
from tests.unit.domains.market.exchange import Exchange, price

FIRST, LAST = date(2025, 10, 13), date(2025, 10, 17)


class Recovery:
    """A week of the past, and what tells how far it was recovered."""

    def __init__(
        self, database: Database, collector: MarketCollector, indicator_run: IndicatorRun
    ) -> None:
        self._parts = (database, collector, indicator_run)
        self.steps: list[tuple[int, int, str]] = []

    def _note(self, done: int, total: int, last: str, /, **_figures: float) -> None:
        self.steps.append((done, total, last))

    def run(self, **wanted: str | bool) -> RecoverReport:
        return recover(*self._parts, (FIRST, LAST), progress=self._note, **wanted)  # type: ignore[arg-type]


@pytest.fixture
def recovery(
    database: Database, collector: MarketCollector, indicator_run: IndicatorRun
) -> Recovery:
    return Recovery(database, collector, indicator_run)


def test_all_sessions_are_collected_and_then_calculated(recovery: Recovery) -> None:
    report = recovery.run()
    assert [day.outcome for day in report.days] == ["success"] * 5
    assert [each.day.day for each in report.indicators] == [13, 14, 15, 16, 17]
    assert recovery.steps[0] == (0, 5, "2025-10-13")
    assert recovery.steps[-1] == (5, 5, "2025-10-17 indicators")


def test_whoever_was_stopped_goes_on_from_there(recovery: Recovery, exchange: Exchange) -> None:
    exchange.failing = {"prices": [ProviderError("down")] * 3}
    stopped = recovery.run()
    assert len(stopped.days) == 3
    assert stopped.stopped is not None
    assert "3 days in a row" in stopped.stopped
    exchange.asked.clear()
    report = recovery.run()
    assert (report.stopped, len(report.days), report.duplicates) == (None, 5, 0)
    assert [side for _, side in exchange.asked].count("indices") == 2  # three were there


@pytest.mark.parametrize("error", [ProviderBlocked("blocked"), PasswordExpired("expired")])
def test_where_asking_is_of_no_use_no_other_day_is_asked_for(
    recovery: Recovery, exchange: Exchange, error: GotganError
) -> None:
    exchange.failing = {"prices": [error]}
    report = recovery.run()
    assert (len(report.days), report.stopped) == (1, error.message)


def test_while_nobody_may_be_asked_one_day_says_so_for_all(
    recovery: Recovery, exchange: Exchange, clock: FixedClock
) -> None:
    exchange.blocked = clock.now() + timedelta(hours=20)
    report = recovery.run()
    assert [day.outcome for day in report.days] == ["waiting"]
    assert report.stopped is not None
    assert exchange.asked == []


def test_one_side_alone_leaves_the_other_for_later(recovery: Recovery, exchange: Exchange) -> None:
    report = recovery.run(only="indices")
    assert [day.outcome for day in report.days] == ["partial"] * 5
    assert {side for _, side in exchange.asked} == {"indices"}
    assert report.indicators == []
    assert recovery.run(only="indices").duplicates == 5
    assert [day.outcome for day in recovery.run().days] == ["success"] * 5


def test_a_day_that_was_closed_is_none_that_is_missing(
    recovery: Recovery, exchange: Exchange
) -> None:
    exchange.failing = {"prices": [MarketClosed("nothing was traded")]}
    report = recovery.run()
    assert [day.outcome for day in report.days] == ["closed", *["success"] * 4]
    assert recovery.run().duplicates == 4


def test_what_was_given_up_is_tried_all_the_same(
    recovery: Recovery, collector: MarketCollector, exchange: Exchange, clock: FixedClock
) -> None:
    exchange.failing = {"prices": [ProviderError("down")] * 4}
    for _ in range(4):
        collector.collect(LAST)
        clock.advance(timedelta(hours=1))
    assert collector.decide(LAST).status == "failed"
    assert [day.outcome for day in recovery.run().days] == ["success"] * 5


def test_what_rests_on_a_day_that_was_filled_in_is_calculated_too(
    database: Database, collector: MarketCollector, indicator_run: IndicatorRun
) -> None:
    days = list(collector.rules().calendar.sessions(date(2025, 9, 22), LAST))
    late = days[3]
    for day in days:
        if day != late:
            collector.collect(day, now=True)
    for day in days:
        indicator_run.run(day, now=True)
    report = recover(database, collector, indicator_run, (late, late))
    assert [day.day for day in report.days] == [late]
    assert [each.day for each in report.indicators] == days[3:]
    with database.read() as connection:
        stand = indicator_logs.get_logs(connection, days[0], days[-1])
    statuses = [log.status for log in stand.values()]
    assert statuses == ["pending"] * 4 + ["success"] * (len(days) - 4)


def test_indicators_after_the_span_keep_their_hour(
    recovery: Recovery, collector: MarketCollector, clock: FixedClock
) -> None:
    today = date(2025, 10, 20)
    collector.collect(today)
    assert [each.day.day for each in recovery.run().indicators] == [13, 14, 15, 16, 17]
    clock.advance(timedelta(hours=1))
    assert [each.day for each in recovery.run().indicators] == [today]


def test_a_day_that_somebody_took_over_is_left_to_them(
    recovery: Recovery, collector: MarketCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = collector.fetch

    def lose(work: object, side: object) -> object:
        if work.day.day == 14:  # type: ignore[attr-defined]
            raise LostRace("it is not in our hands any more")
        return fetch(work, side)  # type: ignore[arg-type]

    monkeypatch.setattr(collector, "fetch", lose)
    report = recovery.run()
    assert [day.outcome for day in report.days] == ["success", "waiting", *["success"] * 3]
    assert report.stopped is None


def test_indicators_that_have_to_wait_are_told(recovery: Recovery, database: Database) -> None:
    assert database.leases.take(INDICATORS_KEY, timedelta(hours=1)) is not None
    assert [each.outcome for each in recovery.run().indicators] == ["waiting"] * 5


def test_a_day_that_is_there_is_asked_for_again_only_where_that_is_wanted(
    recovery: Recovery, exchange: Exchange, database: Database
) -> None:
    recovery.run()
    exchange.always = [price("000000", 1_010), *exchange.always[1:]]
    assert recovery.run().duplicates == 5
    report = recovery.run(again=True)
    assert [side.changed for day in report.days for side in day.sides[:1]] == [1] * 5
    assert (report.duplicates, {day.outcome for day in report.days}) == (0, {"success"})
    sheet = queries.get_stock(database, "000000", FIRST, LAST)
    assert {row.close for row in sheet.prices} == {1_010}


def test_half_a_market_that_nothing_showed_at_first_is_asked_for_once_more(
    recovery: Recovery, collector: MarketCollector, exchange: Exchange, database: Database
) -> None:
    whole = exchange.always
    exchange.always = whole[:25]
    for day in (FIRST, FIRST + timedelta(days=1)):
        assert collector.collect(day).outcome == "success"  # nobody knows of any other day
    exchange.always = whole
    recovery.run()
    gaps = find_gaps(database, Calendar(), FIRST, LAST)
    assert gaps.is_whole
    assert len(queries.get_stock(database, "000049", FIRST, LAST).prices) == 5
