"""What is stored, for those who look: gaps, shares, screens."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event, insert

from gotgan.clock import FixedClock
from gotgan.domains.market import reading
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.collecting import Collecting
from gotgan.domains.market.gaps import Gaps, Hole, find_gaps
from gotgan.domains.market.tables import TECHNICAL_INDICATORS
from gotgan.errors import NotFound
from gotgan.sql import Database
from tests.unit.domains.market.exchange import Exchange, price

FRIDAY, MONDAY, TUESDAY = date(2025, 10, 17), date(2025, 10, 20), date(2025, 10, 21)
NIGHT = timedelta(hours=30)


@pytest.fixture(autouse=True)
def later(clock: FixedClock) -> None:
    """Tuesday night: all three days are over."""
    clock.advance(NIGHT)


def gaps(database: Database) -> Gaps:
    return find_gaps(database, Calendar(), FRIDAY, TUESDAY)


def test_where_nothing_is_missing_there_is_no_gap(
    database: Database, collecting: Collecting
) -> None:
    for day in (FRIDAY, MONDAY, TUESDAY):
        collecting.collect(day)
    found = gaps(database)
    assert (found.sessions, found.is_whole) == (3, True)


def test_a_session_that_is_not_there_is_named_with_how_it_stands(
    database: Database, collecting: Collecting
) -> None:
    collecting.collect(FRIDAY)
    collecting.collect(MONDAY, now=True, only="prices")
    told = {gap.day: gap.words for gap in gaps(database).missing}
    assert told == {MONDAY: "partial: indices are missing", TUESDAY: "was never collected"}


def test_a_share_that_was_away_for_a_day_has_a_hole(
    database: Database, collecting: Collecting, exchange: Exchange
) -> None:
    exchange.shares = {str(MONDAY): exchange.always[1:]}
    for day in (FRIDAY, MONDAY, TUESDAY):
        collecting.collect(day)
    assert gaps(database).holes == [Hole("000000", (MONDAY,))]


def test_a_share_that_left_has_no_hole(
    database: Database, collecting: Collecting, exchange: Exchange
) -> None:
    exchange.shares = {str(TUESDAY): exchange.always[1:]}
    for day in (FRIDAY, MONDAY, TUESDAY):
        collecting.collect(day)
    assert gaps(database).holes == []


def test_a_day_that_lost_shares_later_is_thin(
    database: Database, collecting: Collecting, exchange: Exchange
) -> None:
    exchange.shares = {str(FRIDAY): [*exchange.always, *(price(f"9{n:05}") for n in range(9))]}
    collecting.collect(MONDAY)
    collecting.collect(FRIDAY)  # filled in afterwards, with more
    thin = gaps(database).thin
    assert [(day.day, day.count, day.beside) for day in thin] == [(MONDAY, 50, 59)]


def test_a_day_that_has_less_than_the_one_after_it_is_thin_too(
    database: Database, collecting: Collecting, exchange: Exchange
) -> None:
    exchange.shares = {str(FRIDAY): exchange.always[:5], str(MONDAY): exchange.always[:5]}
    for day in (FRIDAY, MONDAY, TUESDAY):
        collecting.collect(day)
    found = gaps(database)
    assert [(day.day, day.count, day.beside) for day in found.thin] == [(MONDAY, 5, 50)]
    assert not found.is_whole


def test_days_that_lie_far_apart_are_not_compared(
    database: Database, collecting: Collecting, exchange: Exchange
) -> None:
    long_ago = date(2025, 9, 1)
    exchange.shares = {str(long_ago): exchange.always[:5]}
    for day in (long_ago, FRIDAY):
        collecting.collect(day, now=True)
    assert find_gaps(database, Calendar(), long_ago, FRIDAY).thin == []


def test_the_holes_of_many_shares_are_found_in_few_statements(
    database: Database, collecting: Collecting, exchange: Exchange
) -> None:
    exchange.always = [price(f"{number:06}") for number in range(500)]
    exchange.shares = {str(MONDAY): exchange.always[10:]}
    for day in (FRIDAY, MONDAY, TUESDAY):
        collecting.collect(day)
    asked = list[str]()

    def count(*given: Any) -> None:
        asked.append(given[2])

    event.listen(database.engine, "before_cursor_execute", count)
    assert [hole.ticker for hole in gaps(database).holes] == [f"{at:06}" for at in range(10)]
    assert len([each for each in asked if "stock_prices" in each]) == 3


def test_a_share_is_shown_with_all_that_is_known_of_it(
    database: Database, collecting: Collecting, exchange: Exchange
) -> None:
    others = exchange.always[1:]
    exchange.shares = {str(MONDAY): [price("000000", 210, 10), *others]}
    collecting.collect(FRIDAY)
    collecting.collect(MONDAY)
    sheet = reading.show(database, "000000", FRIDAY, TUESDAY)
    assert (sheet.name, sheet.market) == ("Share of 00", "KOSPI")
    assert [row["close"] for row in sheet.prices] == [1_000, 210]
    assert [(row["date"], row["factor"]) for row in sheet.factors] == [(MONDAY, 0.2)]
    with pytest.raises(NotFound, match="005930"):
        reading.show(database, "999999", FRIDAY, TUESDAY)


def test_shares_are_found_by_ticker_and_by_name(database: Database, collecting: Collecting) -> None:
    collecting.collect(FRIDAY)
    assert [row["ticker"] for row in reading.found_stocks(database, "00004").items] == [
        f"00004{number}" for number in range(10)
    ]
    assert len(reading.found_stocks(database, "share of 1").items) == 10
    assert reading.found_stocks(database, "100%").items == []


def test_shares_come_page_by_page_each_once(database: Database, collecting: Collecting) -> None:
    collecting.collect(FRIDAY)
    pages = [reading.found_stocks(database, "00004", limit=4)]
    while (cursor := pages[-1].cursor) is not None:
        pages.append(reading.found_stocks(database, "00004", limit=4, cursor=cursor))
    assert [len(page.items) for page in pages] == [4, 4, 2]
    tickers = [row["ticker"] for page in pages for row in page.items]
    assert tickers == [f"00004{number}" for number in range(10)]
    assert reading.found_stocks(database, "00004", limit=10).cursor is None


def test_a_screen_has_those_who_stand_out(database: Database, collecting: Collecting) -> None:
    collecting.collect(FRIDAY)
    collecting.collect(MONDAY)
    _calculated(database, FRIDAY, rsi=[50, 50, 50], histogram=[-1, 1, 0])
    _calculated(database, MONDAY, rsi=[29.9, 30, 70.1], histogram=[1, -1, 1])

    def screened(kind: Any) -> list[str]:
        return [row["ticker"] for row in reading.screen(database, kind, MONDAY, FRIDAY)]

    assert screened("oversold") == ["000000"]
    assert screened("overbought") == ["000002"]
    assert sorted(screened("macd_up")) == ["000000", "000002"]
    assert screened("macd_down") == ["000001"]


def _calculated(database: Database, day: date, *, rsi: list[float], histogram: list[float]) -> None:
    rows = [
        {"date": day, "ticker": f"{number:06}", "rsi_14": value, "macd_histogram": beside}
        for number, (value, beside) in enumerate(zip(rsi, histogram, strict=True))
    ]
    with database.begin() as connection:
        connection.execute(insert(TECHNICAL_INDICATORS), rows)


def test_an_index_has_its_values_in_order(database: Database, collecting: Collecting) -> None:
    for day in (MONDAY, FRIDAY):
        collecting.collect(day)
    sheet = reading.index(database, "1001", FRIDAY, TUESDAY)
    assert ([row["date"] for row in sheet.values], sheet.name) == ([FRIDAY, MONDAY], "KOSPI")
    assert sheet.values[0]["updated_at"] == datetime(2025, 10, 20, 8, tzinfo=UTC) + NIGHT
    with pytest.raises(NotFound):
        reading.index(database, "9999", FRIDAY, TUESDAY)
