"""A page as it is read: parsed once, walked through once, with what it calls itself."""

from __future__ import annotations

from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gotgan.domains.shops.reading.currencies import home_currency
from gotgan.domains.shops.reading.elements import Elements, elements_of
from gotgan.domains.shops.reading.heading import Heading, main_heading
from gotgan.domains.shops.reading.links import base_of, canonical_of
from gotgan.domains.shops.reading.things import text_in

__all__ = ["Document", "document_of"]


@dataclass(frozen=True)
class Document:
    """A page, its parts, and its names."""

    markup: bytes
    """In UTF-8."""
    tree: LexborHTMLParser
    elements: Elements
    address: str
    base: str
    """What its links are relative to."""
    canonical: str | None
    titles: tuple[str, ...]
    """What its head calls it."""
    heading: Heading | None
    home: str | None
    """The currency of where the site is at home."""

    @property
    def names(self) -> tuple[str, ...]:
        """What it is called, the surest name first."""
        return (self.heading.text, *self.titles) if self.heading else self.titles

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where it is."""
        return (self.address, self.canonical) if self.canonical else (self.address,)


def document_of(markup: bytes, address: str) -> Document:
    """Parse a page, and walk through it."""
    tree = LexborHTMLParser(markup)
    elements = elements_of(tree)
    base = base_of(elements, address)
    titles = _titles(elements)
    return Document(
        markup=markup,
        tree=tree,
        elements=elements,
        address=address,
        base=base,
        canonical=canonical_of(elements, base),
        titles=titles,
        heading=main_heading(elements, titles),
        home=home_currency(address, elements.language),
    )


def _titles(elements: Elements) -> tuple[str, ...]:
    first: LexborNode | None = next(iter(elements.titles), None)
    titles = (elements.metas.get("og:title"), first.text() if first is not None else None)
    return tuple(filter(None, map(text_in, titles)))
