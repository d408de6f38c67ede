"""Price history from files: what is read, what is set aside, and what days make of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from gotgan.clock import FixedClock
from gotgan.domains.market import logs, messages
from gotgan.domains.market.collector import MarketCollector
from gotgan.domains.market.importer import import_files
from gotgan.domains.market.keys import (
    COLLECTION_LOG,
    INDICATOR_LOG,
    INDICATOR_STATES,
    MARKET_INDICES,
    PRICE_FACTORS,
    STOCK_PRICES,
    STOCKS,
    day_key,
)
from gotgan.domains.market.reports import ImportReport
from gotgan.errors import UsageError
from gotgan.messages import render
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.unit.domains.market.conftest import SETTINGS
from tests.unit.domains.market.exchange import Exchange, price

MONDAY, TUESDAY = date(2025, 10, 13), date(2025, 10, 14)
PYKRX = "날짜,시가,고가,저가,종가,거래량,등락률"
READER = "Date,Open,High,Low,Close,Volume,Change"
BY_DAY = "티커,시가,고가,저가,종가,거래량,거래대금,등락률"

Import = Callable[..., ImportReport]


@pytest.fixture
def importing(database: Database, clock: FixedClock, tmp_path: Path) -> Import:
    def run(*paths: str, **options: Any) -> ImportReport:
        chosen = [tmp_path / path for path in paths] or [tmp_path]
        return import_files(database, clock, SETTINGS, chosen, **{"market": "KOSPI"} | options)

    return run


def write(folder: Path, name: str, head: str, *rows: str, encoding: str = "utf-8") -> None:
    (folder / name).write_bytes("\n".join([head, *rows, ""]).encode(encoding))


def stored(database: Database, *columns: str) -> list[tuple[Any, ...]]:
    names = columns or ("date", "ticker", "open", "high", "low", "close", "change", "volume")
    table = STOCK_PRICES
    query = select(*(table.c[name] for name in names)).order_by(table.c.date, table.c.ticker)
    with database.read() as connection:
        return [tuple(row) for row in connection.execute(query)]


def factors(database: Database) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        table = PRICE_FACTORS
        return [tuple(row) for row in connection.execute(select(table.c.date, table.c.factor))]


def days_from(first: date, closes: Iterable[int]) -> list[str]:
    """Lines of pykrx with no change given, one a weekday."""
    lines, day = list[str](), first
    for close in closes:
        lines.append(f"{day},{close},{close + 5},{close - 5},{close},10,")
        day += timedelta(days=3 if day.weekday() == 4 else 1)
    return lines


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
@pytest.mark.parametrize(
    ("head", "changes"), [(PYKRX, ("0.00", "2.00")), (READER, ("0.0", "0.02"))]
)
def test_a_file_of_a_share_is_read(
    *,
    database: Database,
    importing: Import,
    tmp_path: Path,
    encoding: str,
    head: str,
    changes: Sequence[str],
) -> None:
    first, second = changes
    rows = [f'2025-10-13,990,"1,010",985,"1,000",50,{first}']
    rows += [f"2025-10-14,1000,1025,1000,1020.0,60,{second}"]
    write(tmp_path, "005930_삼성전자.csv", head, *rows, encoding=encoding)
    report = importing()
    assert (report.files, report.rows, report.days, report.new) == (1, 2, 2, 2)
    assert report.set_aside == report.conflicts == []
    assert stored(database) == [
        (MONDAY, "005930", 990, 1_010, 985, 1_000, 0, 50),
        (TUESDAY, "005930", 1_000, 1_025, 1_000, 1_020, 20, 60),
    ]
    assert set(stored(database, "provider", "is_final", "market")) == {("import", True, "KOSPI")}


def test_a_file_of_a_day_is_read(database: Database, importing: Import, tmp_path: Path) -> None:
    traded, halted = "005930,990,1010,985,1000,50,50000,1.01", "00104K,0,0,0,70,0,0,0"
    write(tmp_path, "2025-10-13.csv", BY_DAY, traded, halted)
    write(tmp_path, "20251014.csv", BY_DAY, traded.removeprefix("00"))  # as spreadsheets save it
    assert importing().new == 3
    assert stored(database, "date", "ticker", "open", "close", "change", "is_halted") == [
        (MONDAY, "00104K", None, 70, 0, True),
        (MONDAY, "005930", 990, 1_000, 10, False),
        (TUESDAY, "005930", 990, 1_000, 10, False),
    ]


def test_a_row_that_cannot_be_is_listed_and_the_others_of_its_day_count(
    database: Database, importing: Import, tmp_path: Path
) -> None:
    write(
        tmp_path,
        "2025-10-13.csv",
        "티커,시가,고가,저가,종가,거래량",
        "000001,100,110,90,111,5",  # a close one won above the high, from rounding
        "000002,100,110,90,105,5",
        "000003,100,110,90,105",
        "000004,100,110,90,abc,5",
        "000005,0,0,0,105,5",
        "nothing,100,110,90,105,5",
    )
    report = importing()
    assert [row[1] for row in stored(database)] == ["000002"]
    assert [(Path(each.file).name, each.line) for each in report.set_aside] == [
        ("2025-10-13.csv", line) for line in (2, 4, 5, 6, 7)
    ]
    assert [render(each.reason, "ko") for each in report.set_aside] == [
        "시가 100과 종가 111이 저가 90과 고가 110 사이에 있지 않습니다.",
        "칸이 5개인데 머리글의 열은 6개입니다.",
        "close 값이 숫자가 아닙니다: 'abc'.",
        "5주가 거래되었는데 시가, 고가 또는 저가가 없습니다.",
        "종목 코드가 아닙니다: 'nothing'.",
    ]
    assert "Open 100 and close 111 are not between low 90 and high 110" in (
        report.set_aside[0].reason
    )


def test_days_without_trade_and_days_to_come_are_set_aside(
    database: Database, importing: Import, tmp_path: Path
) -> None:
    rows = ("2025-10-18,1,1,1,1,1,0", "2025-10-20,1,1,1,1,1,0", "2025-10-21,1,1,1,1,1,0")
    write(tmp_path, "005930.csv", PYKRX, *rows)
    report = importing()
    assert [row[0] for row in stored(database)] == [date(2025, 10, 20)]
    assert [each.reason for each in report.set_aside] == [
        "2025-10-18 is not a trading day: a weekend.",
        "2025-10-21 has not been traded yet.",
    ]


@pytest.mark.parametrize(
    ("kospi", "kosdaq"), [("KS11", "KQ11"), ("1001", "2001"), ("KOSPI", "kosdaq_index")]
)
def test_files_named_after_an_index_are_indices(
    *, database: Database, importing: Import, tmp_path: Path, kospi: str, kosdaq: str
) -> None:
    reader = "Date,Open,High,Low,Close,Volume,Change,UpDown,Comp,Amount,MarCap"
    first = "2025-10-13,3500.5,3590.25,3480,3584.55,500,0.01,1,20.5,7000,9"
    wrong = ("2025-10-14,1,2,3,4,5,,,,,", "2025-10-18,,,,1,,,,,,")
    write(tmp_path, f"{kospi}.csv", reader, first, *wrong)
    old = "1990-01-03,0,0,0,900.12,0,0"  # the exchange has closes alone
    pykrx = "날짜,시가,고가,저가,종가,거래량,거래대금"
    write(tmp_path, f"{kosdaq}.csv", pykrx, old, "2025-10-13,,,,860.5,9,8")
    report = importing()
    assert (report.rows, report.new, report.days, report.indices) == (4, 3, 2, 1)
    assert sorted(each.line for each in report.set_aside) == [3, 4]
    with database.read() as connection:
        table = MARKET_INDICES
        columns = [each for each in table.c if each.name not in ("is_final", "updated_at")]
        found = connection.execute(select(*columns).order_by(table.c.date, table.c.code))
        assert [tuple(row) for row in found] == [
            (date(1990, 1, 3), "2001", "KOSDAQ", None, None, None, 900.12, 0, 0, "import"),
            (MONDAY, "1001", "KOSPI", 3500.5, 3590.25, 3480.0, 3584.55, 500, 7000, "import"),
            (MONDAY, "2001", "KOSDAQ", None, None, None, 860.5, 9, 8, "import"),
        ]
        monday = logs.get_log(connection, MONDAY)
        long_ago = logs.get_log(connection, date(1990, 1, 3))
    assert monday is not None
    assert long_ago is not None
    assert (monday.indices.status, monday.overall_status) == ("success", "partial")
    assert (long_ago.indices.status, long_ago.indices.provider) == ("pending", "import")
    report = importing()
    assert (report.new, report.changed, report.duplicates) == (0, 0, 3)


def test_indices_that_were_collected_stay(
    importing: Import, tmp_path: Path, collector: MarketCollector
) -> None:
    collector.collect(TUESDAY, now=True)
    write(tmp_path, "KS11.csv", READER, "2025-10-14,1,1,1,1,1,0", "2025-10-13,1,1,1,1,1,0")
    write(tmp_path, "KOSPI.csv", READER, "2025-10-13,1,1,1,1,1,0", "2025-10-14,2,2,2,2,2,0")
    report = importing()
    assert (report.new, report.kept, report.duplicates) == (1, 1, 1)
    [conflict] = report.conflicts
    assert "1001 on 2025-10-14 has other values in" in conflict.reason


def test_saturdays_of_the_years_in_which_they_were_sessions_are_imported(
    database: Database, importing: Import, tmp_path: Path
) -> None:
    split = ("1998-12-05,10000,10000,9900,10000,1,0.00", "1998-12-07,2000,2050,1990,2040,1,2.00")
    write(tmp_path, "005930.csv", PYKRX, *split, "1998-12-12,2000,2050,1990,2040,1,0")
    report = importing()
    assert [row[0] for row in stored(database)] == [date(1998, 12, 5), date(1998, 12, 7)]
    assert [each.line for each in report.set_aside] == [4]
    assert factors(database) == [(date(1998, 12, 7), 0.2)]


def test_files_that_cannot_be_read_are_listed(importing: Import, tmp_path: Path) -> None:
    write(tmp_path, "a.csv", PYKRX, "2025-10-13,1,1,1,1,1,0")
    write(tmp_path, "005930.csv", "날짜,종가", "2025-10-13,1")
    (tmp_path / "000660.csv").write_bytes(b"\xff\xff\xff")
    reasons = {Path(each.file).name: each.reason for each in importing().set_aside}
    assert reasons["a.csv"] == (
        "The header has no column for ticker. Name the file after its ticker (005930.csv) or its "
        "index (KS11.csv)."
    )
    assert reasons["005930.csv"] == "The header has no column for open, high, low, volume."
    assert reasons["000660.csv"].startswith("Cannot be read as CSV in UTF-8 or CP949")
    with pytest.raises(UsageError, match="There are no CSV files at"):
        importing("nowhere-*.csv")


def test_of_two_rows_for_one_day_the_first_file_counts_and_the_other_is_listed(
    database: Database, importing: Import, tmp_path: Path
) -> None:
    same = "2025-10-14,100,105,95,100,1,0"
    write(tmp_path, "b-005930.csv", PYKRX, "2025-10-13,100,105,95,103,1,0", same)
    write(tmp_path, "a-005930.csv", PYKRX, "2025-10-13,100,105,95,102,1,0", same)
    report = importing("b-005930.csv", "a-005930.csv")
    assert [row[5] for row in stored(database)] == [102, 100]
    [conflict] = report.conflicts
    assert (Path(conflict.file).name, conflict.line) == ("b-005930.csv", 2)
    assert conflict.reason.endswith("a-005930.csv, line 2. That row is used.")
    assert report.duplicates == 1


def test_the_same_files_again_change_nothing(
    database: Database, importing: Import, tmp_path: Path, clock: FixedClock
) -> None:
    write(tmp_path, "005930.csv", PYKRX, *days_from(MONDAY, [100, 101, 102]))
    assert importing().new == 3
    before = stored(database, "date", "close", "updated_at")
    clock.advance(timedelta(days=1))
    report = importing()
    assert (report.new, report.changed, report.duplicates) == (0, 0, 3)
    assert stored(database, "date", "close", "updated_at") == before
    write(tmp_path, "005930.csv", PYKRX, *days_from(MONDAY, [100, 103, 102]))
    report = importing()
    assert (report.new, report.changed, report.duplicates) == (0, 2, 1)  # a close, and a change


def test_days_written_at_once_and_one_by_one_come_to_the_same(
    database: Database, tmp_path: Path, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a split, a gap, a share that is renamed, and closes that are corrected afterwards."""
    split = ("2025-10-13,10000,10000,9900,10000,1,0.00", "2025-10-14,2000,2050,1990,2040,1,2.00")
    head = "종목코드,종목명,시가,고가,저가,종가,거래량"
    write(tmp_path, "2025-10-10.csv", head, "000660,Old,1,1,1,1,1")
    write(tmp_path, "2025-10-15.csv", head, "000660,New,1,1,1,1,1")

    def imported(into: Database) -> list[list[tuple[Any, ...]]]:
        for closes in ([10_000, 10_100, 10_200], [10_000, 10_050, 10_200]):
            write(tmp_path, "005930.csv", PYKRX, *split)
            write(tmp_path, "000777.csv", PYKRX, *days_from(MONDAY, closes))
            import_files(into, clock, SETTINGS, [tmp_path], market="KOSPI")
        with into.read() as connection:
            return [
                [tuple(row) for row in connection.execute(select(table).order_by(*table.c))]
                for table in (STOCK_PRICES, PRICE_FACTORS, STOCKS, COLLECTION_LOG)
            ]

    at_once = imported(database)
    assert ("000660", "New", "KOSPI", date(2025, 10, 10), date(2025, 10, 15)) in at_once[2]
    monkeypatch.setattr("gotgan.domains.market.importer._BATCH_ROWS", 1)
    with Database.open(Settings(data=tmp_path / "one by one")) as other:
        other.prepare()
        assert imported(other) == at_once


def test_a_correction_outdates_the_indicators_of_its_share_and_of_all_days_since(
    database: Database, importing: Import, tmp_path: Path
) -> None:
    write(tmp_path, "005930.csv", PYKRX, *days_from(MONDAY, [100, 101, 102]))
    importing()
    with database.begin() as connection:
        states = [
            {"ticker": "005930", "through": TUESDAY},
            {"ticker": "000660", "through": TUESDAY},
        ]
        connection.execute(insert(INDICATOR_STATES), [{**each, "state": b""} for each in states])
        days = [date(2025, 10, 10), MONDAY, TUESDAY, date(2025, 10, 15)]
        done = [{"date": day, "indicator_date": day, "status": "success"} for day in days]
        connection.execute(insert(INDICATOR_LOG), done)
    write(tmp_path, "005930.csv", PYKRX, *days_from(MONDAY, [101, 101, 102]))
    importing()
    with database.read() as connection:
        kept = connection.execute(select(INDICATOR_STATES.c.ticker)).scalars().all()
        log = select(INDICATOR_LOG.c.status).order_by(INDICATOR_LOG.c.date)
        assert kept == ["000660"]
        assert connection.execute(log).scalars().all() == ["success"] + ["pending"] * 3


def test_what_was_collected_stays(
    database: Database, importing: Import, tmp_path: Path, collector: MarketCollector
) -> None:
    collector.collect(TUESDAY, now=True)
    write(tmp_path, "000001.csv", PYKRX, *days_from(MONDAY, [900, 905]))
    report = importing()
    assert (report.new, report.kept) == (1, 1)
    found = {row[:2]: row[2:] for row in stored(database, "date", "ticker", "close", "provider")}
    assert found[MONDAY, "000001"] == (900, "import")
    assert found[TUESDAY, "000001"] == (1_000, "test")
    assert len(found) == 51


def test_the_market_is_that_of_a_column_of_the_share_or_of_the_option(
    database: Database, importing: Import, tmp_path: Path, collector: MarketCollector
) -> None:
    collector.collect(TUESDAY, now=True)
    head = "종목코드,시장구분,종목명,시가,고가,저가,종가,거래량"
    rows = ("000001,,,1,1,1,1,1", "000777,KOSDAQ GLOBAL,가나다,1,1,1,1,1", "000888,,,1,1,1,1,1")
    write(tmp_path, "2025-10-13.csv", head, *rows)
    report = importing(market=None)
    [unknown] = report.set_aside
    assert unknown.reason == messages.UNKNOWN_MARKET(ticker="000888")
    assert [row for row in stored(database, "ticker", "market", "date") if row[2] == MONDAY] == [
        ("000001", "KOSPI", MONDAY),
        ("000777", "KOSDAQ", MONDAY),
    ]
    with database.read() as connection:
        found = connection.execute(select(STOCKS.c.ticker, STOCKS.c.name))
        names = {row.ticker: row.name for row in found}
    assert (names["000001"], names["000777"]) == ("Share of 01", "가나다")


def test_a_split_in_the_exchanges_change_becomes_a_factor(
    database: Database, importing: Import, tmp_path: Path
) -> None:
    rows = ("2025-10-13,10000,10000,9900,10000,1,0.00", "2025-10-14,2000,2050,1990,2040,1,2.00")
    write(tmp_path, "005930.csv", PYKRX, *rows)
    importing()
    assert factors(database) == [(TUESDAY, 0.2)]


def test_adjusted_prices_have_no_factor_though_rates_are_rounded(
    database: Database, importing: Import, tmp_path: Path
) -> None:
    closes = [12_345, 12_351, 12_101, 11_999, 12_007]
    rates = [f"{(now / then - 1) * 100:.2f}" for then, now in pairwise(closes)]
    lines = days_from(MONDAY, closes)
    rated = [line + rate for line, rate in zip(lines, ["0.00", *rates], strict=True)]
    write(tmp_path, "005930.csv", PYKRX, *rated)
    importing()
    assert factors(database) == []


def test_adjusted_history_meets_collected_prices_at_the_right_factor(
    database: Database,
    importing: Import,
    tmp_path: Path,
    exchange: Exchange,
    collector: MarketCollector,
) -> None:
    """The file was adjusted for a split by five after Tuesday; Tuesday was collected before it."""
    exchange.always = [price("005930", 10_000, change=100)]
    collector.collect(TUESDAY, now=True)
    lines = ("2025-10-13,1980,1990,1970,1980,1,", "2025-10-14,2000,2010,1990,2000,1,")
    write(tmp_path, "005930.csv", PYKRX, *lines, "2025-10-15,2020,2030,2010,2020,1,")
    assert importing().kept == 1
    found = dict(factors(database))
    assert found == {TUESDAY: 5.0, date(2025, 10, 15): 0.2}  # together they leave 1,980 as it is


def test_a_share_that_moves_more_than_a_day_may_is_left_out_unless_told(
    database: Database, importing: Import, tmp_path: Path
) -> None:
    write(tmp_path, "005930.csv", PYKRX, *days_from(MONDAY, [10_000, 2_000, 2_010]))
    write(tmp_path, "000660.csv", PYKRX, *days_from(MONDAY, [100, 101]))
    report = importing()
    [jump] = report.set_aside
    assert (Path(jump.file).name, jump.line, jump.rows) == ("005930.csv", 3, 3)
    assert "005930 closed at 2,000 after 10,000 on 2025-10-14" in jump.reason
    assert {row[1] for row in stored(database)} == {"000660"}
    assert importing(adjusted=True).set_aside == []
    assert {row[1] for row in stored(database)} == {"000660", "005930"}
    assert factors(database) == []


def test_imported_days_wait_to_be_collected_unless_they_are_whole(
    database: Database, importing: Import, tmp_path: Path, collector: MarketCollector
) -> None:
    collector.collect(TUESDAY, now=True)  # fifty shares
    for number in range(49):
        rows = days_from(date(2025, 10, 10), [1_000, 1_000])
        write(tmp_path, f"{number:06}.csv", PYKRX, *rows)
    write(tmp_path, "000048.csv", PYKRX, *days_from(MONDAY, [1_000]))
    report = importing()
    assert (report.days, report.whole) == (2, 1)
    with database.read() as connection:
        monday, friday = (logs.get_log(connection, day) for day in (MONDAY, date(2025, 10, 10)))
    assert monday is not None
    assert friday is not None
    assert (monday.prices.status, monday.prices.count, monday.prices.provider) == (
        "success",
        49,
        "import",
    )
    assert monday.overall_status == "partial"
    assert (friday.prices.status, friday.prices.count, friday.overall_status) == (
        "pending",
        48,
        "pending",
    )
    decision = collector.decide(date(2025, 10, 10))
    assert decision.reason == "first_run"


def test_a_few_imported_shares_do_not_let_half_a_market_pass(
    importing: Import, tmp_path: Path, exchange: Exchange, collector: MarketCollector
) -> None:
    collector.collect(MONDAY, now=True)
    write(tmp_path, "000777.csv", PYKRX, *days_from(TUESDAY, [100]))
    importing()
    exchange.always = exchange.always[:20]
    report = collector.collect(date(2025, 10, 15), now=True)
    assert report.outcome == "partial"
    assert "KOSPI has 20 prices on 2025-10-15, but 50 on 2025-10-13." in report.words


def test_a_day_that_is_being_collected_is_left_alone(
    database: Database, importing: Import, tmp_path: Path
) -> None:
    lease = database.leases.take(day_key(TUESDAY), timedelta(minutes=5))
    assert lease is not None
    write(tmp_path, "005930.csv", PYKRX, *days_from(MONDAY, [100, 101]))
    assert importing().busy == [TUESDAY]
    database.leases.give_back(lease)
    report = importing()
    assert (report.busy, report.new, report.duplicates) == ([], 1, 1)
