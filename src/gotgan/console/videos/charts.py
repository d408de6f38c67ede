"""Shares, days and moments drawn as SVG; beside each of them stand its figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup

from gotgan.console.videos.places import clock

__all__ = ["Timeline", "counts_of", "day_bars", "share_bar", "timeline_of"]

_LABELS: Final = ("positive", "neutral", "negative")
_DAY, _DAYS_HEIGHT = 8, 36
_WIDTH, _GROUND = 1000, 100
_MARKS: Final = 4
_PAST_THE_LAST: Final = 1.05
"""How long a video of unknown length is taken to be, against its last moment."""


@dataclass(frozen=True)
class Timeline:
    """The length of a video, drawn, and the marks below it from its beginning to its end."""

    drawn: Markup
    marks: tuple[str, ...]


def counts_of(sentiment: Mapping[str, Any]) -> dict[str, int]:
    """How many comments stand behind the shares of a result."""
    return {label: round(sentiment["shares"][label] * sentiment["n"]) for label in _LABELS}


def share_bar(counts: Mapping[str, float]) -> Markup:
    """One bar in three parts; nothing where there is nothing to share out."""
    total = sum(counts[label] for label in _LABELS)
    if not total:
        return Markup()
    left, parts = 0.0, list[str]()
    for label in _LABELS:
        width = counts[label] * 100 / total
        parts.append(f'<rect class="{label}" x="{left:.2f}" width="{width:.2f}" height="8"/>')
        left += width
    return _svg("share-bar", 'viewBox="0 0 100 8" preserveAspectRatio="none"', parts)


def day_bars(values: Sequence[float]) -> Markup:
    """A bar for each day, from the left to the right; days without anything have a dot."""
    most = max(values, default=0) or 1
    parts = [_day_bar(number, value / most) for number, value in enumerate(values)]
    box = f'viewBox="0 0 {max(len(values), 1) * _DAY} {_DAYS_HEIGHT}"'
    return _svg("day-bars", f'{box} preserveAspectRatio="none"', parts)


def timeline_of(moments: Sequence[Mapping[str, Any]], duration: int | None) -> Timeline:
    """The length of a video, and on it the moments that comments name, as high as they are many."""
    last = max((each["seconds"] for each in moments), default=0)
    length = max(duration or round(last * _PAST_THE_LAST), last, 1)
    most = max((each["count"] for each in moments), default=1)
    parts = [f'<path class="ground" d="M0 {_GROUND}H{_WIDTH}"/>']
    parts += [_moment(each, length, most) for each in moments]
    box = f'viewBox="0 0 {_WIDTH} {_GROUND}" preserveAspectRatio="none"'
    marks = tuple(clock(length * number // _MARKS) for number in range(_MARKS + 1))
    return Timeline(_svg("timeline", box, parts), marks)


def _day_bar(number: int, part: float) -> str:
    height = max(part * _DAYS_HEIGHT, 1)
    kind = "some" if part else "none"
    return (
        f'<rect class="{kind}" x="{number * _DAY + 1}" y="{_DAYS_HEIGHT - height:.1f}" '
        f'width="{_DAY - 2}" height="{height:.1f}"/>'
    )


def _moment(moment: Mapping[str, Any], length: int, most: int) -> str:
    x, count = _WIDTH * moment["seconds"] / length, moment["count"]
    return (
        f'<path class="mark" d="M{x:.1f} {_GROUND}V{_GROUND * (1 - count / most):.1f}">'
        f"<title>{clock(moment['seconds'])} · {count}</title></path>"
    )


def _svg(name: str, attributes: str, parts: Iterable[str]) -> Markup:
    """A picture that says nothing which does not stand beside it in words."""
    return Markup(  # noqa: S704 - all of it are figures
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" aria-hidden="true" {attributes}>'
        f"{''.join(parts)}</svg>"
    )
