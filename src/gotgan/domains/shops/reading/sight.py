"""A page as its visitors see it: its texts in their order, and where each stands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.reading.elements import UNSEEN, Attributes, Elements
from gotgan.domains.shops.reading.naming import named
from gotgan.domains.shops.reading.phrases import spoken

__all__ = ["Place", "Sight", "sight_of"]

_STRUCK: Final = frozenset({"del", "s", "strike"})
_ASIDE: Final = frozenset({"nav", "footer", "aside"})
_WHOLE: Final = frozenset({"html", "body", "main"})
"""What holds the whole page; its names speak of the page and not of a part."""
_NO_DISPLAY: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_REACH: Final = 5
"""How many elements deep a name speaks of an amount."""


@dataclass(frozen=True, slots=True)
class Place:
    """What the elements around a text say about it by what they are and how they are named."""

    is_seen: bool = True
    is_struck: bool = False
    is_away: bool = False
    """Belongs to the frame of the page, or to what else the shop sells."""
    is_linked: bool = False
    """Leads to another page."""
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
    _places: dict[int, Place] = field(default_factory=dict)

    def place(self, node: LexborNode | None) -> Place:
        """Where an element stands."""
        path: list[tuple[int, LexborNode]] = []
        place = Place()
        while node is not None:
            known = self._places.get(node.mem_id)
            if known is not None:
                place = known
                break
            path.append((node.mem_id, node))
            node = node.parent
        for key, each in reversed(path):
            place = self._places[key] = _inside(place, each)
        return place


def sight_of(elements: Elements) -> Sight:
    """What there is to be seen."""
    return Sight(elements.texts, elements.holders, spoken(elements.texts))


def _inside(place: Place, node: LexborNode) -> Place:
    tag = node.tag or ""
    attributes = node.attributes
    names = named(_names(tag, attributes))
    return Place(
        is_seen=place.is_seen and not (tag in UNSEEN or names.is_hidden or _is_off(attributes)),
        is_struck=place.is_struck or tag in _STRUCK,
        is_away=place.is_away or tag in _ASIDE or names.is_away,
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
