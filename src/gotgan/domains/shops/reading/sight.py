"""A page as its visitors see it: its texts in their order, and where each stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.reading.elements import UNSEEN, Attributes, Elements
from gotgan.domains.shops.reading.naming import named
from gotgan.domains.shops.reading.phrases import spoken

__all__ = ["Sight", "TextContext", "around", "is_linked", "sight_of"]

_STRUCK: Final = frozenset({"del", "s", "strike"})
_ASIDE: Final = frozenset({"nav", "footer", "aside"})
_WHOLE: Final = frozenset({"html", "body", "main"})
"""What holds the whole page; its names speak of the page and not of a part."""
_NO_DISPLAY: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_REACH: Final = 5
"""How many elements deep a name speaks of an amount."""
_CARD: Final = 3
"""How many elements a card has around its title, at most."""


@dataclass(frozen=True, slots=True)
class TextContext:
    """What the elements around a text say about it by what they are and how they are named."""

    is_seen: bool = True
    is_struck: bool = False
    is_away: bool = False
    """Belongs to the frame of the page, or to what else the shop sells."""
    is_linked: bool = False
    """Leads to another page."""
    is_carded: bool = False
    """Belongs to a card: a thing among others, with a page of its own."""
    priced: int = 0
    old: int = 0
    other: int = 0
    """For how many elements further in it is named a price, one that was, or another amount."""

    @property
    def is_priced(self) -> bool:
        """Whether it is named a price."""
        return self.priced > 0

    @property
    def is_old(self) -> bool:
        """Whether it is named a price that was."""
        return self.old > 0

    @property
    def is_other(self) -> bool:
        """Whether it is named an amount that is no price."""
        return self.other > 0


@dataclass
class Sight:
    """The texts of a page in their order, and the element around each."""

    texts: list[str]
    nodes: list[LexborNode]
    said: dict[str, list[int]]
    """Which texts say what shops say, by the table of words."""
    frame: frozenset[int] = frozenset()
    """The elements around the heading: however they are named, they hold what it is about."""
    cards: frozenset[int] = frozenset()
    """The elements around titles that lead to other pages."""
    _places: dict[int, TextContext] = field(default_factory=dict)

    def place(self, node: LexborNode | None) -> TextContext:
        """Where an element stands."""
        path: list[tuple[int, LexborNode]] = []
        place = TextContext()
        while node is not None:
            known = self._places.get(node.mem_id)
            if known is not None:
                place = known
                break
            path.append((node.mem_id, node))
            node = node.parent
        for key, each in reversed(path):
            place = self._places[key] = self._inside(place, each)
        return place

    def _inside(self, place: TextContext, node: LexborNode) -> TextContext:
        if node.mem_id in self.frame:
            return place
        inside = _inside(place, node)
        is_card = node.mem_id in self.cards and not place.is_carded
        return replace(inside, is_carded=True) if is_card else inside


def sight_of(elements: Elements, heading: int | None = None) -> Sight:
    """What there is to be seen, on a page whose heading is a text of this number."""
    texts, nodes = elements.texts, elements.holders
    holder = nodes[heading] if heading is not None else None
    frame = frozenset(each.mem_id for each in around(holder))
    name = texts[heading] if heading is not None else ""
    linked = filter(is_linked, elements.subheadings)
    titles = (each for each in linked if each.text().strip() != name)
    cards = frozenset(each.mem_id for title in titles for each in islice(around(title), _CARD))
    return Sight(texts, nodes, spoken(texts), frame, cards - frame)


def is_linked(title: LexborNode) -> bool:
    """Whether a title leads to another page: it holds a link, or stands in one."""
    above = islice(around(title), 1, 3)
    return any(each.tag == "a" for each in title.iter()) or any(each.tag == "a" for each in above)


def around(node: LexborNode | None) -> Iterator[LexborNode]:
    """An element, and those around it."""
    while node is not None:
        yield node
        node = node.parent


def _inside(place: TextContext, node: LexborNode) -> TextContext:
    tag = node.tag or ""
    attributes = node.attributes
    names = named(_names(tag, attributes))
    return TextContext(
        is_seen=place.is_seen and not (tag in UNSEEN or names.is_hidden or _is_off(attributes)),
        is_struck=place.is_struck or tag in _STRUCK,
        is_away=place.is_away or tag in _ASIDE or names.is_away,
        is_carded=place.is_carded or names.is_card,
        is_linked=place.is_linked or (tag == "a" and _leads_away(attributes.get("href"))),
        priced=_REACH if names.is_price else max(0, place.priced - 1),
        old=_REACH if names.is_old else max(0, place.old - 1),
        other=_REACH if names.is_other else max(0, place.other - 1),
    )


def _names(tag: str, attributes: Attributes) -> str:
    if tag in _WHOLE:
        return ""
    return f"{attributes.get('class') or ''} {attributes.get('id') or ''}"


def _is_off(attributes: Attributes) -> bool:
    style = attributes.get("style")
    return "hidden" in attributes or bool(style and _NO_DISPLAY.search(style))


def _leads_away(href: str | None) -> bool:
    return bool(href) and not str(href).startswith(("#", "javascript:"))
