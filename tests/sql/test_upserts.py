"""Writing many rows at once: a day by statements, a year by COPY where there is one."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Double,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    select,
)
from sqlalchemy.exc import DBAPIError

from gotgan.errors import UsageError
from gotgan.sql import Database, ZonedMoment, upserts
from gotgan.sql.upserts import upsert

NOON = datetime(2025, 10, 20, 12, 0, 0, 123456, tzinfo=UTC)
DAY = date(2025, 10, 20)
# Names that are words of SQL, and one that needs quotes.
ODD = Table(
    "order",
    MetaData(),
    Column("date", Date, primary_key=True),
    Column("key", String(12), primary_key=True),
    Column("open", BigInteger),
    Column("change", Double),
    Column("rows", LargeBinary),
    Column("Is Final", Boolean),
    Column("value", Text, server_default="untold"),
    Column("at", ZonedMoment),
)
KEYS = Table("keys", MetaData(), Column("key", String(12), primary_key=True))


@pytest.fixture(params=["statements", "copy"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways, whatever the number of rows."""
    monkeypatch.setattr(upserts, "_MIN_COPY_ROWS", 1 if request.param == "copy" else 10**9)
    return str(request.param)


@pytest.fixture
def odd(empty_database: Database, way: str) -> Database:
    del way
    with empty_database.begin() as connection:
        ODD.create(connection)
        KEYS.create(connection)
    return empty_database


def _row(key: str, **changes: Any) -> dict[str, Any]:
    whole = {
        "date": DAY,
        "key": key,
        "open": 2**40,
        "change": -0.1,
        "rows": b"\x00\xff\\N\t\n",
        "Is Final": True,
        "value": "삼성전자\t'\"\\N\n%s {}",
        "at": NOON,
    }
    return {**whole, **changes}


def _write(database: Database, rows: Sequence[dict[str, Any]], table: Table = ODD) -> None:
    with database.begin() as connection:
        upsert(connection, table, rows)


def _read(database: Database) -> dict[str, dict[str, Any]]:
    with database.read() as connection:
        rows = connection.execute(select(ODD).order_by(ODD.c.key)).mappings()
        return {row["key"]: dict(row) for row in rows}


def test_every_kind_of_value_comes_back_as_it_was(odd: Database) -> None:
    nothing = dict.fromkeys(["open", "change", "rows", "Is Final", "value", "at"])
    rows = [_row("1"), _row("2", **nothing), _row("3", **{"Is Final": False, "value": ""})]
    _write(odd, rows)
    assert list(_read(odd).values()) == rows


def test_what_is_there_is_replaced_in_the_given_columns_alone(odd: Database) -> None:
    _write(odd, [_row("1"), _row("2")])
    _write(odd, [{"date": DAY, "key": "2", "open": 7, "at": None}])
    found = _read(odd)
    assert found["1"] == _row("1")
    assert found["2"] == _row("2", open=7, at=None)


def test_a_column_that_is_not_given_gets_its_default(odd: Database) -> None:
    _write(odd, [{"date": DAY, "key": "1"}])
    assert _read(odd)["1"] == {
        **dict.fromkeys(ODD.c.keys()),
        "date": DAY,
        "key": "1",
        "value": "untold",
    }


def test_of_two_rows_with_one_key_the_last_counts(odd: Database) -> None:
    _write(odd, [_row("1", open=1), _row("2", open=2), _row("1", open=3)])
    assert {key: row["open"] for key, row in _read(odd).items()} == {"1": 3, "2": 2}


def test_rows_of_keys_alone_are_left_as_they_are(odd: Database) -> None:
    for _ in range(2):
        _write(odd, [{"key": "a"}, {"key": "b"}, {"key": "a"}], KEYS)
    with odd.read() as connection:
        keys = connection.execute(select(KEYS.c.key).order_by(KEYS.c.key)).scalars().all()
    assert keys == ["a", "b"]


def test_two_writes_of_one_table_fit_in_one_transaction(odd: Database) -> None:
    with odd.begin() as connection:
        upsert(connection, ODD, [_row("1", open=1)])
        upsert(connection, ODD, [_row("1", open=2), _row("2")])
    assert (_read(odd)["1"]["open"], len(_read(odd))) == (2, 2)


def test_no_rows_are_no_work(odd: Database) -> None:
    _write(odd, [])
    assert _read(odd) == {}


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([_row("1"), {"date": DAY, "key": "2"}], "number 2 has other columns"),
        ([{"date": DAY, "key": "1"}, _row("2")], "number 2 has other columns"),
        ([{"date": DAY, "key": "1", "colour": 1}], "order has no such columns: colour"),
        ([{"key": "1", "open": 1}], "the key is not whole: date"),
    ],
    ids=["fewer columns", "more columns", "an unknown column", "half a key"],
)
def test_rows_that_are_not_alike_are_refused(
    odd: Database, rows: list[dict[str, Any]], told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        _write(odd, rows)
    assert _read(odd) == {}


@pytest.mark.parametrize("fault", [{"date": None}, {"open": 2**70}], ids=["no key", "too large"])
def test_a_row_that_does_not_fit_takes_all_back(odd: Database, fault: dict[str, Any]) -> None:
    with pytest.raises((DBAPIError, OverflowError)):  # the latter is how SQLite's driver says it
        _write(odd, [_row("1"), _row("2", **fault)])
    assert _read(odd) == {}


def test_many_rows_are_all_written(empty_database: Database) -> None:
    with empty_database.begin() as connection:
        ODD.create(connection)
    _write(empty_database, [{"date": DAY, "key": f"{n}", "open": n} for n in range(10_001)])
    found = _read(empty_database)
    assert len(found) == 10_001
    assert all(row["open"] == int(key) for key, row in found.items())
