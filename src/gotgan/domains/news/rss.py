"""The stories of the RSS feed: the way out where the list itself cannot be had. No tickers."""

from __future__ import annotations

import re
from typing import Final
from xml.etree import ElementTree as ET
from xml.parsers.expat import errors

from gotgan.domains.news.decoding import text_of
from gotgan.domains.news.links import resolved
from gotgan.domains.news.stories import Story, one_line
from gotgan.errors import NoStories, PageError, TruncatedPage, WrongContentType

__all__ = ["stories_of_feed"]

_DOCTYPE: Final = re.compile(r"(?:\s++|<\?.*?\?>|<!--.*?-->)*+<!DOCTYPE", re.DOTALL)
_CUT: Final = frozenset(
    errors.codes[message]
    for message in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)
"""What is wrong with XML that is right as far as it goes."""


def stories_of_feed(feed: bytes, address: str) -> list[Story]:
    """The stories of a feed in its order, repeats included."""
    told = (_story(item, address) for item in _root(feed, address).iter("item"))
    stories = [story for story in told if story is not None]
    if not stories:
        raise NoStories(
            f"the feed at {address} has no stories: its shape has changed or something else came; "
            "keep it with GOTGAN_RECORD=folder and look at it"
        )
    return stories


def _story(item: ET.Element, address: str) -> Story | None:
    title = one_line(item.findtext("title"))
    url = resolved(item.findtext("link", ""), address)
    return Story(title, url) if title and url is not None else None


def _root(feed: bytes, address: str) -> ET.Element:
    text = text_of(feed)
    if _DOCTYPE.match(text):
        raise WrongContentType(
            f"the feed at {address} begins with a DOCTYPE, which no feed needs and through which "
            "a short document can become an endless one; it is not read"
        )
    try:
        return ET.fromstring(text)  # noqa: S314 - without a DOCTYPE there are no entities
    except ET.ParseError as error:
        raise _unreadable(error, address) from None


def _unreadable(error: ET.ParseError, address: str) -> PageError:
    if error.code in _CUT:
        return TruncatedPage(f"the feed at {address} ends in the middle; ask for it again")
    return WrongContentType(
        f"what came from {address} is no feed ({error}); look at it in a browser, and check the "
        "address in the settings"
    )
