"""Which parts of a list page are its stories: not the ads between them, nor what is around.

Class names with a build's hash in them (``yf-1a2b3c``) change with every build and are never
looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["cards_of", "upwards"]

_STREAMS: Final = ("[data-testid=topic-stream]", ".stream-items")
_CARDS: Final = "[data-testid=stream-card], [data-testid=storyitem], .story-item"
_BESIDE: Final = {"aside", "footer", "header", "nav"}


@dataclass(frozen=True)
class _Place:
    """A card and all that it stands in, up to the page itself."""

    nodes: set[int]
    tags: set[str | None]
    classes: set[str]
    parts: set[str | None]
    """The names that the site's own tests have for them."""

    @property
    def is_ad(self) -> bool:
        """Whether it is marked as an ad, or is unmarked in a list that marks its stories."""
        unmarked = "list-ds" in self.parts and "stream-card" not in self.parts
        return unmarked or "ad-item" in self.classes

    @property
    def is_listed(self) -> bool:
        """Whether it is an item of a list in the middle of the page, not above or beside it."""
        return self.tags.isdisjoint(_BESIDE) and (
            "li" in self.tags or "stream-item" in self.classes
        )


def cards_of(page: LexborHTMLParser) -> list[LexborNode]:
    """The cards of a list page, in its order."""
    for selector in _STREAMS:
        streams = [list(_cards(stream)) for stream in page.css(selector)]
        if streams:  # the longest is the list, any other stands beside it
            return [card for card, _ in max(streams, key=len)]
    everywhere = _cards(page.root) if page.root is not None else ()
    return [card for card, place in everywhere if place.is_listed]


def upwards(node: LexborNode | None) -> Iterator[LexborNode]:
    """A node and all that it stands in."""
    while node is not None:
        yield node
        node = node.parent


def _cards(stream: LexborNode) -> Iterator[tuple[LexborNode, _Place]]:
    """The outermost cards that are no ads; a card inside a card is the same story."""
    taken: set[int] = set()
    for card in stream.css(_CARDS):
        place = _place(card)
        if taken.isdisjoint(place.nodes) and not place.is_ad:
            taken.add(card.mem_id)
            yield card, place


def _place(card: LexborNode) -> _Place:
    around = list(upwards(card))
    attributes = [node.attributes for node in around]
    return _Place(
        nodes={node.mem_id for node in around},
        tags={node.tag for node in around},
        classes={name for each in attributes for name in (each.get("class") or "").split()},
        parts={each.get("data-testid") for each in attributes},
    )
