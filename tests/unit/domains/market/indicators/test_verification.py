from __future__ import annotations

import pytest
from sqlalchemy import delete, update

from gotgan.domains.market.indicators.calculator import (
    CalculatedDay,
    calculate,
    verify,
    verify_sample,
)
from gotgan.domains.market.keys import TECHNICAL_INDICATORS
from gotgan.errors import VerifyFailed
from gotgan.sql import Database, upsert
from tests.unit.domains.market.indicators.shares import DAYS, factor, keep, run, store, walk

TODAY = DAYS[39]


@pytest.fixture
def calculated(database: Database) -> CalculatedDay:
    """The indicators of three shares, saved."""
    store(database, {ticker: walk(at, 40).tolist() for at, ticker in enumerate("ABC")})
    found = calculate(database, TODAY, DAYS[38], TODAY)
    keep(database, found)
    return found


def test_what_was_saved_is_counted(database: Database, calculated: CalculatedDay) -> None:
    with database.read() as connection:
        assert verify(connection, calculated) == 3


def test_rows_that_were_there_already_count_too(
    database: Database, calculated: CalculatedDay
) -> None:
    store(database, {"D": walk(9, 40).tolist()})
    assert len(run(database, 39).of_day) == 1
    again = run(database, 39)
    assert (again.of_day, again.settled) == ([], 4)
    with database.read() as connection, pytest.raises(VerifyFailed, match="but 3 were calculated"):
        verify(connection, calculated)


def test_a_row_that_is_missing_is_noticed(database: Database, calculated: CalculatedDay) -> None:
    table = TECHNICAL_INDICATORS
    with database.begin() as connection:
        connection.execute(delete(table).where(table.c.date == TODAY, table.c.ticker == "B"))
        with pytest.raises(VerifyFailed, match=f"2 indicator rows .* {TODAY}, but 3 were"):
            verify(connection, calculated)


def test_a_row_too_many_is_noticed(database: Database, calculated: CalculatedDay) -> None:
    with database.begin() as connection:
        upsert(connection, TECHNICAL_INDICATORS, [{"date": TODAY, "ticker": "X", "sma_5": 1.0}])
        with pytest.raises(VerifyFailed, match="4 indicator rows"):
            verify(connection, calculated)


@pytest.mark.parametrize("other", [None, 12.5])
def test_another_value_is_noticed(
    database: Database, calculated: CalculatedDay, other: float | None
) -> None:
    table = TECHNICAL_INDICATORS
    with database.begin() as connection:
        of_b = update(table).where(table.c.date == TODAY, table.c.ticker == "B")
        connection.execute(of_b.values(bb_lower=other))
        with pytest.raises(VerifyFailed, match=f"1 share on {TODAY}, such as B, differ"):
            verify(connection, calculated)


def test_a_sample_is_worked_through_once_more(
    database: Database, calculated: CalculatedDay
) -> None:
    store(database, {f"{at:06}": walk(at, 41).tolist() for at in range(60)})
    factor(database, "000000", DAYS[40], 0.2)  # of a day that nobody has calculated yet
    run(database, 39)
    with database.read() as connection:
        assert verify_sample(connection, TODAY) == 21
        assert verify_sample(connection, DAYS[2]) == 21  # no row there, and none should be
    assert calculated.day == TODAY


@pytest.mark.parametrize("other", [None, 12.5])
def test_a_sample_finds_another_value(
    database: Database, calculated: CalculatedDay, other: float | None
) -> None:
    table = TECHNICAL_INDICATORS
    with database.begin() as connection:
        of_b = update(table).where(table.c.date == calculated.day, table.c.ticker == "B")
        connection.execute(of_b.values(bb_lower=other))
        with pytest.raises(VerifyFailed, match=f"of B on {TODAY} do not match its prices"):
            verify_sample(connection, TODAY)


def test_a_sample_finds_a_row_that_is_gone(database: Database, calculated: CalculatedDay) -> None:
    table = TECHNICAL_INDICATORS
    with database.begin() as connection:
        of_b = table.c.date == calculated.day, table.c.ticker == "B"
        connection.execute(delete(table).where(*of_b))
        with pytest.raises(VerifyFailed, match="of B"):
            verify_sample(connection, TODAY)
