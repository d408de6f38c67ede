"""The charts of shares and indices: candles, volume and indicators, as the JSON that is drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from fastapi import Depends, Query

from gotgan.console.lists import one_of
from gotgan.domains.market.models import INDICATORS
from gotgan.domains.market.rows import IndexSheet, TickerSheet

Values: TypeAlias = Sequence[float | None]
Candle: TypeAlias = tuple[float, float, float, float]
"""Open, high, low and close."""
Interval: TypeAlias = Literal["day", "week", "month"]
INTERVALS: Final[tuple[Interval, ...]] = get_args(Interval)
_AVERAGES: Final = {"sma_5": 2, "sma_20": 4, "sma_60": 3, "sma_120": 6}
"""The tones of the averages."""
_OVERSOLD, _OVERBOUGHT = 30, 70
_PLACES: Final = 2
"""Of all figures: more are not read from a chart."""


async def _requested_interval(word: Annotated[str, Query(alias="every")] = "") -> Interval:
    return one_of(INTERVALS, word or "day")


RequestedInterval = Annotated[Interval, Depends(_requested_interval)]


@dataclass(frozen=True)
class Bars:
    """Split-adjusted candles, the oldest first, with what belongs to each."""

    days: Sequence[date]
    """The last day of each."""
    candles: Sequence[Candle | None]
    """None where nothing was traded."""
    volumes: Values
    indicators: Mapping[str, Values]

    def since(self, first: date) -> Bars:
        """Those of a day or later."""
        start = sum(day < first for day in self.days)
        return Bars(
            self.days[start:],
            self.candles[start:],
            self.volumes[start:],
            {name: values[start:] for name, values in self.indicators.items()},
        )

    def by(self, interval: Interval) -> Bars:
        """A bar for each week or month, with indicators of these."""
        if interval == "day":
            return self
        key: Callable[[int], tuple[int, int]] = (
            (lambda number: self.days[number].isocalendar()[:2])
            if interval == "week"
            else (lambda number: (self.days[number].year, self.days[number].month))
        )
        spans = [list(numbers) for _, numbers in groupby(range(len(self.days)), key)]
        candles = [_merged([self.candles[number] for number in span]) for span in spans]
        return Bars(
            [self.days[span[-1]] for span in spans],
            candles,
            [
                None if candle is None else sum(self.volumes[number] or 0 for number in span)
                for candle, span in zip(candles, spans, strict=True)
            ],
            _calculated(candles),
        )


def share_bars(sheet: TickerSheet) -> Bars:
    """The days of a share, comparable with the latest one."""
    by_day = {row.date: row for row in sheet.indicators}
    factors = sorted((row.date, row.factor) for row in sheet.factors)
    candles, volumes, product = list[Candle | None](), list[float | None](), 1.0
    for row in reversed(sheet.prices):
        while factors and factors[-1][0] > row.date:
            product *= factors.pop()[1]
        if row.open is None or row.high is None or row.low is None:
            candles.append(None)
            volumes.append(None)
            continue
        opened, high, low, close = map(float, (row.open, row.high, row.low, row.close))
        candles.append((opened * product, high * product, low * product, close * product))
        # Where a price is halved, twice as many shares would have been traded.
        volumes.append(row.volume / product)
    days = [row.date for row in sheet.prices]
    indicators = {
        name: [getattr(by_day.get(day), name, None) for day in days] for name in INDICATORS
    }
    return Bars(days, candles[::-1], volumes[::-1], indicators)


def index_bars(sheet: IndexSheet) -> Bars:
    """The days of an index; one that has a close alone is a candle of one price."""
    candles: list[Candle | None] = [
        (
            float(row.close if row.open is None else row.open),
            float(row.close if row.high is None else row.high),
            float(row.close if row.low is None else row.low),
            float(row.close),
        )
        for row in sheet.values
    ]
    days, volumes = [row.date for row in sheet.values], [float(row.value) for row in sheet.values]
    return Bars(days, candles, volumes, _calculated(candles))


def _merged(candles: Iterable[Candle | None]) -> Candle | None:
    """Successive candles as one."""
    known = [candle for candle in candles if candle is not None]
    if not known:
        return None
    opens, highs, lows, closes = zip(*known, strict=True)
    return opens[0], max(highs), min(lows), closes[-1]


def _calculated(candles: Sequence[Candle | None]) -> Mapping[str, Values]:
    """The indicators of candles; those without trade are left out, and have none."""
    import numpy as np  # noqa: PLC0415 - heavy, and only charts need it

    from gotgan.domains.market.indicators.formulas import calculate_series  # noqa: PLC0415

    traded = [number for number, candle in enumerate(candles) if candle is not None]
    closes = np.array([candle[3] for candle in candles if candle is not None], dtype=np.float64)
    found: dict[str, Values] = {}
    for name, values in calculate_series(closes).items() if traded else ():
        made: list[float | None] = [None] * len(candles)
        for number, value in zip(traded, values.tolist(), strict=True):
            made[number] = None if math.isnan(value) else value
        found[name] = made
    return found


# JSON


@dataclass(frozen=True)
class ChartWords:
    """What a chart is labelled with, in a language."""

    price: str
    volume: str
    bands: str
    signal: str
    labels: tuple[str, str, str, str]
    """For open, high, low and close."""

    @classmethod
    def of(cls, t: Callable[[str], str]) -> ChartWords:
        """The words of a viewer."""
        opened, high, low, close = (
            t(f"market.chart.{each}") for each in ("open", "high", "low", "close")
        )
        return cls(
            price=t("market.field.close"),
            volume=t("market.field.volume"),
            bands=t("market.chart.bands"),
            signal=t("market.field.signal"),
            labels=(opened, high, low, close),
        )

    def with_value(self, t: Callable[[str], str]) -> ChartWords:
        """The words of an index, of which the traded value counts."""
        return replace(self, volume=t("market.field.value"))


def chart_data(bars: Bars, words: ChartWords, *, decimals: int) -> dict[str, Any]:
    """The panes of a chart: prices with averages and bands, RSI, MACD; those without values not."""
    made = bars.indicators
    bands = [
        _series("line", label, made.get(name), tone=1, toggle=words.bands)
        for name, label in (("bb_upper", words.bands), ("bb_lower", ""))
    ]
    averages = [
        _series("line", _average_name(name), made.get(name), tone=tone, toggle=_average_name(name))
        for name, tone in _AVERAGES.items()
    ]
    price: list[dict[str, Any] | None] = [
        {"kind": "candles", "name": words.price, "labels": words.labels}
        | {"values": [candle and _rounded(candle) for candle in bars.candles]},
        _series("histogram", words.volume, bars.volumes),
        *bands,
        *averages,
    ]
    strength = _series("line", "RSI 14", made.get("rsi_14"), tone=3, toggle="RSI 14")
    macd_name = "MACD 12, 26, 9"
    macd = [
        _series("histogram", "", made.get("macd_histogram"), toggle=macd_name),
        _series("line", "MACD", made.get("macd"), tone=1, toggle=macd_name),
        _series("line", words.signal, made.get("macd_signal"), tone=2, toggle=macd_name),
    ]
    panes = (
        _pane(price, 4, decimals),
        _pane([strength], 1, 1, range=(0, 100), levels=(_OVERSOLD, _OVERBOUGHT)),
        _pane(macd, 1, _PLACES),
    )
    return {
        "times": [day.isoformat() for day in bars.days],
        "panes": [pane for pane in panes if pane["series"]],
        "decimals": decimals,
    }


def _pane(
    series: Iterable[dict[str, Any] | None], height: int, decimals: int, **more: tuple[int, int]
) -> dict[str, Any]:
    shown = [each for each in series if each is not None]
    return {"height": height, "decimals": decimals, "series": shown, **more}


def _average_name(name: str) -> str:
    return name.upper().replace("_", " ")


def _series(
    kind: str, name: str, values: Values | None, *, tone: int = 1, toggle: str = ""
) -> dict[str, Any] | None:
    """A series, if it has any value."""
    if values is None or all(value is None for value in values):
        return None
    made = {"kind": kind, "name": name, "tone": tone}
    made |= {"toggle": toggle} if toggle else {}
    return {
        **made,
        "values": [None if value is None else round(value, _PLACES) for value in values],
    }


def _rounded(candle: Candle) -> list[float]:
    return [round(value, _PLACES) for value in candle]
