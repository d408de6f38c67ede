"""The daily work: what is missing of the last sessions, and what is told of it."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market.catch_up import catch_up, last_sessions
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.indicator_run import IndicatorRun
from gotgan.domains.market.reports import CaughtUp
from gotgan.errors import GotganError, LoginRefused, LostRace, ProviderBlocked, ProviderError
from tests.unit.domains.market.exchange import Exchange

MONDAY, TUESDAY = date(2025, 10, 20), date(2025, 10, 21)
NIGHT = timedelta(hours=6, minutes=15)  # 23:15


class Evening:
    """A Monday, hour by hour."""

    def __init__(self, collector: MarketCollector, indicator_run: IndicatorRun) -> None:
        self.collector = collector
        self.days = last_sessions(collector.rules().calendar, MONDAY)
        self._parts = (collector, indicator_run)

    def catch_up(self, today: date = MONDAY) -> CaughtUp:
        """What is missing by now."""
        return catch_up(*self._parts, today)


@pytest.fixture
def evening(collector: MarketCollector, indicator_run: IndicatorRun) -> Evening:
    return Evening(collector, indicator_run)


def test_all_that_is_missing_is_made_up_for_and_told(evening: Evening, clock: FixedClock) -> None:
    report = evening.catch_up()
    assert [day.day for day in report.days] == evening.days[::-1]
    assert (report.outcome, report.words) == (
        "success",
        "10 days collected, 5 days calculated.",
    )
    clock.advance(NIGHT)
    assert evening.catch_up().words == "1 day finalised, 1 day calculated."
    assert (evening.catch_up().outcome, evening.catch_up().words) == (
        "success",
        "Nothing was missing.",
    )


@pytest.mark.parametrize("error", [ProviderBlocked("blocked"), LoginRefused("no such member")])
def test_where_asking_is_of_no_use_no_other_day_is_asked_for(
    evening: Evening, exchange: Exchange, error: GotganError
) -> None:
    exchange.failing = {"prices": [error]}
    report = evening.catch_up()
    assert [day.day for day in report.days] == [MONDAY]
    assert (report.outcome, report.stopped) == ("failed", error.message)
    assert report.words == f"1 failed. Stopped early: {error.message}"


def test_after_three_days_that_failed_the_others_are_left_alone(
    evening: Evening, exchange: Exchange
) -> None:
    exchange.failing = {"prices": [ProviderError("down")] * 10}
    report = evening.catch_up()
    assert (len(report.days), report.outcome) == (3, "failed")


def test_a_day_that_failed_is_told_among_those_that_did_not(
    evening: Evening, exchange: Exchange
) -> None:
    exchange.failing = {"prices": [ProviderError("down")]}
    report = evening.catch_up()
    assert (len(report.days), report.stopped, report.outcome) == (10, None, "failed")
    told = (
        f"9 days collected, 5 days calculated, 1 failed. {MONDAY}: Could not collect prices: down"
    )
    assert report.words.startswith(told)


def test_final_passes_end_where_asking_is_of_no_use(
    evening: Evening, exchange: Exchange, clock: FixedClock
) -> None:
    evening.catch_up()
    clock.advance(timedelta(days=1))
    evening.collector.collect(TUESDAY)
    clock.advance(NIGHT)
    exchange.failing = {"prices": [ProviderBlocked("blocked")]}
    report = evening.catch_up(TUESDAY)
    assert (report.outcome, report.stopped) == ("failed", "blocked")
    assert [(day.day, day.outcome) for day in report.final] == [(MONDAY, "success")]
    assert [day.day for day in evening.catch_up(TUESDAY).final] == [MONDAY, TUESDAY]


def test_where_a_day_is_refused_none_is_made_final_either(
    evening: Evening, exchange: Exchange, clock: FixedClock
) -> None:
    evening.catch_up()
    clock.advance(timedelta(days=1))
    exchange.failing = {"prices": [ProviderBlocked("blocked")]}
    report = evening.catch_up(TUESDAY)
    assert [day.day for day in report.days] == [TUESDAY]
    assert report.final == []


def test_a_day_that_somebody_took_over_is_left_to_them(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = evening.collector.fetch

    def lose(work: object, side: object) -> object:
        if work.day == MONDAY:  # type: ignore[attr-defined]
            raise LostRace("it is not in our hands any more")
        return fetch(work, side)  # type: ignore[arg-type]

    monkeypatch.setattr(evening.collector, "fetch", lose)
    report = evening.catch_up()
    assert [day.outcome for day in report.days] == ["waiting", *["success"] * 9]
    assert (report.outcome, report.words) == (
        "success",
        "9 days collected, 5 days calculated.",
    )
