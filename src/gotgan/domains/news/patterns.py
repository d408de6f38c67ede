"""How the news are read: each function is one access pattern."""

from __future__ import annotations

from datetime import date

from gotgan.domains.news.keys import pk_of
from gotgan.domains.news.models import NewsItem
from gotgan.store import Query, Ref, pattern

__all__ = ["news_item", "news_of_day"]


@pattern
def news_item(url: str) -> Ref[NewsItem]:
    """The item of an address, exactly as it was listed."""
    return NewsItem.key(pk=pk_of(url))


@pattern
def news_of_day(day: date) -> Query[NewsItem]:
    """The items of a UTC day, newest first."""
    return NewsItem.by_day.query(dt_utc=day.isoformat()).newest_first()
