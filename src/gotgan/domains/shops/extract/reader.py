"""Reading a page: what it declares, then what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from gotgan.domains.shops.extract.absence import page_absence
from gotgan.domains.shops.extract.document import Document, page_links, parse_document
from gotgan.domains.shops.extract.facts import Absence, MergedFacts, PageFacts, ProductFacts, Status
from gotgan.domains.shops.extract.page_types import may_be_product, page_signals, page_type
from gotgan.domains.shops.extract.prices import minor_units
from gotgan.domains.shops.extract.products import StructuredData, structured_data
from gotgan.domains.shops.extract.selected import NO_SELECTORS, selected_facts
from gotgan.domains.shops.extract.view import page_view, visible_facts
from gotgan.domains.shops.models import PageType
from gotgan.markup import is_too_deep, to_utf8

_MANY: Final = 10_000
"""Pages with fewer tags are parsed quickly, however they are nested."""


def read_page(
    page: bytes,
    address: str,
    *,
    charset: str | None = None,
    selectors: Mapping[str, str] = NO_SELECTORS,
) -> PageFacts:
    """What a page is, offers and links to; it never fails, whatever the page is.

    What the selectors of its shop find comes before everything else.
    """
    markup = to_utf8(page, charset)
    if markup.count(b"<") > _MANY and is_too_deep(markup.decode("latin-1")):
        return PageFacts(type="other")
    document = parse_document(markup, address)
    declared = structured_data(document)
    selected = selected_facts(document, selectors)
    if declared.is_whole:
        return _facts(document, declared, "product", selected.over(_declared_facts(declared)))
    view = page_view(document)
    signals = page_signals(document, declared, view)
    is_product = selected.is_product or selected.has_price
    shown = visible_facts(view) if is_product or may_be_product(signals) else None
    kind = "product" if selected.is_product else page_type(signals)
    answer = selected.over(_answer(document, declared, shown))
    absence = page_absence(
        document,
        view.sight,
        is_offered=answer.facts.amount is not None,
        is_declared=bool(declared.products),
    )
    return _facts(document, declared, kind, answer, absence)


def _facts(
    document: Document,
    declared: StructuredData,
    kind: PageType,
    answer: MergedFacts,
    absence: Absence | None = None,
) -> PageFacts:
    answer = answer.filled("text", ProductFacts(title=next(iter(document.names), None)))
    facts = answer.facts
    return PageFacts(
        type=kind,
        **facts.details,
        price=minor_units(facts.amount, facts.currency) if facts.amount is not None else None,
        currency=facts.currency,
        status=facts.status or Status.UNKNOWN,
        sources=answer.sources,
        links=page_links(document.elements, document.base),
        canonical=document.canonical,
        standards=declared.standards,
        absence=absence,
    )


def _declared_facts(declared: StructuredData) -> MergedFacts:
    answer = MergedFacts()
    for source, facts in declared.products.items():
        answer = answer.filled(source, facts)
    return answer.filled("opengraph", declared.meta)


def _answer(
    document: Document, declared: StructuredData, shown: ProductFacts | None
) -> MergedFacts:
    """What is declared; on a page that may be a product, what is visible fills the gaps."""
    answer = _declared_facts(declared)
    if shown is not None:
        is_unpriced = any(each.is_unpriced for each in declared.products.values())
        answer = answer.filled("text", ProductFacts(status=shown.status) if is_unpriced else shown)
        if answer.facts.amount is not None:  # a price without a status means that it is available
            answer = answer.filled("price", ProductFacts(status=Status.AVAILABLE))
    if answer.facts.amount is None:
        sources = {name: each for name, each in answer.sources.items() if name != "currency"}
        return MergedFacts(replace(answer.facts, currency=None), sources)
    return answer.filled("site", ProductFacts(currency=document.home))
