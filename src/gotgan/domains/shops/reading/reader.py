"""Reading a page: what it declares, then what it shows."""

from __future__ import annotations

from typing import Final

from gotgan.domains.shops.reading.declared import StructuredData, declared_by
from gotgan.domains.shops.reading.document import Document, document_of
from gotgan.domains.shops.reading.facts import PageFacts, PageType, ProductFacts, Status
from gotgan.domains.shops.reading.links import is_index, links_of
from gotgan.domains.shops.reading.merging import MergedFacts
from gotgan.domains.shops.reading.page_types import may_be_product, page_type
from gotgan.domains.shops.reading.prices import minor_units
from gotgan.domains.shops.reading.signals import signals_of
from gotgan.domains.shops.reading.view import said_by_view, view_of
from gotgan.markup import is_bottomless, utf8_of

__all__ = ["read_page"]

_MANY: Final = 10_000
"""Fewer tags are parsed in a moment, however they are nested."""


def read_page(page: bytes, address: str, *, charset: str | None = None) -> PageFacts:
    """What a page is, what it offers, and where it leads; never fails, whatever the page is."""
    markup = utf8_of(page, charset)
    if markup.count(b"<") > _MANY and is_bottomless(markup.decode("latin-1")):
        return PageFacts(type="other")
    document = document_of(markup, address)
    declared = declared_by(document)
    if declared.is_whole:
        return _facts(document, declared, "product", _declared(declared))
    view = view_of(document)
    signals = signals_of(document, declared, view)
    shown = said_by_view(view) if may_be_product(signals) else None
    return _facts(document, declared, page_type(signals), _answer(document, declared, shown))


def _facts(
    document: Document, declared: StructuredData, kind: PageType, answer: MergedFacts
) -> PageFacts:
    answer = _with_title(answer, document)
    said = answer.said
    return PageFacts(
        type=kind,
        **said.details,
        price=minor_units(said.amount, said.currency) if said.amount is not None else None,
        currency=said.currency,
        status=said.status or Status.UNKNOWN,
        sources=answer.sources,
        links=links_of(document.elements, document.base),
        canonical=document.canonical,
        standards=declared.standards,
        is_index=is_index(document.elements),
    )


def _declared(declared: StructuredData) -> MergedFacts:
    answer = MergedFacts()
    for source, said in declared.products.items():
        answer = answer.filled(source, said)
    return answer.filled("opengraph", declared.meta)


def _answer(
    document: Document, declared: StructuredData, shown: ProductFacts | None
) -> MergedFacts:
    """What is declared; where the page may be that of a product, what is shown fills the blanks."""
    answer = _declared(declared)
    if shown is not None:
        is_unpriced = any(each.is_unpriced for each in declared.products.values())
        answer = _with_what_is_shown(answer, shown, is_unpriced=is_unpriced)
    if answer.said.amount is None:
        return answer.without_currency()
    return answer.filled("site", ProductFacts(currency=document.home))


def _with_what_is_shown(
    answer: MergedFacts, shown: ProductFacts, *, is_unpriced: bool
) -> MergedFacts:
    """What has a price, and is not said to be gone, is there."""
    answer = answer.filled("text", ProductFacts(status=shown.status) if is_unpriced else shown)
    if answer.said.amount is None:
        return answer
    return answer.filled("price", ProductFacts(status=Status.AVAILABLE))


def _with_title(answer: MergedFacts, document: Document) -> MergedFacts:
    """What the page is called, where no product is named."""
    return answer.filled("text", ProductFacts(title=next(iter(document.names), None)))
