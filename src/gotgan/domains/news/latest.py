"""The stories of a list page, in any of the shapes that it has had since 2024.

Order, title and link are those that the page shows; the tickers come from the JSON that it
carries, because its newer shapes show few or none.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gotgan.domains.news.cards import StoryCard, cards_of, upwards
from gotgan.domains.news.embedded import StoryTickers, known_tickers
from gotgan.domains.news.links import resolved
from gotgan.domains.news.markup import tree_of
from gotgan.domains.news.stories import Story, one_line
from gotgan.errors import NoStories, UnknownShape
from gotgan.fetch import shown
from gotgan.markup import utf8_of

__all__ = ["latest_stories"]

_NO_TICKER: Final = ":not([data-testid=ticker-container]):not(.ticker-link)"
_TITLES: Final = f"a.titles{_NO_TICKER}"
_NAMED: Final = f"a[title]{_NO_TICKER}"
_TICKERS: Final = '[data-testid=ticker-container][aria-label]:not([aria-label=""]), span.symbol'
_UUID: Final = "([0-9a-f-]{36})"
_UUIDS: Final = {
    "data-ylk": re.compile(rf"(?<![\w-])g:{_UUID}", re.IGNORECASE),
    "data-yga": re.compile(rf'"yDestinationContentUUID"\s*:\s*"{_UUID}"', re.IGNORECASE),
}


def latest_stories(page: bytes, address: str, *, charset: str | None = None) -> list[Story]:
    """The stories of a list page in its order, repeats included.

    ``address`` is where the list stands in the settings: an answer's own address may have grown
    a query on the way, and links must not depend on that.
    """
    tree = _tree(utf8_of(page, charset), address)
    known = known_tickers(tree, address)
    told = (_story(card, address, known) for card in cards_of(tree))
    stories = [story for story in told if story is not None]
    if not stories:
        raise NoStories(
            f"the list at {shown(address)} has no stories: its shape has changed or something else "
            "came; keep the page with GOTGAN_RECORD=folder and look at it"
        )
    return stories


def _tree(page: bytes, address: str) -> LexborHTMLParser:
    try:
        return tree_of(page)
    except UnknownShape as error:
        raise NoStories(f"the list at {shown(address)} cannot be read: {error.message}") from None


def _story(card: StoryCard, address: str, known: StoryTickers) -> Story | None:
    headline = card.node.css_first("h3")
    words = one_line(headline.text()) if headline is not None else ""
    link = _linked(headline, card) or _beside(card.node, words)
    if link is None:
        return None
    title = words or one_line(link.attributes.get("title"))
    url = resolved(link.attributes.get("href") or "", address)
    if not title or url is None:
        return None
    return Story(title, url, known.of(url, _uuids(link)) or _shown_tickers(card.node))


def _linked(headline: LexborNode | None, card: StoryCard) -> LexborNode | None:
    """The link around a headline, even if it leads nowhere, or the one inside it."""
    if headline is None:
        return None
    inside = takewhile(lambda node: node.mem_id != card.node.mem_id, upwards(headline))
    around = (node for node in inside if node.tag == "a")
    return next(around, card.link) or headline.css_first("a")


def _beside(card: LexborNode, words: str) -> LexborNode | None:
    """A link that says that it is the headline's; any other would be a guess, kept for ever."""
    named = (
        link for link in card.css(_NAMED) if words in ("", one_line(link.attributes.get("title")))
    )
    return card.css_first(_TITLES) or next(named, None)


def _uuids(link: LexborNode) -> list[str]:
    found = (mark.search(link.attributes.get(name) or "") for name, mark in _UUIDS.items())
    return [match[1].lower() for match in found if match]


def _shown_tickers(card: LexborNode) -> tuple[str, ...]:
    return tuple(node.attributes.get("aria-label") or node.text() for node in card.css(_TICKERS))
