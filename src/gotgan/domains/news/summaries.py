"""What a day brought in news: how much, when, about whom, and what became of the articles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Zone
from gotgan.domains.news import patterns
from gotgan.domains.news.models import NewsBody, NewsItem
from gotgan.errors import StoreUnreachable
from gotgan.store import Found, Query, Store

__all__ = [
    "HEADLINES",
    "MOST_ITEMS",
    "MOST_QUEUED",
    "TICKERS",
    "NewsDay",
    "TickerCount",
    "news_day",
]

MOST_ITEMS: Final = 500
"""How many items of a day are read, the newest; of what is beyond them only their number is."""
MOST_QUEUED: Final = 1_000
"""How far a queue is counted: whoever counts reads, and pays for it."""
HEADLINES: Final = 50
TICKERS: Final = 30


@dataclass(frozen=True)
class TickerCount:
    """A ticker, and how many stories have it."""

    ticker: str
    count: int


@dataclass(frozen=True)
class NewsDay:
    """The news of a day."""

    new: int
    """New stories."""
    headlines: tuple[NewsItem, ...]
    """The newest stories, at most 50."""
    tickers: tuple[TickerCount, ...]
    """The tickers of the stories, most frequent first."""
    hours: tuple[int, ...]
    """New stories in each of the 24 hours of the zone's clock."""
    bodies: Mapping[str, int]
    """Articles by outcome (`ok`, `external`…), or by state where there is none yet: `waiting`,
    `progress`, `never`."""
    read: int
    """Stories over which `tickers`, `hours` and `bodies` are counted: the newest, at most 500."""
    waiting: int
    """Articles of any day that wait for a retry or are being fetched, counted up to 1,000."""
    dead: int
    """Articles of any day that were given up, counted up to 1,000."""

    def about(self, ticker: str) -> tuple[NewsItem, ...]:
        """The headlines that are about a ticker."""
        return tuple(item for item in self.headlines if ticker in item.tickers)


def news_day(store: Store, items: Query[NewsItem], zone: Zone) -> NewsDay:
    """What a day brought; ``items`` finds all of them, newest first."""
    page = store.query(items, limit=MOST_ITEMS)
    bodies = _bodies(store, page.items)
    return NewsDay(
        new=len(page) if page.cursor is None else int(store.count(items)),
        headlines=page.items[:HEADLINES],
        tickers=_tickers(page.items),
        hours=_hours(page.items, zone),
        bodies=_states(bodies, len(page)),
        read=len(page),
        waiting=int(store.count(patterns.queued_bodies("retry"), at_most=MOST_QUEUED)),
        dead=int(store.count(patterns.queued_bodies("dead"), at_most=MOST_QUEUED)),
    )


def _bodies(store: Store, items: Iterable[NewsItem]) -> Found[NewsBody]:
    refs = [patterns.news_body(item.pk) for item in items]
    bodies = store.get_all(refs, only=("url", "state", "outcome"))
    if bodies.unread:  # nobody knows what became of them, which is not that nobody has tried
        raise StoreUnreachable("the database is too busy to read all articles; try again")
    return bodies


def _tickers(items: Iterable[NewsItem]) -> tuple[TickerCount, ...]:
    """The most frequent first, then by name."""
    counted = Counter(ticker for item in items for ticker in set(item.tickers))
    found = sorted(counted.items(), key=lambda each: (-each[1], each[0]))
    return tuple(TickerCount(*each) for each in found[:TICKERS])


def _hours(items: Iterable[NewsItem], zone: Zone) -> tuple[int, ...]:
    place = ZoneInfo(ZONES[zone])
    counted = Counter(item.uploaded_at.astimezone(place).hour for item in items)
    return tuple(counted[hour] for hour in range(24))


def _states(bodies: Iterable[NewsBody], items: int) -> dict[str, int]:
    """What became of the articles, most first; no body means that nobody has tried yet."""
    counted = Counter(body.outcome or body.state.lower() for body in bodies)
    counted["never"] = items - counted.total()
    return {state: count for state, count in counted.most_common() if count}
