"""Which parts of a list page are its stories: not the ads between them, nor what is around.

Class names with a build's hash in them (``yf-1a2b3c``) change with every build and are never
looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["StoryCard", "cards_of", "upwards"]

_STREAMS: Final = ("[data-testid=topic-stream]", ".stream-items")
_CARDS: Final = "[data-testid=stream-card], [data-testid=storyitem], .story-item"
_BESIDE: Final = frozenset({"aside", "footer", "header", "nav"})
_TELLING_CLASSES: Final = frozenset({"ad-item", "stream-item"})
_TELLING_PARTS: Final = frozenset({"list-ds", "stream-card"})
"""By the names that the site's own tests have for them."""


@dataclass(frozen=True)
class StoryCard:
    """A story on a page."""

    node: LexborNode
    link: LexborNode | None
    """The nearest link around the whole card, if there is one."""


@dataclass(frozen=True)
class _Place:
    """What a node is and all that it stands in, up to the page itself, as far as it matters."""

    marks: frozenset[str] = frozenset()
    link: LexborNode | None = None
    is_taken: bool = False

    @property
    def is_ad(self) -> bool:
        """Whether it is marked as an ad, or is unmarked in a list that marks its stories."""
        unmarked = "list-ds" in self.marks and "stream-card" not in self.marks
        return unmarked or "ad-item" in self.marks

    @property
    def is_listed(self) -> bool:
        """Whether it is an item of a list in the middle of the page, not above or beside it."""
        is_beside = "beside" in self.marks
        return not is_beside and ("li" in self.marks or "stream-item" in self.marks)

    def inside(self, node: LexborNode) -> _Place:
        """The place of a node that stands right in this one."""
        marks = self.marks.union(_marks(node))
        return _Place(marks, node if node.tag == "a" else self.link, self.is_taken)


class _Places:
    """The places of nodes; each node is looked at once, however much stands in it."""

    def __init__(self) -> None:
        self._known: dict[int, _Place] = {}

    def of(self, node: LexborNode) -> _Place:
        """Where a node stands."""
        new: list[LexborNode] = []
        place = _Place()
        for each in upwards(node):
            if each.mem_id in self._known:
                place = self._known[each.mem_id]
                break
            new.append(each)
        for each in reversed(new):
            place = self._known[each.mem_id] = place.inside(each)
        return place

    def outermost(self, nodes: Iterable[LexborNode]) -> Iterator[LexborNode]:
        """Those of some nodes, in page order, that stand in no other of them."""
        for node in nodes:
            place = self.of(node)
            if not place.is_taken:
                self._known[node.mem_id] = replace(place, is_taken=True)
                yield node


def cards_of(page: LexborHTMLParser) -> list[StoryCard]:
    """The cards of a list page, in its order."""
    places = _Places()
    for selector in _STREAMS:
        # A stream in a stream is a part of it, and is not searched again.
        apart = _Places().outermost(page.css(selector))
        streams = [list(_cards(stream, places)) for stream in apart]
        if streams:  # the longest is the list, any other stands beside it
            return [card for card, _ in max(streams, key=len)]
    everywhere = _cards(page.root, places) if page.root is not None else ()
    return [card for card, place in everywhere if place.is_listed]


def upwards(node: LexborNode | None) -> Iterator[LexborNode]:
    """A node and all that it stands in."""
    while node is not None:
        yield node
        node = node.parent


def _cards(stream: LexborNode, places: _Places) -> Iterator[tuple[StoryCard, _Place]]:
    """The outermost cards that are no ads; a card inside a card is the same story."""
    told = (node for node in stream.css(_CARDS) if not places.of(node).is_ad)
    for node in places.outermost(told):
        place = places.of(node)
        yield StoryCard(node, place.link), place


def _marks(node: LexborNode) -> Iterator[str]:
    attributes = node.attributes
    yield from _TELLING_CLASSES.intersection((attributes.get("class") or "").split())
    yield from _TELLING_PARTS.intersection((attributes.get("data-testid") or "",))
    if node.tag in _BESIDE:
        yield "beside"
    elif node.tag == "li":
        yield "li"
