"""What a page declares about its product, in each of the standards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gotgan.domains.shops.reading.document import Document
from gotgan.domains.shops.reading.facts import ProductFacts
from gotgan.domains.shops.reading.json_ld import documents_of
from gotgan.domains.shops.reading.microdata import MICRODATA, RDFA, Vocabulary, things_of
from gotgan.domains.shops.reading.offers import said_by_product
from gotgan.domains.shops.reading.opengraph import has_opengraph, said_by_opengraph
from gotgan.domains.shops.reading.products import main_product, products_in
from gotgan.domains.shops.reading.things import Thing, kinds_of, things_in

__all__ = ["StructuredData", "declared_by"]

_FEW: Final = 3
"""More products than these are not only the one that the page is about, and what goes with it."""


@dataclass(frozen=True)
class StructuredData:
    """What a page declares."""

    products: Mapping[str, ProductFacts]
    """What each standard says about the product, the one that is trusted most first."""
    meta: ProductFacts
    """What the head of the page says about it."""
    kinds: Counter[str]
    """How often each kind of thing is declared."""
    standards: tuple[str, ...]
    """The standards that were found with anything in them."""

    @property
    def is_whole(self) -> bool:
        """Whether one product is declared so fully that there is no need to look at the page."""
        said = self.products.values()
        has_all = any(each.amount and each.currency and each.status for each in said)
        return has_all and self.kinds["product"] <= _FEW


def declared_by(document: Document) -> StructuredData:
    """Everything that a page declares."""
    metas = document.elements.metas
    found = {
        "json-ld": documents_of(document.elements.scripts),
        "microdata": _things(document, MICRODATA),
        "rdfa": _things(document, RDFA),
    }
    said = {name: _said(things, document) for name, things in found.items()}
    every = [each for things in found.values() for each in things]
    used = {**found, "opengraph": has_opengraph(metas)}
    return StructuredData(
        products={name: each for name, each in said.items() if each is not None},
        meta=said_by_opengraph(metas, document.home),
        kinds=Counter(kind for thing in things_in(every) for kind in kinds_of(thing)),
        standards=tuple(name for name, has_any in used.items() if has_any),
    )


def _things(document: Document, vocabulary: Vocabulary) -> list[Thing]:
    """The things of a standard, which are looked for only where the page has its mark."""
    if vocabulary.scope.encode() not in document.markup:
        return []
    return things_of(document.tree, vocabulary)


def _said(documents: list[Any], document: Document) -> ProductFacts | None:
    if not documents:
        return None
    product = main_product(products_in(documents), document.names, document.addresses)
    if product is None:
        return None
    return said_by_product(product, document.addresses, document.home)
