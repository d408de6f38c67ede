"""What was traded on a day, on every database."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.rows import Breadth
from gotgan.domains.market.summary import read_day_sheet
from gotgan.sql import Database
from tests.unit.domains.market.exchange import Exchange, halted, price

FRIDAY = date(2025, 10, 17)
MONDAY = date(2025, 10, 20)


def test_a_day_that_is_not_there_is_empty(database: Database) -> None:
    sheet = read_day_sheet(database, MONDAY, FRIDAY)
    assert (sheet.breadth, sheet.gainers, sheet.indices) == (Breadth(), (), ())
    assert sheet.breadth.total == 0


def test_movers_are_measured_against_the_base_of_the_day(
    collector: MarketCollector, exchange: Exchange, database: Database
) -> None:
    before = [price("000001", 5_000), price("000002"), price("000003"), halted("000004")]
    exchange.shares = {
        str(FRIDAY): before,
        str(MONDAY): [
            price("000001", 1_010, 10),
            price("000002", 1_200, 200),
            price("000003", 750, -250),
            halted("000004"),
        ],
    }
    collector.collect(FRIDAY, now=True)
    collector.collect(MONDAY, now=True)
    sheet = read_day_sheet(database, MONDAY, FRIDAY)
    assert [(row.ticker, row.percent) for row in sheet.gainers] == [
        ("000002", 20.0),
        ("000001", 1.0),
    ]
    assert [(row.ticker, row.percent) for row in sheet.losers] == [("000003", -25.0)]
    assert sheet.breadth == Breadth(rising=2, falling=1, unchanged=0, halted=1)
    assert [row.ticker for row in sheet.factors] == ["000001"]
    assert [row.before for row in sheet.indices] == [Decimal("2505.25")]
