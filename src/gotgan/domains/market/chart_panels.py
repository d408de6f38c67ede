"""The panels of a chart, and the lines, bars and ribbons in them, as pieces of SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise
from typing import Final, TypeAlias

Values: TypeAlias = Sequence[float | None]
"""One for each day; None where there is none."""

_MAX_MARKS: Final = 4
_MIN_LABEL_WIDTH: Final = 46
_THOUSAND: Final = 1_000
_FIGURES: Final = ((1e12, "T"), (1e9, "B"), (1e6, "M"))


@dataclass(frozen=True)
class Scale:
    """From values to heights: the top of a panel is its greatest."""

    low: float
    high: float
    top: float
    height: float

    def y(self, value: float) -> float:
        """How far down a value is."""
        part = (value - self.low) / (self.high - self.low)
        return round(self.top + self.height * (1 - part), 1)

    def marks(self) -> list[float]:
        """A few round values, within."""
        step = _round_step((self.high - self.low) / _MAX_MARKS)
        first = math.ceil(self.low / step)
        return [number * step for number in range(first, math.floor(self.high / step) + 1)]


@dataclass(frozen=True)
class Panel:
    """A part of a chart; all parts share their days."""

    left: float
    top: float
    width: float
    height: float
    days: int

    @property
    def step(self) -> float:
        """How wide a day is."""
        return self.width / max(self.days, 1)

    def x(self, number: int) -> float:
        """Where the middle of a day is."""
        return round(self.left + self.step * (number + 0.5), 1)

    def with_bounds(self, low: float, high: float) -> Scale:
        """A scale between two values; they must differ."""
        return Scale(low, high, self.top, self.height)

    def scale(
        self, *series: Values, floor: float | None = None, around: float | None = None
    ) -> Scale:
        """A scale on which all values of some series have room."""
        found = [value for values in series for value in values if value is not None]
        found += [value for value in (floor, around) if value is not None]
        low, high = min(found, default=0.0), max(found, default=1.0)
        room = (high - low) * 0.04 or abs(high) * 0.04 or 1.0
        return self.with_bounds(low if floor is not None else low - room, high + room)

    def axis(self, scale: Scale, name: str = "", marks: Sequence[float] = ()) -> str:
        """Lines across the panel with their figures, and what it shows."""
        right = self.left + self.width
        drawn = [rule(self, scale, mark) for mark in marks or scale.marks()]
        drawn += [
            f'<text x="{right + 6:g}" y="{scale.y(mark) + 4:g}">{_figure(mark)}</text>'
            for mark in marks or scale.marks()
        ]
        if name:
            drawn.append(f'<text x="{self.left + 2:g}" y="{self.top + 11:g}">{name}</text>')
        return f'<g class="axis" opacity="0.75">{"".join(drawn)}</g>'

    def months(self, days: Sequence[date]) -> str:
        """The months below the panel, as many as have room."""
        y, last, drawn = self.top + self.height + 16, -math.inf, list[str]()
        months = [None, *((day.year, day.month) for day in days)]
        for number, (before, month) in enumerate(pairwise(months)):
            if before != month and self.x(number) - last >= _MIN_LABEL_WIDTH:
                last = self.x(number)
                drawn.append(f'<text x="{last:g}" y="{y:g}">{days[number]:%Y-%m}</text>')
        return f'<g class="months" opacity="0.75">{"".join(drawn)}</g>'


def rule(panel: Panel, scale: Scale, value: float) -> str:
    """A line across a panel."""
    y, right = scale.y(value), panel.left + panel.width
    return (
        f'<path d="M{panel.left:g} {y:g}H{right:g}" stroke="currentColor" stroke-opacity="0.25"/>'
    )


def line(panel: Panel, scale: Scale, values: Values, name: str, colour: str) -> str:
    """A line through the days that have a value; it breaks where there is none."""
    runs = _runs(panel, scale, values)
    path = "".join(f"M{'L'.join(run)}" if run[1:] else f"M{run[0]}h0.1" for run in runs)
    return f'<path class="{name}" d="{path}" fill="none" stroke="{colour}" stroke-width="1.2"/>'


def bars(panel: Panel, scale: Scale, values: Values, name: str, colour: str) -> str:
    """A bar for each day that has a value, from nought up or down."""
    width, ground = max(panel.step * 0.7, 0.4), scale.y(max(0.0, scale.low))
    path = "".join(
        f"M{panel.x(number):g} {ground:g}V{scale.y(value):g}"
        for number, value in enumerate(values)
        if value is not None
    )
    return (
        f'<path class="{name}" d="{path}" fill="none" stroke="{colour}" stroke-opacity="0.7" '
        f'stroke-width="{width:.2f}"/>'
    )


def ribbon(panel: Panel, scale: Scale, upper: Values, lower: Values, name: str, colour: str) -> str:
    """The area between two lines."""
    there = [point for run in _runs(panel, scale, upper) for point in run]
    back = [point for run in _runs(panel, scale, lower) for point in run]
    path = f"M{'L'.join([*there, *reversed(back)])}Z" if there else ""
    return (
        f'<path class="{name}" d="{path}" fill="{colour}" fill-opacity="0.14" stroke="{colour}" '
        f'stroke-opacity="0.5"/>'
    )


def _runs(panel: Panel, scale: Scale, values: Values) -> list[list[str]]:
    """The points of each stretch of days that have values."""
    stretches = groupby(enumerate(values), key=lambda each: each[1] is None)
    return [
        [f"{panel.x(number):g} {scale.y(value):g}" for number, value in run if value is not None]
        for is_empty, run in stretches
        if not is_empty
    ]


def _round_step(step: float) -> float:
    """One, two or five of a power of ten."""
    power = 10.0 ** math.floor(math.log10(step))
    return next(power * each for each in (1, 2, 5, 10) if power * each >= step * 0.999)


def _figure(value: float) -> str:
    for size, letter in _FIGURES:
        if abs(value) >= size:
            return f"{value / size:g}{letter}"
    return f"{value:,.0f}" if abs(value) >= _THOUSAND else f"{value:g}"
