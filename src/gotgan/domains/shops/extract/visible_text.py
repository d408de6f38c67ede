"""The visible texts of a page, and the context of each: links, cards, names and hidden parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborNode

from gotgan.domains.shops.extract.document import (
    INVISIBLE_TAGS,
    SUBHEADING_TAGS,
    WHOLE_PAGE_TAGS,
    Elements,
    button_label,
    one_line,
)
from gotgan.domains.shops.extract.names import name_hints
from gotgan.domains.shops.extract.phrases import find_phrases

_STRUCK_TAGS: Final = frozenset({"del", "s", "strike"})
_NAME_ATTRIBUTES: Final = ("class", "id", "itemprop")
_ASIDE_TAGS: Final = frozenset({"nav", "footer", "aside"})
_NO_DISPLAY: Final = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_NAME_REACH: Final = 5
"""How many elements deep a name applies to an amount."""
_CARD_DEPTH: Final = 3


@dataclass(frozen=True, slots=True)
class TextContext:
    """What the elements around a text, and their names, say about it."""

    is_seen: bool = True
    is_struck: bool = False
    is_away: bool = False
    """In the frame of the page, or among other products of the shop."""
    is_linked: bool = False
    is_carded: bool = False
    """In a card: one product among others, with its own page."""
    priced: int = 0
    old: int = 0
    other: int = 0
    """For how many more levels it is named a price, an old price, or another amount; 0 if not."""

    @property
    def is_price(self) -> bool:
        """Whether the element itself, or the one around it, is named a price."""
        return self.priced >= _NAME_REACH - 1


@dataclass
class VisibleText:
    """The visible texts of a page and the element around each."""

    texts: list[str]
    nodes: list[LexborNode]
    phrases: dict[str, list[int]]
    """The texts with phrases of shops, by table."""
    frame: frozenset[int] = frozenset()
    """The elements around the heading, whose names are ignored."""
    cards: frozenset[int] = frozenset()
    """The elements around linked titles."""
    hrefs: Mapping[int, str] = field(default_factory=dict)
    """Where the texts in links lead, by index."""
    sold_items: frozenset[int] = frozenset()
    """The texts of the other products that the page repeats."""
    _places: dict[int, TextContext] = field(default_factory=dict)

    def place(self, node: LexborNode) -> TextContext:
        """The context of an element."""
        path: list[LexborNode] = []
        place = TextContext()
        for each in ancestors(node):
            known = self._places.get(each.mem_id)
            if known is not None:
                place = known
                break
            path.append(each)
        for each in reversed(path):
            if each.mem_id not in self.frame:
                is_card = each.mem_id in self.cards and not place.is_carded
                place = _context_inside(place, each)
                place = replace(place, is_carded=True) if is_card else place
            self._places[each.mem_id] = place
        return place


def visible_text(elements: Elements, heading: int | None = None) -> VisibleText:
    """The visible texts of a page whose heading has this index."""
    seen = elements.visible
    sight = text_context(seen.texts, seen.holders, elements.subheadings, heading=heading)
    return replace(sight, hrefs=seen.hrefs)


def text_context(
    texts: list[str],
    nodes: list[LexborNode],
    subheadings: list[LexborNode],
    *,
    heading: int | None,
) -> VisibleText:
    """Some texts with their context, and the phrases in them."""
    holder = nodes[heading] if heading is not None else None
    frame = frozenset(each.mem_id for each in ancestors(holder))
    name = texts[heading] if heading is not None else ""
    linked = filter(is_linked_title, subheadings)
    titles = (each for each in linked if each.text().strip() != name)
    cards = frozenset(
        each.mem_id for title in titles for each in islice(ancestors(title), _CARD_DEPTH)
    )
    return VisibleText(texts, nodes, find_phrases(texts), frame, cards - frame)


def texts_after(
    heading: LexborNode, most: int
) -> tuple[list[str], list[LexborNode], list[LexborNode]]:
    """The visible texts of a heading and right after it, the element of each, and subheadings."""
    texts: list[str] = []
    holders: list[LexborNode] = []
    subheadings: list[LexborNode] = []
    for node in _nodes_from(heading):
        tag = node.tag
        if tag == "-text":
            holder = node.parent
            is_visible = holder is not None and holder.tag not in INVISIBLE_TAGS
            text = one_line(node.text_content or "") if is_visible else ""
        else:
            holder, text = node, button_label(node)
        if text and holder is not None:
            texts.append(text)
            holders.append(holder)
            if len(texts) >= most:
                break
        if tag in SUBHEADING_TAGS:
            subheadings.append(node)
    return texts, holders, subheadings


def _nodes_from(start: LexborNode) -> Iterator[LexborNode]:
    """An element with all it contains, and what follows it in the page."""
    yield from start.traverse(include_text=True)
    around: LexborNode | None = start
    while around is not None:
        after = around.next
        while after is not None:
            yield from after.traverse(include_text=True)
            after = after.next
        around = around.parent


def is_linked_title(title: LexborNode) -> bool:
    """Whether a title contains a link, or is in one."""
    above = islice(ancestors(title), 1, 3)
    return any(each.tag == "a" for each in title.iter()) or any(each.tag == "a" for each in above)


def ancestors(node: LexborNode | None) -> Iterator[LexborNode]:
    """An element, and those around it."""
    while node is not None:
        yield node
        node = node.parent


def _context_inside(place: TextContext, node: LexborNode) -> TextContext:
    tag, attributes = node.tag or "", node.attributes
    names = " ".join(attributes.get(each) or "" for each in _NAME_ATTRIBUTES)
    hints = name_hints("" if tag in WHOLE_PAGE_TAGS else names)
    href = attributes.get("href") if tag == "a" else None
    is_hidden = hints.is_hidden or "hidden" in attributes
    is_hidden = is_hidden or _NO_DISPLAY.search(attributes.get("style") or "") is not None
    return TextContext(
        is_seen=place.is_seen and not (tag in INVISIBLE_TAGS or is_hidden),
        is_struck=place.is_struck or tag in _STRUCK_TAGS,
        is_away=place.is_away or tag in _ASIDE_TAGS or hints.is_away,
        is_carded=place.is_carded or hints.is_card,
        is_linked=place.is_linked or bool(href and not href.startswith(("#", "javascript:"))),
        priced=_NAME_REACH if hints.is_price else max(0, place.priced - 1),
        old=_NAME_REACH if hints.is_old else max(0, place.old - 1),
        other=_NAME_REACH if hints.is_other else max(0, place.other - 1),
    )


_ITEM_TAGS: Final = frozenset({"li", "article", "tr"})
_MAX_ITEM_DEPTH: Final = 8
_MAX_TEXTS_BEFORE: Final = 12
"""How many texts of a list item may come before a text."""


def is_in_card(sight: VisibleText, index: int) -> bool:
    """Whether a text is in a card or an item, or in a list item that begins with a link.

    An item around the heading does not count.
    """
    node = sight.nodes[index]
    if index in sight.sold_items or sight.place(node).is_carded:
        return True
    above = islice(ancestors(node), _MAX_ITEM_DEPTH)
    item = next((each for each in above if each.tag in _ITEM_TAGS), None)
    if item is None or item.mem_id in sight.frame:
        return False
    first = index
    while first > max(0, index - _MAX_TEXTS_BEFORE):
        around = islice(ancestors(sight.nodes[first - 1]), _MAX_ITEM_DEPTH)
        if all(each.mem_id != item.mem_id for each in around):
            break
        first -= 1
    return first != index and sight.place(sight.nodes[first]).is_linked
