"""The latest stories of Yahoo Finance: from its page, or from its RSS feed, which has no tickers.

The page is read in any of the shapes that it has had since 2024. Order, title and link are those
that it shows; the tickers come from the JSON that it embeds, because newer shapes show few or none.
Class names with a build's hash (``yf-1a2b3c``) change with every build and are not used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from itertools import takewhile
from typing import Any, Final
from xml.etree import ElementTree as ET

import orjson
from selectolax.lexbor import LexborHTMLParser, LexborNode

from gotgan.domains.news import messages
from gotgan.domains.news.feeds import parse_xml
from gotgan.domains.news.models import Story, one_line
from gotgan.domains.news.pages import (
    expect_feed,
    expect_page,
    parse_page,
    resolve_link,
    without_query,
)
from gotgan.errors import NoStories, UnknownShape, WrongContentType
from gotgan.fetch import Web, display_url
from gotgan.markup import decode_text, to_utf8

_NO_TICKER: Final = ":not([data-testid=ticker-container]):not(.ticker-link)"
_TITLE_SELECTOR: Final = f"a.titles{_NO_TICKER}"
_NAMED_SELECTOR: Final = f"a[title]{_NO_TICKER}"
_TICKER_SELECTOR: Final = (
    '[data-testid=ticker-container][aria-label]:not([aria-label=""]), span.symbol'
)
_UUID: Final = "([0-9a-f-]{36})"
_UUIDS: Final = {
    "data-ylk": re.compile(rf"(?<![\w-])g:{_UUID}", re.IGNORECASE),
    "data-yga": re.compile(rf'"yDestinationContentUUID"\s*:\s*"{_UUID}"', re.IGNORECASE),
}
_FEED_TYPES: Final = "application/rss+xml,application/xml;q=0.9,text/xml;q=0.8"


def fetch_latest(web: Web, address: str) -> list[Story]:
    """The stories of the latest page, in its order."""
    answer = web.get(address, from_settings=True)
    expect_page(answer)
    return latest_stories(answer.body, address, charset=answer.charset)


def fetch_feed(web: Web, address: str) -> list[Story]:
    """The stories of the feed, in its order; it has no tickers."""
    answer = web.get(address, from_settings=True, accept=_FEED_TYPES)
    expect_feed(answer)
    return feed_stories(answer.body, address, charset=answer.charset)


def latest_stories(page: bytes, address: str, *, charset: str | None = None) -> list[Story]:
    """The stories of a list page in its order, repeats included.

    ``address`` is the list's address in the settings: that of the response may have got a query on
    the way, and links must not depend on it.
    """
    try:
        tree = parse_page(to_utf8(page, charset))
    except UnknownShape as error:
        url = display_url(address)
        raise NoStories(messages.LIST_UNREADABLE(url=url, why=error.message)) from None
    tickers = embedded_tickers(tree, address)
    found = (_story(card, link, address, tickers) for card, link in story_cards(tree))
    stories = [story for story in found if story is not None]
    if not stories:
        raise NoStories(messages.LIST_EMPTY(url=display_url(address)))
    return stories


def _story(
    card: LexborNode, around: LexborNode | None, address: str, tickers: StoryTickers
) -> Story | None:
    headline = card.css_first("h3")
    words = one_line(headline.text()) if headline is not None else ""
    link = _headline_link(headline, card, around) or _labelled_link(card, words)
    if link is None:
        return None
    title = words or one_line(link.attributes.get("title"))
    url = resolve_link(link.attributes.get("href") or "", address)
    if not title or url is None:
        return None
    found = (mark.search(link.attributes.get(name) or "") for name, mark in _UUIDS.items())
    uuids = [match[1].lower() for match in found if match]
    shown_tickers = (
        node.attributes.get("aria-label") or node.text() for node in card.css(_TICKER_SELECTOR)
    )
    return Story(title, url, tickers.of(url, uuids) or tuple(shown_tickers))


def _headline_link(
    headline: LexborNode | None, card: LexborNode, around: LexborNode | None
) -> LexborNode | None:
    """The link around a headline, even if it leads nowhere, or the one inside it."""
    if headline is None:
        return None
    inside = takewhile(lambda node: node.mem_id != card.mem_id, _ancestors(headline))
    links = (node for node in inside if node.tag == "a")
    return next(links, around) or headline.css_first("a")


def _labelled_link(card: LexborNode, words: str) -> LexborNode | None:
    """A link labelled as the headline's; any other would be a guess, and stored for good."""
    named = (
        link
        for link in card.css(_NAMED_SELECTOR)
        if words in ("", one_line(link.attributes.get("title")))
    )
    return card.css_first(_TITLE_SELECTOR) or next(named, None)


_STREAM_SELECTORS: Final = ("[data-testid=topic-stream]", ".stream-items")
_CARD_SELECTOR: Final = "[data-testid=stream-card], [data-testid=storyitem], .story-item"
_SIDE_TAGS: Final = frozenset({"aside", "footer", "header", "nav"})
_MARKER_CLASSES: Final = frozenset({"ad-item", "stream-item"})
_MARKER_TEST_IDS: Final = frozenset({"list-ds", "stream-card"})


@dataclass(frozen=True)
class _CardContext:
    """Markers of a node and its ancestors, and the nearest link."""

    marks: frozenset[str] = frozenset()
    link: LexborNode | None = None
    is_taken: bool = False


class _CardContexts:
    """Contexts of nodes; each node is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, _CardContext] = {}

    def of(self, node: LexborNode) -> _CardContext:
        new: list[LexborNode] = []
        place = _CardContext()
        for each in _ancestors(node):
            if each.mem_id in self._known:
                place = self._known[each.mem_id]
                break
            new.append(each)
        for each in reversed(new):
            link = each if each.tag == "a" else place.link
            place = _CardContext(place.marks.union(_node_markers(each)), link, place.is_taken)
            self._known[each.mem_id] = place
        return place

    def outermost(self, nodes: Iterable[LexborNode]) -> Iterator[LexborNode]:
        """Those of some nodes, in page order, that are in no other of them."""
        for node in nodes:
            place = self.of(node)
            if not place.is_taken:
                self._known[node.mem_id] = replace(place, is_taken=True)
                yield node


def story_cards(page: LexborHTMLParser) -> list[tuple[LexborNode, LexborNode | None]]:
    """The cards of a list page in its order, each with the nearest link around it."""
    places = _CardContexts()
    for selector in _STREAM_SELECTORS:
        outermost = _CardContexts().outermost(page.css(selector))
        streams = [list(_cards(stream, places)) for stream in outermost]
        if streams:  # the longest is the list
            return [(node, place.link) for node, place in max(streams, key=len)]
    everywhere = _cards(page.root, places) if page.root is not None else ()
    listed = {"li", "stream-item"}  # in the main part of the page
    return [
        (node, place.link)
        for node, place in everywhere
        if "beside" not in place.marks and not listed.isdisjoint(place.marks)
    ]


def _ancestors(node: LexborNode | None) -> Iterator[LexborNode]:
    """A node and those around it."""
    while node is not None:
        yield node
        node = node.parent


def _cards(stream: LexborNode, places: _CardContexts) -> Iterator[tuple[LexborNode, _CardContext]]:
    """The outermost cards without ads; a card inside a card is the same story.

    Ads are marked, or unmarked in a list that marks its stories.
    """
    cards = ((node, places.of(node).marks) for node in stream.css(_CARD_SELECTOR))
    stories = (
        node
        for node, marks in cards
        if "ad-item" not in marks and ("list-ds" not in marks or "stream-card" in marks)
    )
    return ((node, places.of(node)) for node in places.outermost(stories))


def _node_markers(node: LexborNode) -> Iterator[str]:
    attributes = node.attributes
    yield from _MARKER_CLASSES.intersection((attributes.get("class") or "").split())
    yield from _MARKER_TEST_IDS.intersection((attributes.get("data-testid") or "",))
    if node.tag in _SIDE_TAGS:
        yield "beside"
    elif node.tag == "li":
        yield "li"


Tickers = tuple[str, ...]

_JSON_SCRIPTS: Final = 'script[type="application/json"]'
_TICKERS_FIELD: Final = "stockTickers"
_URL_FIELDS: Final = ("clickThroughUrl", "canonicalUrl")


@dataclass(frozen=True)
class StoryTickers:
    """Tickers by what identifies a story on the page."""

    by_url: dict[str, Tickers] = field(default_factory=dict)
    by_uuid: dict[str, Tickers] = field(default_factory=dict)
    by_path: dict[str, Tickers] = field(default_factory=dict)
    """By URL without query; empty if stories that differ only in the query have others."""

    def of(self, url: str, uuids: list[str]) -> Tickers:
        """The tickers of a story, by the most reliable identifier."""
        by_uuid = (self.by_uuid[uuid] for uuid in uuids if uuid in self.by_uuid)
        return self.by_url.get(url) or next(by_uuid, ()) or self.by_path.get(without_query(url), ())

    def add(self, urls: list[str], uuid: str, tickers: Tickers) -> None:
        """Add the tickers of a story; the first entry wins."""
        self.by_uuid.setdefault(uuid, tickers)
        for url in urls:
            self.by_url.setdefault(url, tickers)
            path = without_query(url)
            if self.by_path.setdefault(path, tickers) != tickers:
                self.by_path[path] = ()


def embedded_tickers(page: LexborHTMLParser, address: str) -> StoryTickers:
    """The tickers in the JSON of a page: responses that its server fetched, in no promised form."""
    tickers = StoryTickers()
    for script in page.css(_JSON_SCRIPTS):
        text = script.text()
        if _TICKERS_FIELD in text:
            for each in _objects(_response_body(_parse_json(text))):
                _add_entry(tickers, each, address)
    return tickers


def _add_entry(tickers: StoryTickers, entry: dict[str, Any], address: str) -> None:
    """Add an entry of a stream, or its content, which is met separately as well."""
    content = entry.get("content")
    if not isinstance(content, dict):
        content = entry
    if symbols := _tickers(content):
        held = (content.get(name) for name in _URL_FIELDS)
        links = (each.get("url") if isinstance(each, dict) else each for each in held)
        urls = (resolve_link(link, address) for link in links if isinstance(link, str))
        uuid = entry.get("id")
        known = uuid.lower() if isinstance(uuid, str) else ""
        tickers.add([url for url in urls if url is not None], known, symbols)


def _tickers(content: dict[str, Any]) -> Tickers:
    finance = content.get("finance")
    listed = finance.get(_TICKERS_FIELD) if isinstance(finance, dict) else None
    if not isinstance(listed, list):
        return ()
    symbols = (each.get("symbol") if isinstance(each, dict) else each for each in listed)
    # Half of a pair of surrogates cannot be stored, and is not printable either.
    return tuple(each for each in symbols if isinstance(each, str) and each.isprintable())


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a document, in order, however deep."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            yield each
            waiting.extend(reversed(each.values()))
        elif isinstance(each, list):
            waiting.extend(reversed(each))


def _response_body(answer: Any) -> Any:
    """The body of a response; None if it failed."""
    if not isinstance(answer, dict):
        return answer
    status = answer.get("status")
    if isinstance(status, int) and status != HTTPStatus.OK:
        return None
    body = answer.get("body", answer)
    return _parse_json(body) if isinstance(body, str) else body


def _parse_json(text: str) -> Any:
    try:
        return orjson.loads(text)
    except ValueError:
        pass
    try:  # JavaScript cuts texts within a character, which only Python's own parser accepts
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


# The feed


class _FeedBuilder(ET.TreeBuilder):
    """Refuses a DOCTYPE before anything that it declares is used."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def doctype(self, *_: object) -> None:
        raise WrongContentType(messages.FEED_DOCTYPE(url=display_url(self._address)))


def feed_stories(feed: bytes, address: str, *, charset: str | None = None) -> list[Story]:
    """The stories of a feed in its order, repeats included."""
    items = parse_xml(decode_text(feed, charset), address, _FeedBuilder(address)).iter("item")
    found = ((one_line(item.findtext("title")), item.findtext("link", "")) for item in items)
    linked = ((title, resolve_link(link, address)) for title, link in found)
    stories = [Story(title, url) for title, url in linked if title and url is not None]
    if not stories:
        raise NoStories(messages.FEED_EMPTY(url=display_url(address)))
    return stories
