"""Where the stories come from: the latest page of Yahoo Finance, or its feed."""

from __future__ import annotations

from typing import Final

from gotgan.domains.news.latest import latest_stories
from gotgan.domains.news.pages import expect_feed, expect_page
from gotgan.domains.news.rss import feed_stories
from gotgan.domains.news.stories import Story
from gotgan.fetch import Web
from gotgan.settings import Settings

__all__ = ["NewsSource"]

_FEED: Final = "application/rss+xml,application/xml;q=0.9,text/xml;q=0.8"


class NewsSource:
    """Yahoo Finance, or whatever stands at the addresses in the settings."""

    def __init__(self, web: Web, settings: Settings) -> None:
        self._web = web
        self._list = settings.news_list
        self._rss = settings.news_rss

    def latest(self) -> list[Story]:
        """The stories of the latest page, in its order."""
        answer = self._web.get(self._list, from_settings=True)
        expect_page(answer)
        # Against the address of the list itself: the one that answered may carry a counter.
        return latest_stories(answer.body, self._list, charset=answer.charset)

    def feed(self) -> list[Story]:
        """The stories of the feed, in its order; it has no tickers."""
        answer = self._web.get(self._rss, from_settings=True, accept=_FEED)
        expect_feed(answer)
        return feed_stories(answer.body, self._rss, charset=answer.charset)
