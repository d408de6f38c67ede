"""What the news can do: one place for all of its verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import reduce
from operator import add
from typing import Any, Final
from urllib.parse import urlsplit

from gotgan.clock import day_zone, utc_iso
from gotgan.domains.news import claims, patterns
from gotgan.domains.news.article import is_yahoo
from gotgan.domains.news.bodies import OnStep, Round, silently, untried
from gotgan.domains.news.days import Zone, latest_days, parts_of
from gotgan.domains.news.keys import NEWS_BODIES, NEWS_ITEMS, pk_of
from gotgan.domains.news.models import NewsBody, NewsItem, Queue
from gotgan.domains.news.reports import BodiesReport, Uploaded
from gotgan.domains.news.source import Source
from gotgan.domains.news.stories import Story
from gotgan.domains.news.summaries import NewsDay, news_day
from gotgan.domains.news.uploads import story_of, uploaded_stories
from gotgan.errors import BadCursor, BadUpload, Conflict, NotFound, UsageError
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
_LONGEST_SOURCE: Final = 100
_BODY_DAYS: Final = 3
"""How far back a run over bodies looks for articles that nobody has tried."""


class News:
    """The latest list, each story exactly once, and the bodies of the articles."""

    def __init__(self, store: Store, web: Web, settings: Settings) -> None:
        self._store = store
        self._web = web
        self._source = Source(web, settings)
        self._zone = day_zone(settings.zone)

    def prepare(self) -> None:
        """Make the tables where they are missing."""
        self._store.create(NEWS_ITEMS, NEWS_BODIES)

    # Storing

    def collect(self, *, limit: int = LIST, rss: bool = False) -> Uploaded:
        """Fetch the latest list, or the feed, and store what is new."""
        _expect_positive(limit)
        listed = self._source.feed() if rss else self._source.latest()
        stories = [story for story in listed if _is_storable(story)]
        return self.upload(stories[:limit], source="yf_rss" if rss else "yf_latest")

    def upload(self, stories: Iterable[Story], *, source: str = "yf_latest") -> Uploaded:
        """Store what is new of any number of stories; what was stored before stays as it is."""
        _expect_source(source)
        now = self._store.clock.now()
        checked = uploaded_stories(map(_as_given, stories))  # all are right, or none is stored
        items = [_item(story, source, now) for story in checked]
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
        zone: Zone | None = None,
        ticker: str | None = None,
        limit: int = LIST,
        cursor: str | None = None,
    ) -> Page[NewsItem]:
        """A page of items, newest first: of a day in a zone, or of the last seven UTC days.

        A day without a zone is one of the settings' zone, here and wherever a day is asked for.
        DynamoDB has no index of tickers: whoever asks for one reads, and pays for, all the others.
        """
        if day is not None:
            return self._store.query(self._of_day(day, zone, ticker), limit=limit, cursor=cursor)
        today, inner = _unmarked(cursor, self._store.clock.now().date())
        query = _with_ticker(_of_days(latest_days(today, RECENT_DAYS)), ticker)
        return _marked(self._store.query(query, limit=limit, cursor=inner), today)

    def every(
        self, day: date, *, zone: Zone | None = None, ticker: str | None = None
    ) -> Iterator[NewsItem]:
        """All items of a day, newest first."""
        return self._store.iterate(self._of_day(day, zone, ticker), at_most=None)

    def summary(self, day: date, zone: Zone | None = None) -> NewsDay:
        """What a day brought, in short: bounded, however much it was."""
        zone = zone or self._zone
        return news_day(self._store, self._of_day(day, zone, None), zone)

    def counts(self, days: Iterable[date], zone: Zone | None = None) -> dict[date, int]:
        """How many items each of some days has."""
        return {day: int(self._store.count(self._of_day(day, zone, None))) for day in days}

    def get(self, pk_or_url: str) -> NewsItem:
        """One item by its key, or by the address exactly as it was listed."""
        pk = _pk(pk_or_url)
        item = self._store.get(patterns.news_by_pk(pk))
        if item is None:
            raise NotFound(
                f"there is no item {pk_or_url}; an address must be given exactly as it was listed, "
                "to the last letter"
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

    def count_queued(self, queue: Queue = "retry", *, at_most: int | None = None) -> int:
        """How many bodies wait or are under way, or were given up; counted up to a bound."""
        return int(self._store.count(patterns.queued_bodies(queue), at_most=at_most))

    # Bodies

    def bodies(
        self,
        *,
        day: date | None = None,
        zone: Zone | None = None,
        limit: int = BODIES,
        on_step: OnStep = silently,
    ) -> BodiesReport:
        """Fetch bodies that are missing, of a day or of the last three, and what is due again."""
        _expect_positive(limit)
        if day is None:
            query = _of_days(latest_days(self._store.clock.now().date(), _BODY_DAYS))
        else:
            query = self._of_day(day, zone, None)
        fresh = untried(self._store, query)
        return Round(self._store, self._web, on_step).run(fresh, self._due(limit), limit)

    def fetch_bodies(
        self, pks_or_urls: Iterable[str], *, on_step: OnStep = silently
    ) -> BodiesReport:
        """Fetch the bodies of these items now, also of those that wait or were given up."""
        items = {item.pk: item for item in map(self.get, pks_or_urls)}
        known = self.bodies_of(items.values(), text=True)
        for body in known.values():  # all can be tried, or none is touched
            self._expect_untaken(body)
        again = [self._hastened(body).pk for body in known.values()]
        fresh = [item for pk, item in items.items() if pk not in known]
        return Round(self._store, self._web, on_step).run(fresh, again, max(1, len(items)))

    def retry(self, pk: str) -> NewsBody:
        """Let an article that failed be tried again now, with all its attempts."""
        body = self._store.get(patterns.news_body(pk), consistent=True)
        if body is None:
            raise NotFound(f"nobody has tried {pk} yet; the next run over bodies does")
        self._expect_untaken(body)
        return self._hastened(body)

    def retry_dead(self) -> int:
        """Let everything that was given up be tried again; say how many there were."""
        dead = list(self._store.iterate(patterns.queued_bodies("dead").whole(), at_most=None))
        return sum(claims.hasten(self._store, body) is not None for body in dead)

    def _due(self, limit: int) -> Iterator[str]:
        query = patterns.due_bodies("retry", self._store.clock.now())
        return (body.pk for body in self._store.iterate(query, at_most=limit))

    def _expect_untaken(self, body: NewsBody) -> None:
        """Refuse to try what is there, what is not ours to fetch, and what somebody works on."""
        now = self._store.clock.now()
        if body.outcome == "ok":
            raise Conflict(f"{body.pk} has its body; it is fetched once")
        if not is_yahoo(body.url):
            raise Conflict(f"{body.pk} is at another site, which is not fetched; open it yourself")
        if body.state == "PROGRESS" and body.due_at is not None and body.due_at > now:
            raise Conflict(
                f"{body.pk} is claimed by {body.owner} until {utc_iso(body.due_at)}; if that "
                "worker is no more, the next run after that takes it over"
            )

    def _hastened(self, body: NewsBody) -> NewsBody:
        moved = claims.hasten(self._store, body)
        if moved is None:
            raise Conflict(f"{body.pk} was just taken by somebody else; look again in a minute")
        return moved

    def _of_day(self, day: date, zone: Zone | None, ticker: str | None) -> Query[NewsItem]:
        parts = parts_of(day, zone or self._zone)
        legs = [patterns.news_of_part(part.day, part.first, part.last) for part in parts]
        return _with_ticker(reduce(add, legs), ticker)


def _of_days(days: list[date]) -> Query[NewsItem]:
    return reduce(add, [patterns.news_of_day(day) for day in days])


def _with_ticker(query: Query[NewsItem], ticker: str | None) -> Query[NewsItem]:
    return query.filtered(attr("tickers").contains(ticker.upper())) if ticker else query


def _marked(page: Page[NewsItem], today: date) -> Page[NewsItem]:
    """A page whose cursor says on which day the list was begun: its pages end at midnight else."""
    return page if page.cursor is None else replace(page, cursor=f"{today}.{page.cursor}")


def _unmarked(cursor: str | None, today: date) -> tuple[date, str | None]:
    if cursor is None:
        return today, None
    day, _, inner = cursor.partition(".")
    try:
        return date.fromisoformat(day), inner
    except ValueError:
        raise BadCursor("this cursor is not of this query; begin again without one") from None


def _item(story: Story, source: str, now: datetime) -> NewsItem:
    return NewsItem(
        source=source,
        title=story.title,
        url=story.url,
        tickers=story.tickers,
        uploaded_at=now,
    )


def _as_given(story: Story) -> Mapping[str, Any]:
    if not isinstance(story, Story):
        raise BadUpload(f"nothing was stored: {story!r:.100} is no Story")
    return {"title": story.title, "url": story.url, "tickers": story.tickers}


def _is_storable(story: Story) -> bool:
    """Whether a story of a list can be stored; one that is beyond all measure is left out."""
    try:
        story_of(_as_given(story))
    except BadUpload as error:
        emit("news.story.skipped", level="warning", reason=error.message)
        return False
    return True


def _expect_source(source: str) -> None:
    if not source.strip() or len(source) > _LONGEST_SOURCE or not source.isprintable():
        raise BadUpload(f"a source is a short name such as yf_latest, and not {source[:50]!r}")


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
