"""Entities of news, stories that are not stored yet, and access patterns.

An item of the latest list is written once and never changed; its article is a separate entity.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, ClassVar, Final, Literal

from pydantic import StringConstraints

from gotgan.clock import new_york_stamp, seoul_stamp, utc_stamp
from gotgan.domains.news import messages
from gotgan.domains.news.keys import (
    BY_DAY,
    BY_QUEUE,
    NEWS_BODIES,
    NEWS_ITEMS,
    NEWS_SOURCES,
    pk_of,
)
from gotgan.errors import BadUpload
from gotgan.store import (
    Attribute,
    Entity,
    FewValues,
    IndexKey,
    Key,
    MessageText,
    Query,
    Ref,
    Timestamp,
    derived,
    pattern,
)

Pk = Annotated[str, StringConstraints(max_length=19)]
Day = Annotated[str, StringConstraints(max_length=10)]

State = Literal["PROGRESS", "WAITING", "DONE"]
"""A worker has it, it waits for a retry, or it is finished."""
Outcome = Literal["ok", "external", "premium", "gone", "blocked", "dead"]
"""What it is, once it is done: here in full, at another site, behind a paywall, no longer there,
not ours to fetch, or given up after too many attempts."""
Queue = Literal["retry", "dead"]
FeedFormat = Literal["rss", "atom", "json", "sitemap"]
Health = Literal["new", "ok", "failing"]
SourceName = Annotated[str, StringConstraints(max_length=50)]
QUEUES: Final[tuple[Queue, ...]] = ("retry", "dead")


class NewsItem(Entity, table=NEWS_ITEMS, identity="url"):
    """A headline with its URL and tickers, as first seen."""

    shown: ClassVar = (
        "pk",
        "source",
        "title",
        "url",
        "tickers",
        "uploaded_at",
        "uploaded_at_utc_ms",
        "uploaded_at_est_iso",
        "uploaded_at_kst_iso",
        "dt_utc",
        "dt_est",
        "dt_kst",
        "tz_est_abbr",
        "tz_est_is_dst",
    )

    key = Key("{pk}")
    by_day = IndexKey(BY_DAY, "{dt_utc}", "{uploaded_at_utc_ms}")

    source: str
    title: str
    url: str
    tickers: tuple[str, ...] = ()
    uploaded_at: Annotated[Timestamp, Attribute("uploaded_at_utc_iso")]

    @derived("url")
    def pk(self) -> Pk:
        """The key."""
        return pk_of(self.url)

    @derived("uploaded_at")
    def uploaded_at_utc_ms(self) -> int:
        """Milliseconds since 1970."""
        return utc_stamp(self.uploaded_at).epoch_ms

    @derived("uploaded_at")
    def uploaded_at_est_iso(self) -> str:
        """Time in New York, with the offset of that day."""
        return new_york_stamp(self.uploaded_at).iso

    @derived("uploaded_at")
    def uploaded_at_kst_iso(self) -> str:
        """Time in Seoul."""
        return seoul_stamp(self.uploaded_at).iso

    @derived("uploaded_at")
    def dt_utc(self) -> Day:
        """The date in UTC."""
        return utc_stamp(self.uploaded_at).day

    @derived("uploaded_at")
    def dt_est(self) -> Day:
        """The date in New York."""
        return new_york_stamp(self.uploaded_at).day

    @derived("uploaded_at")
    def dt_kst(self) -> Day:
        """The date in Seoul."""
        return seoul_stamp(self.uploaded_at).day

    @derived("uploaded_at")
    def tz_est_abbr(self) -> str:
        """Name of the time in New York: EST or EDT."""
        return new_york_stamp(self.uploaded_at).abbreviation

    @derived("uploaded_at")
    def tz_est_is_dst(self) -> bool:
        """Whether New York has daylight saving time."""
        return new_york_stamp(self.uploaded_at).is_dst


class NewsBody(Entity, table=NEWS_BODIES):
    """State of an article text. An article that was never tried has no item.

    While a worker fetches it or it waits for a retry, it is in a queue, with the time when the next
    worker may take it. Finished ones are in no queue; failed ones without retries are in a separate
    queue.
    """

    shown: ClassVar = (
        "pk",
        "url",
        "state",
        "outcome",
        "attempts",
        "due_at",
        "changed_at",
        "error",
        "reason",
        "title",
        "author",
        "provider",
        "published_at",
        "language",
        "word_count",
        "extractor",
        "is_cut",
        "text",
    )

    key = Key("{pk}")
    queued = IndexKey(
        BY_QUEUE,
        "{queue}",
        "{due_at}",
        acknowledge=[FewValues("a body is in it only while it is being fetched or has failed")],
    )

    pk: Pk
    url: str
    state: State
    outcome: Outcome | None = None
    queue: Queue | None = None
    due_at: Timestamp | None = None
    attempts: int = 0
    owner: str | None = None
    changed_at: Timestamp
    error: str | None = None
    """The code of what went wrong last."""
    reason: MessageText | None = None
    """And its sentence."""

    title: str | None = None
    author: str | None = None
    provider: str | None = None
    published_at: Timestamp | None = None
    text: str | None = None
    is_cut: bool | None = None
    """Whether the text was longer than an item can hold."""
    word_count: int | None = None
    language: str | None = None
    extractor: str | None = None


class NewsSource(Entity, table=NEWS_SOURCES):
    """A feed or news sitemap polled beside Yahoo's list, and the result of its last poll."""

    shown: ClassVar = (
        "name",
        "url",
        "format",
        "title",
        "every_minutes",
        "health",
        "added_at",
        "checked_at",
        "succeeded_at",
        "due_at",
        "listed",
        "stored",
        "failures",
        "error",
        "reason",
    )

    key = Key("SOURCE", "{name}", acknowledge=[FewValues("there are some dozens of sources")])

    name: SourceName
    """Stored as `source` with each item."""
    url: str
    format: FeedFormat
    title: str | None = None
    """What the feed calls itself."""
    every_minutes: int
    """Minutes between two polls."""
    added_at: Timestamp
    due_at: Timestamp
    """When the next poll is due; during a poll, when its lease ends."""
    owner: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    checked_at: Timestamp | None = None
    """When it was last polled."""
    succeeded_at: Timestamp | None = None
    """When a poll last succeeded."""
    listed: int = 0
    """Stories in the last response."""
    stored: int = 0
    """Stories stored from it so far."""
    failures: int = 0
    """Failed polls in a row."""
    error: str | None = None
    """The code of what went wrong last, if the last poll failed."""
    reason: MessageText | None = None
    """And its sentence."""

    @property
    def health(self) -> Health:
        """`new` before the first poll, then `ok` or `failing`."""
        if self.failures:
            return "failing"
        return "new" if self.checked_at is None else "ok"


_SPACE: Final = re.compile(r"[ \t\n\r\f]+")


@dataclass(frozen=True)
class Story:
    """A headline, its address exactly as it was given, and the tickers that belong to it."""

    title: str
    url: str
    tickers: tuple[str, ...] = ()
    """In capitals and in their order, each once, whatever way they are handed over."""

    def __post_init__(self) -> None:
        given: Any = self.tickers  # unchecked code may pass anything
        if isinstance(given, str) or not all(isinstance(each, str) for each in given):
            raise BadUpload(messages.TICKERS_NOT_TEXTS())
        tidied = (ticker.strip().upper() for ticker in self.tickers)
        object.__setattr__(self, "tickers", tuple(dict.fromkeys(filter(None, tidied))))


def one_line(text: str | None) -> str:
    """A headline as a browser shows it: without the line breaks and indents of the page."""
    shown = _SPACE.sub(" ", text or "").strip(" ")
    return shown if shown.strip() else ""


@pattern
def news_item(url: str) -> Ref[NewsItem]:
    """The item of a URL, exactly as it was listed."""
    return NewsItem.key(pk=pk_of(url))


@pattern
def news_by_pk(pk: str) -> Ref[NewsItem]:
    """The item of a key."""
    return NewsItem.key(pk=pk)


@pattern
def news_of_day(day: date) -> Query[NewsItem]:
    """The items of a UTC day, newest first."""
    return NewsItem.by_day.query(dt_utc=day.isoformat()).newest_first()


@pattern
def news_of_part(day: date, first: datetime, last: datetime) -> Query[NewsItem]:
    """The items of a part of a UTC day, newest first. A day in another zone is two parts."""
    found = NewsItem.by_day.query(dt_utc=day.isoformat())
    return found.between(utc_stamp(first).epoch_ms, utc_stamp(last).epoch_ms).newest_first()


@pattern
def news_body(pk: str) -> Ref[NewsBody]:
    """State of an item's article text."""
    return NewsBody.key(pk=pk)


@pattern
def due_bodies(queue: Queue, now: datetime) -> Query[NewsBody]:
    """The due article texts of a queue, longest waiting first."""
    return NewsBody.queued.query(queue=queue).before(now)


@pattern
def queued_bodies(queue: Queue) -> Query[NewsBody]:
    """All article texts of a queue, those that are due first."""
    return NewsBody.queued.query(queue=queue)


@pattern
def news_source(name: str) -> Ref[NewsSource]:
    """A source by its name."""
    return NewsSource.key(name=name)


@pattern
def news_sources() -> Query[NewsSource]:
    """All sources, by name."""
    return NewsSource.key.query()
