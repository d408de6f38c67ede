"""A share drawn as SVG: candles, averages and bands, volume, RSI and MACD, one below the other.

Prices are adjusted for splits and mergers. Text and axes have the colour of the text around them,
and the rest has colours that can be read on light and on dark; a page may set others by class.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from pathlib import Path
from typing import Final

import numpy as np

from gotgan.domains.market import messages
from gotgan.domains.market.chart_panels import Panel, Scale, Values, bars, line, ribbon, rule
from gotgan.domains.market.indicators.formulas import adjust_prices
from gotgan.domains.market.models import INDICATORS
from gotgan.domains.market.rows import TickerSheet
from gotgan.errors import UsageError
from gotgan.messages import text

_WIDTH: Final = 960
_LEFT_MARGIN: Final = 8
_RIGHT_MARGIN: Final = 72
"""Room for the figures at the right, where the latest days are."""
_TOP_MARGIN: Final = 44
_PANEL_GAP: Final = 18
_BOTTOM_MARGIN: Final = 26
_HEIGHTS: Final = {"price": 320, "volume": 80, "rsi": 90, "macd": 100}
_AVERAGES: Final = {
    "sma_5": "#d08a1d",
    "sma_20": "#2c9a68",
    "sma_60": "#9166cc",
    "sma_120": "#7d8590",
}
_UP, _DOWN, _BAND, _OTHER = "#d1493f", "#3a78d6", "#7d8590", "#d08a1d"
"""Up is red and down is blue, as the exchange itself shows it."""
_OVERSOLD, _OVERBOUGHT = 30.0, 70.0
_TEXTS: Final[Mapping[str, str]] = {
    "span": "{} to {}",
    "volume": "volume",
    "bands": "Bollinger 20, 2",
}
"""The words of a chart in English."""
_STYLE: Final = (
    "svg{color:#1e2124;background:#fff}"
    "@media(prefers-color-scheme:dark){svg{color:#e7e5e0;background:#14161a}}"
)


def svg_file(sheet: TickerSheet) -> str:
    """An SVG file, light or dark as its reader prefers."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_svg(sheet, f"<style>{_STYLE}</style>")}\n'


def write_svg(sheet: TickerSheet, target: Path) -> None:
    """Write it as a file."""
    try:
        target.write_text(svg_file(sheet), encoding="utf-8")
    except OSError as error:
        raise UsageError(
            messages.CANNOT_WRITE(path=target, cause=text(f"{error.strerror}"))
        ) from error


def svg_chart(sheet: TickerSheet, texts: Mapping[str, str] = _TEXTS) -> str:
    """A part of a page, on its background."""
    return _svg(sheet, "", texts)


def _svg(sheet: TickerSheet, style: str, texts: Mapping[str, str] = _TEXTS) -> str:
    series = _adjusted_series(sheet)
    panels = _panels(len(series.days))
    height = _TOP_MARGIN + sum(_HEIGHTS.values()) + _PANEL_GAP * (len(panels) - 1) + _BOTTOM_MARGIN
    parts = [style, *_heading(sheet, series, texts), *_panel_parts(series, panels, texts)]
    title = escape(f"{sheet.ticker} {sheet.name}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="market-chart" role="img" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="system-ui, sans-serif" font-size="11" '
        f'fill="currentColor"><title>{title}</title>{"".join(parts)}</svg>'
    )


def _panels(days: int) -> Mapping[str, Panel]:
    panels, top = dict[str, Panel](), _TOP_MARGIN
    for name, height in _HEIGHTS.items():
        panels[name] = Panel(_LEFT_MARGIN, top, _WIDTH - _LEFT_MARGIN - _RIGHT_MARGIN, height, days)
        top += height + _PANEL_GAP
    return panels


def _heading(sheet: TickerSheet, series: _Series, texts: Mapping[str, str]) -> Iterable[str]:
    days = series.days
    span = texts["span"].format(days[0], days[-1]) if days else "no prices"
    head = escape(f"{sheet.ticker}  {sheet.name}  {sheet.market}, {span}")
    yield f'<text class="head" x="{_LEFT_MARGIN}" y="16" font-size="14">{head}</text>'
    x = _LEFT_MARGIN
    for name, colour in _AVERAGES.items():
        label = name.upper().replace("_", " ")
        yield f'<text class="{name}" x="{x}" y="34" fill="{colour}">{label}</text>'
        x += 64
    yield f'<text class="band" x="{x}" y="34" fill="{_BAND}">{escape(texts["bands"])}</text>'


def _panel_parts(
    series: _Series, panels: Mapping[str, Panel], texts: Mapping[str, str]
) -> Iterable[str]:
    if not series.days:
        return
    yield from _price(series, panels["price"])
    yield from _volume(series, panels["volume"], escape(texts["volume"]))
    yield from _rsi(series, panels["rsi"])
    yield from _macd(series, panels["macd"])
    yield panels["macd"].months(series.days)


def _price(series: _Series, panel: Panel) -> Iterable[str]:
    upper, lower = series.indicators["bb_upper"], series.indicators["bb_lower"]
    averages = [series.indicators[name] for name in _AVERAGES]
    prices = [series.prices[name] for name in ("high", "low", "close")]
    scale = panel.scale(*prices, upper, lower, *averages)
    yield panel.axis(scale)
    yield ribbon(panel, scale, upper, lower, "band", _BAND)
    yield from _candles(series, panel, scale)
    for name, colour in _AVERAGES.items():
        yield line(panel, scale, series.indicators[name], name, colour)


def _candles(series: _Series, panel: Panel, scale: Scale) -> Iterable[str]:
    """A candle for each day; a day without trade is a dash at its last close."""
    width, wicks, bodies = max(panel.step * 0.7, 0.4), ["", ""], ["", ""]
    days = zip(*series.prices.values(), series.fell, strict=True)
    for number, (opened, high, low, close, fell) in enumerate(days):
        x = panel.x(number)
        if high is not None and low is not None:
            wicks[fell] += f"M{x:g} {scale.y(high):g}V{scale.y(low):g}"
        if close is not None:
            ends = scale.y(close)
            begins = ends if opened is None else scale.y(opened)
            bodies[fell] += f"M{x:g} {begins:g}V{ends + (0.8 if begins == ends else 0):g}"
    for name, colour, wick, body in zip(("up", "down"), (_UP, _DOWN), wicks, bodies, strict=True):
        yield (
            f'<g class="{name}" fill="none" stroke="{colour}"><path d="{wick}"/>'
            f'<path d="{body}" stroke-width="{width:.2f}"/></g>'
        )


def _volume(series: _Series, panel: Panel, name: str) -> Iterable[str]:
    scale = panel.scale(series.volumes, floor=0.0)
    yield panel.axis(scale, name)
    pairs = list(zip(series.volumes, series.fell, strict=True))
    yield bars(panel, scale, [None if fell else volume for volume, fell in pairs], "up", _UP)
    yield bars(panel, scale, [volume if fell else None for volume, fell in pairs], "down", _DOWN)


def _rsi(series: _Series, panel: Panel) -> Iterable[str]:
    scale = panel.with_bounds(0.0, 100.0)
    yield panel.axis(scale, "RSI 14", marks=(_OVERSOLD, _OVERBOUGHT))
    yield line(panel, scale, series.indicators["rsi_14"], "rsi", _UP)


def _macd(series: _Series, panel: Panel) -> Iterable[str]:
    macd, signal = series.indicators["macd"], series.indicators["macd_signal"]
    histogram = series.indicators["macd_histogram"]
    scale = panel.scale(macd, signal, histogram, around=0.0)
    yield panel.axis(scale, "MACD 12, 26, 9")
    yield rule(panel, scale, 0.0)
    yield bars(panel, scale, histogram, "histogram", _BAND)
    yield line(panel, scale, macd, "macd", _DOWN)
    yield line(panel, scale, signal, "signal", _OTHER)


@dataclass(frozen=True)
class _Series:
    """The days of a share, the oldest first."""

    days: Sequence[date]
    prices: Mapping[str, Values]
    """By `open`, `high`, `low` and `close`, in this order."""
    volumes: Values
    indicators: Mapping[str, Values]
    fell: Sequence[bool]
    """Whether a day closed lower than it opened."""


def _adjusted_series(sheet: TickerSheet) -> _Series:
    days = [row.date for row in sheet.prices]
    factors = {row.date: row.factor for row in sheet.factors}
    by_day = {row.date: row for row in sheet.indicators}
    prices = dict[str, Values]()
    for name in ("open", "high", "low", "close"):
        found = [getattr(row, name) for row in sheet.prices]
        raw = np.array([math.nan if value is None else float(value) for value in found])
        made: list[float] = adjust_prices(days, raw, factors).tolist()
        prices[name] = [None if math.isnan(value) else value for value in made]
    # Where a price is halved, twice as many shares would have been traded.
    volumes = np.array([row.volume for row in sheet.prices], dtype=np.float64)
    volumes /= adjust_prices(days, np.ones(len(days)), factors)
    return _Series(
        days=days,
        prices=prices,
        volumes=volumes.tolist(),
        indicators={
            name: [getattr(by_day.get(day), name, None) for day in days] for name in INDICATORS
        },
        fell=[
            opened is not None and close is not None and close < opened
            for opened, close in zip(prices["open"], prices["close"], strict=True)
        ],
    )
