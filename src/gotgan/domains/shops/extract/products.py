"""What a page declares about its product: structured data, and the meta elements of its head."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from gotgan.domains.shops.currency import parse_currency
from gotgan.domains.shops.extract.document import Document, similarity
from gotgan.domains.shops.extract.facts import ProductFacts, Status
from gotgan.domains.shops.extract.prices import declared_amount, first_money
from gotgan.domains.shops.extract.structured_data import (
    MICRODATA,
    RDFA,
    Thing,
    as_list,
    first_text,
    iter_things,
    json_ld_documents,
    markup_things,
    thing_types,
)

_MAX_PRODUCTS: Final = 3
"""With more than these the page may be about several products."""


@dataclass(frozen=True)
class StructuredData:
    """What a page declares."""

    products: Mapping[str, ProductFacts]
    """The product by standard, the most trusted first."""
    meta: ProductFacts
    """The product in the head of the page."""
    kinds: Counter[str]
    """How often each type of thing is declared."""
    standards: tuple[str, ...]
    """The standards that the page uses."""

    @property
    def is_whole(self) -> bool:
        """Whether a single product is declared with price, currency and status."""
        products = self.products.values()
        has_all = any(each.amount and each.currency and each.status for each in products)
        return has_all and self.kinds["product"] <= _MAX_PRODUCTS


def structured_data(document: Document) -> StructuredData:
    """Everything that a page declares."""
    metas = document.elements.metas
    found: dict[str, list[Any]] = {"json-ld": json_ld_documents(document.elements.scripts)}
    for name, vocabulary in (("microdata", MICRODATA), ("rdfa", RDFA)):
        is_used = vocabulary.scope.encode() in document.markup
        found[name] = markup_things(document.tree, vocabulary) if is_used else []
    mains = {
        name: main_product(find_products(things), document.names, document.addresses)
        for name, things in found.items()
    }
    every = [each for things in found.values() for each in things]
    used = {**found, "opengraph": any(name.startswith(_OPENGRAPH_PREFIXES) for name in metas)}
    return StructuredData(
        products={
            name: product_facts(each, document.addresses, document.home)
            for name, each in mains.items()
            if each is not None
        },
        meta=meta_facts(metas, document.home),
        kinds=Counter(kind for thing in iter_things(every) for kind in thing_types(thing)),
        standards=tuple(name for name, has_any in used.items() if has_any),
    )


_PRODUCT_TYPES: Final = frozenset(
    {"product", "productgroup", "productmodel", "individualproduct", "someproducts", "vehicle"}
    | {"car", "motorcycle"}
)
_OFFERED_TYPES: Final = frozenset(
    {"book", "visualartwork", "painting", "sculpture", "photograph", "game", "videogame", "thing"}
    | {"musicalbum", "softwareapplication", "creativework", "movie"}
)
_OTHER_THINGS_FIELDS: Final = frozenset(
    {"isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor", "review"}
    | {"itemListElement", "hasVariant", "isVariantOf", "offers", "breadcrumb", "relatedProduct"}
    | {"hasOfferCatalog", "mentions", "isPartOf", "itemOffered"}
)
_OFFER_BONUS: Final = 0.1


def find_products(documents: list[Any]) -> list[Thing]:
    """The top-level products, without those that belong to another thing or to a list."""
    things = list(iter_things(documents, _OTHER_THINGS_FIELDS))
    typed = [(each, thing_types(each)) for each in things]
    found = [
        each
        for each, types in typed
        if types & _PRODUCT_TYPES or (types & _OFFERED_TYPES and "offers" in each)
    ]
    return found or [
        {**item, "offers": each}
        for each, types in typed
        if "offer" in types
        for item in as_list(each.get("itemOffered"))
        if isinstance(item, dict)
    ]


def main_product(
    products: list[Thing], names: tuple[str, ...], addresses: tuple[str, ...]
) -> Thing | None:
    """The product that a page with these names and URLs is about, if it is about one."""
    if not products:
        return None
    alike = [_relevance(each, names, addresses) for each in products]
    best = max(alike)
    several = {first_text(each.get("name")) for each in products}
    return products[alike.index(best)] if best > 0 or len(several) == 1 else None


def _relevance(product: Thing, names: tuple[str, ...], addresses: tuple[str, ...]) -> float:
    """How well a product matches the page; one with an offer wins over its twin."""
    called = first_text(product.get("name")) or ""
    named = max((similarity(called, name) for name in names), default=0.0)
    homes = {_url_path(first_text(product.get(name)) or "") for name in ("url", "@id")}
    is_here = bool((homes & set(map(_url_path, addresses))) - {""})
    alike = named + is_here
    return alike + _OFFER_BONUS * bool(product.get("offers")) if alike else 0.0


def _url_path(url: str) -> str:
    return url.partition("#")[0].partition("?")[0].rstrip("/").partition("://")[2].partition("/")[2]


_OFFER_FIELDS: Final = ("offers", "offer", "aggregateOffer")
_AMOUNT_FIELDS: Final = ("price", "lowPrice", "highPrice")
_UNPAID_PRICE_TYPES: Final = ("list", "strikethrough", "msrp", "srp", "regular", "invoice")
"""Prefixes of price types that are shown beside the price to pay."""
_STATUS_ORDER: Final = (
    Status.AVAILABLE,
    Status.LISTED,
    Status.RESERVED,
    Status.SOLD,
    Status.REMOVED,
)
_ZERO: Final = re.compile(r"\s*0+(?:[.,]0*)?\s*")
_MAX_VARIANT_DEPTH: Final = 4


def product_facts(product: Thing, addresses: tuple[str, ...], home: str | None) -> ProductFacts:
    """The facts of a product; of several offers the one of this URL, or the first."""

    def is_elsewhere(offer: Thing) -> bool:
        url = first_text(offer.get("url")) or ""  # only a query tells choices on a page apart
        return not ("?" in url and url.partition("#")[0] in addresses)

    offers = sorted(_offers(product), key=is_elsewhere)
    priced = list(_price_holders(offers))
    amounts = ((each, _amount(each)) for each in priced)
    offer, amount = next(((each, found) for each, found in amounts if found), ({}, None))
    zeros = (_ZERO.fullmatch(str(value)) for each in priced for value in as_list(each.get("price")))
    statuses = {
        declared_status(each)
        for offer in (*offers, product)
        for each in as_list(offer.get("availability"))
    }
    return ProductFacts(
        title=first_text(product.get("name")),
        amount=amount,
        currency=next(filter(None, (_currency(each, home) for each in (offer, *priced))), None),
        status=next((each for each in _STATUS_ORDER if each in statuses), None),
        is_unpriced=amount is None and any(zeros),
    )


def _offers(product: Thing, depth: int = 0) -> list[Thing]:
    """The offers of a product, or those of its variants if it has none."""
    own = [each for name in _OFFER_FIELDS for each in as_list(product.get(name))]
    found = [each for each in own if isinstance(each, dict)]
    inner = [each for offer in found for each in as_list(offer.get("offers"))]
    found += [each for each in inner if isinstance(each, dict)]
    if found or depth > _MAX_VARIANT_DEPTH:
        return found
    variants = (each for each in as_list(product.get("hasVariant")) if isinstance(each, dict))
    return [each for variant in variants for each in _offers(variant, depth + 1)] or [product]


def _price_holders(offers: list[Thing]) -> Iterator[Thing]:
    """Where offers may have a price: in themselves, or in a specification of it."""
    for offer in offers:
        yield offer
        found = []
        for each in as_list(offer.get("priceSpecification")):
            if isinstance(each, dict):
                kind = (first_text(each.get("priceType")) or "").rpartition("/")[2].lower()
                found += [each] if not kind.startswith(_UNPAID_PRICE_TYPES) else []
        for each in sorted(found, key=lambda each: "referenceQuantity" in each):
            yield {"priceCurrency": offer.get("priceCurrency"), **each}


def _amount(offer: Thing) -> Decimal | None:
    for value in (each for name in _AMOUNT_FIELDS for each in as_list(offer.get(name))):
        if isinstance(value, dict):
            value = value.get("@value") or value.get("value") or value.get("price")  # noqa: PLW2901
        if isinstance(value, str | int | float) and (amount := declared_amount(value)):
            return amount
    return None


def _currency(offer: Thing, home: str | None) -> str | None:
    named = parse_currency(first_text(offer.get("priceCurrency")) or "", home)
    written = first_money(first_text(offer.get("price")) or "", home)
    return named or (written.currency if written else None)


_STATUSES: Final = {
    "INSTOCK": Status.AVAILABLE,
    "INSTOREONLY": Status.AVAILABLE,
    "ONLINEONLY": Status.AVAILABLE,
    "LIMITEDAVAILABILITY": Status.AVAILABLE,
    "MADETOORDER": Status.AVAILABLE,
    "PRESALE": Status.AVAILABLE,
    "AVAILABLE": Status.AVAILABLE,
    "AVAILABLEFORORDER": Status.LISTED,
    "BACKORDER": Status.LISTED,
    "PREORDER": Status.LISTED,
    "RESERVED": Status.RESERVED,
    "SOLDOUT": Status.SOLD,
    "SOLD": Status.SOLD,
    "OOS": Status.SOLD,
    "OUTOFSTOCK": Status.SOLD,
    "DISCONTINUED": Status.REMOVED,
}
_SEGMENT: Final = re.compile(r"[/#:]")
_JOINT: Final = re.compile(r"[\s_-]+")


def declared_status(value: Any) -> Status | None:
    """The meaning of an availability of schema.org or OpenGraph; None if unknown."""
    if isinstance(value, dict):
        value = value.get("@id") or value.get("name")
    if not isinstance(value, str):
        return None
    segment = _SEGMENT.split(value.strip().rstrip("/"))[-1]
    return _STATUSES.get(_JOINT.sub("", segment).upper())


_OPENGRAPH_PREFIXES: Final = ("og:", "product:")
_META_AMOUNTS: Final = ("product:sale_price:amount", "product:price:amount", "og:price:amount")
_META_CURRENCIES: Final = (
    "product:sale_price:currency",
    "product:price:currency",
    "og:price:currency",
)
_META_AVAILABILITIES: Final = ("product:availability", "og:availability")


def meta_facts(metas: Mapping[str, str], home: str | None) -> ProductFacts:
    """The product in OpenGraph, or in the card for Twitter."""
    text = _first_meta(metas, _META_AMOUNTS) or ""
    labels = {number: metas.get(f"twitter:label{number}", "") for number in (1, 2)}
    cards = [number for number, label in labels.items() if label.strip(": ").lower() == "price"]
    card = first_money(metas.get(f"twitter:data{cards[0]}", "") if cards else "", home)
    amount = declared_amount(text)
    currency = parse_currency(_first_meta(metas, _META_CURRENCIES) or "", home)
    written = first_money(text, home)
    return ProductFacts(
        amount=amount if amount is not None or card is None else card.amount,
        currency=currency or next((each.currency for each in (written, card) if each), None),
        status=declared_status(_first_meta(metas, _META_AVAILABILITIES)),
    )


def _first_meta(metas: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((metas[name] for name in names if metas.get(name)), None)
