"""How the news are read: each function is one access pattern."""

from __future__ import annotations

from datetime import date, datetime

from gotgan.clock import utc_stamp
from gotgan.domains.news.keys import pk_of
from gotgan.domains.news.models import NewsBody, NewsItem, Queue
from gotgan.store import Query, Ref, pattern

__all__ = [
    "due_bodies",
    "news_body",
    "news_by_pk",
    "news_item",
    "news_of_day",
    "news_of_part",
    "queued_bodies",
]


@pattern
def news_item(url: str) -> Ref[NewsItem]:
    """The item of an address, exactly as it was listed."""
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
    """The items of a stretch of a UTC day, newest first: a day elsewhere is two of them."""
    found = NewsItem.by_day.query(dt_utc=day.isoformat())
    return found.between(utc_stamp(first).epoch_ms, utc_stamp(last).epoch_ms).newest_first()


@pattern
def news_body(pk: str) -> Ref[NewsBody]:
    """What became of an item's article."""
    return NewsBody.key(pk=pk)


@pattern
def due_bodies(queue: Queue, now: datetime) -> Query[NewsBody]:
    """The bodies of a queue that somebody may take now, those that have waited longest first."""
    return NewsBody.queued.query(queue=queue).before(now)


@pattern
def queued_bodies(queue: Queue) -> Query[NewsBody]:
    """All bodies of a queue, those that are due first."""
    return NewsBody.queued.query(queue=queue)
