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
    """A heading, or a text that stands for one."""

    text: str
    number: int
    page: Elements | None = None
    """The page whose headings the number counts; without one it counts texts."""

    @property
    def index(self) -> int:
        """Which text of the page it begins with; those that are not looked at follow all others."""
        if self.page is None:
            return self.number
        before = self.page.before
        return before[self.number] if self.number < len(before) else len(self.page.texts)


def main_heading(elements: Elements, titles: tuple[str, ...]) -> Heading | None:
    """The heading most like the titles of the page; without any, the text that is so."""
    texts = (text_in(node.text()) for node in elements.headings[:_MOST])
    found = [Heading(text, number, elements) for number, text in enumerate(texts) if text]
    if found:
        return max(found, key=lambda each: _most_alike(each.text, titles))
    shown = [Heading(text, at) for at, text in enumerate(elements.texts[:_FAR])]
    alike = [(_most_alike(each.text, titles), each) for each in shown]
    most, best = max(alike, key=lambda each: (each[0], len(each[1].text)), default=(0.0, None))
    return best if most >= _ALIKE else None


def _most_alike(text: str, titles: tuple[str, ...]) -> float:
    return max((likeness(text, title) for title in titles), default=0.0)
