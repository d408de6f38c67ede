"""What the offers of a product say: the price that is paid, its currency, and the availability."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Final

from gotgan.domains.shops.reading.currencies import currency_of
from gotgan.domains.shops.reading.facts import ProductFacts, Status
from gotgan.domains.shops.reading.prices import declared_amount, money_in
from gotgan.domains.shops.reading.statuses import declared_status
from gotgan.domains.shops.reading.things import Thing, listed, text_in

__all__ = ["said_by_product"]

_OFFERS: Final = ("offers", "offer", "aggregateOffer")
_AMOUNTS: Final = ("price", "lowPrice", "highPrice")
_NOT_PAID: Final = ("list", "strikethrough", "msrp", "srp", "regular", "invoice")
"""How the kinds of a price begin that is shown beside the one that is paid."""
_BEST_FIRST: Final = (
    Status.AVAILABLE,
    Status.LISTED,
    Status.RESERVED,
    Status.SOLD,
    Status.REMOVED,
)
_ZERO: Final = re.compile(r"\s*0+(?:[.,]0*)?\s*")
_DEEPEST: Final = 4


def said_by_product(product: Thing, addresses: tuple[str, ...], home: str | None) -> ProductFacts:
    """What a product says about itself; of several offers the one at this address, or the first."""
    offers = sorted(_offers(product), key=lambda each: not _is_at(each, addresses))
    priced = ((each, _amount(each)) for each in _priced(offers))
    offer, amount = next(((each, found) for each, found in priced if found), ({}, None))
    return ProductFacts(
        title=text_in(product.get("name")),
        amount=amount,
        currency=_currency(offer, home) or _first_currency(offers, home),
        status=_status([*offers, product]),
        is_unpriced=amount is None and any(map(_is_nothing, _priced(offers))),
    )


def _offers(product: Thing, depth: int = 0) -> list[Thing]:
    """The offers of a product, or those of its variants where it has none itself."""
    own = [each for name in _OFFERS for each in listed(product.get(name))]
    found = [each for each in own if isinstance(each, dict)]
    inner = [each for offer in found for each in listed(offer.get("offers"))]
    found += [each for each in inner if isinstance(each, dict)]
    if found or depth > _DEEPEST:
        return found
    variants = (each for each in listed(product.get("hasVariant")) if isinstance(each, dict))
    return [each for variant in variants for each in _offers(variant, depth + 1)] or [product]


def _is_at(offer: Thing, addresses: tuple[str, ...]) -> bool:
    """Whether an offer is the one of this address and not of another choice on the same page."""
    url = text_in(offer.get("url")) or ""
    return "?" in url and url.partition("#")[0] in addresses


def _priced(offers: list[Thing]) -> Iterator[Thing]:
    """Where the offers may write a price: themselves, or in a specification of it."""
    for offer in offers:
        yield offer
        specified = listed(offer.get("priceSpecification"))
        found = [each for each in specified if isinstance(each, dict) and _is_paid(each)]
        for each in sorted(found, key=lambda each: "referenceQuantity" in each):
            yield {"priceCurrency": offer.get("priceCurrency"), **each}


def _is_paid(specification: Thing) -> bool:
    kind = (text_in(specification.get("priceType")) or "").rpartition("/")[2].lower()
    return not kind.startswith(_NOT_PAID)


def _amount(offer: Thing) -> Decimal | None:
    held = (value for name in _AMOUNTS for value in listed(offer.get(name)))
    return next(filter(None, map(_declared, held)), None)


def _declared(value: Any) -> Decimal | None:
    if isinstance(value, dict):
        value = value.get("@value") or value.get("value") or value.get("price")
    return declared_amount(value) if isinstance(value, str | int | float) else None


def _is_nothing(offer: Thing) -> bool:
    return any(_ZERO.fullmatch(str(value)) for value in listed(offer.get("price")))


def _currency(offer: Thing, home: str | None) -> str | None:
    named = currency_of(text_in(offer.get("priceCurrency")) or "", home)
    written = money_in(text_in(offer.get("price")) or "", home)
    return named or (written.currency if written else None)


def _first_currency(offers: list[Thing], home: str | None) -> str | None:
    return next(filter(None, (_currency(each, home) for each in _priced(offers))), None)


def _status(offers: list[Thing]) -> Status | None:
    """The best that is said: a shirt that is there in one size is there."""
    said = {declared_status(each) for offer in offers for each in listed(offer.get("availability"))}
    return next((each for each in _BEST_FIRST if each in said), None)
