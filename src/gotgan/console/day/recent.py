"""The last thirty days: the mark of each day, charts, and the counts and costs of each domain."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, TypeVar, cast

from markupsafe import Markup, escape

from gotgan.app import App
from gotgan.clock import Zone
from gotgan.console.day.addresses import day_path
from gotgan.console.market.days import KINDS, has_failed
from gotgan.console.past_days import PastDays, last_days
from gotgan.console.videos.display import cost_by_day
from gotgan.day.calendar import today_in
from gotgan.errors import GotganError
from gotgan.events import emit
from gotgan.schedule import jobs
from gotgan.store import Cost

if TYPE_CHECKING:
    from gotgan.domains.market.reports import DayStatus


Kind: TypeAlias = Literal["good", "running", "warning", "bad", "none"]
TICK_KINDS: Final[Mapping[str, Kind]] = {"done": "good", "running": "running", "failed": "bad"}
"""The state that the console draws for each status of a run."""
T = TypeVar("T")

# Marks


@dataclass(frozen=True)
class DayMark:
    """A day at a glance."""

    day: date
    ran: int = 0
    """The number of runs of jobs, which are kept for thirty days."""
    failed: int = 0
    session: str | None = None
    """The status of the market's day, if it is known."""
    is_broken: bool = False
    """Whether a part of the session failed and was not recovered."""
    unmended: int = 0
    """The number of analyses that failed and were not repeated."""

    @property
    def work(self) -> Kind:
        """The state of its runs."""
        if self.failed:
            return "bad" if self.failed == self.ran else "warning"
        return "good" if self.ran else "none"

    @property
    def kind(self) -> Kind:
        """The state as a whole: a broken session is worse than a failed run."""
        if self.is_broken or self.work == "bad":
            return "bad"
        if self.unmended:
            return "warning"
        return "good" if self.work == "none" and self.session == "success" else self.work


def marks_of(
    app: App,
    past: PastDays,
    days: Sequence[date],
    zone: Zone,
    today: date,
    statuses: Iterable[DayStatus],
) -> dict[date, DayMark]:
    """The marks of successive days up to today."""
    from gotgan.scheduler.history import runs_by_day  # noqa: PLC0415 - it loads SQLAlchemy

    names = [job.name for job in jobs()]
    runs = past.of(
        ("runs", zone), days, today, lambda some: runs_by_day(app.database, names, some, zone)
    )
    by_day = {status.day: status for status in statuses}
    # not cached: an analysis may be repeated later
    unmended = read_or_none("videos", lambda: app.videos.failed_counts(days, zone)) or {}
    return {
        day: DayMark(
            day,
            ran=sum(counts.values()),
            failed=counts.get("failed", 0),
            session=_session_word(by_day[day], today) if day in by_day else None,
            is_broken=day in by_day and has_failed(by_day[day]),
            unmended=unmended.get(day, 0),
        )
        for day, counts in runs.items()
    }


def _session_word(status: DayStatus, today: date) -> str | None:
    """A status of the log; ``never`` for a past session that was not collected."""
    if status.log is not None:
        return status.log.overall_status
    if status.closed is not None:
        return "closed"
    return "never" if status.day < today else None


# Charts; the page has all their figures in words too

_STEP, _HEIGHT = 8, 32
_HEIGHTS: Final[Mapping[Kind, int]] = {
    "bad": 32,
    "warning": 24,
    "running": 20,
    "good": 16,
    "none": 3,
}
"""The height tells states apart without colour: what needs a look is highest."""


def _day_chart(counts: Mapping[date, int], zone: Zone | None, label: str) -> Markup:
    """A bar for each day, with a link to its page; the table beside it has links for keyboards."""
    pages = [] if zone is None else [day_path(day, zone) for day in counts]
    return _count_chart({f"{day}": count for day, count in counts.items()}, label, pages)


def hour_chart(counts: Sequence[int], label: str) -> Markup:
    """A bar for each hour of a day."""
    return _count_chart({f"{hour:02}:00": count for hour, count in enumerate(counts)}, label)


def _state_chart(kinds: Mapping[date, tuple[Kind, str]], zone: Zone, label: str) -> Markup:
    """A bar for each day by its state, with a link to its page."""
    bars = (
        _linked_bar(_bar(number, kind, _HEIGHTS[kind], f"{day} · {words}"), day_path(day, zone))
        for number, (day, (kind, words)) in enumerate(kinds.items())
    )
    return _svg(bars, label)


def _count_chart(counts: Mapping[str, int], label: str, pages: Sequence[str] = ()) -> Markup:
    most = max(counts.values(), default=0) or 1
    drawn = [
        _bar(number, "some" if count else "none", count / most * _HEIGHT, f"{name} · {count:,}")
        for number, (name, count) in enumerate(counts.items())
    ]
    return _svg(map(_linked_bar, drawn, pages) if pages else map("<g>{}</g>".format, drawn), label)


def _bar(number: int, kind: str, height: float, label: str) -> str:
    """A bar on a ground of full height, so that a low one can be pointed at too."""
    place, seen = f'x="{number * _STEP + 1}" width="{_STEP - 2}"', max(height, 1)
    return (
        f'<rect class="ground" {place} y="0" height="{_HEIGHT}"/>'
        f'<rect class="{kind}" {place} y="{_HEIGHT - seen:.1f}" height="{seen:.1f}"/>'
        f"<title>{escape(label)}</title>"
    )


def _linked_bar(bar: str, page: str) -> str:
    return f'<a href="{escape(page)}" tabindex="-1">{bar}</a>'


def _svg(parts: Iterable[str], label: str) -> Markup:
    drawn = list(parts)
    return Markup(  # noqa: S704 - figures, dates, and words that are escaped
        '<svg xmlns="http://www.w3.org/2000/svg" class="day-strip" role="group" '
        f'aria-label="{escape(label)}" '
        f'viewBox="0 0 {max(len(drawn), 1) * _STEP} {_HEIGHT}" preserveAspectRatio="none">'
        f"{''.join(drawn)}</svg>"
    )


# Recent days


@dataclass(frozen=True)
class DayStrip:
    """A count of a domain by day."""

    name: str
    """The domain."""
    zone: Zone | None
    """The zone of the pages of its days; None on a server without them."""
    counts: Mapping[date, int] | None
    """By day, the oldest first; None if they could not be read."""

    @property
    def today(self) -> int:
        """The count of the last day."""
        return next(reversed(list((self.counts or {}).values())), 0)

    @property
    def total(self) -> int:
        """The count of all days."""
        return sum((self.counts or {}).values())

    def svg(self, label: str) -> Markup:
        """A bar for each day."""
        return _day_chart(self.counts or {}, self.zone, label)


@dataclass(frozen=True)
class RecentDays:
    """Thirty days, up to today in a zone."""

    zone: Zone
    days: Sequence[date]
    strips: Sequence[DayStrip]
    marks: Mapping[date, DayMark] | None
    """None on a server without a schedule, or if they could not be read."""
    cost: Cost
    """The cost of this process in DynamoDB since its start."""
    usd: float | None
    """The cost of the analyses, if it is known."""

    @property
    def today(self) -> date:
        """The last day."""
        return self.days[-1]

    @property
    def now(self) -> DayMark | None:
        """The mark of today."""
        return (self.marks or {}).get(self.today)

    def sessions_svg(self, label: str, words: Callable[[str], str]) -> Markup:
        """The sessions of the market by day; ``words`` names a status."""
        sessions = {day: mark.session for day, mark in (self.marks or {}).items()}
        kinds: dict[date, tuple[Kind, str]] = {
            day: (cast("Kind", KINDS[word]), words(word)) if word else ("none", "–")
            for day, word in sessions.items()
        }
        return _state_chart(kinds, self.zone, label)

    def work_svg(self, label: str, words: Callable[[Kind], str]) -> Markup:
        """The runs of the schedule by day; ``words`` names a state."""
        marks = (self.marks or {}).items()
        kinds = {day: (mark.work, words(mark.work)) for day, mark in marks}
        return _state_chart(kinds, self.zone, label)

    @property
    def ran(self) -> int:
        """The number of runs of all days."""
        return sum(mark.ran for mark in (self.marks or {}).values())

    @property
    def failed(self) -> int:
        """The number of failed ones."""
        return sum(mark.failed for mark in (self.marks or {}).values())


def recent_days(app: App, past: PastDays, zone: Zone, domains: Collection[str]) -> RecentDays:
    """The last thirty days of some domains; what cannot be read is left out."""
    today, is_whole = today_in(zone, app.clock.now()), "market" in domains
    days = last_days(today)
    counters = {
        "news": lambda some: app.news.counts(some, zone),
        "shops": lambda some: app.shops.change_counts(some, zone),
        "videos": lambda some: app.videos.counts(some, zone),
    }

    def marks() -> dict[date, DayMark]:
        statuses = app.market.status_between(days[0], today)
        return marks_of(app, past, days, zone, today, statuses)

    def usd() -> float:
        return sum(each.cost_usd for each in cost_by_day(app, past).values())

    strips = []
    for name in (each for each in counters if each in domains):
        counts = partial(past.of, (name, zone), days, today, counters[name])
        strips.append(DayStrip(name, zone if is_whole else None, read_or_none(name, counts)))
    return RecentDays(
        zone,
        days,
        strips,
        read_or_none("market", marks) if is_whole else None,
        app.store.total(),
        read_or_none("videos", usd) if "videos" in domains else None,
    )


def read_or_none(part: str, read: Callable[[], T]) -> T | None:
    """A part of a page, or None if it cannot be read: the others do not depend on it."""
    try:
        return read()
    except GotganError as error:
        emit("console.part.failed", level="warning", part=part, reason=error.message)
        return None
