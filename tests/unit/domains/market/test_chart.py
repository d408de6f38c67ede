"""A share drawn: what is in the picture, and that it stays readable whatever the share did."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from gotgan.domains.market.chart import svg_chart
from gotgan.domains.market.rows import TickerSheet
from tests.unit.domains.market.row_values import a_factor, a_price, indicators

SVG = "{http://www.w3.org/2000/svg}"
FIRST = date(2025, 9, 22)


def _sheet(closes: list[int], **more: Any) -> TickerSheet:
    days = [FIRST + timedelta(days=number) for number in range(len(closes))]
    each_day = list(zip(days, closes, strict=True))
    rows: dict[str, Any] = {
        "prices": tuple(a_price(day, close) for day, close in each_day),
        "indicators": tuple(indicators(day, float(close), rsi_14=50.0) for day, close in each_day),
        **more,
    }
    return TickerSheet("005930", "A & <B>", "KOSPI", FIRST, FIRST, **rows)


def _tree(text: str) -> ET.Element:
    return ET.fromstring(text.encode())  # noqa: S314 - we have made it ourselves


def _paths(text: str, name: str) -> list[str]:
    """What is drawn under a class."""
    found = [each for each in _tree(text).iter() if each.get("class") == name]
    paths = [path for each in found for path in each.iter(f"{SVG}path")]
    return [path.get("d", "") for path in paths]


def _heights(path: str) -> list[float]:
    """How far down each point of a line is."""
    return [float(point.split()[1]) for point in re.split("[ML]", path)[1:]]


def _numbers(text: str) -> list[float]:
    drawn = [each.get("d", "") for each in _tree(text).iter(f"{SVG}path")]
    return [float(number) for path in drawn for number in re.findall(r"-?[\d.]+", path)]


def test_a_part_of_a_page_brings_no_style_along() -> None:
    text = svg_chart(_sheet([100, 110, 105]))
    assert "<style" not in text
    assert "style=" not in text
    assert 'fill="currentColor"' in text


def test_it_says_what_it_shows_and_escapes_it() -> None:
    tree = _tree(svg_chart(_sheet([100, 110, 105])))
    title = tree.find(f"{SVG}title")
    assert title is not None
    assert (title.text, tree.get("role")) == ("005930 A & <B>", "img")
    words = {each.text for each in tree.iter(f"{SVG}text")}
    assert {"RSI 14", "MACD 12, 26, 9", "volume", "SMA 120", "2025-09"} <= words


def test_every_day_has_a_candle_by_whether_it_rose_or_fell() -> None:
    sheet = _sheet([100, 110, 105], prices=[
        a_price(FIRST, 100),
        a_price(FIRST + timedelta(days=1), 110, open=Decimal(120)),
        a_price(FIRST + timedelta(days=2), 105),
    ])  # fmt: skip
    text = svg_chart(sheet)
    wicks, bodies, volumes = _paths(text, "up")
    assert (wicks.count("M"), bodies.count("M"), volumes.count("M")) == (2, 2, 2)
    wicks, bodies, volumes = _paths(text, "down")
    assert (wicks.count("M"), bodies.count("M"), volumes.count("M")) == (1, 1, 1)


def test_a_day_without_trade_has_a_dash_and_no_wick() -> None:
    halted = a_price(FIRST, 100, open=None, high=None, low=None, volume=0)
    wicks, bodies, _ = _paths(svg_chart(_sheet([100], prices=[halted])), "up")
    assert (wicks, bodies.count("M")) == ("", 1)


def test_a_split_leaves_no_step_in_the_candles() -> None:
    prices = [a_price(FIRST, 5_000), a_price(FIRST + timedelta(days=1), 100)]
    factor = a_factor(FIRST + timedelta(days=1), 0.02)
    sheet = _sheet([100, 100], prices=prices, factors=[factor])
    _, bodies, volumes = _paths(svg_chart(sheet), "up")
    ends = [body.partition("V")[2] for body in bodies.split("M")[1:]]
    assert ends[0] == ends[1]
    first, second = (float(bar.partition("V")[2]) for bar in volumes.split("M")[1:])
    assert first < second  # fifty times as many shares stand higher


def test_higher_values_stand_higher() -> None:
    [path] = _paths(svg_chart(_sheet([100, 110, 105])), "sma_5")
    first, second, third = _heights(path)
    assert second < third < first


def test_a_line_breaks_where_there_is_no_value() -> None:
    sheet = _sheet([100] * 5)
    rows = list(sheet.indicators)
    rows[2] = replace(rows[2], rsi_14=None)
    [path] = _paths(svg_chart(_sheet([100] * 5, indicators=rows)), "rsi")
    assert path.count("M") == 2


@pytest.mark.parametrize(
    "closes",
    [[], [100], [100] * 3, [1, 5_000_000], [100] * 300],
    ids=["none", "one", "flat", "far", "many"],
)
def test_whatever_a_share_did_the_picture_has_only_numbers_within_it(closes: list[int]) -> None:
    text = svg_chart(_sheet(closes))
    assert "nan" not in text
    assert "inf" not in text
    assert all(-1 <= number <= 960 for number in _numbers(text))


def test_a_share_without_indicators_is_drawn() -> None:
    text = svg_chart(_sheet([100, 110, 105], indicators=[]))
    assert _paths(text, "rsi") == [""]
    assert len(_paths(text, "up")[0]) > 0
