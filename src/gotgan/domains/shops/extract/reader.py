"""Reading a page: what it declares, then what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from gotgan.domains.shops.extract.absence import page_absence
from gotgan.domains.shops.extract.document import Document, page_links, parse_document
from gotgan.domains.shops.extract.facts import Absence, MergedFacts, PageFacts, ProductFacts, Status
from gotgan.domains.shops.extract.page_signals import page_signals
from gotgan.domains.shops.extract.page_types import (
    is_unreadable,
    may_be_product,
    page_type,
    type_evidence,
)
from gotgan.domains.shops.extract.prices import minor_units
from gotgan.domains.shops.extract.products import StructuredData, structured_data
from gotgan.domains.shops.extract.selected import (
    NO_SELECTORS,
    selected_facts,
    selector_source,
)
from gotgan.domains.shops.extract.view import (
    PageView,
    contradicting_price,
    contradicting_status,
    near_view,
    page_view,
    visible_facts,
)
from gotgan.domains.shops.models import PageType
from gotgan.markup import is_too_deep, to_utf8

_DEEP_PAGE_TAGS: Final = 10_000
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
    if markup.count(b"<") > _DEEP_PAGE_TAGS and is_too_deep(markup.decode("latin-1")):
        return PageFacts(type="other")
    document = parse_document(markup, address)
    declared = structured_data(document)
    selected = selected_facts(document, selectors)
    if declared.is_whole:
        answer = _declared_facts(declared)
        near = near_view(document) or page_view(document)
        answer = _with_visible_price(near, declared, answer)
        if contradicting_status(near, answer):  # unless the rest of the page has a button
            answer = _with_visible_status(page_view(document), answer)
        return _facts(document, declared, "product", selected.over(answer), "declared")
    view = page_view(document)
    signals = page_signals(document, declared, view)
    kind: PageType = "unreadable" if is_unreadable(view, declared, signals) else page_type(signals)
    evidence = type_evidence(signals, kind)
    if selected.is_product:
        kind, evidence = "product", selector_source(selectors["product"])
    is_product = selected.is_product or selected.has_price or may_be_product(signals)
    answer = selected.over(_answer(document, declared, view if is_product else None))
    absence = page_absence(
        document,
        view.sight,
        is_offered=answer.facts.amount is not None,
        is_declared=bool(declared.products),
    )
    return _facts(document, declared, kind, answer, evidence, absence)


def signals_of(page: bytes, address: str) -> dict[str, float]:
    """The signals for the type of a page, as a training needs them."""
    document = parse_document(to_utf8(page), address)
    return page_signals(document, structured_data(document), page_view(document))


def _facts(
    document: Document,
    declared: StructuredData,
    kind: PageType,
    answer: MergedFacts,
    evidence: str,
    absence: Absence | None = None,
) -> PageFacts:
    answer = answer.with_defaults("text", ProductFacts(title=next(iter(document.names), None)))
    facts = answer.facts
    return PageFacts(
        type=kind,
        **facts.details,
        price=minor_units(facts.amount, facts.currency) if facts.amount is not None else None,
        currency=facts.currency,
        status=facts.status or Status.UNKNOWN,
        sources={**answer.sources, "type": evidence},
        links=page_links(document.elements, document.base),
        canonical=document.canonical,
        standards=declared.standards,
        absence=absence,
    )


def _declared_facts(declared: StructuredData) -> MergedFacts:
    answer = MergedFacts()
    for source, facts in declared.products.items():
        answer = answer.with_defaults(source, facts)
    return answer.with_defaults("opengraph", declared.meta)


def _answer(document: Document, declared: StructuredData, view: PageView | None) -> MergedFacts:
    """What is declared; on a page that may be a product, what is visible fills the gaps."""
    answer = _declared_facts(declared)
    if view is not None:
        answer = _with_visible_status(view, _with_visible_price(view, declared, answer))
        shown = visible_facts(view)
        is_unpriced = any(each.is_unpriced for each in declared.products.values())
        answer = answer.with_defaults(
            "text", ProductFacts(status=shown.status) if is_unpriced else shown
        )
        if answer.facts.amount is not None:  # a price without a status means that it is available
            answer = answer.with_defaults("price", ProductFacts(status=Status.AVAILABLE))
    if answer.facts.amount is None:
        sources = {name: each for name, each in answer.sources.items() if name != "currency"}
        return MergedFacts(replace(answer.facts, currency=None), sources)
    if answer.sources["price"] == "text":  # it has a mark, which may be undecided
        return answer
    return answer.with_defaults("site", ProductFacts(currency=document.home.currency))


def _with_visible_price(
    view: PageView, declared: StructuredData, answer: MergedFacts
) -> MergedFacts:
    """What is declared, corrected by a visible price that is more trustworthy."""
    found = contradicting_price(view, declared, answer)
    return answer.with_price(found.price.money, found.reason) if found else answer


def _with_visible_status(view: PageView, answer: MergedFacts) -> MergedFacts:
    """What is declared, corrected by a visible status that is more trustworthy."""
    found = contradicting_status(view, answer)
    return answer.with_status(*found) if found else answer
