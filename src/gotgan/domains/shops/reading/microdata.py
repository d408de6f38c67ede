"""Things that are written into the markup itself: microdata, and its younger brother RDFa Lite."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gotgan.domains.shops.reading.things import Thing

__all__ = ["MICRODATA", "RDFA", "Vocabulary", "things_of"]


@dataclass(frozen=True)
class Vocabulary:
    """How a standard writes where a thing begins, what it is, and what a part of it is called."""

    scope: str
    kind: str
    name: str


MICRODATA: Final = Vocabulary(scope="itemscope", kind="itemtype", name="itemprop")
RDFA: Final = Vocabulary(scope="typeof", kind="typeof", name="property")

_HOLDS: Final = {
    "a": "href",
    "area": "href",
    "audio": "src",
    "embed": "src",
    "iframe": "src",
    "img": "src",
    "link": "href",
    "object": "data",
    "data": "value",
    "meter": "value",
    "time": "datetime",
}
"""Which attribute of an element holds its value; others are worth their text."""
_HIGHEST: Final = 100
"""How far up the thing that a part belongs to is looked for."""
_MOST: Final = 5_000
_LONGEST: Final = 500
_MOST_TEXT: Final = 1_000_000
"""How many elements are looked at, how much of a text is kept, and how much is read in all."""


def things_of(tree: LexborHTMLParser, vocabulary: Vocabulary) -> list[Thing]:
    """The things that stand by themselves on a page, in its order."""
    nodes = tree.css(f"[{vocabulary.scope}], [{vocabulary.name}]")
    return _Reader(vocabulary).read(nodes[:_MOST])


class _Reader:
    """Puts parts to the things that they stand in."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._scopes: dict[int, Thing] = {}
        self._left = _MOST_TEXT

    def read(self, nodes: list[LexborNode]) -> list[Thing]:
        return [thing for node in nodes if (thing := self._taken(node)) is not None]

    def _taken(self, node: LexborNode) -> Thing | None:
        """The thing that begins with an element, unless it is a part of another."""
        attributes = node.attributes
        holder = self._holder(node)
        thing = self._opened(node, attributes)
        names = (attributes.get(self._vocabulary.name) or "").split()
        if holder is None or not names:
            return thing
        value = self._value(node, attributes) if thing is None else thing
        for name in names:
            holder.setdefault(name.rpartition(":")[2], []).append(value)
        return None

    def _opened(self, node: LexborNode, attributes: dict[str, str | None]) -> Thing | None:
        if self._vocabulary.scope not in attributes:
            return None
        thing: Thing = {"@type": (attributes.get(self._vocabulary.kind) or "").split()}
        self._scopes[node.mem_id] = thing
        return thing

    def _holder(self, node: LexborNode) -> Thing | None:
        """The thing that an element is a part of."""
        above = node.parent
        for _ in range(_HIGHEST):
            if above is None:
                return None
            holder = self._scopes.get(above.mem_id)
            if holder is not None:
                return holder
            above = above.parent
        return None

    def _value(self, node: LexborNode, attributes: dict[str, str | None]) -> str:
        declared = attributes.get("content")
        if declared is None:
            declared = attributes.get(_HOLDS.get(node.tag or "", ""))
        return declared if declared is not None else self._text(node)

    def _text(self, node: LexborNode) -> str:
        """What stands in an element; nothing more where a page has too much of it."""
        if self._left <= 0:
            return ""
        text = node.text()
        self._left -= len(text)
        return text[:_LONGEST].strip()
