"""A shop of the simulated web and what is stored of it, with one clock for both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops import keys
from gotgan.domains.shops.models import SHOPS, Change, Shop, ShopPage
from gotgan.domains.shops.reports import ScrapeReport, ScrapeStep
from gotgan.domains.shops.scrape import scrape_shop
from gotgan.fetch import FetchRules, Web
from gotgan.lifecycle import Claim
from gotgan.retry import Policy
from gotgan.store import Store
from gotgan.world import World, world_server
from gotgan.world.shops import Product, shop_products
from tests.patience import PATIENCE

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
SHOP = "antik-1.shop.test"
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Market:
    """A shop of the world, and what is stored of it."""

    store: Store
    web: Web
    clock: FixedClock
    world: World
    domain: str = SHOP
    steps: list[ScrapeStep] = field(default_factory=list)

    def products(self) -> dict[str, Product]:
        return {each.url: each for each in shop_products(self.world.scene, self.domain)}

    def open(self) -> None:
        """Register the shop and all that it has now, as a crawl would."""
        self.store.put_new(Shop(domain=self.domain, core_domain_name="x", shop_country="DE"))
        self.register(*self.products())

    def register(self, *urls: str) -> None:
        pages = (ShopPage(domain=self.domain, url=url, type="product") for url in urls)
        self.store.put_new_all(pages)

    def shop(self) -> Shop:
        shop = self.store.get(keys.shop(self.domain), consistent=True)
        assert shop is not None
        return shop

    def claim(self) -> Claim[Shop]:
        return Shop.scrape.claim(self.store, self.shop())

    def scrape(self, **options: Any) -> ScrapeReport:
        claim = self.claim()
        return scrape_shop(self.store, self.web, claim, on_step=self.steps.append, **options)

    def pages(self) -> dict[str, ShopPage]:
        pages = self.store.iterate(keys.pages_of(self.domain), at_most=None)
        return {page.url: page for page in pages}

    def changes(self, since: datetime = NOON) -> list[Change]:
        return list(self.store.iterate(keys.changes_since(self.domain, since), at_most=None))

    def asked(self) -> list[str]:
        return [seen.path for seen in self.world.requests if seen.path != "/robots.txt"]


@pytest.fixture
def market() -> Iterator[Market]:
    clock = FixedClock(NOON)
    world = World(clock=clock, shop_bytes=100, retry_after=1)
    with world_server(world) as served, Store.in_memory(clock=clock) as store:
        store.create(SHOPS)
        once = Policy(attempts=1, base=0.0, cap=0.0)
        rules = FetchRules(
            delay=0, seconds=PATIENCE, deadline=PATIENCE, retry=once, resolve=served.resolve
        )
        with Web(rules, clock=clock) as web:
            market = Market(store, web, clock, world)
            market.open()
            yield market


def of_another(market: Market, domain: str) -> Market:
    other = Market(market.store, market.web, market.clock, market.world, domain)
    other.open()
    return other


def offered(thing: Product | None) -> tuple[Any, ...]:
    return ("REMOVED", None, None) if thing is None else (thing.status, thing.price, _money(thing))


def _money(thing: Product) -> str | None:
    return None if thing.price is None else thing.currency


def stored(page: ShopPage) -> tuple[Any, ...]:
    """What a page offers by our record."""
    return page.status, page.price, page.currency
