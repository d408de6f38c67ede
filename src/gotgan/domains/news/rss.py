"""The stories of the RSS feed: the way out where the list itself cannot be had. No tickers."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree as ET
from xml.parsers.expat import errors

from gotgan.domains.news.links import resolved
from gotgan.domains.news.stories import Story, one_line
from gotgan.errors import NoStories, PageError, TruncatedPage, WrongContentType
from gotgan.fetch import shown
from gotgan.markup import text_of

__all__ = ["feed_stories"]

_CUT: Final = frozenset(
    errors.codes[message]
    for message in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)
"""What is wrong with XML that is right as far as it goes."""


class _Builder(ET.TreeBuilder):
    """Builds the tree of a feed, but of none with a DOCTYPE."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def doctype(self, *_: object) -> None:
        """Refuse the document before anything that it declares is used."""
        raise WrongContentType(
            f"the feed at {shown(self._address)} has a DOCTYPE, which no feed needs and through "
            "which a short document can become an endless one; it is not read"
        )


def feed_stories(feed: bytes, address: str, *, charset: str | None = None) -> list[Story]:
    """The stories of a feed in its order, repeats included."""
    root = _root(text_of(feed, charset), address)
    told = (_story(item, address) for item in root.iter("item"))
    stories = [story for story in told if story is not None]
    if not stories:
        raise NoStories(
            f"the feed at {shown(address)} has no stories: its shape has changed or something else "
            "came; keep it with GOTGAN_RECORD=folder and look at it"
        )
    return stories


def _story(item: ET.Element, address: str) -> Story | None:
    title = one_line(item.findtext("title"))
    url = resolved(item.findtext("link", ""), address)
    return Story(title, url) if title and url is not None else None


def _root(feed: str, address: str) -> ET.Element:
    parser = ET.XMLParser(target=_Builder(address))  # noqa: S314 - it reads no DOCTYPE
    try:
        parser.feed(feed)
        return parser.close()
    except ET.ParseError as error:
        raise _unreadable(error, address) from None


def _unreadable(error: ET.ParseError, address: str) -> PageError:
    if error.code in _CUT:
        return TruncatedPage(f"the feed at {shown(address)} ends in the middle; ask for it again")
    return WrongContentType(
        f"what came from {shown(address)} is no feed ({error}); look at it in a browser, and check "
        "the address in the settings"
    )
