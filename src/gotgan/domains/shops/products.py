"""Products and changes of all shops, as the verbs of the catalog return them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Literal

from gotgan.domains.shops.currency import price_text
from gotgan.domains.shops.models import Change, ChangeKind, Offer
from gotgan.store import Page

ProductStatus = Literal["AVAILABLE", "LISTED", "RESERVED", "SOLD", "REMOVED", "UNKNOWN"]
ProductSort = Literal["changed", "-changed", "price", "-price", "title", "-title"]


@dataclass(frozen=True)
class ShopProduct:
    """A product page of a shop, with its last change."""

    shown: ClassVar = (
        "domain",
        "url",
        "title",
        "image",
        "country",
        "status",
        "last_status",
        "price",
        "currency",
        "price_text",
        "is_removed",
        "first_seen",
        "checked_at",
        "changed_at",
        "change",
        "before",
        "before_text",
    )

    domain: str
    url: str
    title: str | None
    image: str | None
    """URL of the image that the page declares."""
    country: str | None
    """Country of the shop."""
    status: str | None
    last_status: str | None
    """Status of a removed product before it was removed."""
    price: int | None
    """In minor units of the currency; of a removed product the last one."""
    currency: str | None
    first_seen: datetime | None
    """When its first offer was seen; null for products of other tools."""
    checked_at: datetime | None
    """When its facts were last written."""
    changed_at: datetime | None
    """When its offer changed last."""
    change: ChangeKind | None
    """Kind of the last change."""
    before: Offer | None
    """Offer before the last change."""

    @property
    def price_text(self) -> str | None:
        """The price as people read it: ``37.80 EUR``."""
        return price_text(self.price, self.currency)

    @property
    def before_text(self) -> str | None:
        """The price before the last change, as people read it."""
        return None if self.before is None else self.before.price_text

    @property
    def is_removed(self) -> bool:
        """Whether the shop offers it no more."""
        return self.status == "REMOVED"


@dataclass(frozen=True)
class ProductPage(Page[ShopProduct]):
    """A page of products."""

    as_of: datetime | None = None
    """Up to when the list has everything; null while it is made for the first time."""
    total: int = 0
    """How many products there are; with further filters counted up to 1,000."""
    is_total_cut: bool = False
    """Whether there are more."""


@dataclass(frozen=True)
class ChangePage(Page[Change]):
    """A page of changes."""

    as_of: datetime | None = None
    """Up to when the list has everything; null where the shop itself was read."""


@dataclass(frozen=True)
class StageOverview:
    """The state of a shop in a stage."""

    state: str | None
    """NEVER, PROGRESS or DONE."""
    outcome: str | None
    began_at: datetime | None
    """When the last run started."""
    ended_at: datetime | None
    """When the last run ended."""
    is_stuck: bool
    """Whether its worker stopped responding."""
    next_attempt: datetime | None
    """When a shop that could not be reached is tried again."""

    @property
    def word(self) -> str:
        """One word for it: stuck, progress, unreachable, never, or the outcome."""
        if self.is_stuck:
            return "stuck"
        state = (self.state or "NEVER").lower()
        if state == "progress" or self.next_attempt is None:
            return self.outcome or state if state == "done" else state
        return "unreachable"


@dataclass(frozen=True)
class ShopOverview:
    """A shop with both stages and the number of its products."""

    domain: str
    shop_name: str | None
    shop_country: str | None
    crawl: StageOverview
    scrape: StageOverview
    products: int | None
    """Products that it offers; null until they were counted."""
    removed: int | None
    """Products that were removed."""
    changed_at: datetime | None
    """When a product changed last."""


@dataclass(frozen=True)
class ShopOverviewPage(Page[ShopOverview]):
    """A page of shops."""

    as_of: datetime | None = None
    """Up to when products were counted; null before the first time."""


@dataclass(frozen=True)
class ProductHistory:
    """A product, where its facts are from, and all of its changes."""

    product: ShopProduct
    sources: Mapping[str, str]
    """Where each fact is from."""
    changes: tuple[Change, ...]
    """All changes of its offer, oldest first."""
    as_of: datetime | None
    """Up to when this has everything."""


@dataclass(frozen=True)
class ShopRemoved:
    """What was deleted of a shop."""

    domain: str
    is_complete: bool
    """Whether nothing is left."""
    pages: int = 0
    changes: int = 0
    others: int = 0
    """The shop itself, checkpoints of its crawls and positions of webhooks."""


@dataclass(frozen=True)
class ProductFilter:
    """Which products are listed."""

    text: str = ""
    domains: tuple[str, ...] = ()
    country: str | None = None
    status: ProductStatus | None = None
    currency: str | None = None
    min_price: float | None = None
    max_price: float | None = None
    sort: ProductSort = "-changed"


@dataclass(frozen=True)
class ChangeFilter:
    """Which changes are listed."""

    domain: str | None = None
    kind: ChangeKind | None = None
    since: datetime | None = None
