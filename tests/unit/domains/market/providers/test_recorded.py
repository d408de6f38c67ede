"""What KRX really answered, which is not part of the project."""

from __future__ import annotations

import json
from datetime import date

import pytest

from bench.shops.recorded import BESIDE
from gotgan.domains.market.providers.krx_responses import parse_index, parse_prices
from gotgan.errors import MarketClosed
from tests.unit.domains.market.providers.rows import SHARE, prices_answer

KRX = BESIDE / "krx"
FRIDAY = date(2021, 1, 22)

pytestmark = pytest.mark.skipif(not KRX.is_dir(), reason="the recorded answers are not here")


def _kept(name: str) -> bytes:
    return (KRX / f"krx_{name}.json").read_bytes()


def test_a_real_day_is_read() -> None:
    prices = parse_prices(_kept("ohlcv_KOSPI_20210122"), FRIDAY, "KOSPI")
    assert len(prices) == 917
    [samsung] = [price for price in prices if price.ticker == "005930"]
    assert (samsung.open, samsung.high, samsung.low, samsung.close) == (89000, 89700, 86800, 86800)
    assert samsung.base == 88_100
    assert all(price.market_cap == price.close * price.shares for price in prices)
    assert 0 < sum(price.is_halted for price in prices) < 50


def test_a_real_saturday_was_closed() -> None:
    with pytest.raises(MarketClosed):
        parse_prices(_kept("ohlcv_KOSPI_20210123_holiday"), date(2021, 1, 23), "KOSPI")


def test_a_real_index_is_read_out_of_its_month() -> None:
    value = parse_index(_kept("index_KOSPI_202101"), FRIDAY, "KOSPI")
    assert (value.close, value.volume) == (3140.63, 1_111_222_984)
    with pytest.raises(MarketClosed):
        parse_index(_kept("index_KOSPI_20210101_holiday"), date(2021, 1, 1), "KOSPI")


def test_a_real_split_shows_in_the_base() -> None:
    days = json.loads(_kept("005930_20180427_0504_unadjusted"))["output"]
    after, before = ({**SHARE, **day, "ISU_SRT_CD": "005930"} for day in days[:2])
    [split] = parse_prices(prices_answer(after), date(2018, 5, 4), "KOSPI")
    [halted] = parse_prices(prices_answer(before), date(2018, 5, 3), "KOSPI")
    assert halted.is_halted
    assert split.base / halted.close == 1 / 50
