"""What a page declares about its product: structured data, and the meta elements of its head."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from html import unescape
from itertools import takewhile
from typing import Any, Final

from gotgan.domains.shops.canonical import absolute_url
from gotgan.domains.shops.currency import Home, parse_currency
from gotgan.domains.shops.extract.document import Document, similarity
from gotgan.domains.shops.extract.facts import ProductFacts, Status
from gotgan.domains.shops.extract.phrases import find_phrases
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
        meta=meta_facts(metas, document.home, document.base),
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
    """The product that a page with these names and URLs is about, if it is about one.

    Sites declare each size or colour as a product: their offers are those of one product.
    """
    if not products:
        return None
    alike = [_relevance(each, names, addresses) for each in products]
    best = max(alike)
    called = {first_text(each.get("name")) for each in products}
    main = products[alike.index(best)]
    variants = [
        each for each in products if each is not main and _is_same_product(main, each, names)
    ]
    if best <= 0 and len(called) > 1 and len(variants) + 1 < len(products):
        return None
    if not variants:
        return main
    offers = [offer for each in (main, *variants) for offer in _offers(each)]
    return {**main, "offers": offers}


_GROUP_FIELDS: Final = ("inProductGroupWithID", "productGroupID", "isVariantOf")
_VARIANT: Final = re.compile(r"\s*(?:[-–—|/(:,\[]\s*[^-–—|/(:,]{1,30}){1,3}")
"""What a name has after that of its product: " – red / XL"."""


def _is_same_product(main: Thing, other: Thing, names: tuple[str, ...]) -> bool:
    """Whether two products are choices of one: of one group, URL, name or description."""
    groups = [{_group(each.get(name)) for name in _GROUP_FIELDS} - {""} for each in (main, other)]
    if groups[0] & groups[1]:
        return True
    homes = [_url_path(first_text(each.get("url")) or "") for each in (main, other)]
    if all(homes):
        return homes[0] == homes[1]
    called = [(first_text(each.get("name")) or "").lower() for each in (main, other)]
    if not all(called):
        return False
    bases = (*called, *(name.lower() for name in names))
    is_choice = any(all(_is_choice(name, base) for name in called) for base in bases)
    shared = _shared_description(main, other)
    return is_choice or (_begin_alike(*called) and _is_about(shared, called[0]))


_MIN_DESCRIPTION_CHARS: Final = 40
"""A shorter one, such as the name of the shop, may be that of several products."""


def _begin_alike(name: str, other: str) -> bool:
    """Whether two names differ only at their end: "Oak chair red" and "Oak chair dark blue"."""
    words = [each.split() for each in (name, other)]
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(*words, strict=False)))
    return 2 * same >= max(map(len, words))


def _shared_description(main: Thing, other: Thing) -> str:
    texts = [first_text(each.get("description")) or "" for each in (main, other)]
    return texts[0] if texts[0] == texts[1] and len(texts[0]) >= _MIN_DESCRIPTION_CHARS else ""


def _is_about(description: str, name: str) -> bool:
    """Whether a description is of this product: one of the shop does not name it."""
    plain = description.lower()
    return any(len(word) >= _MIN_WORD_CHARS and word in plain for word in name.split())


_MIN_WORD_CHARS: Final = 4


def _is_choice(name: str, base: str) -> bool:
    rest = name.removeprefix(base) if name.startswith(base) else None
    return rest == "" or (rest is not None and _VARIANT.fullmatch(rest) is not None)


def _group(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("productGroupID") or value.get("@id") or value.get("name")
    return value if isinstance(value, str) else ""


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
_QUANTITIES: Final = ("referenceQuantity", "eligibleQuantity")
"""Fields of the price of a measure, or of several."""
_STATUS_ORDER: Final = (
    Status.AVAILABLE,
    Status.LISTED,
    Status.RESERVED,
    Status.SOLD,
    Status.REMOVED,
)
_ZERO: Final = re.compile(r"\s*0+(?:[.,]0*)?\s*")
_MAX_VARIANT_DEPTH: Final = 4


def product_facts(product: Thing, addresses: tuple[str, ...], home: Home) -> ProductFacts:
    """The facts of a product; of several offers the one of this URL, or the first not sold."""

    def rank(offer: Thing) -> tuple[bool, bool]:
        url = first_text(offer.get("url")) or ""  # only a query tells choices on a page apart
        is_here = "?" in url and url.partition("#")[0] in addresses
        return not is_here, Status.SOLD in map(declared_status, as_list(offer.get("availability")))

    offers = sorted(_offers(product), key=rank)
    priced = list(_price_holders(offers))
    amounts = [(each, found) for each in priced if (found := _amount(each))]
    offer, amount = next(iter(amounts), ({}, None))
    zeros = (_ZERO.fullmatch(str(value)) for each in priced for value in as_list(each.get("price")))
    statuses = {
        declared_status(each)
        for offer in (*offers, product)
        for each in as_list(offer.get("availability"))
    }
    return ProductFacts(
        title=first_text(product.get("name")),
        image=image_url(product.get("image"), addresses[0]),
        amount=amount,
        currency=next(filter(None, (_currency(each, home) for each in (offer, *priced))), None),
        status=next((each for each in _STATUS_ORDER if each in statuses), None),
        is_unpriced=amount is None and any(zeros),
        amounts=frozenset(found for _, found in amounts),
    )


_MAX_IMAGE_CHARS: Final = 500
_MAX_IMAGES: Final = 20
_IMAGE_FIELDS: Final = ("url", "contentUrl", "@id", "thumbnailUrl")


def image_url(value: Any, address: str) -> str | None:
    """The first declared image that a page may show: by https, and not too long."""
    for each in as_list(value)[:_MAX_IMAGES]:
        if isinstance(each, dict):
            held = [item for name in _IMAGE_FIELDS for item in as_list(each.get(name))]
            found = image_url([item for item in held if isinstance(item, str)], address)
        else:
            found = _shown_image(each, address)
        if found is not None:
            return found
    return None


def _shown_image(value: Any, address: str) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return None
    image = absolute_url(unescape(value.strip()), address)
    is_shown = image is not None and image.scheme == "https" and len(image.url) <= _MAX_IMAGE_CHARS
    return image.url if image is not None and is_shown else None


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
        named = [each for each in as_list(offer.get("priceSpecification")) if _is_for_all(each)]
        paid = [each for each in named if not _is_unpaid(each)]
        held = [
            {"priceCurrency": offer.get("priceCurrency"), **each}
            for each in sorted(paid, key=lambda each: any(name in each for name in _QUANTITIES))
        ]
        own = _amount(offer)
        is_listed = own is not None and own in map(_amount, filter(_is_unpaid, named))
        yield from (*held, offer) if is_listed else (offer, *held)


def _is_for_all(specification: Any) -> bool:
    return isinstance(specification, dict) and "validForMemberTier" not in specification


def _is_unpaid(specification: Thing) -> bool:
    kind = (first_text(specification.get("priceType")) or "").rpartition("/")[2].lower()
    return kind.startswith(_UNPAID_PRICE_TYPES)


def _amount(offer: Thing) -> Decimal | None:
    currency = parse_currency(first_text(offer.get("priceCurrency")) or "")
    for value in (each for name in _AMOUNT_FIELDS for each in as_list(offer.get(name))):
        if isinstance(value, dict):
            value = value.get("@value") or value.get("value") or value.get("price")  # noqa: PLW2901
        if isinstance(value, str | int | float) and (amount := declared_amount(value, currency)):
            return amount
    return None


def _currency(offer: Thing, home: Home) -> str | None:
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
    """The meaning of an availability of schema.org or OpenGraph, or in words; None if unknown."""
    if isinstance(value, dict):
        value = value.get("@id") or value.get("name")
    if not isinstance(value, str):
        return None
    segment = _SEGMENT.split(value.strip().rstrip("/?"))[-1]
    return _STATUSES.get(_JOINT.sub("", segment).upper()) or _written_status(value)


_STATUS_BY_TABLE: Final[Mapping[str, Status]] = {
    "reserved": Status.RESERVED,
    "sold": Status.SOLD,
    "later": Status.LISTED,
    "available": Status.AVAILABLE,
    "buy": Status.AVAILABLE,
}
"""What the tables of phrases mean, the most important first."""


def _written_status(text: str) -> Status | None:
    phrases = find_phrases([text])
    return next((status for name, status in _STATUS_BY_TABLE.items() if phrases[name]), None)


_OPENGRAPH_PREFIXES: Final = ("og:", "product:")
_META_AMOUNTS: Final = ("product:sale_price:amount", "product:price:amount", "og:price:amount")
_META_CURRENCIES: Final = (
    "product:sale_price:currency",
    "product:price:currency",
    "og:price:currency",
)
_META_AVAILABILITIES: Final = ("product:availability", "og:availability")


_META_IMAGES: Final = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image")


def meta_facts(metas: Mapping[str, str], home: Home, base: str) -> ProductFacts:
    """The product in OpenGraph, or in the card for Twitter."""
    text = _first_meta(metas, _META_AMOUNTS) or ""
    labels = {number: metas.get(f"twitter:label{number}", "") for number in (1, 2)}
    cards = [number for number, label in labels.items() if label.strip(": ").lower() == "price"]
    card = first_money(metas.get(f"twitter:data{cards[0]}", "") if cards else "", home)
    currency = parse_currency(_first_meta(metas, _META_CURRENCIES) or "", home)
    amount = declared_amount(text, currency)
    written = first_money(text, home)
    return ProductFacts(
        image=image_url([metas[name] for name in _META_IMAGES if name in metas], base),
        amount=amount if amount is not None or card is None else card.amount,
        currency=currency or next((each.currency for each in (written, card) if each), None),
        status=declared_status(_first_meta(metas, _META_AVAILABILITIES)),
    )


def _first_meta(metas: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((metas[name] for name in names if metas.get(name)), None)
