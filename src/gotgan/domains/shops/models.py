"""The table of the shops and what it holds: shops, pages, changes and the state of crawls."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Annotated, ClassVar, Final, Literal, get_args

from pydantic import BaseModel, Field, StringConstraints

from gotgan.clock import utc_iso
from gotgan.domains.shops import messages
from gotgan.domains.shops.currency import price_text
from gotgan.errors import BadItem, NotRead
from gotgan.lifecycle import BoundLifecycle, Lifecycle
from gotgan.messages import load
from gotgan.store import (
    KEYS_ONLY,
    Entity,
    FewValues,
    IndexKey,
    Key,
    KeyOnly,
    MessageText,
    Prefixed,
    Table,
    Timestamp,
    derived,
)
from gotgan.store.attributes import Item, decode

SHOPS: Final = Table("aura-historia-data", pk="pk", sk="sk")
BY_PAGE_TYPE: Final = SHOPS.index("GSI1", pk="gsi1_pk", sk="gsi1_sk")
BY_CRAWL: Final = SHOPS.index(
    "GSI2",
    pk="gsi2_pk",
    sk="gsi2_sk",
    project=("domain", "last_crawled_start", "last_crawled_end"),
)
BY_SCRAPE: Final = SHOPS.index(
    "GSI3",
    pk="gsi3_pk",
    sk="gsi3_sk",
    project=("domain", "last_scraped_start", "last_scraped_end", "last_crawled_end"),
)
BY_CORE_DOMAIN: Final = SHOPS.index("GSI4", pk="gsi4_pk", sk="gsi4_sk", project=KEYS_ONLY)


Domain = Annotated[str, StringConstraints(min_length=1, max_length=253)]
CountryCode = Annotated[str, StringConstraints(pattern="^[A-Z]{2}$", max_length=2)]
StoredType = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Digest = Annotated[str, StringConstraints(max_length=16)]
Number = Annotated[str, StringConstraints(pattern="^[0-9]{6}$", max_length=6)]
SinkName = Annotated[str, StringConstraints(pattern="^[a-z0-9.-]+$", max_length=64)]
Slot = Literal["A", "B"]
CrawlOutcome = Literal["ok", "empty", "blocked", "unreachable", "budget"]
"""Complete; no products; refused; no response; or larger than the page budget."""
ScrapeOutcome = Literal["ok", "empty", "blocked", "unreachable"]
PageType = Literal["product", "category", "listing", "article", "other", "unreadable"]
"""An unreadable page has nothing to read until its scripts run."""
OfferVerdict = Literal["new", "changed", "adopted", "unchanged", "unread"]
"""``adopted``: another tool stored another hash; ``unread``: no offer is visible."""
PageVerdict = Literal[OfferVerdict, "missed", "removed", "lost"]
"""``lost``: another worker was faster, and nothing was written."""
Platform = Literal["shopify", "woocommerce"]
"""A shop system that lists the products of its shops."""
PLATFORMS: Final[tuple[Platform, ...]] = ("shopify", "woocommerce")
SelectorField = Literal["price", "currency", "status", "title", "product"]
"""The facts that a selector can be set for; ``product`` finds what only product pages have."""
SELECTOR_FIELDS: Final[tuple[SelectorField, ...]] = get_args(SelectorField)
ChangeKind = Literal["new", "removed", "sold", "price_up", "price_down", "other"]
"""The first that fits; ``other`` is, for example, a product that is available again."""
CHANGE_KINDS: Final[tuple[ChangeKind, ...]] = get_args(ChangeKind)
_REMOVED, _SOLD = "REMOVED", "SOLD"
Stage = Literal["crawl", "scrape"]
STAGES: Final[tuple[Stage, ...]] = ("crawl", "scrape")


@dataclass(frozen=True)
class Postponed:
    """A shop that the last attempt could not reach."""

    domain: str
    stage: Stage
    last_error: str
    attempts: int
    """Attempts since it was last done."""
    not_before: datetime
    """When the next attempt is due."""
    tried_at: datetime | None
    """When the last attempt started."""


class Offer(BaseModel, frozen=True):
    """What a page offers at a moment."""

    shown: ClassVar = ("status", "price", "currency", "price_text", "hash")

    status: str | None = None
    price: int | None = None
    """In minor units of the currency, such as cents."""
    currency: str | None = None
    hash: str | None = None

    @property
    def price_text(self) -> str | None:
        """The price as people read it: ``37.80 EUR``."""
        return price_text(self.price, self.currency)


class Shop(Entity, table=SHOPS):
    """A shop, and the states of its crawl and its scrape.

    A shop without a country is in neither index; it is found by its key, or by a scan.
    """

    shown: ClassVar = (
        "domain",
        "core_domain_name",
        "shop_name",
        "shop_country",
        "last_crawled_start",
        "last_crawled_end",
        "last_scraped_start",
        "last_scraped_end",
        "standards",
        "crawl_outcome",
        "crawl_reason",
        "crawl_pages",
        "scrape_outcome",
        "scrape_reason",
        "crawl_state",
        "scrape_state",
        "crawl_postponed",
        "scrape_postponed",
        "product_list",
        "selectors",
    )

    key = Key("SHOP#{domain}", "META#")
    crawl = Lifecycle(
        BY_CRAWL, "{shop_country}", started="last_crawled_start", finished="last_crawled_end"
    )
    scrape = Lifecycle(
        BY_SCRAPE, "{shop_country}", started="last_scraped_start", finished="last_scraped_end"
    )
    related = IndexKey(BY_CORE_DOMAIN, "{core_domain_name}", "{domain}")

    domain: Domain = Field(examples=["example.com"])
    core_domain_name: Domain = Field(examples=["example"])
    shop_name: str | None = Field(default=None, examples=["Example Shop"])
    shop_country: Annotated[CountryCode, Prefixed("COUNTRY#")] | None = Field(
        default=None, examples=["DE"]
    )
    last_crawled_start: Timestamp | None = None
    last_crawled_end: Timestamp | None = None
    last_scraped_start: Timestamp | None = None
    last_scraped_end: Timestamp | None = None
    standards: tuple[str, ...] | None = None
    """Which standards of structured data the latest crawl found."""
    crawl_outcome: CrawlOutcome | None = None
    crawl_reason: MessageText | None = None
    crawl_pages: int | None = None
    scrape_outcome: ScrapeOutcome | None = None
    scrape_reason: MessageText | None = None
    journal: Slot | None = None
    """Where the latest crawl that went well is written down; the next one takes the other."""
    product_list: str | None = Field(default=None, examples=["shopify"])
    """The shop system whose list of products is read instead of each page."""
    product_list_checked_at: Timestamp | None = None
    """When it was last looked for."""
    selectors: dict[str, str] | None = Field(default=None, examples=[{"price": ".price-now"}])
    """CSS selectors of facts that are read there first."""
    selectors_crawled: str | None = None
    """The digest of the selectors of the last crawl: with others, unchanged pages are read too."""
    selectors_scraped: str | None = None
    """The same for the last scrape."""

    @property
    def crawl_state(self) -> str | None:
        """NEVER, PROGRESS or DONE."""
        return _known_state(self, "crawl")

    @property
    def scrape_state(self) -> str | None:
        """NEVER, PROGRESS or DONE."""
        return _known_state(self, "scrape")

    @property
    def crawl_postponed(self) -> Postponed | None:
        """The last crawl could not reach the shop; when it is tried again."""
        _expect_whole(self)
        return postponement(self, "crawl")

    @property
    def scrape_postponed(self) -> Postponed | None:
        """The last scrape could not reach the shop; when it is tried again."""
        _expect_whole(self)
        return postponement(self, "scrape")


class ShopPage(Entity, table=SHOPS):
    """A page of a shop: its URL, its type and the hash of its last offer."""

    shown: ClassVar = (
        "url",
        "type",
        "title",
        "image",
        "status",
        "price",
        "currency",
        "price_text",
        "sources",
        "hash",
        "checked_at",
    )

    key = Key("SHOP#{domain}", "URL#{url}", long="sha256")
    by_type = IndexKey(BY_PAGE_TYPE, "SHOP#{domain}", "{type}")

    domain: Annotated[Domain, KeyOnly()] = Field(examples=["example.com"])
    url: str = Field(examples=["https://example.com/products/item-123"])
    type: StoredType | None = Field(default=None, examples=["product"])
    hash: str | None = None
    title: str | None = None
    status: str | None = None
    image: str | None = None
    """The URL of the image that it declares."""
    price: int | None = None
    """In minor units of the currency."""
    currency: str | None = None
    sources: dict[str, str] | None = None
    """Where each fact is from."""
    checked_at: Timestamp | None = None
    """When its facts were last written, or when it was first found gone."""
    etag: str | None = None
    last_modified: str | None = None
    misses: int | None = None
    """How often in a row it was gone; at the second time it counts as removed."""

    @property
    def price_text(self) -> str | None:
        """The price as people read it: ``37.80 EUR``."""
        return price_text(self.price, self.currency)


class Change(Entity, table=SHOPS):
    """A change of a page's offer: before and after."""

    shown: ClassVar = ("id", "domain", "url", "title", "seen_at", "kind", "before", "after")

    key = Key("SHOP#{domain}", "CHANGE#{seen_at}#{digest}")

    domain: Annotated[Domain, KeyOnly()] = Field(examples=["example.com"])
    seen_at: Timestamp
    url: str = Field(examples=["https://example.com/products/item-123"])
    title: str | None = None
    before: Offer | None = None
    after: Offer

    @derived("url")
    def digest(self) -> Digest:
        """Distinguishes changes of the same second."""
        return url_digest(self.url)

    @property
    def id(self) -> str:
        """Identifies the change; the same in every delivery."""
        return f"{self.domain}/{utc_iso(self.seen_at)}/{self.digest}"

    @property
    def kind(self) -> ChangeKind:
        """What kind of change it is."""
        before, after = self.before, self.after
        if before is None:
            return "new"
        if after.status == _REMOVED:
            return "removed"
        if after.status == _SOLD and before.status != _SOLD:
            return "sold"
        is_comparable = before.currency == after.currency and before.price != after.price
        if before.price is None or after.price is None or not is_comparable:
            return "other"
        return "price_up" if after.price > before.price else "price_down"


class Country(Entity, table=SHOPS):
    """A country with registered shops."""

    key = Key(
        "COUNTRIES",
        "COUNTRY#{country}",
        acknowledge=[FewValues("it is written once for each country of the world")],
    )

    country: CountryCode = Field(examples=["DE"])


class AdoptionProgress(Entity, table=SHOPS):
    """Position of the search for items of other tools."""

    key = Key("ADOPTION", "PLACE", acknowledge=[FewValues("there is one such item")])

    behind_pk: str | None = None
    """The last item that was read; none when the next pass starts at the beginning."""
    behind_sk: str | None = None
    seen: int = 0
    """How many items of this pass were read."""
    finished_at: Timestamp | None = None
    """When the last pass reached the end of the table."""

    @property
    def behind(self) -> Item | None:
        """The key to read on from."""
        if self.behind_pk is None or self.behind_sk is None:
            return None
        return {"pk": {"S": self.behind_pk}, "sk": {"S": self.behind_sk}}


class Checkpoint(Entity, table=SHOPS):
    """A checkpoint of a crawl: what was found and done since the previous one."""

    key = Key("SHOP#{domain}", "CRAWL#{slot}#{number}")

    domain: Annotated[Domain, KeyOnly()] = Field(examples=["example.com"])
    slot: Annotated[Slot, KeyOnly()]
    number: Annotated[Number, KeyOnly()] = Field(examples=["000001"])
    run: str
    """Which crawl it is of; one of another crawl is left over from before."""
    began_at: Timestamp
    """When that crawl began."""
    fence: int
    """Of the claim that wrote it: one that was taken over writes over nothing."""
    data: bytes


class Delivery(Entity, table=SHOPS, version="version"):
    """Position up to which the changes of a shop were sent to a sink.

    Changes are ordered by when they were seen. Recent ones may still be on their way into the
    table, so it is stored for each of them whether it was sent.
    """

    key = Key("SHOP#{domain}", "SINK#{sink}")

    domain: Annotated[Domain, KeyOnly()] = Field(examples=["example.com"])
    sink: Annotated[SinkName, KeyOnly()] = Field(examples=["file-0123456789abcdef"])
    settled_at: Timestamp
    """Whatever was seen before this moment was handed over."""
    recent: bytes = b""
    """Which of the later changes were: eight bytes of the hash of each one's key."""
    version: int = 1


def url_digest(url: str) -> str:
    """Identifies a page within its shop."""
    return sha256(url.encode()).hexdigest()[:16]


def lifecycle_of(stage: Stage) -> BoundLifecycle[Shop]:
    """The lifecycle of a stage."""
    return Shop.crawl if stage == "crawl" else Shop.scrape


def state_of(shop: Shop, stage: Stage) -> str | None:
    """The state of a shop in a stage; None if it was not read."""
    if shop.origin is None:  # it was just made
        return "NEVER"
    return sort_key_of(shop, stage).partition("#")[0] or None


def sort_key_of(shop: Shop, stage: Stage) -> str:
    """The sort key of a stored shop in the index of a stage; empty if it was not read."""
    stored = shop.origin and shop.origin.item.get(lifecycle_of(stage).declared.layout.sort_key)
    return str(decode(stored)) if stored else ""


def postponement(shop: Shop, stage: Stage) -> Postponed | None:
    """Why a shop that was read whole could not be reached the last time; None if it was."""
    try:
        position = lifecycle_of(stage).position(shop)
    except BadItem:  # ``stuck_claim`` reports it
        return None
    if position.last_error is None or position.not_before is None:
        return None
    tried_at, _ = last_times(shop, stage)
    return Postponed(
        shop.domain,
        stage,
        load(position.last_error),
        position.attempts,
        position.not_before,
        tried_at,
    )


def last_times(shop: Shop, stage: Stage) -> tuple[datetime | None, datetime | None]:
    """When the last crawl or scrape started and ended."""
    if stage == "crawl":
        return shop.last_crawled_start, shop.last_crawled_end
    return shop.last_scraped_start, shop.last_scraped_end


def _known_state(shop: Shop, stage: Stage) -> str | None:
    state = state_of(shop, stage)
    if state is None:
        _expect_whole(shop)
    return state


def _expect_whole(shop: Shop) -> None:
    if shop.origin is not None and shop.origin.held is not None:
        raise NotRead(messages.NOT_IN_INDEX(domain=shop.domain))
