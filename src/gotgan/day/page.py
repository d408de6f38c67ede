"""The page of one day: what the domains tell of it, what was at work on it, what failed.

It is made of values alone. A part that cannot be had says why, and the others are there all the
same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from gotgan.clock import Span, Zone
from gotgan.store import Cost

if TYPE_CHECKING:  # two of them load SQLAlchemy, which a server of the site alone has no use for
    from gotgan.domains.market.summaries import MarketDay
    from gotgan.domains.news.summaries import NewsDay
    from gotgan.domains.shops.summaries import ShopsDay
    from gotgan.domains.site.summaries import SiteDay
    from gotgan.domains.videos.summaries import VideosDay

__all__ = ["Coming", "DayPage", "Failure", "Fault", "JobDay", "Part", "WorkTick"]

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class Fault:
    """Why a part is not there."""

    code: str
    message: str


@dataclass(frozen=True)
class Part(Generic[T_co]):
    """What one domain tells of a day, or why it cannot."""

    value: T_co | None = None
    error: Fault | None = None
    """Why there is no value; None where there is one."""
    unset: str | None = None
    """What is missing for this to be collected by itself; None where nothing is."""


@dataclass(frozen=True)
class WorkTick:
    """One time that a job came round on that day and was run, or should have been."""

    at: datetime
    status: str
    """``running``, ``done`` or ``failed``."""
    words: str | None
    error: str | None
    started_at: datetime | None
    finished_at: datetime | None
    reads: float | None = None
    """The read units that it took; None where nobody counted."""
    writes: float | None = None

    @property
    def seconds(self) -> float | None:
        """How long it took; None while it runs, and of one that was never begun."""
        if self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds()


@dataclass(frozen=True)
class JobDay:
    """A job of the timetable on that day."""

    job: str
    """Such as ``news.collect``; what stands before the dot is its domain."""
    words: str
    """What it does."""
    counts: Mapping[str, int]
    """How often it came round, by what came of it: done, failed, running, skipped, waiting."""
    why: str | None
    """Why it was last not run, where it never was on that day."""
    seconds: float
    """How long all of its runs took."""
    reads: float
    writes: float
    """The units of DynamoDB that all of its runs took."""
    ticks: tuple[WorkTick, ...]
    """The latest that were run, newest first; a hundred at most, which the sums are over."""
    later: WorkTick | None
    """The first run after the day that went well, where the last one on it failed."""
    next_at: datetime
    """When it comes round next, counted from now."""

    @property
    def domain(self) -> str:
        """The domain that it works for."""
        return self.job.partition(".")[0]

    @property
    def last(self) -> WorkTick | None:
        """The last time that it was run."""
        return next(iter(self.ticks), None)

    @property
    def ran(self) -> int:
        """How often it was run."""
        return sum(self.counts.get(status, 0) for status in ("done", "failed", "running"))


@dataclass(frozen=True)
class Failure:
    """Something that went wrong on that day, and what becomes of it."""

    domain: str
    what: str
    """The job, the shop, the side of a market day or the video that it is about."""
    at: datetime | None
    words: str
    next: str
    """What happened since, or will happen, or has to be done."""
    is_over: bool
    """Whether it was made up for."""


@dataclass(frozen=True)
class Coming:
    """What will happen next, by itself."""

    domain: str
    what: str
    at: datetime | None
    """None where that depends on something else, which the words tell."""
    words: str


@dataclass(frozen=True)
class DayPage:
    """One day in a zone."""

    day: date
    zone: Zone
    span: Span
    """From when to when it is, in UTC."""
    now: datetime
    """When it was read."""
    today: date
    """The date in the zone at that moment."""
    previous: date | None
    """The day before; None at the beginning of the calendar."""
    following: date | None
    """The day after; None where that has not come yet."""
    news: Part[NewsDay]
    shops: Part[ShopsDay]
    market: Part[MarketDay]
    videos: Part[VideosDay]
    site: Part[SiteDay]
    work: Part[tuple[JobDay, ...]]
    """The timetable of the day, in its order; ticks are kept for thirty days."""
    failures: tuple[Failure, ...] = ()
    """Those that are not over first, then the latest."""
    coming: tuple[Coming, ...] = ()
    """What is next first; of a day that is over, what is still to be done about its session."""
    faults: Mapping[str, Fault] = field(default_factory=dict)
    """Why ``failures`` or ``coming`` could not be told, by that name."""
    cost: Cost = field(default_factory=Cost)
    """What reading this page took of DynamoDB, in units."""

    @property
    def parts(self) -> dict[str, Part[object]]:
        """All that is told of it, by who tells it."""
        return {
            "news": self.news,
            "shops": self.shops,
            "market": self.market,
            "videos": self.videos,
            "site": self.site,
            "work": self.work,
        }

    @property
    def is_today(self) -> bool:
        """Whether the day is still going on."""
        return self.day == self.today
