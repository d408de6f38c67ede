"""Saving a day: corrections, corporate actions, and what they make of indicators."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import insert, select

from gotgan.domains.market import completeness, indicator_logs, writer
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.indicators.inputs import load_histories
from gotgan.domains.market.keys import (
    INDICATOR_STATES,
    INDICATORS_KEY,
    MARKET_INDICES,
    PRICE_FACTORS,
    STOCK_PRICES,
    STOCKS,
)
from gotgan.domains.market.models import Fetch, IndexValue, SharePrice, Targets
from gotgan.domains.market.writer import SaveResult
from gotgan.errors import LostRace
from gotgan.sql import Database
from tests.unit.domains.market.exchange import halted, price

FRIDAY, MONDAY, TUESDAY = date(2025, 10, 17), date(2025, 10, 20), date(2025, 10, 21)
NOW = datetime(2025, 10, 20, 8, tzinfo=UTC)


def save(database: Database, day: date, *prices: SharePrice) -> SaveResult:
    fetch = Fetch(day, "prices", "test", NOW, prices=prices)
    with database.begin() as connection:
        return writer.save(connection, fetch, Calendar(), NOW)


def factors(database: Database) -> dict[tuple[date, str], float]:
    with database.read() as connection:
        rows = connection.execute(select(PRICE_FACTORS)).all()
    return {(row.date, row.ticker): row.factor for row in rows}


def rows(database: Database, day: date) -> dict[str, Any]:
    query = select(STOCK_PRICES).where(STOCK_PRICES.c.date == day)
    with database.read() as connection:
        return {row.ticker: row for row in connection.execute(query)}


def calculated(database: Database, *tickers: str, through: date) -> None:
    """As if indicators had been calculated."""
    with database.begin() as connection:
        kept = [{"ticker": ticker, "through": through, "state": b""} for ticker in tickers]
        connection.execute(insert(INDICATOR_STATES), kept)
        indicator_logs.begin(connection, through, today=through, now=NOW, is_reopened=False)
        indicator_logs.succeed(connection, through, count=len(tickers), now=NOW)


def waiting(database: Database, day: date) -> tuple[set[str], str | None]:
    """The shares that have a state left, and how the log of a day stands."""
    with database.read() as connection:
        left = set(connection.execute(select(INDICATOR_STATES.c.ticker)).scalars())
        log = indicator_logs.get_log(connection, day)
    return left, log.status if log is not None else None


def test_what_comes_twice_is_stored_once(database: Database) -> None:
    assert save(database, MONDAY, price("005930")) == SaveResult(1, 0, 0)
    assert save(database, MONDAY, price("005930")) == SaveResult(1, 0, 0)
    assert list(rows(database, MONDAY)) == ["005930"]


def test_a_correction_replaces_what_is_there_and_is_counted(database: Database) -> None:
    save(database, MONDAY, price("005930", 1_000), price("000660"))
    assert save(database, MONDAY, price("005930", 1_010), price("000660")).changed == 1
    assert rows(database, MONDAY)["005930"].close == 1_010


def test_what_a_later_answer_no_longer_has_is_taken_back(database: Database) -> None:
    save(database, MONDAY, price("005930"), price("000660"))
    assert save(database, MONDAY, price("005930")).changed == 1
    assert list(rows(database, MONDAY)) == ["005930"]


def test_what_another_market_has_stays(database: Database) -> None:
    save(database, MONDAY, price("005930"), price("247540", market="KOSDAQ"))
    save(database, MONDAY, price("005930"))
    assert set(rows(database, MONDAY)) == {"005930", "247540"}


def test_a_halted_share_is_stored_without_a_range(database: Database) -> None:
    save(database, MONDAY, halted("005930", 900))
    row = rows(database, MONDAY)["005930"]
    assert (row.open, row.high, row.low, row.close, row.is_halted) == (None, None, None, 900, True)


def test_a_share_keeps_its_latest_name_and_both_its_ends(database: Database) -> None:
    old, new = price("005930"), price("005930")
    save(database, MONDAY, new)
    save(database, FRIDAY, SharePrice(**{**_fields(old), "name": "Before", "market": "KOSDAQ"}))
    with database.read() as connection:
        stock = connection.execute(select(STOCKS)).one()
    assert (stock.name, stock.market) == ("Share of 30", "KOSPI")
    assert (stock.first_seen, stock.last_seen) == (FRIDAY, MONDAY)


# Corporate actions


def test_a_split_is_seen_by_the_base_of_the_day(database: Database) -> None:
    save(database, FRIDAY, price("005930", 2_650_000))
    assert save(database, MONDAY, price("005930", 51_900, -1_100)).factors == 1
    assert factors(database) == {(MONDAY, "005930"): pytest.approx(0.02)}


def test_a_plain_day_has_no_factor(database: Database) -> None:
    save(database, FRIDAY, price("005930", 1_000))
    assert save(database, MONDAY, price("005930", 1_050, 50)).factors == 0
    assert factors(database) == {}


def test_a_day_is_never_compared_with_a_session_that_is_not_the_one_before(
    database: Database,
) -> None:
    save(database, FRIDAY, price("005930", 1_000))
    save(database, TUESDAY, price("005930", 1_100, 50))  # of Monday's 1,050, which nobody has
    assert factors(database) == {}


def test_a_day_that_is_filled_in_decides_on_the_session_after_it(database: Database) -> None:
    save(database, FRIDAY, price("005930", 1_000))
    save(database, TUESDAY, price("005930", 210, 10))
    save(database, MONDAY, price("005930", 1_000))
    assert factors(database) == {(TUESDAY, "005930"): pytest.approx(0.2)}


def test_a_factor_that_was_a_mistake_goes(database: Database) -> None:
    save(database, FRIDAY, price("005930", 1_000))
    save(database, MONDAY, price("005930", 500, 0))
    assert len(factors(database)) == 1
    assert save(database, MONDAY, price("005930", 1_000, 0)).factors == 1
    assert factors(database) == {}


# What rests on it


def test_a_corrected_close_outdates_the_indicators_that_rest_on_it(database: Database) -> None:
    save(database, MONDAY, price("005930"), price("000660"))
    calculated(database, "005930", "000660", through=MONDAY)
    save(database, MONDAY, price("005930", 1_010), price("000660"))
    assert waiting(database, MONDAY) == ({"000660"}, "pending")


def test_a_corrected_volume_outdates_nothing(database: Database) -> None:
    save(database, MONDAY, price("005930"))
    calculated(database, "005930", through=MONDAY)
    save(database, MONDAY, SharePrice(**{**_fields(price("005930")), "volume": 20_000}))
    assert waiting(database, MONDAY) == ({"005930"}, "success")


def test_a_day_that_is_filled_in_outdates_all_after_it(database: Database) -> None:
    save(database, TUESDAY, price("005930"))
    calculated(database, "005930", through=TUESDAY)
    save(database, MONDAY, price("005930"))
    assert waiting(database, TUESDAY) == (set(), "pending")


def test_the_next_day_outdates_nothing(database: Database) -> None:
    save(database, MONDAY, price("005930"))
    calculated(database, "005930", through=MONDAY)
    save(database, TUESDAY, price("005930"))
    assert waiting(database, MONDAY) == ({"005930"}, "success")


def test_whoever_calculates_with_what_was_before_a_correction_is_too_late(
    database: Database,
) -> None:
    save(database, MONDAY, price("005930"))
    lease = database.leases.take(INDICATORS_KEY, timedelta(hours=1))
    assert lease is not None
    save(database, TUESDAY, price("005930"))
    with database.begin() as connection:
        database.leases.expect(connection, lease)
    save(database, MONDAY, price("005930", 1_010))
    with pytest.raises(LostRace), database.begin() as connection:
        database.leases.expect(connection, lease)


def _fields(given: SharePrice) -> dict[str, Any]:
    return {name: getattr(given, name) for name in given.__slots__}


def test_an_index_with_a_close_alone_is_stored_so(database: Database) -> None:
    index = IndexValue("1001", "KOSPI", None, None, None, 1025.73, 1, 1)
    fetch = Fetch(date(1994, 12, 27), "indices", "test", NOW, indices=(index,))
    wanted: Targets = {"prices": ["KOSPI"], "indices": ["KOSPI"]}
    with database.begin() as connection:
        writer.save(connection, fetch, Calendar(), NOW)
        assert completeness.verify(connection, fetch, wanted) == 1
        row = connection.execute(select(MARKET_INDICES)).one()
    assert (row.open, row.high, row.low, row.close) == (None, None, None, 1025.73)


def test_a_share_of_konex_that_was_not_traded_is_stored_without_the_flag(
    database: Database,
) -> None:
    save(database, MONDAY, halted("000001", market="KONEX"), halted("000002"))
    assert {ticker: row.is_halted for ticker, row in rows(database, MONDAY).items()} == {
        "000001": False,
        "000002": True,
    }
    with database.read() as connection:  # neither has a close of its own on that day
        histories = load_histories(connection, ["000001", "000002"], MONDAY)
    assert [list(history.days) for history in histories] == [[], []]
