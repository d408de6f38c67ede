"""Cards: parts of a page that show one thing among others, each of which has a page of its own."""

from __future__ import annotations

from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.reading.sight import Sight, around

__all__ = ["is_in_card"]

_ITEMS: Final = frozenset({"li", "article", "tr"})
_DEPTH: Final = 8
_TEXTS: Final = 12
"""How deep in an item of a list a text may stand, and how many others may stand before it."""


def is_in_card(sight: Sight, index: int) -> bool:
    """Whether a text belongs to a card: by what is around it, or as part of an item of a list."""
    node = sight.nodes[index]
    return sight.place(node).is_carded or _is_in_linked_item(sight, index, node)


def _is_in_linked_item(sight: Sight, index: int, node: LexborNode) -> bool:
    """Whether a text stands in an item that begins with a link and is not around the heading."""
    above = islice(around(node), _DEPTH)
    item = next((each for each in above if each.tag in _ITEMS), None)
    if item is None or item.mem_id in sight.frame:
        return False
    first = index
    while first > max(0, index - _TEXTS) and _is_inside(sight.nodes[first - 1], item):
        first -= 1
    return sight.place(sight.nodes[first]).is_linked


def _is_inside(node: LexborNode, item: LexborNode) -> bool:
    return any(each.mem_id == item.mem_id for each in islice(around(node), _DEPTH))
