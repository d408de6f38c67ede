"""Rows as values: exact prices, and JSON under the names of the columns."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import orjson
import pytest
from sqlalchemy import insert

from gotgan.domains.market import queries
from gotgan.domains.market.keys import MARKET_INDICES, STOCK_PRICES, STOCKS, TECHNICAL_INDICATORS
from gotgan.domains.market.rows import DailyPrice, IndexDay, TickerSheet
from gotgan.encoding import Schemas, encode, field_keys
from gotgan.sql import Database
from tests.unit.domains.market.row_values import an_index

MONDAY = date(2025, 10, 20)
NOON = datetime(2025, 10, 20, 3, tzinfo=UTC)
LARGE = 9_007_199_254_740_993  # more than a float can hold
ORIGIN = {"provider": "krx", "is_final": True, "updated_at": NOON}


def _stored(database: Database) -> None:
    stock = {"ticker": "005930", "name": "Samsung", "market": "KOSPI"}
    traded = {"open": LARGE, "high": None, "low": None, "close": LARGE, "change": -1, "volume": 1}
    price = {**traded, "value": 1, "market_cap": LARGE, "shares": 1, "is_halted": False}
    level = {"open": None, "high": None, "low": None, "close": 2_650.1, "volume": 1, "value": 1}
    with database.begin() as connection:
        connection.execute(insert(STOCKS).values(first_seen=MONDAY, last_seen=MONDAY, **stock))
        connection.execute(
            insert(STOCK_PRICES).values(
                date=MONDAY, ticker="005930", market="KOSPI", **price, **ORIGIN
            )
        )
        connection.execute(
            insert(MARKET_INDICES).values(date=MONDAY, code="1001", name="KOSPI", **level, **ORIGIN)
        )


def test_prices_are_exact(database: Database) -> None:
    _stored(database)
    [price] = queries.get_stock(database, "005930", MONDAY, MONDAY).prices
    assert (price.close, price.open, price.high) == (Decimal(LARGE), Decimal(LARGE), None)
    [day] = queries.get_index(database, "1001", MONDAY, MONDAY, MONDAY).values
    assert (day.close, day.open) == (Decimal("2650.1"), None)


def test_json_has_the_columns_and_the_stored_numbers(database: Database) -> None:
    _stored(database)
    sheet = encode(queries.get_stock(database, "005930", MONDAY, MONDAY))
    assert list(sheet) == [*STOCKS.c.keys(), "prices", "factors", "indicators"]
    [price] = orjson.loads(orjson.dumps(sheet))["prices"]
    assert list(price) == STOCK_PRICES.c.keys()
    assert (price["close"], price["change"], price["high"]) == (LARGE, -1, None)
    assert price["updated_at"] == "2025-10-20T03:00:00Z"
    [level] = encode(queries.get_index(database, "1001", MONDAY, MONDAY, MONDAY))["values"]
    assert list(level) == MARKET_INDICES.c.keys()
    assert orjson.dumps(level["close"]) == b"2650.1"


@pytest.mark.parametrize(
    ("kind", "table"), [(DailyPrice, STOCK_PRICES), (IndexDay, MARKET_INDICES)]
)
def test_a_row_has_every_column(kind: type, table: object) -> None:
    assert list(field_keys(kind)) == table.c.keys()  # type: ignore[attr-defined]


def test_the_schema_has_numbers_too() -> None:
    schemas = Schemas()
    schemas.of(TickerSheet)
    price = schemas.definitions["DailyPrice"]["properties"]
    assert price["close"] == {"type": "number"}
    assert price["open"]["type"] == ["number", "null"]
    indicators = schemas.definitions["IndicatorRow"]["properties"]
    assert list(indicators) == TECHNICAL_INDICATORS.c.keys()


@pytest.mark.parametrize(
    ("before", "move"), [(Decimal(1_640), 25.0), (None, None), (Decimal(0), None)]
)
def test_an_index_moved_against_its_session_before(
    before: Decimal | None, move: float | None
) -> None:
    assert an_index(before=before).percent == move
