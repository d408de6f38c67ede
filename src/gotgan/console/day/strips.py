"""The last thirty days of every domain at a glance, and what they cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from typing import Final, TypeAlias, TypeVar, cast

from markupsafe import Markup

from gotgan.app import App
from gotgan.clock import Zone
from gotgan.console.day.drawn import bars, states
from gotgan.console.day.marks import DayMark, Kind, marks_of
from gotgan.console.market.states import KINDS
from gotgan.console.past import Past
from gotgan.console.videos.spending import costs_of
from gotgan.day.calendar import today_in
from gotgan.errors import GotganError
from gotgan.events import emit
from gotgan.store import Cost

__all__ = ["DayStrip", "RecentDays", "glance_of", "tried"]

_DAYS: Final = 30
_Count: TypeAlias = Callable[[Sequence[date]], Mapping[date, int]]
T = TypeVar("T")


@dataclass(frozen=True)
class DayStrip:
    """One figure, day by day."""

    name: str
    """The domain that it is of."""
    zone: Zone | None
    """Of which its days have pages; None on a server that has no such pages."""
    counts: Mapping[date, int] | None
    """By day, the oldest first; None where they could not be read."""

    @property
    def today(self) -> int:
        """The figure of the last day."""
        return next(reversed(list((self.counts or {}).values())), 0)

    @property
    def total(self) -> int:
        """Of all days together."""
        return sum((self.counts or {}).values())

    def drawn(self, label: str) -> Markup:
        """A bar for each day."""
        return bars(self.counts or {}, self.zone, label)


@dataclass(frozen=True)
class RecentDays:
    """Thirty days, up to today in a zone."""

    zone: Zone
    days: Sequence[date]
    strips: Sequence[DayStrip]
    marks: Mapping[date, DayMark] | None
    """How each day went; None on a server without a timetable, or where that cannot be read."""
    cost: Cost
    """What this process took of DynamoDB since it began."""
    usd: float | None
    """What the analyses of these days cost; None where that is not known."""

    @property
    def today(self) -> date:
        """The day that is going on."""
        return self.days[-1]

    @property
    def now(self) -> DayMark | None:
        """How it goes."""
        return (self.marks or {}).get(self.today)

    def drawn_sessions(self, label: str, words: Callable[[str], str]) -> Markup:
        """The states of the market's log, day by day; ``words`` tells one of them."""
        told = {day: mark.session for day, mark in (self.marks or {}).items()}
        kinds = {day: _session(word, words) for day, word in told.items()}
        return states(kinds, self.zone, label)

    def drawn_work(self, label: str, words: Callable[[Kind], str]) -> Markup:
        """How the timetable did, day by day; ``words`` tells how one went."""
        marks = (self.marks or {}).items()
        return states({day: (mark.work, words(mark.work)) for day, mark in marks}, self.zone, label)

    @property
    def ran(self) -> int:
        """How often jobs were run in all of these days."""
        return sum(mark.ran for mark in (self.marks or {}).values())

    @property
    def failed(self) -> int:
        """How often one failed."""
        return sum(mark.failed for mark in (self.marks or {}).values())


def glance_of(app: App, past: Past, zone: Zone, domains: Collection[str]) -> RecentDays:
    """The last thirty days of the domains that a server has; what cannot be read is left out."""
    today = today_in(zone, app.clock.now())
    days = [today - timedelta(days=number) for number in reversed(range(_DAYS))]
    counting = {name: count for name, count in _counting(app, zone).items() if name in domains}
    return RecentDays(
        zone,
        days,
        [
            DayStrip(
                name,
                zone if "market" in domains else None,
                tried(name, partial(past.of, (name, zone), days, today, count)),
            )
            for name, count in counting.items()
        ],
        tried("market", lambda: _marks(app, past, days, zone)) if "market" in domains else None,
        app.store.total(),
        tried("videos", lambda: _usd(app, past)) if "videos" in domains else None,
    )


def tried(part: str, read: Callable[[], T]) -> T | None:
    """What a part of a page tells, or None where it cannot: the others do not depend on it."""
    try:
        return read()
    except GotganError as error:
        emit("console.part.failed", level="warning", part=part, reason=error.message)
        return None


def _session(word: str | None, words: Callable[[str], str]) -> tuple[Kind, str]:
    return (cast("Kind", KINDS[word]), words(word)) if word else ("none", "–")


def _usd(app: App, past: Past) -> float:
    return sum(each.cost_usd for each in costs_of(app, past).values())


def _counting(app: App, zone: Zone) -> dict[str, _Count]:
    """How each domain counts its days."""
    return {
        "news": lambda days: app.news.counts(days, zone),
        "shops": lambda days: app.shops.change_counts(days, zone),
        "videos": lambda days: app.videos.counts(days, zone),
    }


def _marks(app: App, past: Past, days: Sequence[date], zone: Zone) -> dict[date, DayMark]:
    statuses = app.market.status_between(days[0], days[-1])
    return marks_of(app, past, days, zone, days[-1], statuses)
