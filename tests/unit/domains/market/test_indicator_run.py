"""The indicators of a day: what is written under the lease, and what is looked at again."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from sqlalchemy import func, select, update

from gotgan.clock import FixedClock
from gotgan.domains.market import indicator_logs
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.indicator_run import INDICATOR_LEASE, IndicatorRun, IndicatorWork
from gotgan.domains.market.keys import INDICATOR_STATES, INDICATORS_KEY, TECHNICAL_INDICATORS
from gotgan.errors import LostRace, VerifyFailed
from gotgan.sql import Database, revoke

FIRST, MONDAY = date(2025, 10, 10), date(2025, 10, 20)


@pytest.fixture
def work(
    collector: MarketCollector, indicator_run: IndicatorRun, clock: FixedClock
) -> IndicatorWork:
    """A day in hand, with six sessions before it."""
    for day in collector.rules().calendar.sessions(FIRST, MONDAY):
        collector.collect(day, now=True)
    clock.advance(timedelta(hours=1))
    begun = indicator_run.begin(MONDAY)
    assert isinstance(begun, IndicatorWork)
    return begun


def states(database: Database) -> int:
    with database.read() as connection:
        return connection.execute(select(func.count()).select_from(INDICATOR_STATES)).scalar_one()


@pytest.fixture
def in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten shares at a time."""
    monkeypatch.setattr("gotgan.domains.market.indicators.calculator._ROWS_PER_BATCH", 70)


@pytest.mark.usefixtures("in_parts")
def test_whoever_loses_the_lease_between_two_parts_writes_no_other(
    database: Database,
    indicator_run: IndicatorRun,
    work: IndicatorWork,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calculated = indicator_run.calculate(work)
    assert len(calculated.parts) == 6
    renew, renewed = database.leases.renew, list[timedelta]()

    def correct(lease: object, by: timedelta) -> object:
        renewed.append(by)
        if len(renewed) == 4:  # a price is corrected
            with database.begin() as connection:
                revoke(connection, INDICATORS_KEY)
        return renew(lease, by)  # type: ignore[arg-type]

    monkeypatch.setattr(database.leases, "renew", correct)
    with pytest.raises(LostRace):
        indicator_run.save(work, calculated)
    assert (renewed, states(database)) == ([INDICATOR_LEASE] * 4, 20)


def test_another_process_verifies_what_this_one_has_written(
    database: Database, indicator_run: IndicatorRun, work: IndicatorWork
) -> None:
    indicator_run.save(work, indicator_run.calculate(work))
    assert indicator_run.verify_day(work) == 50
    with database.read() as connection:
        log = indicator_logs.get_log(connection, MONDAY)
    assert log is not None
    assert (log.status, log.indicators_count) == ("success", 50)


def test_another_process_looks_at_the_values_too(
    database: Database, indicator_run: IndicatorRun, work: IndicatorWork
) -> None:
    indicator_run.save(work, indicator_run.calculate(work))
    with database.begin() as connection:
        connection.execute(update(TECHNICAL_INDICATORS).values(sma_5=999.0))
    with pytest.raises(VerifyFailed, match="do not match its prices"):
        indicator_run.verify_day(work)


def test_what_was_never_written_is_noticed(
    indicator_run: IndicatorRun, work: IndicatorWork
) -> None:
    with pytest.raises(VerifyFailed, match="0 indicator rows are stored"):
        indicator_run.verify_day(work)


def test_a_day_without_enough_history_waits_and_is_no_success(
    database: Database, collector: MarketCollector, indicator_run: IndicatorRun, clock: FixedClock
) -> None:
    sessions = list(collector.rules().calendar.sessions(date(2025, 10, 14), MONDAY))
    for day in sessions[1:]:
        collector.collect(day, now=True)
    clock.advance(timedelta(hours=1))

    report = indicator_run.run(MONDAY)
    assert (report.outcome, report.count) == ("waiting", 0)
    assert report.words.startswith("Not enough history for the indicators of 2025-10-20: no share")
    with database.read() as connection:
        log = indicator_logs.get_log(connection, MONDAY)
    assert log is not None
    assert (log.status, log.indicators_count, log.completed_at) == ("pending", 0, None)
    assert (log.error_message, log.attempts, log.retry_count) == (report.words, 0, 0)

    for _ in range(6):  # no hour and no later session tries it again
        clock.advance(timedelta(days=1))
        decision = indicator_run.decide(MONDAY)
        assert (decision.status, decision.reason) == ("waiting", "not_enough_history")

    collector.collect(sessions[0], now=True)  # one more session makes five
    assert indicator_run.decide(MONDAY).reason == "first_run"
    assert (indicator_run.run(MONDAY).outcome, indicator_run.run(sessions[0]).outcome) == (
        "success",
        "waiting",
    )


def test_an_interrupted_run_without_history_is_no_failure(
    database: Database, collector: MarketCollector, indicator_run: IndicatorRun, clock: FixedClock
) -> None:
    collector.collect(MONDAY, now=True)
    clock.advance(timedelta(hours=1))
    assert indicator_run.run(MONDAY).outcome == "waiting"
    begun = indicator_run.begin(MONDAY, now=True)
    assert isinstance(begun, IndicatorWork)
    indicator_run.give_back(begun)
    with database.read() as connection:
        log = indicator_logs.get_log(connection, MONDAY)
    assert log is not None
    assert log.status == "pending"
