"""A share drawn as SVG: candles, averages and bands, volume, RSI and MACD, one below the other.

Text and axes have the colour of the text around them, and the rest has colours that can be read on
light and on dark; whoever shows it in a page may choose others by the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gotgan.domains.market.drawn_panels import Panel, bars, line, ribbon, rule
from gotgan.domains.market.drawn_series import Series, series_of
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.domains.market.rows import TickerSheet

__all__ = ["chart", "drawing", "write_drawing"]

_WIDTH: Final = 960
_LEFT: Final = 8
_RIGHT: Final = 72
"""Room for the figures at the right, where the latest days are."""
_TOP: Final = 44
_BETWEEN: Final = 18
_BOTTOM: Final = 26
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
_STYLE: Final = (
    "svg{color:#1e2124;background:#fff}"
    "@media(prefers-color-scheme:dark){svg{color:#e7e5e0;background:#14161a}}"
)


def drawing(sheet: TickerSheet) -> str:
    """A file of its own, with a ground that is light or dark as its reader likes it."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_svg(sheet, f"<style>{_STYLE}</style>")}\n'


def write_drawing(sheet: TickerSheet, target: Path) -> None:
    """Write that file."""
    try:
        target.write_text(drawing(sheet), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"Cannot write {target}: {error.strerror}.") from error


def chart(sheet: TickerSheet) -> str:
    """A part of a page, on the page's own ground."""
    return _svg(sheet, "")


def _svg(sheet: TickerSheet, style: str) -> str:
    series = series_of(sheet)
    panels = _panels(len(series.days))
    height = _TOP + sum(_HEIGHTS.values()) + _BETWEEN * (len(panels) - 1) + _BOTTOM
    parts = [style, *_heading(sheet, series), *_drawn(series, panels)]
    title = escape(f"{sheet.ticker} {sheet.name}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="market-chart" role="img" '
        f'viewBox="0 0 {_WIDTH} {height}" font-family="system-ui, sans-serif" font-size="11" '
        f'fill="currentColor"><title>{title}</title>{"".join(parts)}</svg>'
    )


def _panels(days: int) -> Mapping[str, Panel]:
    panels, top = dict[str, Panel](), _TOP
    for name, height in _HEIGHTS.items():
        panels[name] = Panel(_LEFT, top, _WIDTH - _LEFT - _RIGHT, height, days)
        top += height + _BETWEEN
    return panels


def _heading(sheet: TickerSheet, series: Series) -> Iterable[str]:
    days = f", {series.days[0]} to {series.days[-1]}" if series.days else ", no prices"
    head = escape(f"{sheet.ticker}  {sheet.name}  {sheet.market}{days}")
    yield f'<text class="head" x="{_LEFT}" y="16" font-size="14">{head}</text>'
    x = _LEFT
    for name, colour in _AVERAGES.items():
        label = name.upper().replace("_", " ")
        yield f'<text class="{name}" x="{x}" y="34" fill="{colour}">{label}</text>'
        x += 64
    yield f'<text class="band" x="{x}" y="34" fill="{_BAND}">Bollinger 20, 2</text>'


def _drawn(series: Series, panels: Mapping[str, Panel]) -> Iterable[str]:
    if not series.days:
        return
    yield from _price(series, panels["price"])
    yield from _volume(series, panels["volume"])
    yield from _rsi(series, panels["rsi"])
    yield from _macd(series, panels["macd"])
    yield panels["macd"].months(series.days)


def _price(series: Series, panel: Panel) -> Iterable[str]:
    upper, lower = series.indicators["bb_upper"], series.indicators["bb_lower"]
    averages = [series.indicators[name] for name in _AVERAGES]
    scale = panel.scale(series.highs, series.lows, series.closes, upper, lower, *averages)
    yield panel.axis(scale)
    yield ribbon(panel, scale, upper, lower, "band", _BAND)
    yield series.candles(panel, scale, _UP, _DOWN)
    for name, colour in _AVERAGES.items():
        yield line(panel, scale, series.indicators[name], name, colour)


def _volume(series: Series, panel: Panel) -> Iterable[str]:
    scale = panel.scale(series.volumes, floor=0.0)
    yield panel.axis(scale, "volume")
    yield bars(panel, scale, series.rising(series.volumes), "up", _UP)
    yield bars(panel, scale, series.falling(series.volumes), "down", _DOWN)


def _rsi(series: Series, panel: Panel) -> Iterable[str]:
    scale = panel.fixed(0.0, 100.0)
    yield panel.axis(scale, "RSI 14", marks=(_OVERSOLD, _OVERBOUGHT))
    yield line(panel, scale, series.indicators["rsi_14"], "rsi", _UP)


def _macd(series: Series, panel: Panel) -> Iterable[str]:
    macd, signal = series.indicators["macd"], series.indicators["macd_signal"]
    histogram = series.indicators["macd_histogram"]
    scale = panel.scale(macd, signal, histogram, around=0.0)
    yield panel.axis(scale, "MACD 12, 26, 9")
    yield rule(panel, scale, 0.0)
    yield bars(panel, scale, histogram, "histogram", _BAND)
    yield line(panel, scale, macd, "macd", _DOWN)
    yield line(panel, scale, signal, "signal", _OTHER)
