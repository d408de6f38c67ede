"""Quotes on every database: the last values of indices and shares, and what moved most."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market import quotes
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.models import ShareSort
from gotgan.domains.market.rows import Breadth
from gotgan.sql import Database
from tests.unit.domains.market.exchange import Exchange, halted, price

FRIDAY, MONDAY, TUESDAY = date(2025, 10, 17), date(2025, 10, 20), date(2025, 10, 21)
SHARES = [
    price("000001", 1_010, 10),
    price("000002", 1_200, 200),
    price("000003", 750, -250, market="KOSDAQ"),
    halted("000004"),
    price("000005"),
    price("000006", 2_000, 20),
]


@pytest.fixture(autouse=True)
def later(clock: FixedClock) -> None:
    """Tuesday night."""
    clock.advance(timedelta(hours=30))


@pytest.fixture
def split(collector: MarketCollector, exchange: Exchange) -> None:
    """Friday and Monday; between them the first share was split, and one was delisted."""
    before = [price("000001", 5_000), price("000002"), price("000009", 100), *SHARES[2:5]]
    exchange.shares = {str(FRIDAY): before, str(MONDAY): SHARES}
    collector.collect(FRIDAY)
    collector.collect(MONDAY)


def _tickers(database: Database, sort: ShareSort, **asked: str) -> list[str]:
    """The last figures of the tickers, page by page."""
    page = quotes.list_shares(database, "", sort=sort, limit=2, **asked)
    found = list(page.items)
    while page.cursor is not None:
        page = quotes.list_shares(database, "", sort=sort, limit=2, cursor=page.cursor, **asked)
        found += page.items
    return [row.ticker[-1] for row in found]


def test_without_a_day_there_is_nothing(database: Database) -> None:
    assert quotes.read_indices(database) == ()
    assert quotes.list_shares(database, "").items == ()
    assert quotes.recent_closes(database, ["000001"]) == {}
    found = quotes.last_movers(database, None, MONDAY, 5)
    assert (found.day, found.breadth, found.gainers) == (MONDAY, Breadth(), ())


def test_an_index_has_its_last_value_beside_the_day_and_the_week_before(
    database: Database, collector: MarketCollector
) -> None:
    collector.collect(FRIDAY)
    [quote] = quotes.read_indices(database)
    assert (quote.code, quote.date, quote.change, quote.percent) == ("1001", FRIDAY, None, None)
    for day in (date(2025, 10, 13), MONDAY):
        collector.collect(day)
    [quote] = quotes.read_indices(database)
    assert (quote.date, quote.close) == (MONDAY, Decimal("2505.25"))
    assert (quote.change, quote.percent) == (Decimal(0), 0.0)
    assert (quote.week_change, quote.week_percent) == (Decimal(0), 0.0)
    assert quote.closes == (Decimal("2505.25"),) * 3


@pytest.mark.usefixtures("split")
def test_movers_are_those_of_the_last_day_and_a_split_is_not_a_movement(
    database: Database,
) -> None:
    found = quotes.last_movers(database, None, TUESDAY, 1)
    assert (found.day, found.breadth) == (MONDAY, Breadth(3, 1, 1, 1))
    assert [(row.ticker, row.percent) for row in found.gainers] == [("000002", 20.0)]
    assert [(row.ticker, row.percent) for row in found.losers] == [("000003", -25.0)]
    assert [row.ticker for row in found.most_traded] == ["000006"]
    assert len(quotes.last_movers(database, None, TUESDAY, 10).gainers) == 3
    assert quotes.last_movers(database, FRIDAY, TUESDAY, 10).day == FRIDAY


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("ticker", "1234569"),
        ("-ticker", "9654321"),
        ("name", "1234569"),
        ("price", "3451269"),
        ("-price", "6214539"),
        ("change", "3451629"),
        ("-change", "2614539"),
        ("volume", "4123569"),
        ("-value", "6215349"),
    ],
)
def test_shares_are_sorted_by_their_last_figures_page_by_page(
    database: Database, sort: ShareSort, order: str
) -> None:
    assert _tickers(database, sort) == list(order)


@pytest.mark.usefixtures("split")
def test_a_share_has_its_quote_and_one_that_is_no_longer_listed_has_none(
    database: Database,
) -> None:
    first, *_, last = quotes.list_shares(database, "").items
    assert (first.close, first.change, first.percent) == (Decimal(1_010), Decimal(10), 1.0)
    assert (first.date, first.is_halted) == (MONDAY, False)
    assert (last.ticker, last.last_seen, last.close, last.percent) == ("000009", FRIDAY, None, None)


@pytest.mark.usefixtures("split")
def test_shares_are_found_by_ticker_name_and_market(database: Database) -> None:
    assert len(quotes.list_shares(database, "00000").items) == 7
    assert [row.ticker for row in quotes.list_shares(database, "SHARE OF 03").items] == ["000003"]
    for words in ("100%", "_", "nobody"):
        assert quotes.list_shares(database, words).items == ()
    assert _tickers(database, "-change", market="KOSDAQ") == ["3"]
    assert quotes.list_shares(database, "", cursor="999999").items == ()


@pytest.mark.usefixtures("split")
def test_recent_closes_are_adjusted_and_leave_out_halts(database: Database) -> None:
    found = quotes.recent_closes(database, ["000001", "000004"])
    assert found == {"000001": (1_000.0, 1_010.0), "000004": (None, None)}
