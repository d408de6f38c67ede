"""Where stories come from: the latest page of Yahoo Finance, or its RSS feed, without tickers."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree as ET

from gotgan.domains.news import messages
from gotgan.domains.news.feeds import parse_xml
from gotgan.domains.news.latest import latest_stories
from gotgan.domains.news.models import Story, one_line
from gotgan.domains.news.pages import expect_feed, expect_page, resolve_link
from gotgan.errors import NoStories, WrongContentType
from gotgan.fetch import Web, display_url
from gotgan.markup import decode_text

_FEED: Final = "application/rss+xml,application/xml;q=0.9,text/xml;q=0.8"


def fetch_latest(web: Web, address: str) -> list[Story]:
    """The stories of the latest page, in its order."""
    answer = web.get(address, from_settings=True)
    expect_page(answer)
    return latest_stories(answer.body, address, charset=answer.charset)


def fetch_feed(web: Web, address: str) -> list[Story]:
    """The stories of the feed, in its order; it has no tickers."""
    answer = web.get(address, from_settings=True, accept=_FEED)
    expect_feed(answer)
    return feed_stories(answer.body, address, charset=answer.charset)


class _Builder(ET.TreeBuilder):
    """Refuses a DOCTYPE before anything that it declares is used."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def doctype(self, *_: object) -> None:
        raise WrongContentType(messages.FEED_DOCTYPE(url=display_url(self._address)))


def feed_stories(feed: bytes, address: str, *, charset: str | None = None) -> list[Story]:
    """The stories of a feed in its order, repeats included."""
    items = parse_xml(decode_text(feed, charset), address, _Builder(address)).iter("item")
    found = ((one_line(item.findtext("title")), item.findtext("link", "")) for item in items)
    linked = ((title, resolve_link(link, address)) for title, link in found)
    stories = [Story(title, url) for title, url in linked if title and url is not None]
    if not stories:
        raise NoStories(messages.FEED_EMPTY(url=display_url(address)))
    return stories
