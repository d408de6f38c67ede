"""Moments by the clock of a day's zone: the time alone on the day itself, else the date too."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from markupsafe import Markup

from gotgan.clock import Span, utc_iso

__all__ = ["DayTimes"]


@dataclass(frozen=True)
class DayTimes:
    """How the page of a day tells moments."""

    place: ZoneInfo
    span: Span

    def __call__(self, moment: datetime | None) -> Markup:
        """A moment with its zone; a dash where there is none."""
        if moment is None:
            return Markup("–")
        local = moment.astimezone(self.place)
        words = local.replace(tzinfo=None).isoformat(" ", "minutes")
        if moment in self.span:
            words = words[-len("00:00") :]
        return Markup(  # noqa: S704 - figures, and the names of three zones
            f'<time datetime="{utc_iso(moment)}">{words} '
            f'<span class="zone">{local.tzname()}</span></time>'
        )
