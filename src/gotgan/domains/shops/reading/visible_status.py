"""Whether a thing can be bought, as a page shows it to its visitors."""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.reading.facts import Status
from gotgan.domains.shops.reading.sight import Sight

__all__ = ["buy_buttons", "shown_status"]

_BEFORE: Final = 8
_AFTER: Final = 80
_OF_CHOICES: Final = 3
"""What is said so often is said of each colour or size, and not of the thing."""
_CLIMB: Final = 3
_PRESSED: Final = frozenset({"a", "button", "input"})
_IN_TITLE: Final = re.compile(
    r"(?:^\W*|[-–—:|/(\[*!]\s*)"
    r"(?:(sold|verkauft|vendue?|판매 ?완료|품절)|(reserved|reserviert|réservée?|예약 ?중))"
    r"\W*(?:$|[-–—:|/)\]*!])",
    re.IGNORECASE,
)
"""How dealers mark a thing in its title: ``SOLD - A Georgian chair``, ``Stuhl (reserviert)``."""
_NAMED: Final = (
    (re.compile(r"(?<![a-z])(?:out-?of-?stock|sold-?out)(?![a-z])", re.IGNORECASE), Status.SOLD),
    (re.compile(r"(?<![a-z])in-?stock(?![a-z])", re.IGNORECASE), Status.AVAILABLE),
)
_SAID: Final = {
    "reserved": Status.RESERVED,
    "sold": Status.SOLD,
    "later": Status.LISTED,
    "available": Status.AVAILABLE,
}
"""What the tables of words mean, the one that counts most first."""


def buy_buttons(sight: Sight) -> list[int]:
    """Which texts are those of buttons with which something can be bought now."""
    return [each for each in sight.said["buy"] if _can_be_pressed(sight.nodes[each])]


def shown_status(
    sight: Sight, heading: int | None, price: int | None, buttons: list[int]
) -> Status | None:
    """What the title says, else a button, else the words around title and price."""
    said = _said_by_title(sight, heading)
    if said is not None:
        return said
    if any(not sight.place(sight.nodes[each]).is_away for each in buttons):
        return Status.AVAILABLE
    around = heading if heading is not None else price
    if around is None:
        return None
    return _said_around(sight, around) or _said_by_names(sight.nodes[around])


def _said_by_title(sight: Sight, heading: int | None) -> Status | None:
    found = _IN_TITLE.search(sight.texts[heading]) if heading is not None else None
    if found is None:
        return None
    return Status.SOLD if found[1] else Status.RESERVED


def _said_around(sight: Sight, index: int) -> Status | None:
    """The words that count first, wherever they stand: who writes that a thing is sold means it."""
    window = range(index - _BEFORE, index + _AFTER)
    for name, status in _SAID.items():
        said = (each for each in sight.said[name] if each in window)
        if 0 < sum(_counts(sight, each) for each in said) < _OF_CHOICES:
            return status
    return None


def _counts(sight: Sight, index: int) -> bool:
    place = sight.place(sight.nodes[index])
    return place.is_seen and not place.is_away


def _said_by_names(node: LexborNode | None) -> Status | None:
    """How shop systems mark the element around a product."""
    while node is not None:
        named = node.attributes.get("class") or ""
        for pattern, status in _NAMED:
            if pattern.search(named):
                return status
        node = node.parent
    return None


def _can_be_pressed(node: LexborNode | None) -> bool:
    for _ in range(_CLIMB):
        if node is None:
            return False
        if node.tag in _PRESSED:
            return "disabled" not in node.attributes
        node = node.parent
    return False
