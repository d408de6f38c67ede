"""The heading that names what a page is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gotgan.domains.shops.reading.elements import Elements
from gotgan.domains.shops.reading.likeness import likeness
from gotgan.domains.shops.reading.things import text_in

__all__ = ["Heading", "main_heading"]

_MOST: Final = 10
"""How many headings of the first rank are looked at: a page should have one."""
_FAR: Final = 1_000
_ALIKE: Final = 0.5
"""How far a title is looked for in a page without headings, and how much alike it must be."""


@dataclass(frozen=True)
class Heading:
    """A heading, and which text of the page it begins with."""

    text: str
    index: int


def main_heading(elements: Elements, titles: tuple[str, ...]) -> Heading | None:
    """The heading most like the titles of the page; without any, the first text that is so."""
    texts = ((text_in(node.text()), index) for node, index in elements.headings[:_MOST])
    found = [Heading(text, index) for text, index in texts if text]
    if found:
        return max(found, key=lambda each: _most_alike(each.text, titles))
    shown = enumerate(elements.texts[:_FAR])
    alike = (Heading(text, at) for at, text in shown if _most_alike(text, titles) > _ALIKE)
    return next(alike, None)


def _most_alike(text: str, titles: tuple[str, ...]) -> float:
    return max((likeness(text, title) for title in titles), default=0.0)
