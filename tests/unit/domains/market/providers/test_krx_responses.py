"""What KRX answers, taken apart: rows that count, days without trade, and everything else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.market.models import SharePrice
from gotgan.domains.market.providers.krx_responses import parse_index, parse_prices
from gotgan.errors import BadMarketAnswer, MarketClosed
from tests.unit.domains.market.providers.rows import (
    BLANK,
    DAY,
    HALTED,
    INDEX,
    SHARE,
    index_answer,
    prices_answer,
)


def _prices(*rows: Any) -> list[SharePrice]:
    return parse_prices(prices_answer(*rows), DAY, "KOSPI")


def test_a_share_is_read_with_all_its_numbers() -> None:
    assert _prices(SHARE) == [
        SharePrice(
            ticker="095570",
            name="가람네트웍스",
            market="KOSPI",
            open=4_190,
            high=4_245,
            low=4_160,
            close=4_210,
            change=35,
            volume=216_835,
            value=910_274_405,
            market_cap=197_121_861_950,
            shares=46_822_295,
        )
    ]


def test_a_share_that_was_halted_has_its_last_close_alone() -> None:
    [price] = _prices(HALTED)
    assert (price.open, price.high, price.low, price.close) == (None, None, None, 4_210)
    assert (price.ticker, price.volume, price.is_halted) == ("00104K", 0, True)


def test_a_share_without_a_low_was_not_traded() -> None:
    [price] = _prices({**SHARE, "TDD_LWPRC": "0"})
    assert (price.open, price.high, price.low) == (None, None, None)


def test_a_volume_may_be_larger_than_32_bits() -> None:
    [price] = _prices({**SHARE, "ACC_TRDVOL": "5,134,789,548"})
    assert price.volume == 5_134_789_548


def test_a_fall_is_below_zero() -> None:
    [price] = _prices({**SHARE, "CMPPREVDD_PRC": "-4,000"})
    assert (price.change, price.base) == (-4_000, 8_210)


@pytest.mark.parametrize("nothing", ["-", "0", ""])
def test_a_market_without_a_single_close_was_closed(nothing: str) -> None:
    row = {**BLANK, "TDD_CLSPRC": nothing}
    with pytest.raises(MarketClosed, match="no KOSPI share has a price"):
        _prices(row, {**row, "ISU_SRT_CD": "095571"})


def test_a_few_shares_that_were_never_traded_are_left_out() -> None:
    rows = [{**SHARE, "ISU_SRT_CD": f"{number:06}"} for number in range(100)]
    rows[7] = {**BLANK, "ISU_SRT_CD": "000007"}
    assert "000007" not in {price.ticker for price in _prices(*rows)}
    assert len(_prices(*rows)) == 99


def test_a_market_of_which_many_have_no_price_is_no_answer() -> None:
    rows = [{**BLANK, "ISU_SRT_CD": f"{number:06}"} for number in range(3)]
    with pytest.raises(BadMarketAnswer, match="3 of 4 KOSPI shares have no price on 2021-01-22"):
        _prices(SHARE, *rows)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"ISU_SRT_CD": ""}, r"invalid ISU_SRT_CD: '' \(KOSPI of 2021-01-22, row 1\)"),
        ({"ISU_SRT_CD": "5930"}, "invalid ISU_SRT_CD: '5930'"),
        ({"ISU_SRT_CD": None}, r"without ISU_SRT_CD \(KOSPI of 2021-01-22, row 1\)"),
        ({"ISU_ABBRV": None}, "without ISU_ABBRV .* row 1"),
        ({"TDD_CLSPRC": "many"}, "invalid TDD_CLSPRC: 'many' .* row 1"),
        ({"TDD_CLSPRC": "-5"}, "invalid TDD_CLSPRC: '-5'"),
        ({"TDD_CLSPRC": "1_000"}, "invalid TDD_CLSPRC: '1_000'"),
        ({"TDD_CLSPRC": 4_210}, "invalid TDD_CLSPRC: 4210"),
        ({"ACC_TRDVOL": "1.5"}, "invalid ACC_TRDVOL: '1.5'"),
        ({"MKT_ID": "KSQ"}, "invalid MKT_ID: 'KSQ'"),
    ],
)
def test_a_row_that_cannot_be_read_says_why(change: dict[str, Any], words: str) -> None:
    row = {**SHARE, **change}
    with pytest.raises(BadMarketAnswer, match=words):
        _prices({name: value for name, value in row.items() if value is not None})


def test_two_rows_of_one_share_are_no_answer() -> None:
    with pytest.raises(BadMarketAnswer, match="lists 095570 2 times"):
        _prices(SHARE, {**SHARE, "TDD_CLSPRC": "4,215"})


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (b"", "not valid JSON"),
        (b"<html>sorry</html>", "not valid JSON"),
        (b'{"OutBlock_1": [', "not valid JSON"),
        (b"[]", "not an object"),
        (b"{}", "no rows .OutBlock_1"),
        (b'{"OutBlock_1": {}}', "no rows .OutBlock_1"),
        (b'{"OutBlock_1": [1]}', "no rows .OutBlock_1"),
        (b'{"OutBlock_1": []}', "no KOSPI shares for 2021-01-22"),
        (b'{"output": []}', "no rows .OutBlock_1"),
    ],
)
def test_something_else_than_prices_is_no_answer(payload: bytes, words: str) -> None:
    with pytest.raises(BadMarketAnswer, match=words):
        parse_prices(payload, DAY, "KOSPI")


def test_an_index_is_read_of_its_day() -> None:
    other = {**INDEX, "TRD_DD": "2021/01/21", "CLSPRC_IDX": "3,160.84"}
    value = parse_index(index_answer(INDEX, other), DAY, "KOSPI")
    assert (value.code, value.name) == ("1001", "KOSPI")
    assert (value.open, value.high, value.low, value.close) == (3163.83, 3185.26, 3140.6, 3140.63)
    assert (value.volume, value.value) == (1_111_222_984, 24_305_355_507_985)


def test_an_index_of_the_first_years_has_a_close_alone() -> None:
    blank = dict.fromkeys(("OPNPRC_IDX", "HGPRC_IDX", "LWPRC_IDX"), "-")
    last = {**INDEX, **blank, "TRD_DD": "1994/12/27", "CLSPRC_IDX": "1,025.73"}
    value = parse_index(index_answer(last), date(1994, 12, 27), "KOSPI")
    assert (value.open, value.high, value.low, value.close) == (None, None, None, 1025.73)
    with pytest.raises(BadMarketAnswer, match="invalid OPNPRC_IDX: '-'"):
        parse_index(index_answer({**last, "TRD_DD": "1994/12/28"}), date(1994, 12, 28), "KOSPI")


def test_a_share_of_konex_without_a_trade_is_not_halted() -> None:
    payload = prices_answer({**HALTED, "MKT_ID": "KNX"})
    [share] = parse_prices(payload, DAY, "KONEX")
    assert (share.open, share.close, share.is_halted) == (None, 4_210, False)
    [share] = parse_prices(prices_answer(HALTED), DAY, "KOSPI")
    assert (share.open, share.close, share.is_halted) == (None, 4_210, True)


def test_an_index_without_a_day_was_closed() -> None:
    with pytest.raises(MarketClosed, match="no KOSDAQ index"):
        parse_index(index_answer(), DAY, "KOSDAQ")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([{**INDEX, "TRD_DD": "2021/01/21"}], "one value of the KOSPI index for 2021-01-22"),
        ([INDEX, INDEX], "exactly one value"),
        ([{**INDEX, "CLSPRC_IDX": "-"}], "invalid CLSPRC_IDX: '-'"),
        ([{**INDEX, "CLSPRC_IDX": "0"}], "invalid CLSPRC_IDX: '0'"),
        ([{**INDEX, "CLSPRC_IDX": "inf"}], "invalid CLSPRC_IDX: 'inf'"),
        ([{}], r"without TRD_DD \(KOSPI of 2021-01-22, row 1\)"),
    ],
)
def test_an_index_that_cannot_be_read_says_why(rows: list[Any], words: str) -> None:
    with pytest.raises(BadMarketAnswer, match=words):
        parse_index(index_answer(*rows), DAY, "KOSPI")


_VALUES = (
    st.none() | st.integers() | st.text(max_size=8) | st.sampled_from(["-", "0", "1,2", [], {}])
)
_ROWS = st.lists(st.dictionaries(st.sampled_from([*SHARE, *INDEX]), _VALUES), max_size=3)


@pytest.mark.parametrize(
    ("read", "answer"), [(parse_prices, prices_answer), (parse_index, index_answer)]
)
@settings(max_examples=40)
@given(rows=_ROWS, bare=st.binary(max_size=40))
def test_whatever_comes_is_read_or_refused(
    read: Callable[[bytes, date, str], object],
    answer: Callable[..., bytes],
    rows: list[Any],
    bare: bytes,
) -> None:
    for payload in (answer(*rows), bare):
        with pytest.raises((BadMarketAnswer, MarketClosed)):
            read(payload, DAY, "KOSPI")
