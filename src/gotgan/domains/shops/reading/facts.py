"""What a page is and what it offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from enum import StrEnum

from gotgan.domains.shops.models import PageType

__all__ = ["PageFacts", "PageType", "ProductDetails", "ProductFacts", "Status"]


class Status(StrEnum):
    """Whether a thing can be bought."""

    AVAILABLE = "AVAILABLE"
    LISTED = "LISTED"
    """It is shown, and can be ordered for later."""
    RESERVED = "RESERVED"
    SOLD = "SOLD"
    REMOVED = "REMOVED"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, kw_only=True)
class ProductDetails:
    """Texts about a product that are stored as they are; another one is added here."""

    title: str | None = None

    @property
    def details(self) -> dict[str, str | None]:
        """All of them by name."""
        return {each.name: getattr(self, each.name) for each in fields(ProductDetails)}


@dataclass(frozen=True)
class PageFacts(ProductDetails):
    """What a page is and what it offers; whatever it does not say is None, or UNKNOWN."""

    type: PageType
    price: int | None = None
    """In minor units of the currency; of hundredths where the currency is not known."""
    currency: str | None = None
    """As ISO 4217 names it."""
    status: Status = Status.UNKNOWN
    sources: Mapping[str, str] = field(default_factory=dict)
    """Where each fact is from: ``{"price": "json-ld", "status": "text"}``."""
    links: tuple[str, ...] = ()
    """Where the page leads, in its order, each once; links that it does not vouch for left out."""
    canonical: str | None = None
    """Where the page says it is at home."""
    standards: tuple[str, ...] = ()
    """Which standards of structured data were found with anything in them."""
    is_index: bool = True
    """Whether the page wants to be found."""


@dataclass(frozen=True)
class ProductFacts(ProductDetails):
    """What one part of a page says about the product; what it does not say is None."""

    amount: Decimal | None = None
    currency: str | None = None
    status: Status | None = None
    is_unpriced: bool = False
    """Names nothing as its price, as a gift has it, or a thing whose price is told on request."""
