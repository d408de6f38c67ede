"""A price that is corrected while indicators are calculated: what is stored in the end is right."""

from __future__ import annotations

import threading
from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from gotgan.clock import FixedClock
from gotgan.domains.market import indicator_logs, writer
from gotgan.domains.market import indicator_run as indicating_module
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.indicator_run import INDICATOR_LEASE, IndicatorRun
from gotgan.domains.market.indicators import calculator
from gotgan.domains.market.keys import TECHNICAL_INDICATORS
from gotgan.domains.market.models import Fetch
from gotgan.errors import LostRace
from gotgan.sql import Database
from tests.unit.domains.market.exchange import price

DAYS = list(Calendar().sessions(date(2025, 10, 13), date(2025, 10, 17)))
LAST = DAYS[-1]
SOON = 20
TICKERS = [f"{number:06}" for number in range(50)]


@pytest.fixture
def week(collector: MarketCollector) -> None:
    """Five days at the same price."""
    for day in DAYS:
        collector.collect(day)


def correct(database: Database, clock: FixedClock) -> None:
    """Let every share have closed the last day at twice its price."""
    prices = tuple(price(ticker, 2_000, 1_000) for ticker in TICKERS)
    with database.begin() as connection:
        fetch = Fetch(LAST, "prices", "test", clock.now(), prices=prices)
        writer.save(connection, fetch, Calendar(), clock.now())


def averages(database: Database) -> set[float]:
    query = select(TECHNICAL_INDICATORS.c.sma_5).where(TECHNICAL_INDICATORS.c.date == LAST)
    with database.read() as connection:
        return set(connection.execute(query).scalars())


@pytest.mark.usefixtures("week")
def test_a_correction_while_indicators_are_saved_reaches_them(
    database: Database,
    indicator_run: IndicatorRun,
    clock: FixedClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    save = calculator.save
    inside, corrected = threading.Event(), threading.Event()

    def slowly(connection: Any, part: Any) -> None:
        save(connection, part)
        inside.set()
        corrected.wait(0.5)  # it cannot come to an end before this transaction

    monkeypatch.setattr(calculator, "save", slowly)

    def meanwhile() -> None:
        inside.wait(SOON)
        correct(database, clock)
        corrected.set()

    other = threading.Thread(target=meanwhile)
    other.start()
    try:
        indicator_run.run(LAST)
    except LostRace:
        assert corrected.wait(SOON)
    other.join(SOON)
    monkeypatch.undo()
    clock.advance(INDICATOR_LEASE + timedelta(hours=1))
    indicator_run.run(LAST)
    assert averages(database) == {1_200.0}
    with database.read() as connection:
        log = indicator_logs.get_log(connection, LAST)
    assert log is not None
    assert log.status == "success"


@pytest.mark.usefixtures("week")
def test_a_correction_after_the_calculation_makes_it_too_late_to_save(
    database: Database, indicator_run: IndicatorRun, clock: FixedClock
) -> None:
    work = indicator_run.begin(LAST)
    assert isinstance(work, indicating_module.IndicatorWork)
    calculated = indicator_run.calculate(work)
    indicator_run.save(work, calculated)
    correct(database, clock)
    with pytest.raises(LostRace):
        indicator_run.verify(work, calculated)
    assert indicator_run.run(LAST).outcome == "success"
    assert averages(database) == {1_200.0}


@pytest.mark.usefixtures("week")
def test_indicators_that_are_interrupted_were_not_attempted(
    database: Database, indicator_run: IndicatorRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(calculator, "calculate", interrupt)
        with pytest.raises(KeyboardInterrupt):
            indicator_run.run(LAST)
    with database.read() as connection:
        log = indicator_logs.get_log(connection, LAST)
    assert log is not None
    assert (log.status, log.attempts) == ("pending", 0)


@pytest.mark.usefixtures("week")
def test_a_fault_of_ours_in_a_calculation_is_a_failure_with_a_reason(
    indicator_run: IndicatorRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fault(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(calculator, "calculate", fault)
    report = indicator_run.run(LAST)
    assert (report.outcome, "ZeroDivisionError" in report.words) == ("failed", True)
