"""Where stories come from: the latest page of Yahoo Finance, or its RSS feed, without tickers."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree as ET
from xml.parsers.expat import errors

from gotgan.domains.news import messages
from gotgan.domains.news.latest import latest_stories
from gotgan.domains.news.models import Story, one_line
from gotgan.domains.news.pages import expect_feed, expect_page, resolve_link
from gotgan.errors import NoStories, TruncatedPage, WrongContentType
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


_TRUNCATION_CODES: Final = frozenset(
    errors.codes[message]
    for message in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)


class _Builder(ET.TreeBuilder):
    """Refuses a DOCTYPE before anything that it declares is used."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def doctype(self, *_: object) -> None:
        raise WrongContentType(messages.FEED_DOCTYPE(url=display_url(self._address)))


def feed_stories(feed: bytes, address: str, *, charset: str | None = None) -> list[Story]:
    """The stories of a feed in its order, repeats included."""
    items = _parse_feed(decode_text(feed, charset), address).iter("item")
    found = ((one_line(item.findtext("title")), item.findtext("link", "")) for item in items)
    linked = ((title, resolve_link(link, address)) for title, link in found)
    stories = [Story(title, url) for title, url in linked if title and url is not None]
    if not stories:
        raise NoStories(messages.FEED_EMPTY(url=display_url(address)))
    return stories


def _parse_feed(feed: str, address: str) -> ET.Element:
    parser = ET.XMLParser(target=_Builder(address))  # noqa: S314 - it reads no DOCTYPE
    try:
        parser.feed(feed)
        return parser.close()
    except ET.ParseError as error:
        url = display_url(address)
        if error.code in _TRUNCATION_CODES:
            raise TruncatedPage(messages.FEED_INCOMPLETE(url=url)) from None
        raise WrongContentType(messages.NOT_A_FEED(url=url, cause=error)) from None
