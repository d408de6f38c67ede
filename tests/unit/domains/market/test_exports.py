"""Prices, indices, indicators and shares as data sets."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, update

from gotgan.domains.market import writer
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.exports import market_data_sets
from gotgan.domains.market.keys import STOCK_PRICES, TECHNICAL_INDICATORS
from gotgan.domains.market.models import Fetch, IndexValue, SharePrice
from gotgan.exports import DataSet, ExportSpan, Partition
from gotgan.sql import Database
from tests.unit.domains.market.exchange import halted, price

FRIDAY, MONDAY, TUESDAY = date(2025, 10, 17), date(2025, 10, 20), date(2025, 10, 21)
NOW = datetime(2025, 10, 20, 8, tzinfo=UTC)
ALL_DAYS = ExportSpan()


def save(database: Database, day: date, *prices: SharePrice, is_final: bool = False) -> None:
    fetch = Fetch(day, "prices", "test", NOW, prices=prices, is_final=is_final)
    with database.begin() as connection:
        writer.save(connection, fetch, Calendar(), NOW)


def data_set(database: Database, name: str) -> DataSet:
    return next(each for each in market_data_sets(database) if each.name == name)


def partitions(
    database: Database, name: str = "prices", span: ExportSpan = ALL_DAYS
) -> dict[str, Partition]:
    return {each.value: each for each in data_set(database, name).partitions(span)}


def rows(database: Database, name: str, value: object = "") -> list[dict[str, Any]]:
    columns = [each.name for each in data_set(database, name).columns]
    found = partitions(database, name)[str(value)].rows()
    return [dict(zip(columns, each, strict=True)) for each in found]


def versions(database: Database, name: str = "prices") -> dict[str, str]:
    return {value: each.version for value, each in partitions(database, name).items()}


def changed(before: dict[str, str], after: dict[str, str]) -> set[date]:
    return {date.fromisoformat(day) for day in after if before.get(day) != after[day]}


def _picked(row: dict[str, Any], names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


def test_prices_are_exported_as_traded_and_adjusted(database: Database) -> None:
    save(database, FRIDAY, price("000001", 1_000), price("000002", 500))
    # One share was split into five: its base is a fifth of the close before.
    save(database, MONDAY, price("000001", 210, 10), price("000002", 500), is_final=True)
    [split, other] = rows(database, "prices", FRIDAY)
    names = ("close", "factor", "adjusted_close", "adjusted_open", "volume", "adjusted_volume")
    assert _picked(split, names) == (1_000, 0.2, 200.0, 199.0, 10_000, 50_000.0)
    assert _picked(other, names) == (500, 1.0, 500.0, 495.0, 10_000, 10_000.0)
    assert _picked(rows(database, "prices", MONDAY)[0], names)[:3] == (210, 1.0, 210.0)
    assert [each["is_final"] for each in rows(database, "prices", FRIDAY)] == [False, False]
    assert [each["is_final"] for each in rows(database, "prices", MONDAY)] == [True, True]


def test_a_halted_share_has_no_prices_but_its_close(database: Database) -> None:
    save(database, MONDAY, halted("000001"), price("000002"))
    [row, _] = rows(database, "prices", MONDAY)
    names = ("is_halted", "open", "adjusted_open", "close", "adjusted_close")
    assert _picked(row, names) == (True, None, None, 1_000, 1_000.0)


def test_a_later_split_changes_the_days_before_it_alone(database: Database) -> None:
    for day in (FRIDAY, MONDAY):
        save(database, day, price("000001"), price("000002"))
    before = versions(database)
    assert versions(database) == before
    save(database, TUESDAY, price("000001", 2_000, 0), price("000002"))
    assert changed(before, versions(database)) == {FRIDAY, MONDAY, TUESDAY}
    assert rows(database, "prices", FRIDAY)[0]["adjusted_close"] == 2_000.0


def test_another_price_changes_its_day_alone(database: Database) -> None:
    for day in (FRIDAY, MONDAY):
        save(database, day, price("000001"), price("000002"))
    before = versions(database)
    with database.begin() as connection:
        is_of_day = STOCK_PRICES.c.date == FRIDAY
        connection.execute(update(STOCK_PRICES).where(is_of_day).values(market_cap=5))
    assert changed(before, versions(database)) == {FRIDAY}


def test_a_delisted_share_stays_and_is_marked_on_all_of_its_days(database: Database) -> None:
    save(database, FRIDAY, price("000001"))
    save(database, MONDAY, price("000001"), price("000002"))
    before = versions(database)
    later = MONDAY + timedelta(days=14)
    save(database, later, price("000001"))
    assert not any(each["is_delisted"] for each in rows(database, "stocks"))
    save(database, later + timedelta(days=1), price("000001"))
    shares = {each["ticker"]: each for each in rows(database, "stocks")}
    names = ("name", "first_seen", "last_seen", "is_delisted")
    assert _picked(shares["000002"], names) == ("Share of 02", MONDAY, MONDAY, True)
    assert not shares["000001"]["is_delisted"]
    assert [each["is_delisted"] for each in rows(database, "prices", MONDAY)] == [False, True]
    both = {each: version for each, version in versions(database).items() if each in before}
    assert changed(before, both) == {FRIDAY, MONDAY}


def test_shares_of_a_market_that_is_no_longer_collected_are_not_delisted(
    database: Database,
) -> None:
    save(database, FRIDAY, price("000001"), price("000009", market="KOSDAQ"))
    save(database, FRIDAY + timedelta(days=60), price("000001"))
    assert [each["is_delisted"] for each in rows(database, "stocks")] == [False, False]


def test_indices_are_exported_by_day(database: Database) -> None:
    index = IndexValue("1001", "KOSPI", 2_500.5, 2_510.0, 2_490.0, 2_505.25, 10**9, 10**13)
    for close in (2_505.25, 2_600.5):
        day = IndexValue(*[*vars_of(index)[:5], close, 10**9, 10**13])
        fetch = Fetch(MONDAY, "indices", "test", NOW, indices=(day,))
        with database.begin() as connection:
            writer.save(connection, fetch, Calendar(), NOW)
        [row] = rows(database, "indices", MONDAY)
        assert _picked(row, ("date", "code", "close")) == (MONDAY, "1001", close)


def vars_of(index: IndexValue) -> list[Any]:
    names = ("code", "name", "open", "high", "low", "close", "volume", "value")
    return [getattr(index, name) for name in names]


def test_indicators_are_exported_with_gaps(database: Database) -> None:
    known = {"date": MONDAY, "ticker": "000001", "rsi_14": 70.5}
    with database.begin() as connection:
        connection.execute(insert(TECHNICAL_INDICATORS), [known])
    before = versions(database, "indicators")
    [row] = rows(database, "indicators", MONDAY)
    assert _picked(row, ("ticker", "rsi_14", "macd")) == ("000001", 70.5, None)
    with database.begin() as connection:
        connection.execute(update(TECHNICAL_INDICATORS).values(macd=0.25))
    assert changed(before, versions(database, "indicators")) == {MONDAY}


@pytest.mark.parametrize("name", ["prices", "indices", "indicators", "stocks"])
def test_an_empty_market_has_nothing_to_export(database: Database, name: str) -> None:
    assert partitions(database, name) == {}


def test_only_the_days_of_a_span_are_listed(database: Database) -> None:
    for day in (FRIDAY, MONDAY, TUESDAY):
        save(database, day, price("000001"))
    assert [*partitions(database, span=ExportSpan(MONDAY, MONDAY))] == [str(MONDAY)]
    assert {*partitions(database, span=ExportSpan(since=MONDAY))} == {str(MONDAY), str(TUESDAY)}
