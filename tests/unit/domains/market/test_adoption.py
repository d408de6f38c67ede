"""Days that another program logged before Gotgan was started for the first time."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market import logs
from gotgan.domains.market.catch_up import catch_up, recover
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.completeness import find_gaps
from gotgan.domains.market.indicator_run import IndicatorRun
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.sql.fixtures import empty_database, empty_settings
from tests.sql.foreign import LOGS, ask, create, run
from tests.unit.domains.market.exchange import Exchange

__all__ = ["empty_database", "empty_settings"]

MONDAY = date(2025, 10, 20)
_ROWS = """
INSERT INTO collection_log (date, collection_date, price_status, price_count, price_error_message,
    price_completed_at, price_retry_count, indices_status, indices_count, indices_retry_count,
    overall_status)
VALUES
('2025-10-10', '2025-10-10', 'success', 959, NULL, '2025-10-10 17:02:00', 0, 'success', 2, 0,
 'success'),
('2025-10-13', '2025-10-13', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'success'),
('2025-10-14', '2025-10-14', 'success', 959, NULL, '2025-10-14 18:02:00', 1, 'success', 2, 0,
 'success'),
('2025-10-15', '2025-10-15', 'failed', NULL, 'timeout', NULL, 1, 'success', 2, 0, 'partial'),
('2025-10-16', '2025-10-16', 'retrying', NULL, 'timeout', NULL, 2, 'pending', NULL, 0, 'pending'),
('2025-10-17', '2025-10-17', 'failed', NULL, 'timeout', NULL, 3, 'failed', NULL, 3, 'failed'),
('2025-10-20', '2025-10-20', 'pending', NULL, NULL, NULL, 0, 'pending', NULL, 0, 'pending');
INSERT INTO indicator_log (date, indicator_date, status, indicators_count, retry_count)
VALUES ('2025-10-10', '2025-10-10', 'success', 959, 0),
('2025-10-14', '2025-10-14', 'failed', NULL, 3)
"""
_THEIRS = """
SELECT date, collection_date, price_status, price_count, price_error_message, price_completed_at,
    price_retry_count, indices_status, indices_count, overall_status, started_at
FROM collection_log WHERE date BETWEEN '2025-10-10' AND '2025-10-14' ORDER BY date
"""


@pytest.fixture
def database(empty_database: Database, empty_settings: Settings) -> Database:
    """A database with the document's tables and rows in all states; then Gotgan is started."""
    create(empty_settings, LOGS)
    run(empty_settings, _ROWS)
    empty_database.prepare()
    return empty_database


def _logged(database: Database, day: date) -> Any:
    with database.read() as connection:
        return logs.get_log(connection, day)


def test_one_working_day_after_the_takeover(
    database: Database,
    empty_settings: Settings,
    collector: MarketCollector,
    indicator_run: IndicatorRun,
    exchange: Exchange,
    clock: FixedClock,
) -> None:
    theirs = ask(empty_settings, _THEIRS)
    for hour in (8, 9, 14, 15):  # 17, 18, 23 and 24 o'clock in Seoul
        clock.advance(datetime(2025, 10, 20, hour, 5, tzinfo=UTC) - clock.now())
        catch_up(collector, indicator_run, MONDAY)
    asked = {day for day, _ in exchange.asked}
    assert asked.isdisjoint({date(2025, 10, 10), date(2025, 10, 13), date(2025, 10, 14)})
    assert exchange.asked.count((date(2025, 10, 15), "indices")) == 0
    assert exchange.asked.count((date(2025, 10, 15), "prices")) == 1
    for day in (16, 17, 20):
        assert _logged(database, date(2025, 10, day)).overall_status == "success"
    assert ask(empty_settings, _THEIRS) == theirs
    [(count,)] = ask(
        empty_settings, "SELECT COUNT(*) FROM collection_log WHERE date >= '2025-10-10'"
    )
    assert count == 7
    assert ask(
        empty_settings,
        "SELECT price_retry_count FROM collection_log WHERE date = '2025-10-16'",
    ) == [(2,)]


def test_recover_fetches_what_another_program_collected(
    database: Database, collector: MarketCollector, indicator_run: IndicatorRun, exchange: Exchange
) -> None:
    span = (date(2025, 10, 10), date(2025, 10, 14))
    calendar = collector.rules().calendar
    missing = find_gaps(database, calendar, *span).missing
    assert [each.words for each in missing] == [
        "Collected by another program; recover the day to store it here."
    ] * 3
    report = recover(database, collector, indicator_run, span)
    assert sorted({day for day, _ in exchange.asked}) == [each.day for each in missing]
    assert [each.outcome for each in report.indicators if each.day <= span[1]] == ["waiting"] * 3
    assert find_gaps(database, calendar, *span).missing == ()
    exchange.asked.clear()
    recover(database, collector, indicator_run, span)
    assert exchange.asked == []


def test_a_day_whose_prices_are_elsewhere_has_no_indicators_to_calculate(
    database: Database, indicator_run: IndicatorRun
) -> None:
    day = date(2025, 10, 14)
    assert indicator_run.decide(day).reason == "prices_elsewhere"
    report = indicator_run.run(day, now=True)
    assert (report.outcome, report.words) == (
        "skipped",
        "Another program collected 2025-10-14. Recover the day to store its prices.",
    )
    assert indicator_run.decide(date(2025, 10, 10)).reason == "already_success"
    del database


@pytest.mark.parametrize(
    ("day", "reason"),
    [
        (10, "already_success"),
        (13, "already_success"),
        (15, "retry"),
        (16, "take_over"),
        (17, "reopen"),
        (20, "first_run"),
    ],
)
def test_the_gate_decides_by_their_states(
    database: Database, collector: MarketCollector, day: int, reason: str
) -> None:
    assert collector.decide(date(2025, 10, day)).reason == reason
    del database


def test_three_retries_of_theirs_are_all_there_are(
    database: Database, empty_settings: Settings, collector: MarketCollector
) -> None:
    used_up_today = "UPDATE collection_log SET collection_date = '2025-10-20'"
    run(empty_settings, f"{used_up_today} WHERE date = '2025-10-17'")
    assert collector.decide(date(2025, 10, 17)).reason == "max_retry_exceeded"
    del database
