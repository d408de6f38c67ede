"""Sparklines: a few values as a small line, drawn on the server."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from markupsafe import Markup

WIDTH: Final = 96
HEIGHT: Final = 24
_MARGIN: Final = 2
"""So that a line at the edge is not cut."""


def sparkline(values: Sequence[float | None]) -> Markup:
    """A line through values, the oldest first; it breaks where there is none.

    It is up or down as the last value is to the first, and hidden from screen readers: the figures
    beside it say the same.
    """
    known = [value for value in values if value is not None]
    if not known:
        return Markup("")
    rise = known[-1] - known[0]
    trend = "up" if rise > 0 else "down" if rise < 0 else "flat"
    return Markup(
        '<svg class="sparkline {}" viewBox="0 0 {} {}" width="{}" height="{}" aria-hidden="true">'
        '<path d="{}"/></svg>'
    ).format(trend, WIDTH, HEIGHT, WIDTH, HEIGHT, _path(values, min(known), max(known)))


def _path(values: Sequence[float | None], low: float, high: float) -> str:
    """A stretch for each run of values; a single value is a short dash."""
    step = (WIDTH - 2 * _MARGIN) / max(len(values) - 1, 1)
    points = [
        None if value is None else f"{_MARGIN + number * step:.1f} {_height(value, low, high):.1f}"
        for number, value in enumerate(values)
    ]
    runs = (list(run) for is_gap, run in groupby(points, lambda point: point is None) if not is_gap)
    return "".join(f"M{'L'.join(map(str, run))}{'' if run[1:] else 'h1'}" for run in runs)


def _height(value: float, low: float, high: float) -> float:
    """How far down a value is; all are in the middle where none differs."""
    part = (value - low) / (high - low) if high > low else 0.5
    return HEIGHT - _MARGIN - part * (HEIGHT - 2 * _MARGIN)
