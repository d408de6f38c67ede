"""What a chart shows of a share, day by day, with splits and mergers taken out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from gotgan.domains.market.drawn_panels import Panel, Scale, Values
from gotgan.domains.market.indicators.adjusting import adjusted
from gotgan.domains.market.models import INDICATORS

if TYPE_CHECKING:
    from gotgan.domains.market.rows import IndicatorRow, TickerSheet

__all__ = ["Series", "series_of"]


@dataclass(frozen=True)
class Series:
    """The days of a share, the oldest first."""

    days: Sequence[date]
    opens: Values
    highs: Values
    lows: Values
    closes: Values
    volumes: Values
    indicators: Mapping[str, Values]

    def rising(self, values: Values) -> Values:
        """Those of days that closed no lower than they opened."""
        return [None if self._fell(number) else value for number, value in enumerate(values)]

    def falling(self, values: Values) -> Values:
        """Those of days that closed lower."""
        return [value if self._fell(number) else None for number, value in enumerate(values)]

    def candles(self, panel: Panel, scale: Scale, up: str, down: str) -> str:
        """A candle for each day; a day without trade is a dash at its last close."""
        width, drawn = max(panel.step * 0.7, 0.4), dict[str, str]()
        kinds = {"up": (up, False), "down": (down, True)}
        for name, (colour, fell) in kinds.items():
            numbers = [each for each in range(len(self.days)) if self._fell(each) == fell]
            wicks = "".join(self._wick(panel, scale, number) for number in numbers)
            bodies = "".join(self._body(panel, scale, number) for number in numbers)
            drawn[name] = (
                f'<g class="{name}" fill="none" stroke="{colour}"><path d="{wicks}"/>'
                f'<path d="{bodies}" stroke-width="{width:.2f}"/></g>'
            )
        return "".join(drawn.values())

    def _wick(self, panel: Panel, scale: Scale, number: int) -> str:
        high, low = self.highs[number], self.lows[number]
        if high is None or low is None:
            return ""
        return f"M{panel.x(number):g} {scale.y(high):g}V{scale.y(low):g}"

    def _body(self, panel: Panel, scale: Scale, number: int) -> str:
        close = self.closes[number]
        if close is None:
            return ""
        opened = self.opens[number]
        ends = scale.y(close)
        begins = ends if opened is None else scale.y(opened)
        ends += 0.8 if begins == ends else 0
        return f"M{panel.x(number):g} {begins:g}V{ends:g}"

    def _fell(self, number: int) -> bool:
        opened, close = self.opens[number], self.closes[number]
        return opened is not None and close is not None and close < opened


def series_of(sheet: TickerSheet) -> Series:
    """The prices of a sheet as its indicators see them, and these."""
    days = [row.date for row in sheet.prices]
    factors = {row.date: row.factor for row in sheet.factors}
    by_day = {row.date: row for row in sheet.indicators}
    opens, highs, lows, closes = (
        _comparable(days, [getattr(row, name) for row in sheet.prices], factors)
        for name in ("open", "high", "low", "close")
    )
    return Series(
        days=days,
        opens=opens,
        highs=highs,
        lows=lows,
        closes=closes,
        volumes=_comparable_volumes(days, [row.volume for row in sheet.prices], factors),
        indicators={name: [_of(by_day.get(day), name) for day in days] for name in INDICATORS},
    )


def _comparable(
    days: Sequence[date], values: Sequence[Decimal | None], factors: Mapping[date, float]
) -> Values:
    raw = np.array(
        [math.nan if value is None else float(value) for value in values], dtype=np.float64
    )
    made: list[float] = adjusted(days, raw, factors).tolist()
    return [None if math.isnan(value) else value for value in made]


def _comparable_volumes(
    days: Sequence[date], volumes: Sequence[int], factors: Mapping[date, float]
) -> Values:
    """As many shares as it would have been: where a price is halved, twice as many."""
    by = adjusted(days, np.ones(len(days)), factors)
    made: list[float] = (np.array(volumes, dtype=np.float64) / by).tolist()
    return made


def _of(row: IndicatorRow | None, name: str) -> float | None:
    return getattr(row, name, None)
