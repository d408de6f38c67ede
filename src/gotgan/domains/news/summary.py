"""A day of news: how many, when, about which tickers, and the outcomes of their articles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Zone
from gotgan.domains.news import messages, models
from gotgan.domains.news.models import NewsItem
from gotgan.errors import StoreUnreachable
from gotgan.store import Query, Store

MAX_ITEMS: Final = 500
"""Items of a day that are read, the newest; the others are only counted."""
MAX_QUEUED: Final = 1_000
"""How far a queue is counted: counting reads, and reads cost."""
MAX_HEADLINES: Final = 50
MAX_TICKERS: Final = 30


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
    """Summarize a day; ``items`` finds all of its items, newest first."""
    page = store.query(items, limit=MAX_ITEMS)
    place = ZoneInfo(ZONES[zone])
    hours = Counter(item.uploaded_at.astimezone(place).hour for item in page)
    counts = Counter(ticker for item in page for ticker in set(item.tickers))
    tickers = sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    return NewsDay(
        new=len(page) if page.cursor is None else int(store.count(items)),
        headlines=page.items[:MAX_HEADLINES],
        tickers=tuple(TickerCount(*each) for each in tickers[:MAX_TICKERS]),
        hours=tuple(hours[hour] for hour in range(24)),
        bodies=_count_bodies(store, page.items),
        read=len(page),
        waiting=int(store.count(models.queued_bodies("retry"), at_most=MAX_QUEUED)),
        dead=int(store.count(models.queued_bodies("dead"), at_most=MAX_QUEUED)),
    )


def _count_bodies(store: Store, items: Sequence[NewsItem]) -> dict[str, int]:
    """Articles by outcome or state, most first; no body means not tried yet."""
    refs = [models.news_body(item.pk) for item in items]
    bodies = store.get_all(refs, only=("url", "state", "outcome"))
    if bodies.unread:  # unread is not the same as not tried
        raise StoreUnreachable(messages.STORE_BUSY())
    counts = Counter(body.outcome or body.state.lower() for body in bodies)
    counts["never"] = len(items) - counts.total()
    return {state: count for state, count in counts.most_common() if count}
