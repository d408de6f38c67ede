"""What the news can do: one place for all of its verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from functools import reduce
from operator import add
from typing import Final
from urllib.parse import urlsplit

from gotgan.domains.news import claims, patterns
from gotgan.domains.news.article import is_yahoo
from gotgan.domains.news.bodies import OnStep, Round, silently, untried
from gotgan.domains.news.days import Zone, latest_days, parts_of
from gotgan.domains.news.keys import NEWS_BODIES, NEWS_ITEMS, pk_of
from gotgan.domains.news.models import NewsBody, NewsItem, Queue
from gotgan.domains.news.reports import BodiesReport, Uploaded
from gotgan.domains.news.source import Source
from gotgan.domains.news.stories import Story
from gotgan.errors import BadUpload, Conflict, NotFound, UsageError
from gotgan.events import emit
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.store import Page, Query, Store, attr

__all__ = ["BODIES", "LIST", "RECENT_DAYS", "News"]

LIST: Final = 50
"""How many stories of the list are stored, and how many items a page has."""
BODIES: Final = 100
"""How many articles one run fetches, unless somebody says otherwise."""
RECENT_DAYS: Final = 7
"""How far back the list goes when no day is asked for."""
_BODY_DAYS: Final = 3
"""How far back a run over bodies looks for articles that nobody has tried."""
_A_CALL: Final = 100


class News:
    """The latest list, each story exactly once, and the bodies of the articles."""

    def __init__(self, store: Store, web: Web, settings: Settings) -> None:
        self._store = store
        self._web = web
        self._source = Source(web, settings)

    def prepare(self) -> None:
        """Make the tables where they are missing."""
        self._store.create(NEWS_ITEMS, NEWS_BODIES)

    # Storing

    def collect(self, *, limit: int = LIST, rss: bool = False) -> Uploaded:
        """Fetch the latest list, or the feed, and store what is new."""
        _expect_positive(limit)
        stories = self._source.feed() if rss else self._source.latest()
        return self.upload(stories[:limit], source="yf_rss" if rss else "yf_latest")

    def upload(self, stories: Iterable[Story], *, source: str = "yf_latest") -> Uploaded:
        """Store what is new of any number of stories; what was stored before stays as it is."""
        now = self._store.clock.now()
        items = [_item(story, source, now) for story in stories]  # all are right, or none is stored
        with self._store.metered("upload"):
            report = Uploaded.of(source, now, self._store.put_new_all(items))
        emit(
            "news.uploaded",
            source=source,
            given=report.given,
            new=len(report.new),
            duplicates=len(report.duplicates),
            failed=len(report.failed),
        )
        return report

    # Reading

    def page(
        self,
        *,
        day: date | None = None,
        zone: Zone = "utc",
        ticker: str | None = None,
        limit: int = LIST,
        cursor: str | None = None,
    ) -> Page[NewsItem]:
        """A page of items, newest first: of a day in a zone, or of the last seven UTC days.

        DynamoDB has no index of tickers: whoever asks for one reads, and pays for, all the others.
        """
        return self._store.query(self._items(day, zone, ticker), limit=limit, cursor=cursor)

    def every(
        self, day: date, *, zone: Zone = "utc", ticker: str | None = None
    ) -> Iterator[NewsItem]:
        """All items of a day, newest first."""
        return self._store.iterate(self._items(day, zone, ticker), at_most=None)

    def get(self, pk_or_url: str) -> NewsItem:
        """One item by its key, or by the address exactly as it was listed."""
        pk = _pk(pk_or_url)
        item = self._store.get(patterns.news_by_pk(pk))
        if item is None:
            raise NotFound(
                f"there is no item {pk}; an address must be given exactly as it was listed, to the "
                "last letter"
            )
        return item

    def look_alikes(self, item: NewsItem) -> list[NewsItem]:
        """Other items of the same UTC day whose addresses differ only behind the path."""
        day = date.fromisoformat(item.dt_utc)
        others = self._store.iterate(patterns.news_of_day(day), at_most=None)
        bare = _bare(item.url)
        return [other for other in others if other.pk != item.pk and _bare(other.url) == bare]

    def body(self, pk: str) -> NewsBody | None:
        """What became of an item's article; None where nobody has tried yet."""
        return self._store.get(patterns.news_body(pk))

    def bodies_of(self, items: Iterable[NewsItem], *, text: bool = False) -> dict[str, NewsBody]:
        """The bodies of some items by their keys; without a text unless it is asked for."""
        refs = [patterns.news_body(item.pk) for item in items]
        found = self._store.get_all(refs, only=() if text else ("url", "state", "outcome"))
        return {body.pk: body for body in found}

    def queued(
        self, queue: Queue = "retry", *, limit: int = LIST, cursor: str | None = None
    ) -> Page[NewsBody]:
        """Bodies that wait or are under way, or those that were given up; due first."""
        query = patterns.queued_bodies(queue).whole()
        return self._store.query(query, limit=limit, cursor=cursor)

    def count_queued(self, queue: Queue = "retry") -> int:
        """How many bodies wait or are under way, or were given up."""
        return int(self._store.count(patterns.queued_bodies(queue)))

    # Bodies

    def bodies(
        self,
        *,
        day: date | None = None,
        zone: Zone = "utc",
        limit: int = BODIES,
        on_step: OnStep = silently,
    ) -> BodiesReport:
        """Fetch bodies that are missing, of a day or of the last three, and what is due again."""
        _expect_positive(limit)
        if day is None:
            days = latest_days(self._store.clock.now(), _BODY_DAYS)
            query = reduce(add, (patterns.news_of_day(each) for each in days))
        else:
            query = self._items(day, zone, None)
        fresh = untried(self._store, query)
        return Round(self._store, self._web, on_step).run(fresh, self._due(limit), limit)

    def fetch_bodies(
        self, pks_or_urls: Iterable[str], *, on_step: OnStep = silently
    ) -> BodiesReport:
        """Fetch the bodies of these items now, also of those that wait or were given up."""
        items = [self.get(each) for each in dict.fromkeys(pks_or_urls)]
        known = self.bodies_of(items)
        again = [self.retry(item.pk).pk for item in items if item.pk in known]
        fresh = [item for item in items if item.pk not in known]
        return Round(self._store, self._web, on_step).run(fresh, again, max(1, len(items)))

    def retry(self, pk: str) -> NewsBody:
        """Let an article that failed be tried again now, with all its attempts."""
        body = self._store.get(patterns.news_body(pk), consistent=True)
        if body is None:
            raise NotFound(f"nobody has tried {pk} yet; the next run over bodies does")
        now = self._store.clock.now()
        if body.outcome == "ok":
            raise Conflict(f"{pk} has its body; it is fetched once")
        if not is_yahoo(body.url):
            raise Conflict(f"{pk} is at another site, which is not fetched; open it in a browser")
        if body.state == "PROGRESS" and body.due_at is not None and body.due_at > now:
            raise Conflict(f"{pk} is being fetched at this moment; look again in a minute")
        moved = claims.hasten(self._store, body)
        if moved is None:
            raise Conflict(f"{pk} has just been taken by somebody else; look again in a minute")
        return moved

    def retry_dead(self) -> int:
        """Let everything that was given up be tried again; say how many there were."""
        dead = list(self._store.iterate(patterns.queued_bodies("dead").whole(), at_most=None))
        return sum(claims.hasten(self._store, body) is not None for body in dead)

    def _due(self, limit: int) -> Iterator[str]:
        query = patterns.due_bodies("retry", self._store.clock.now())
        return (body.pk for body in self._store.iterate(query, at_most=limit))

    def _items(self, day: date | None, zone: Zone, ticker: str | None) -> Query[NewsItem]:
        if day is None:
            days = latest_days(self._store.clock.now(), RECENT_DAYS)
            legs = [patterns.news_of_day(each) for each in days]
        else:
            parts = parts_of(day, zone)
            legs = [patterns.news_of_part(part.day, part.first, part.last) for part in parts]
        query = reduce(add, legs)
        return query.filtered(attr("tickers").contains(ticker.upper())) if ticker else query


def _item(story: Story, source: str, now: datetime) -> NewsItem:
    try:
        pk_of(story.url)  # which a text that is no Unicode has not
        return NewsItem(
            source=source,
            title=story.title,
            url=story.url,
            tickers=story.tickers,
            uploaded_at=now,
        )
    except ValueError as error:
        raise BadUpload(f"nothing was stored: {story} cannot be a story: {error}") from error


def _pk(pk_or_url: str) -> str:
    return pk_of(pk_or_url) if "://" in pk_or_url else pk_or_url


def _bare(url: str) -> tuple[str, str]:
    """What two addresses that look alike have in common."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url, ""
    return parts.netloc.lower(), parts.path.rstrip("/")


def _expect_positive(limit: int) -> None:
    if limit < 1:
        raise UsageError(f"a limit of {limit} leaves nothing to do; give 1 or more")
