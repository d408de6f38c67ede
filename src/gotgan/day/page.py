"""Results of the verbs of a day: its page, and the post that it was published as.

A part of a page that cannot be read has the error; the other parts are there all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, ClassVar, Generic, Literal, TypeVar

from gotgan.clock import Span, Zone
from gotgan.domains.market.summary import MarketDay
from gotgan.domains.news.summary import NewsDay
from gotgan.domains.shops.summary import ShopsDay
from gotgan.domains.site.summary import SiteDay
from gotgan.domains.videos.summary import VideosDay
from gotgan.errors import GotganError
from gotgan.store import Cost

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class DayPart(Generic[T_co]):
    """What one domain has of a day, or why it cannot be read."""

    value: T_co | None = None
    """Null if it cannot be read."""
    error: GotganError | None = None
    """Why it cannot be read."""
    unset: str | None = None
    """Which settings are missing to collect it on schedule."""


@dataclass(frozen=True)
class WorkTick:
    """A run of a job on the day."""

    shown: ClassVar = (
        "at",
        "status",
        "words",
        "error",
        "started_at",
        "finished_at",
        "seconds",
        "reads",
        "writes",
    )

    at: datetime
    """When it was due."""
    status: str
    """`running`, `done` or `failed`."""
    words: str | None
    """The result in one line."""
    error: str | None
    started_at: datetime | None
    finished_at: datetime | None
    reads: float | None = None
    """Read units of DynamoDB that it took; null if they were not counted."""
    writes: float | None = None
    """Write units of DynamoDB that it took."""

    @property
    def seconds(self) -> float | None:
        """How long it took; null while it is running."""
        if self.started_at is None or self.finished_at is None:
            return None
        return (self.finished_at - self.started_at).total_seconds()


@dataclass(frozen=True)
class JobDay:
    """A scheduled job on the day."""

    job: str
    """Its name, such as `news.collect`."""
    words: str
    """What it does."""
    counts: Mapping[str, int]
    """Its ticks by status: done, failed, running, skipped, waiting."""
    why: str | None
    """Why the last tick was skipped, if it did not run on the day."""
    seconds: float
    """How long its runs took."""
    reads: float
    """Read units of DynamoDB that its runs took."""
    writes: float
    """Write units of DynamoDB that its runs took."""
    ticks: tuple[WorkTick, ...]
    """Its runs, newest first; at most 100, over which the sums are."""
    later: WorkTick | None
    """The first successful run after the day, if the last one on it failed."""
    next_at: datetime
    """Its next run, counted from now."""

    @property
    def domain(self) -> str:
        """The domain that it works for."""
        return self.job.partition(".")[0]

    @property
    def last(self) -> WorkTick | None:
        """Its last run."""
        return next(iter(self.ticks), None)

    @property
    def ran(self) -> int:
        """How often it ran."""
        return sum(self.counts.get(status, 0) for status in ("done", "failed", "running"))


@dataclass(frozen=True)
class DayFailure:
    """Something that failed on the day."""

    domain: str
    what: str
    """The job, shop, side of a market day or video that failed."""
    at: datetime | None
    words: str
    """Why it failed."""
    next: str
    """What happened since, what happens next, or what you can do."""
    is_over: bool
    """Whether it has recovered."""


@dataclass(frozen=True)
class UpcomingEvent:
    """What happens next on schedule."""

    domain: str
    what: str
    """The job, or the market day."""
    at: datetime | None
    """Null if it depends on something else, which `words` says."""
    words: str


@dataclass(frozen=True)
class DayPage:
    """A day in a time zone."""

    shown: ClassVar = {
        "date": "day",
        "zone": "zone",
        "first": "span.first",
        "last": "span.last",
        "today": "today",
        "isToday": "is_today",
        "previous": "previous",
        "following": "following",
        "readAt": "now",
        "news": "news",
        "shops": "shops",
        "market": "market",
        "videos": "videos",
        "site": "site",
        "others": "others",
        "work": "work",
        "failures": "failures",
        "coming": "coming",
        "faults": "faults",
        "cost": "cost",
    }

    day: date
    zone: Zone
    span: Span
    """When it starts, and when the next day does."""
    now: datetime
    """When it was read."""
    today: date
    """Today in the zone."""
    previous: date | None
    """The day before; null before the first day that has a page."""
    following: date | None
    """The day after; null if that is in the future."""
    news: DayPart[NewsDay]
    shops: DayPart[ShopsDay]
    market: DayPart[MarketDay]
    videos: DayPart[VideosDay]
    site: DayPart[SiteDay]
    work: DayPart[Sequence[JobDay]]
    """The scheduled jobs; their runs are kept for 30 days."""
    others: Mapping[str, DayPart[Any]] = field(default_factory=dict)
    """What domains of other packages have of the day, by domain."""
    failures: tuple[DayFailure, ...] = ()
    """Those that have not recovered first, then the latest."""
    coming: tuple[UpcomingEvent, ...] = ()
    """The next first; of a past day, what is left to do about its market session."""
    faults: Mapping[str, GotganError] = field(default_factory=dict)
    """Why `failures` or `coming` could not be determined, by that name; usually empty."""
    cost: Cost = field(default_factory=Cost)
    """Units of DynamoDB that reading this page took."""

    @property
    def parts(self) -> dict[str, DayPart[object]]:
        """The parts by name."""
        names = ("news", "shops", "market", "videos", "site", "work")
        return {**{name: getattr(self, name) for name in names}, **self.others}

    @property
    def errors(self) -> dict[str, GotganError]:
        """Why something of the page could not be read, by part."""
        parts = {name: part.error for name, part in self.parts.items() if part.error is not None}
        return {**parts, **self.faults}

    @property
    def is_today(self) -> bool:
        """Whether the day is today."""
        return self.day == self.today


@dataclass(frozen=True)
class PublishedDay:
    """The post of a day."""

    outcome: Literal["new", "changed", "duplicate"]
    """`duplicate`: the post had this text already, and nothing was written."""
    id: str
    """The ID of the post; a day in a zone always has the same."""
    category_id: str
    title: str
    version: int
