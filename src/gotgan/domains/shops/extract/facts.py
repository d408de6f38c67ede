"""The facts of a page and its product, merged from several sources by trust."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from enum import StrEnum
from typing import Final, Literal

from gotgan.domains.shops.currency import price_text
from gotgan.domains.shops.extract.prices import Money
from gotgan.domains.shops.models import PageType, SelectorField

SELECTOR_SOURCE: Final = "selector "
"""The begin of the source of a fact that a selector found; the selector follows."""
Absence = Literal["gone", "blocked"]
"""What a page with status 200 may stand for: a missing page, or a refusal."""


class Status(StrEnum):
    """Whether a product can be bought."""

    AVAILABLE = "AVAILABLE"
    LISTED = "LISTED"
    """It is shown, and can be ordered for later."""
    RESERVED = "RESERVED"
    SOLD = "SOLD"
    REMOVED = "REMOVED"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, kw_only=True)
class ProductDetails:
    """Texts about a product that are stored as they are; add others here."""

    title: str | None = None
    image: str | None = None
    """The URL of its first declared image, by https."""

    @property
    def details(self) -> dict[str, str | None]:
        """All of them by name."""
        return {each.name: getattr(self, each.name) for each in fields(ProductDetails)}


@dataclass(frozen=True)
class PageFacts(ProductDetails):
    """What a page is and offers; what is unknown is None, or UNKNOWN."""

    type: PageType
    price: int | None = None
    """In minor units of the currency; in hundredths if that is unknown."""
    currency: str | None = None
    """ISO 4217."""
    status: Status = Status.UNKNOWN
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where each fact is from: ``{"price": "json-ld", "status": "text"}``.

    Of the type, the three signals that speak most for it, unless a product is declared whole. Where
    a visible price wins, ``declared_price`` has the other one and ``price_reason`` says why; the
    same for ``status``.
    """
    links: tuple[str, ...] = ()
    """Links in page order, each once, without nofollow."""
    canonical: str | None = None
    standards: tuple[str, ...] = ()
    """Standards of structured data that it uses."""
    absence: Absence | None = None


def fact_text(facts: PageFacts, field: SelectorField) -> str | None:
    """A fact as people read it; for ``product`` the type of the page."""
    texts = {
        "price": price_text(facts.price, facts.currency),
        "currency": facts.currency,
        "status": None if facts.status is Status.UNKNOWN else facts.status.value,
        "title": facts.title,
        "product": facts.type,
    }
    return texts[field]


@dataclass(frozen=True)
class ProductFacts(ProductDetails):
    """The facts of one source about the product; missing ones are None."""

    amount: Decimal | None = None
    currency: str | None = None
    status: Status | None = None
    is_unpriced: bool = False
    """Has a price of zero, as with prices on request."""
    amounts: frozenset[Decimal] = frozenset()
    """The amounts of all its offers."""


_FACT_NAMES: Final = {
    **{each.name: each.name for each in fields(ProductDetails)},
    "amount": "price",
    "currency": "currency",
    "status": "status",
}


@dataclass(frozen=True)
class MergedFacts:
    """The facts so far, and their sources."""

    facts: ProductFacts = field(default_factory=ProductFacts)
    sources: dict[str, str] = field(default_factory=dict)

    def with_defaults(self, source: str, facts: ProductFacts) -> MergedFacts:
        """The same with its gaps filled from another source."""
        new = {
            name: getattr(facts, name)
            for name in _FACT_NAMES
            if getattr(self.facts, name) is None and getattr(facts, name) is not None
        }
        sources = {_FACT_NAMES[name]: source for name in new}
        return MergedFacts(replace(self.facts, **new), {**self.sources, **sources})

    def with_status(self, status: Status, reason: str) -> MergedFacts:
        """The same with a visible status; what was declared is kept with the reason."""
        declared = f"{self.sources['status']}: {self.facts.status}"
        sources = {**self.sources, "status": "text", "declared_status": declared}
        sources["status_reason"] = reason
        return MergedFacts(replace(self.facts, status=status), sources)

    def with_price(self, contradiction: Money, reason: str) -> MergedFacts:
        """The same with a visible price; what was declared is kept with the reason."""
        declared = (
            f"{self.sources['price']}: {self.facts.amount} {self.facts.currency or ''}".strip()
        )
        currency = contradiction.currency or self.facts.currency
        sources = {**self.sources, "price": "text", "declared_price": declared}
        sources["price_reason"] = reason
        facts = replace(self.facts, amount=contradiction.amount, currency=currency)
        return MergedFacts(facts, sources)
