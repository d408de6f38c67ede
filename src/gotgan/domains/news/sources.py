"""Other sources than Yahoo's list: feeds and news sitemaps that are polled, each at its interval.

A source is an item of ``news_sources``: two processes that add the same one at once add it once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar, Final
from urllib.parse import urlsplit

from gotgan.domains.news import messages, models
from gotgan.domains.news.keys import site_of
from gotgan.domains.news.models import NewsSource
from gotgan.domains.news.params import EveryMinutes, NewSourceName, SourceUrl, StoredSourceName
from gotgan.domains.news.reports import AddedSource
from gotgan.errors import (
    BadSource,
    Conflict,
    FetchError,
    NoStories,
    NotFound,
    PageError,
    UsageError,
)
from gotgan.params import Cursor, Limit
from gotgan.store import Page, Store
from gotgan.verbs import verb

if TYPE_CHECKING:
    from gotgan.domains.news.feeds import Feed
    from gotgan.fetch import FetchResponse, Web

_MAX_SOURCES: Final = 500
_ADD_TIMEOUT_S: Final = 20.0
"""How long the request of a person may wait for a site."""
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,49}")
_OWN_PREFIX: Final = "yf_"
_NAME_CHARS: Final = 43
"""Of a host, with room for a dash and six digits."""


class NewsSources:
    """Feeds and news sitemaps besides Yahoo's list."""

    domain: ClassVar = "news"
    path: ClassVar = "news/sources"

    def __init__(self, store: Store, web: Web) -> None:
        self._store = store
        self._web = web

    @verb(role="editor", kind="write", path="news/sources")
    def add(
        self,
        url: SourceUrl,
        *,
        name: NewSourceName | None = None,
        every_minutes: EveryMinutes = 30,
    ) -> AddedSource:
        """Add an RSS, Atom or JSON feed, or a news sitemap.

        The feed is fetched once, to see that it can be read. For a web page, the feed that it names
        is added. Adding a source again changes nothing.
        """
        chosen = None if name is None else _checked_name(name)
        known = self._of_url(url, chosen)
        if known is not None:
            return AddedSource(known, is_new=False)
        try:
            address, feed = self._read(url)
        except (FetchError, PageError) as error:
            message = messages.NOT_ADDED(url=_public_url(url), why=error.message)
            raise BadSource(message, error) from error
        known = self._of_url(address, chosen)
        if known is not None:
            return AddedSource(known, is_new=False)
        now = self._store.clock.now()
        names = (chosen,) if chosen else _default_names(address)
        for each in names:
            source = NewsSource(
                name=each,
                url=address,
                format=feed.format,
                title=feed.title,
                every_minutes=every_minutes,
                added_at=now,
                due_at=now,
            )
            made = self._store.put_new(source)
            if made.item.url == address:
                return AddedSource(made.item, is_new=made.new)
        raise Conflict(messages.SOURCE_NAME_TAKEN(names=names))

    @verb()
    def list(self, *, limit: Limit = 50, cursor: Cursor | None = None) -> Page[NewsSource]:
        """List the sources with their health."""
        return self._store.query(models.news_sources(), limit=limit, cursor=cursor)

    @verb()
    def get(self, name: StoredSourceName) -> NewsSource:
        """Show a source and its health."""
        found = self._store.get(models.news_source(name), consistent=True)
        if found is None:
            raise NotFound(messages.NO_SOURCE(name=name[:50]))
        return found

    @verb(role="editor", kind="write", path="news/sources/{name}/remove")
    def remove(self, name: StoredSourceName) -> NewsSource:
        """Remove a source. Its items stay."""
        found = self.get(name)
        self._store.delete(found)
        return found

    def every(self) -> Iterator[NewsSource]:
        """All sources."""
        return self._store.iterate(models.news_sources(), at_most=None)

    def homes(self) -> dict[str, str | None]:
        """The site of each source by its name: articles there are fetched."""
        return {each.name: site_of(each.url) for each in self.every()}

    def are_there(self) -> bool:
        """Whether there are any."""
        return bool(self._store.count(models.news_sources(), at_most=1))

    def _of_url(self, url: str, name: str | None) -> NewsSource | None:
        """The source of a URL, if there is one; raise Conflict if it has another name."""
        known = [*self.every()]
        found = next((each for each in known if each.url == url), None)
        if found is not None and name not in (None, found.name):
            raise Conflict(messages.SOURCE_KNOWN(url=_public_url(url), name=found.name))
        if found is None and len(known) >= _MAX_SOURCES:
            raise Conflict(messages.TOO_MANY_SOURCES(count=len(known)))
        return found

    def _read(self, url: str) -> tuple[str, Feed]:
        """A feed and its address: the one given, or the first that the page there names."""
        from gotgan.domains.news.feeds import (  # noqa: PLC0415 - it loads the readers
            feed_links,
            is_html,
            read_feed,
        )
        from gotgan.domains.news.pages import expect_answer  # noqa: PLC0415 - as above

        answer = self._fetch(url)
        if not is_html(answer.body):
            return url, read_feed(answer)
        expect_answer(answer)
        links = feed_links(answer.body, answer.url, charset=answer.charset)
        if not links:
            raise NoStories(messages.NO_FEED_LINK(url=_public_url(url)))
        return links[0], read_feed(self._fetch(links[0]))

    def _fetch(self, url: str) -> FetchResponse:
        from gotgan.domains.news.feeds import (  # noqa: PLC0415 - it loads the readers
            FEED_TYPES,
            MAX_FEED_BYTES,
        )
        from gotgan.fetch import FetchRequest  # noqa: PLC0415 - it loads the web client

        request = FetchRequest(
            url, None, FEED_TYPES, most_bytes=MAX_FEED_BYTES, seconds=_ADD_TIMEOUT_S
        )
        return self._web.one(request)


def _public_url(url: str) -> str:
    """A URL without what may be secret in it."""
    from gotgan.fetch import display_url  # noqa: PLC0415 - it loads the web client

    return display_url(url)


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name) or name.startswith(_OWN_PREFIX):
        raise UsageError(messages.BAD_SOURCE_NAME(name=repr(name[:50])))
    return name


def _default_names(url: str) -> tuple[str, ...]:
    """The host; and one with a part of the hash, for further sources of the same host."""
    host = (urlsplit(url).hostname or "").lower().removeprefix("www.")
    plain = re.sub(r"[^a-z0-9._-]", "-", host).strip(".-_")[:_NAME_CHARS] or "source"
    if plain.startswith(_OWN_PREFIX):
        plain = f"x-{plain}"
    return plain, f"{plain}-{sha256(url.encode()).hexdigest()[:6]}"
