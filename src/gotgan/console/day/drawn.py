"""Days drawn as SVG, from the left to the right; what they say stands beside them in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from markupsafe import Markup, escape

from gotgan.clock import Zone
from gotgan.console.day.marks import Kind
from gotgan.console.day.places import address

__all__ = ["bars", "hours", "states"]

_STEP, _HEIGHT = 8, 32
_HEIGHTS: Final[Mapping[Kind, int]] = {
    "bad": 32,
    "warning": 24,
    "running": 20,
    "good": 16,
    "none": 3,
}
"""A day is as high as it is worth a look; nobody has to tell colours apart."""


def bars(counts: Mapping[date, int], zone: Zone | None, label: str) -> Markup:
    """A bar for each day, the highest as high as the picture; a day without anything has a dot.

    Each leads to its day in a zone; by the keyboard, the table beside the strip does.
    """
    pages = [] if zone is None else [address(day, zone) for day in counts]
    return _counted({f"{day}": count for day, count in counts.items()}, label, pages)


def hours(counts: Sequence[int], label: str) -> Markup:
    """A bar for each hour of a day."""
    return _counted({f"{hour:02}:00": count for hour, count in enumerate(counts)}, label)


def states(kinds: Mapping[date, tuple[Kind, str]], zone: Zone, label: str) -> Markup:
    """A bar for each day by how it went, which is told in words too; each leads to its day."""
    return _strip(
        (
            _linked(_bar(number, kind, _HEIGHTS[kind], f"{day} · {told}"), address(day, zone))
            for number, (day, (kind, told)) in enumerate(kinds.items())
        ),
        label,
    )


def _counted(counts: Mapping[str, int], label: str, pages: Sequence[str] = ()) -> Markup:
    most = max(counts.values(), default=0) or 1
    drawn = [
        _bar(number, "some" if count else "none", count / most * _HEIGHT, f"{name} · {count:,}")
        for number, (name, count) in enumerate(counts.items())
    ]
    return _strip(map(_linked, drawn, pages) if pages else map("<g>{}</g>".format, drawn), label)


def _bar(number: int, kind: str, height: float, told: str) -> str:
    """A bar, and behind it the whole of its height, so that a low one can be pointed at too."""
    place, seen = f'x="{number * _STEP + 1}" width="{_STEP - 2}"', max(height, 1)
    return (
        f'<rect class="ground" {place} y="0" height="{_HEIGHT}"/>'
        f'<rect class="{kind}" {place} y="{_HEIGHT - seen:.1f}" height="{seen:.1f}"/>'
        f"<title>{escape(told)}</title>"
    )


def _linked(bar: str, page: str) -> str:
    return f'<a href="{escape(page)}" tabindex="-1">{bar}</a>'


def _strip(parts: Iterable[str], label: str) -> Markup:
    drawn = list(parts)
    return Markup(  # noqa: S704 - figures, dates, and words that are escaped
        '<svg xmlns="http://www.w3.org/2000/svg" class="day-strip" role="group" '
        f'aria-label="{escape(label)}" '
        f'viewBox="0 0 {max(len(drawn), 1) * _STEP} {_HEIGHT}" preserveAspectRatio="none">'
        f"{''.join(drawn)}</svg>"
    )
