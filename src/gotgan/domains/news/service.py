"""News: its verbs, and what the console and the day read of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self
from urllib.parse import urlsplit

from gotgan.clock import Zone, day_zone
from gotgan.domain import (
    GO,
    Core,
    GateDecision,
    Service,
    SetupStep,
    SimpleDecision,
    contact_step,
    missing_contact,
    skip,
)
from gotgan.domains.news import messages, models
from gotgan.domains.news.keys import (
    NEWS_BODIES,
    NEWS_ITEMS,
    NEWS_SOURCES,
    article_id,
    is_pk,
    latest_days,
    pk_of,
    url_digest,
    utc_parts,
)
from gotgan.domains.news.models import NewsBody, NewsItem, Queue, Story
from gotgan.domains.news.params import (
    BodiesDay,
    BodiesLimit,
    CollectLimit,
    Dead,
    Item,
    Items,
    ListDay,
    RetryDead,
    Rss,
    Source,
    SourceNames,
    Stories,
    Ticker,
)
from gotgan.domains.news.reports import (
    BodiesReport,
    KeyReason,
    NewsDetails,
    NewsItemList,
    PollReport,
    Uploaded,
)
from gotgan.domains.news.sources import NewsSources
from gotgan.domains.news.twins import OWN_SOURCES, find_twins
from gotgan.domains.news.upload import check_stories, check_story
from gotgan.errors import BadCursor, BadUpload, Conflict, NotFound, UsageError
from gotgan.events import emit
from gotgan.params import Cursor, Limit
from gotgan.params import Zone as ZoneParam
from gotgan.store import Page, Query, attr
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.domains.news.summary import NewsDay
    from gotgan.fetch import Web
    from gotgan.settings import Settings
    from gotgan.store import Store


RECENT_DAYS: Final = 7
"""How far back the list goes without a day."""
_MAX_SOURCE_CHARS: Final = 100
_BODY_DAYS: Final = 3
_NO_SOURCES: Final = skip("no_sources", messages.NO_SOURCES())
_NO_DUE_SOURCES: Final = skip("no_due_sources", messages.NO_DUE_SOURCES())


class News(Service):
    """The latest list, each story stored exactly once, and the texts of the articles."""

    domain: ClassVar = "news"
    sources: NewsSources

    def __init__(self, store: Store, web: Web, settings: Settings) -> None:
        self._store = store
        self._web = web
        self._settings = settings
        self.sources = NewsSources(store, web)

    @classmethod
    def open(cls, core: Core) -> Self:
        """The service of an app."""
        return cls(core.store, core.web, core.settings)

    def prepare(self) -> None:
        """Create the tables that are missing."""
        self._store.create(NEWS_ITEMS, NEWS_BODIES, NEWS_SOURCES)

    def is_ready(self) -> GateDecision:
        """Whether the settings allow automatic fetching."""
        return missing_contact(self._settings) or GO

    def has_due_sources(self) -> GateDecision:
        """Whether sources besides Yahoo's list are due."""
        if (missing := missing_contact(self._settings)) is not None:
            return missing
        now, known = self._store.clock.now(), [*self.sources.every()]
        if any(each.due_at <= now for each in known):
            return GO
        return _NO_DUE_SOURCES if known else _NO_SOURCES

    def unset(self) -> SimpleDecision | None:
        """Which settings are missing to collect on schedule; None if none are."""
        return missing_contact(self._settings)

    def setup(self) -> Sequence[SetupStep]:
        """The setup steps."""
        return (contact_step(self.domain, self._settings),)

    # Storing

    @verb(role="editor", kind="run")
    def collect(self, *, limit: CollectLimit = 50, rss: Rss = False) -> Uploaded:
        """Fetch the latest news and store new stories.

        A stored story never changes, whatever the list says later. Read the terms of the site
        before you collect from it.
        """
        from gotgan.domains.news.latest import (  # noqa: PLC0415 - it loads the readers
            fetch_feed,
            fetch_latest,
        )

        _expect_positive(limit)
        if rss:
            listed = fetch_feed(self._web, self._settings.news_rss)
        else:
            listed = fetch_latest(self._web, self._settings.news_list)
        stories = [story for story in listed if _is_storable(story)]
        return self.upload(stories[:limit], source="yf_rss" if rss else "yf_latest")

    @verb(role="editor", kind="write", path="news")
    def upload(self, stories: Stories, *, source: Source = "yf_latest") -> Uploaded:
        """Store stories collected elsewhere.

        All stories are checked before any is stored. Stored stories do not change.
        """
        if not source.strip() or len(source) > _MAX_SOURCE_CHARS or not source.isprintable():
            raise BadUpload(messages.NOT_A_SOURCE(source=repr(source[:50])))
        now = self._store.clock.now()
        checked = check_stories(map(_story_fields, stories))  # all are right, or none is stored
        items = [
            NewsItem(
                source=source,
                title=story.title,
                url=story.url,
                tickers=story.tickers,
                uploaded_at=now,
            )
            for story in checked
        ]
        with self._store.metered("upload"):
            stored = self._store.put_new_all(items)
        report = Uploaded(
            source=source,
            uploaded_at=now,
            new=tuple(stored.new),
            duplicates=len(stored.duplicates),
            failed=tuple(stored.failed),
            cost=stored.cost,
        )
        emit(
            "news.uploaded",
            source=source,
            given=report.given,
            new=len(report.new),
            duplicates=report.duplicates,
            failed=len(report.failed),
        )
        return report

    @verb(role="editor", kind="run")
    def poll(self, sources: SourceNames = (), *, progress: Progress = silent) -> PollReport:
        """Poll other sources: those that are due, or the named ones now.

        A source is due after its interval. After a failure the pause doubles, up to a day.
        """
        from gotgan.domains.news.polls import PollRun  # noqa: PLC0415 - it loads the readers

        now = self._store.clock.now()
        if sources:
            chosen = [self.sources.get(name) for name in dict.fromkeys(sources)]
            for each in chosen:
                if each.owner is not None and each.due_at > now:
                    raise Conflict(messages.SOURCE_TAKEN(name=each.name, until=each.due_at))
        else:
            due = (each for each in self.sources.every() if each.due_at <= now)
            chosen = sorted(due, key=lambda each: each.due_at)
        return PollRun(self._store, self._web, self._upload_listed, progress).run(chosen)

    def _upload_listed(self, stories: Sequence[Story], source: str) -> Uploaded:
        return self.upload([each for each in stories if _is_storable(each)], source=source)

    # Reading

    @verb()
    def list(
        self,
        *,
        day: ListDay | None = None,
        zone: ZoneParam | None = None,
        ticker: Ticker | None = None,
        limit: Limit = 50,
        cursor: Cursor | None = None,
    ) -> NewsItemList:
        """List news, newest first.

        The same stories at other sources are listed beside the items, by the keys of these.
        """
        if day is not None:
            query = self._of_day(day, zone, ticker)
            return self._with_twins(self._store.query(query, limit=limit, cursor=cursor))
        today, inner = _split_cursor(cursor, self._store.clock.now().date())
        query = _with_ticker(_items_of_days(latest_days(today, RECENT_DAYS)), ticker)
        page = self._store.query(query, limit=limit, cursor=inner)
        # The cursor has the day on which the list started, so that midnight does not end it.
        if page.cursor is not None:
            page = replace(page, cursor=f"{today}.{page.cursor}")
        return self._with_twins(page)

    def _with_twins(self, page: Page[NewsItem]) -> NewsItemList:
        """The page, with the same stories at other sources.

        With Yahoo's lists alone nothing is read for it. Of a page that is all there is, the items
        say so.
        """
        is_mixed = _has_other_sources(page) or (page.cursor and self.sources.are_there())
        also_at = find_twins(self._store, page.items) if page.items and is_mixed else {}
        return NewsItemList(**vars(page), also_at=also_at)

    def every(
        self, day: date, *, zone: Zone | None = None, ticker: str | None = None
    ) -> Iterator[NewsItem]:
        """All items of a day, newest first."""
        return self._store.iterate(self._of_day(day, zone, ticker), at_most=None)

    def summary(self, day: date, zone: Zone | None = None) -> NewsDay:
        """The summary of a day; its lists are bounded."""
        from gotgan.domains.news.summary import news_day  # noqa: PLC0415 - for the day alone

        zone = zone or day_zone(self._settings.zone)
        return news_day(self._store, self._of_day(day, zone, None), zone)

    def counts(self, days: Iterable[date], zone: Zone | None = None) -> dict[date, int]:
        """How many items each of some days has."""
        return {day: int(self._store.count(self._of_day(day, zone, None))) for day in days}

    @verb(path="news/item")
    def get(self, item: Item) -> NewsDetails:
        """Show an item, its article and how its key was derived.

        URLs are compared exactly: a different query or fragment is a different item. Similar items
        of the same UTC day are listed as look-alikes.
        """
        found = self.find(item)
        number = article_id(found.url)
        why = KeyReason("h" if number is None else "id", number, url_digest(found.url))
        day = models.news_of_day(date.fromisoformat(found.dt_utc))
        others = [each for each in self._store.iterate(day, at_most=None) if each.pk != found.pk]
        look_alikes = tuple(
            each for each in others if _look_alike_key(each.url) == _look_alike_key(found.url)
        )
        is_mixed = _has_other_sources((found, *others))
        also_at = find_twins(self._store, [found]).get(found.pk, ()) if is_mixed else ()
        return NewsDetails(found, self.body(found.pk), why, look_alikes, also_at)

    def find(self, item: str) -> NewsItem:
        """One item by its key, or by its URL exactly as listed; without its article."""
        pk = pk_of(item) if "://" in item else item
        found = self._store.get(models.news_by_pk(pk)) if is_pk(pk) else None
        if found is None:
            raise NotFound(messages.NO_ITEM(item=item[:200]))
        return found

    def body(self, pk: str) -> NewsBody | None:
        """The article of an item; None if it was not tried yet."""
        return self._store.get(models.news_body(pk))

    def bodies_of(self, items: Iterable[NewsItem], *, text: bool = False) -> dict[str, NewsBody]:
        """The bodies of some items by their keys; without the text unless ``text`` is set."""
        refs = [models.news_body(item.pk) for item in items]
        found = self._store.get_all(refs, only=() if text else ("url", "state", "outcome"))
        return {body.pk: body for body in found}

    @verb()
    def queue(
        self, *, dead: Dead = False, limit: Limit = 50, cursor: Cursor | None = None
    ) -> Page[NewsBody]:
        """List articles that are waiting for a retry.

        Articles that are due come first. An article that a worker is processing is due when its
        lease ends.
        """
        query = models.queued_bodies("dead" if dead else "retry").whole()
        return self._store.query(query, limit=limit, cursor=cursor)

    def count_queued(self, queue: Queue = "retry", *, at_most: int | None = None) -> int:
        """How many articles are in a queue, counted up to a bound."""
        return int(self._store.count(models.queued_bodies(queue), at_most=at_most))

    # Article texts

    @verb(role="editor", kind="run", about=lambda _, day: day and (day.isoformat(),))
    def bodies(
        self,
        *,
        day: BodiesDay | None = None,
        zone: ZoneParam | None = None,
        limit: BodiesLimit = 100,
        retry_dead: RetryDead = False,
        progress: Progress = silent,
    ) -> BodiesReport:
        """Fetch the missing article texts.

        Alternates between new articles and those due for a retry. A failed article is retried after
        10, 20, 40 and 80 minutes. After five failed attempts it is not retried.
        """
        from gotgan.domains.news.bodies import (  # noqa: PLC0415 - it loads the readers
            BodiesRun,
            items_without_body,
        )

        _expect_positive(limit)
        if retry_dead:
            self.retry_dead()
        if day is None:
            query = _items_of_days(latest_days(self._store.clock.now().date(), _BODY_DAYS))
        else:
            query = self._of_day(day, zone, None)
        fresh = items_without_body(self._store, query)
        due = models.due_bodies("retry", self._store.clock.now())
        again = (body.pk for body in self._store.iterate(due, at_most=limit))
        homes = self.sources.homes()
        return BodiesRun(self._store, self._web, progress, homes).run(fresh, again, limit)

    @verb(
        role="editor",
        kind="run",
        about=lambda news, items: tuple(news.find(item).pk for item in items),
    )
    def retry(self, items: Items, *, progress: Progress = silent) -> BodiesReport:
        """Fetch the article texts of these items now.

        Works for articles that were not tried yet, are waiting for a retry, or have no retries
        left. If one of them cannot be fetched now, none is.
        """
        from gotgan.domains.news.bodies import BodiesRun  # noqa: PLC0415 - it loads the readers

        found = {item.pk: item for item in map(self.find, items)}
        known = self.bodies_of(found.values(), text=True)
        for body in known.values():  # all can be tried, or none is touched
            self._expect_retryable(body)
        again = [self._retry_now(body).pk for body in known.values()]
        fresh = [item for pk, item in found.items() if pk not in known]
        limit = max(1, len(found))
        homes = self.sources.homes()
        return BodiesRun(self._store, self._web, progress, homes).run(fresh, again, limit)

    def requeue(self, pk: str) -> NewsBody:
        """Let the next run try a failed article again, with all its attempts."""
        body = self._store.get(models.news_body(pk), consistent=True)
        if body is None:
            raise NotFound(messages.NOT_TRIED(pk=pk))
        self._expect_retryable(body)
        return self._retry_now(body)

    def retry_dead(self) -> int:
        """Let the next run try all articles again that were given up; return how many."""
        from gotgan.domains.news.claims import retry_now  # noqa: PLC0415 - it loads the web client

        dead = [*self._store.iterate(models.queued_bodies("dead").whole(), at_most=None)]
        return sum(retry_now(self._store, body) is not None for body in dead)

    def _expect_retryable(self, body: NewsBody) -> None:
        """Refuse what is stored, what is at other sites, and what a worker is processing."""
        from gotgan.domains.news.article import is_yahoo  # noqa: PLC0415 - it loads the readers

        now = self._store.clock.now()
        if body.outcome == "ok":
            raise Conflict(messages.ALREADY_STORED(pk=body.pk))
        if body.outcome == "external" and not is_yahoo(body.url):
            raise Conflict(messages.OTHER_SITE(pk=body.pk))
        if body.state == "PROGRESS" and body.due_at is not None and body.due_at > now:
            raise Conflict(messages.CLAIMED(pk=body.pk, owner=body.owner, until=body.due_at))

    def _retry_now(self, body: NewsBody) -> NewsBody:
        from gotgan.domains.news.claims import retry_now  # noqa: PLC0415 - it loads the web client

        moved = retry_now(self._store, body)
        if moved is None:
            raise Conflict(messages.JUST_CLAIMED(pk=body.pk))
        return moved

    def _of_day(self, day: date, zone: Zone | None, ticker: str | None) -> Query[NewsItem]:
        """The items of a day in a zone, or in that of the settings."""
        parts = utc_parts(day, zone or day_zone(self._settings.zone))
        legs = [models.news_of_part(part.day, part.first, part.last) for part in parts]
        return _with_ticker(reduce(add, legs), ticker)


def _has_other_sources(items: Iterable[NewsItem]) -> bool:
    return any(each.source not in OWN_SOURCES for each in items)


def _items_of_days(days: list[date]) -> Query[NewsItem]:
    return reduce(add, [models.news_of_day(day) for day in days])


def _with_ticker(query: Query[NewsItem], ticker: str | None) -> Query[NewsItem]:
    return query.filtered(attr("tickers").contains(ticker.upper())) if ticker else query


def _split_cursor(cursor: str | None, today: date) -> tuple[date, str | None]:
    if cursor is None:
        return today, None
    day, _, inner = cursor.partition(".")
    try:
        return date.fromisoformat(day), inner
    except ValueError:
        raise BadCursor(messages.OTHER_CURSOR()) from None


def _story_fields(story: Story) -> Mapping[str, Any]:
    if not isinstance(story, Story):
        raise BadUpload(messages.NOT_STORED(errors=[messages.NOT_A_STORY(value=f"{story!r:.100}")]))
    return {"title": story.title, "url": story.url, "tickers": story.tickers}


def _is_storable(story: Story) -> bool:
    """Whether a listed story can be stored; one that is too long is left out."""
    try:
        check_story(_story_fields(story))
    except BadUpload as error:
        emit("news.story.skipped", level="warning", reason=error.message)
        return False
    return True


def _look_alike_key(url: str) -> tuple[str, str]:
    """What the URLs of look-alikes have in common."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url, ""
    return parts.netloc.lower(), parts.path.rstrip("/")


def _expect_positive(limit: int) -> None:
    if limit < 1:
        raise UsageError(messages.LIMIT(limit=limit))
