"""Prices from files: what may stand in them, and what is said where it may not."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from gotgan.domains.market.models import IndexValue, SharePrice
from gotgan.domains.market.providers.csv import CsvFiles
from gotgan.errors import BadMarketAnswer, ProviderError

DAY = date(2025, 10, 20)
HEADER = "ticker,name,market,open,high,low,close,change,volume,value,market_cap,shares"
SHARE = "005930,Share,KOSPI,10,12,9,11,-1,100,1100,11000,1000"
HALTED = "00104K,Halted,KOSPI,,,,11,0,0,0,11000,1000"
OTHER = "100000,Other,KOSDAQ,1,1,1,1,0,5000000000,5000000000,1000,1000"
INDICES = "code,name,open,high,low,close,volume,value"
INDEX = "1001,KOSPI,1.5,2.5,1.25,2.25,10,20"


def _prices(folder: Path, *lines: str) -> list[SharePrice]:
    (folder / "prices-2025-10-20.csv").write_text("\n".join(lines), encoding="utf-8")
    return CsvFiles(folder).prices(DAY, ["KOSPI"])


def test_the_shares_of_the_markets_that_are_asked_for_are_read(tmp_path: Path) -> None:
    assert _prices(tmp_path, HEADER, SHARE, HALTED, OTHER) == [
        SharePrice("005930", "Share", "KOSPI", 10, 12, 9, 11, -1, 100, 1100, 11000, 1000),
        SharePrice("00104K", "Halted", "KOSPI", None, None, None, 11, 0, 0, 0, 11000, 1000),
    ]
    [other] = CsvFiles(tmp_path).prices(DAY, ["KOSDAQ"])
    assert other.volume == 5_000_000_000


@pytest.mark.parametrize("nothing", ["", "-", "0"])
def test_a_share_without_open_high_and_low_was_halted_and_has_a_close_alone(
    tmp_path: Path, nothing: str
) -> None:
    line = f"00104K,Halted,KOSPI,{nothing},{nothing},{nothing},11,0,7,77,11000,1000"
    [halted] = _prices(tmp_path, HEADER, line)
    assert halted.is_halted
    assert (halted.open, halted.high, halted.low) == (None, None, None)
    assert (halted.close, halted.volume, halted.value) == (11, 0, 0)


@pytest.mark.parametrize("nothing", ["", "-", "0"])
def test_a_file_without_a_price_holds_no_trade(tmp_path: Path, nothing: str) -> None:
    unpriced = f"005930,Share,KOSPI,0,0,0,{nothing},0,0,0,0,1000"
    with pytest.raises(BadMarketAnswer, match=r"No share in .* has a price"):
        _prices(tmp_path, HEADER, unpriced)
    with pytest.raises(BadMarketAnswer, match="1 of 2 KOSPI shares have no price"):
        _prices(tmp_path, HEADER, unpriced, SHARE.replace("005930", "005931"))
    files = CsvFiles(tmp_path)
    _prices(tmp_path, HEADER, SHARE, OTHER.replace(",1,1,1,1,", f",0,0,0,{nothing},"))
    with pytest.raises(BadMarketAnswer, match="KOSDAQ had no trade, but other markets"):
        files.prices(DAY, ["KOSPI", "KOSDAQ"])


def test_what_the_database_has_room_for_is_taken(tmp_path: Path) -> None:
    least, most = -(2**63), 2**63 - 1
    line = f"{'A' * 12},{'n' * 100},KOSPI,1,{most},1,{most},{least},{most},{most},{most},{most}"
    [row] = _prices(tmp_path, HEADER, line)
    assert (row.ticker, row.name) == ("A" * 12, "n" * 100)
    assert (row.close, row.change) == (most, least)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ("13,12,9,11,-1", "not between 9 and 12"),
        ("10,12,9,13,-1", "not between 9 and 12"),
        ("8,12,9,11,-1", "not between 9 and 12"),
        ("10,12,9,11,11", "previous close would not be above zero"),
    ],
)
def test_numbers_that_no_exchange_has_are_refused(tmp_path: Path, numbers: str, said: str) -> None:
    with pytest.raises(BadMarketAnswer, match=f"005930.*{said}"):
        _prices(tmp_path, HEADER, f"005930,Share,KOSPI,{numbers},100,1100,11000,1000")


def test_a_file_of_a_spreadsheet_is_read_in_any_order_of_its_columns(tmp_path: Path) -> None:
    columns = list(zip(HEADER.split(","), SHARE.split(","), strict=True))
    turned = [",".join(cells) for cells in zip(*reversed(columns), strict=True)]
    assert _prices(tmp_path, f"\ufeff{turned[0]},note", f"{turned[1]},seen\r") == _prices(
        tmp_path, HEADER, SHARE
    )


def test_the_indices_of_the_markets_that_are_asked_for_are_read(tmp_path: Path) -> None:
    path = tmp_path / "indices-2025-10-20.csv"
    path.write_text(f"{INDICES}\n{INDEX}\n{INDEX.replace('1001', '2001')}\n")
    files = CsvFiles(tmp_path)
    assert files.indices(DAY, ["KOSPI"]) == [
        IndexValue("1001", "KOSPI", 1.5, 2.5, 1.25, 2.25, 10, 20)
    ]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "header .* lacks ticker, name"),
        ([HEADER.replace(",low", ""), SHARE], r"header .* lacks low\."),
        ([HEADER], "has no rows of KOSPI"),
        ([HEADER, OTHER], "has no rows of KOSPI"),
        ([HEADER, SHARE, SHARE], "lists 005930 2 times"),
        ([HEADER, SHARE, HALTED.replace("11,0", "x,0")], "line 3: invalid close: 'x'"),
        ([HEADER, SHARE.replace(",100,", ",-100,")], "line 2: invalid volume: '-100'"),
        ([HEADER, SHARE.replace(",100,", ",,")], "line 2: invalid volume: ''"),
        ([HEADER, SHARE.replace("005930", "")], "line 2: invalid ticker: ''"),
        ([HEADER, SHARE.replace("005930", "A" * 13)], "line 2: invalid ticker: 'AAAAAAAAAAAAA'"),
        ([HEADER, SHARE, SHARE.replace("Share", "n" * 101)], "line 3: invalid name: 'nnn"),
        ([HEADER, SHARE.replace(",11,", f",{2**63},")], f"line 2: invalid close: '{2**63}'"),
        (
            [HEADER, SHARE.replace(",-1,", f",{-(2**63) - 1},")],
            f"line 2: invalid change: '{-(2**63) - 1}'",
        ),
        ([HEADER, SHARE.replace(",100,", f",{'9' * 5000},")], "line 2: invalid volume: '999"),
        ([HEADER, f"{SHARE},more"], "line 2: more cells"),
        ([HEADER, '"005930'], "Cannot read .* as CSV"),
    ],
)
def test_a_file_that_cannot_be_read_says_where(
    tmp_path: Path, lines: list[str], words: str
) -> None:
    with pytest.raises(BadMarketAnswer, match=words):
        _prices(tmp_path, *lines)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "prices-2025-10-20.csv").write_bytes(HEADER.encode() + b"\n\xff\xfe")
    with pytest.raises(BadMarketAnswer, match="UTF-8"):
        CsvFiles(tmp_path).prices(DAY, ["KOSPI"])


def test_an_index_with_a_code_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "indices-2025-10-20.csv"
    path.write_text(f"{INDICES}\n{INDEX.replace('1001', '1' * 13)}")
    with pytest.raises(BadMarketAnswer, match="line 2: invalid code: '1111111111111'"):
        CsvFiles(tmp_path).indices(DAY, ["KOSPI"])


def test_an_index_of_zero_is_refused(tmp_path: Path) -> None:
    (tmp_path / "indices-2025-10-20.csv").write_text(f"{INDICES}\n{INDEX.replace('1.5', 'nan')}")
    with pytest.raises(BadMarketAnswer, match="line 2: invalid open: 'nan'"):
        CsvFiles(tmp_path).indices(DAY, ["KOSPI"])


def test_a_file_that_is_not_there_may_come(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"no file .*prices-2025-10-20\.csv") as missing:
        CsvFiles(tmp_path).prices(DAY, ["KOSPI"])
    assert type(missing.value) is ProviderError
    with pytest.raises(ProviderError, match="Set GOTGAN_MARKET_CSV"):
        CsvFiles(None).indices(DAY, ["KOSPI"])
