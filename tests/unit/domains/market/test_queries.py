"""What is stored, for those who look: gaps, shares, screens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, insert

from gotgan.clock import FixedClock
from gotgan.domains.market import queries, quotes
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.completeness import find_gaps
from gotgan.domains.market.importer import import_files
from gotgan.domains.market.keys import TECHNICAL_INDICATORS
from gotgan.domains.market.models import Screen
from gotgan.domains.market.reports import Gaps, Hole
from gotgan.errors import BadCursor, NotFound
from gotgan.messages import render
from gotgan.sql import Database
from tests.unit.domains.market.conftest import SETTINGS
from tests.unit.domains.market.exchange import Exchange, halted, price

FRIDAY, MONDAY, TUESDAY = date(2025, 10, 17), date(2025, 10, 20), date(2025, 10, 21)
NIGHT = timedelta(hours=30)


@pytest.fixture(autouse=True)
def later(clock: FixedClock) -> None:
    """Tuesday night: all three days are over."""
    clock.advance(NIGHT)


def gaps(database: Database) -> Gaps:
    return find_gaps(database, Calendar(), FRIDAY, TUESDAY)


def test_where_nothing_is_missing_there_is_no_gap(
    database: Database, collector: MarketCollector
) -> None:
    for day in (FRIDAY, MONDAY, TUESDAY):
        collector.collect(day)
    found = gaps(database)
    assert (found.sessions, found.is_whole) == (3, True)


def test_a_session_that_is_not_there_is_named_with_how_it_stands(
    database: Database, collector: MarketCollector
) -> None:
    collector.collect(FRIDAY)
    collector.collect(MONDAY, now=True, only="prices")
    told = {gap.day: gap.words for gap in gaps(database).missing}
    assert told == {MONDAY: "Missing: indices (partial).", TUESDAY: "Never collected."}


def test_a_day_that_was_imported_in_part_says_how_many_shares_it_has(
    database: Database, collector: MarketCollector, clock: FixedClock, tmp_path: Path
) -> None:
    head = "티커,시가,고가,저가,종가,거래량\n"
    shares = "".join(f"{number:06},1000,1000,1000,1000,1\n" for number in range(20))
    (tmp_path / f"{MONDAY}.csv").write_text(head + shares)
    import_files(database, clock, SETTINGS, [tmp_path], market="KOSPI")
    (_, monday, _) = gaps(database).missing
    assert monday.words == "Missing: prices and indices (pending). 20 shares stored."
    assert (monday.count, monday.beside) == (20, None)
    collector.collect(FRIDAY)
    monday, tuesday = gaps(database).missing
    assert monday.words.endswith(" 20 of about 50 shares stored.")
    assert (monday.count, monday.beside, tuesday.count) == (20, 50, 0)
    korean = "시세와 지수 없음(대기). 약 50종목 중 20종목이 저장되어 있습니다."
    assert render(monday.words, "ko") == korean


def test_a_share_that_was_away_for_a_day_has_a_hole(
    database: Database, collector: MarketCollector, exchange: Exchange
) -> None:
    exchange.shares = {str(MONDAY): exchange.always[1:]}
    for day in (FRIDAY, MONDAY, TUESDAY):
        collector.collect(day)
    assert gaps(database).holes == (Hole("000000", (MONDAY,)),)


def test_a_share_that_left_has_no_hole(
    database: Database, collector: MarketCollector, exchange: Exchange
) -> None:
    exchange.shares = {str(TUESDAY): exchange.always[1:]}
    for day in (FRIDAY, MONDAY, TUESDAY):
        collector.collect(day)
    assert gaps(database).holes == ()


def test_a_day_that_lost_shares_later_is_thin(
    database: Database, collector: MarketCollector, exchange: Exchange
) -> None:
    exchange.shares = {str(FRIDAY): [*exchange.always, *(price(f"9{n:05}") for n in range(9))]}
    collector.collect(MONDAY)
    collector.collect(FRIDAY)  # filled in afterwards, with more
    thin = gaps(database).thin
    assert [(day.day, day.count, day.beside) for day in thin] == [(MONDAY, 50, 59)]


def test_a_day_that_has_less_than_the_one_after_it_is_thin_too(
    database: Database, collector: MarketCollector, exchange: Exchange
) -> None:
    exchange.shares = {str(FRIDAY): exchange.always[:5], str(MONDAY): exchange.always[:5]}
    for day in (FRIDAY, MONDAY, TUESDAY):
        collector.collect(day)
    found = gaps(database)
    assert [(day.day, day.count, day.beside) for day in found.thin] == [(MONDAY, 5, 50)]
    assert not found.is_whole


def test_days_that_lie_far_apart_are_not_compared(
    database: Database, collector: MarketCollector, exchange: Exchange
) -> None:
    long_ago = date(2025, 9, 1)
    exchange.shares = {str(long_ago): exchange.always[:5]}
    for day in (long_ago, FRIDAY):
        collector.collect(day, now=True)
    assert find_gaps(database, Calendar(), long_ago, FRIDAY).thin == ()


def test_the_holes_of_many_shares_are_found_in_few_statements(
    database: Database, collector: MarketCollector, exchange: Exchange
) -> None:
    exchange.always = [price(f"{number:06}") for number in range(500)]
    exchange.shares = {str(MONDAY): exchange.always[10:]}
    for day in (FRIDAY, MONDAY, TUESDAY):
        collector.collect(day)
    asked = list[str]()

    def count(*given: Any) -> None:
        asked.append(given[2])

    event.listen(database.engine, "before_cursor_execute", count)
    assert [hole.ticker for hole in gaps(database).holes] == [f"{at:06}" for at in range(10)]
    assert len([each for each in asked if "stock_prices" in each]) == 3


def test_a_share_is_shown_with_all_that_is_known_of_it(
    database: Database, collector: MarketCollector, exchange: Exchange
) -> None:
    others = exchange.always[1:]
    exchange.shares = {str(MONDAY): [price("000000", 210, 10), *others]}
    collector.collect(FRIDAY)
    collector.collect(MONDAY)
    sheet = queries.get_stock(database, "000000", FRIDAY, TUESDAY)
    assert (sheet.name, sheet.market) == ("Share of 00", "KOSPI")
    assert [row.close for row in sheet.prices] == [1_000, 210]
    assert [(row.date, row.factor) for row in sheet.factors] == [(MONDAY, 0.2)]
    with pytest.raises(NotFound, match="005930"):
        queries.get_stock(database, "999999", FRIDAY, TUESDAY)


def test_a_range_without_a_last_day_ends_with_the_latest_stored_day(
    database: Database, collector: MarketCollector
) -> None:
    collector.collect(FRIDAY)
    today = FRIDAY + timedelta(days=800)
    assert [row.date for row in queries.get_stock(database, "000000", None, None).prices] == [
        FRIDAY
    ]
    found = queries.get_index(database, "1001", None, None, today)
    assert [row.date for row in found.values] == [FRIDAY]
    with pytest.raises(NotFound, match=str(today)):
        queries.get_index(database, "9999", None, None, today)


def test_a_screen_has_those_who_stand_out(database: Database, collector: MarketCollector) -> None:
    collector.collect(FRIDAY)
    collector.collect(MONDAY)
    _calculated(database, FRIDAY, rsi=[50, 50, 50], histogram=[-1, 1, 0])
    _calculated(database, MONDAY, rsi=[29.9, 30, 70.1], histogram=[1, -1, 1])

    def screened(kind: Any) -> list[str]:
        return [row.ticker for row in queries.screen(database, kind, MONDAY, FRIDAY).items]

    assert screened("oversold") == ["000000"]
    assert screened("overbought") == ["000002"]
    assert sorted(screened("macd_up")) == ["000000", "000002"]
    assert screened("macd_down") == ["000001"]


@pytest.mark.parametrize(
    ("kind", "order"),
    [
        ("oversold", [1, 4, 7, 0, 3, 6, 2, 5, 8]),
        ("overbought", [2, 5, 8, 0, 3, 6, 1, 4, 7]),
        ("macd_up", [2, 5, 8, 1, 4, 7, 0, 3, 6]),
        ("macd_down", [2, 5, 8, 1, 4, 7, 0, 3, 6]),
    ],
)
@pytest.mark.parametrize("limit", [1, 2, 4, 9])
def test_a_screen_comes_page_by_page_each_share_once_and_in_order(
    database: Database,
    collector: MarketCollector,
    exchange: Exchange,
    kind: Screen,
    order: list[int],
    limit: int,
) -> None:
    """Three shares have the same figure each; a third cannot be written in a few digits."""
    exchange.always = [price(f"{number:06}", 1_000 + number % 3) for number in range(9)]
    collector.collect(FRIDAY)
    collector.collect(MONDAY)
    begin = 80 if kind == "overbought" else 20
    rsi = [begin + (1 / 3, 1e-14, 2 / 3)[number % 3] for number in range(9)]
    side = 1 if kind == "macd_up" else -1
    _calculated(database, FRIDAY, rsi=rsi, histogram=[-side] * 9)
    _calculated(database, MONDAY, rsi=rsi, histogram=[side] * 9)
    pages = [queries.screen(database, kind, MONDAY, FRIDAY, limit=limit)]
    while (cursor := pages[-1].cursor) is not None:
        pages.append(queries.screen(database, kind, MONDAY, FRIDAY, limit=limit, cursor=cursor))
    assert [len(page.items) for page in pages[:-1]] == [limit] * (len(pages) - 1)
    tickers = [row.ticker for page in pages for row in page.items]
    assert tickers == [f"{number:06}" for number in order]


@pytest.mark.parametrize(
    ("kind", "cursor"),
    [
        ("oversold", ""),
        ("oversold", "000010"),
        ("oversold", "oversold-2025-10-20-29.5"),
        ("oversold", "oversold-2025-10-20-29.5-"),
        ("oversold", "oversold-2025-10-17-29.5-000010"),
        ("oversold", "overbought-2025-10-20-71.5-000010"),
        ("oversold", "oversold-2025-10-20-29.50-000010"),
        ("oversold", "oversold-2025-10-20-1e999-000010"),
        ("oversold", "oversold-2025-10-20-nan-000010"),
        ("oversold", "oversold-2025-10-20-²-000010"),
        ("oversold", "oversold-2025-10-20-29.5-0000\0"),
        ("oversold", "oversold-2025-10-20-29.5-0000\udc80"),
        ("oversold", "oversold-2025-10-20-29.5-0000100000100"),
        ("macd_up", "macd_up-2025-10-20-29.5-000010"),
        ("macd_up", "macd_up-2025-10-20-9223372036854775808-000010"),
        ("macd_up", "macd_down-2025-10-20-5-000010"),
    ],
)
def test_a_cursor_of_another_list_is_refused(database: Database, kind: Screen, cursor: str) -> None:
    with pytest.raises(BadCursor, match="Start again without one"):
        queries.screen(database, kind, MONDAY, FRIDAY, cursor=cursor)


@pytest.mark.parametrize(
    ("kind", "cursor"),
    [
        ("oversold", "oversold-2025-10-20-1e-05-000010"),
        ("oversold", "oversold-2025-10-20-0.0-A-B c"),
        ("macd_down", "macd_down-2025-10-20-9223372036854775807-000010"),
        ("macd_down", "macd_down-2025-10-20-0-000010"),
    ],
)
def test_every_figure_and_ticker_that_can_be_stored_makes_a_cursor(
    database: Database, kind: Screen, cursor: str
) -> None:
    assert queries.screen(database, kind, MONDAY, FRIDAY, cursor=cursor).items == ()


def _calculated(
    database: Database, day: date, *, rsi: Sequence[float], histogram: Sequence[float]
) -> None:
    rows = [
        {"date": day, "ticker": f"{number:06}", "rsi_14": value, "macd_histogram": beside}
        for number, (value, beside) in enumerate(zip(rsi, histogram, strict=True))
    ]
    with database.begin() as connection:
        connection.execute(insert(TECHNICAL_INDICATORS), rows)


def test_an_index_has_its_values_in_order(database: Database, collector: MarketCollector) -> None:
    for day in (MONDAY, FRIDAY):
        collector.collect(day)
    sheet = queries.get_index(database, "1001", FRIDAY, TUESDAY, TUESDAY)
    assert ([row.date for row in sheet.values], sheet.name) == ([FRIDAY, MONDAY], "KOSPI")
    assert sheet.values[0].updated_at == datetime(2025, 10, 20, 8, tzinfo=UTC) + NIGHT
    with pytest.raises(NotFound):
        queries.get_index(database, "9999", FRIDAY, TUESDAY, TUESDAY)


def test_a_day_comes_as_columns_of_one_length(
    database: Database, collector: MarketCollector, exchange: Exchange
) -> None:
    exchange.shares = {str(MONDAY): [halted("000000"), *exchange.always[1:]]}
    collector.collect(MONDAY)
    found = queries.day_columns(database, MONDAY)
    assert {len(values) for values in found.values()} == {len(exchange.always)}
    assert list(found["ticker"]) == sorted(found["ticker"])
    assert (found["open"][0], found["is_halted"][0], type(found["close"][0])) == (None, True, int)
    assert found["rsi_14"] == (None,) * len(exchange.always)
    assert set(queries.day_columns(database, MONDAY, "KOSDAQ")["market"]) <= {"KOSDAQ"}
    assert queries.day_columns(database, TUESDAY) == dict.fromkeys(found, ())


@pytest.mark.parametrize("words", ["\0", "삼성\0", "\ud800"], ids=ascii)
def test_words_that_no_database_takes_find_nothing(database: Database, words: str) -> None:
    assert list(queries.find_stocks(database, words)) == []
    assert list(quotes.list_shares(database, words).items) == []
    assert list(quotes.list_shares(database, "", cursor=words).items) == []
    with pytest.raises(NotFound):
        queries.get_stock(database, words, FRIDAY, MONDAY)
    with pytest.raises(NotFound):
        queries.get_index(database, words, FRIDAY, MONDAY, MONDAY)
