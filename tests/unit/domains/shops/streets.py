"""A street of shops of the simulated web, and somebody who crawls them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from gotgan.clock import FixedClock
from gotgan.domains.shops import changes, keys
from gotgan.domains.shops.crawl import Crawl
from gotgan.domains.shops.extract import PageFacts, Status
from gotgan.domains.shops.models import SHOPS, Shop, ShopPage
from gotgan.domains.shops.reports import CrawlReport, CrawlStep
from gotgan.fetch import FetchRules, Web
from gotgan.lifecycle import Claim
from gotgan.retry import Policy
from gotgan.store import Store
from gotgan.world import FaultKind, World, world_server
from gotgan.world.scene import SceneRequest, SceneResponse
from gotgan.world.shops import shop_products

__all__ = ["LARGE", "SHOP", "DiesAtTheEnd", "Killed", "Street", "dying_at", "opened_street"]

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
SHOP = "antik-3.shop.test"
LARGE = "antik-20.shop.test"


class Killed(Exception):
    """What a test raises in the middle of a crawl, as a power cut would."""


class DiesAtTheEnd(Crawl):
    """A crawl that has done everything, but for saying so."""

    def _finish(self) -> None:
        raise Killed


class StreetWorld(World):
    """A world in which single pages can be replaced, and somebody may hear each request."""

    def __init__(self, clock: FixedClock) -> None:
        super().__init__(clock=clock, shop_bytes=500)
        self.replaced: dict[str, SceneResponse] = {}
        self.on_request: Callable[[SceneRequest], None] = lambda _: None

    def answer(self, asked: SceneRequest) -> tuple[SceneResponse, FaultKind | None]:
        page, fault = super().answer(asked)
        self.on_request(asked)
        return self.replaced.get(quote(asked.address, safe="/:?&="), page), fault


@dataclass(frozen=True)
class Street:
    """The shops, what is stored of them, and one clock for both."""

    store: Store
    web: Web
    clock: FixedClock
    world: StreetWorld

    def claimed(self, domain: str = SHOP) -> Claim[Shop]:
        self.store.put_new(Shop(domain=domain, core_domain_name=domain, shop_country="DE"))
        shop = self.store.get(keys.shop(domain), consistent=True)
        assert shop is not None
        return Shop.crawl.claim(self.store, shop)

    def crawl(self, domain: str = SHOP, **options: Any) -> CrawlReport:
        return Crawl(self.store, self.web, self.claimed(domain), **options).run()

    def shop(self, domain: str = SHOP) -> Shop:
        shop = self.store.get(keys.shop(domain))
        assert shop is not None
        return shop

    def pages(self, domain: str = SHOP) -> dict[str, ShopPage]:
        found = self.store.iterate(keys.pages_of(domain), at_most=None)
        return {page.url: page for page in found}

    def removed(self, domain: str = SHOP) -> set[str]:
        return {url for url, page in self.pages(domain).items() if page.status == Status.REMOVED}

    def asked(self) -> Counter[str]:
        """How often each page was asked for."""
        plain = ("/robots.txt", "/sitemap.xml")
        seen = (each for each in self.world.requests if each.path not in plain)
        return Counter(f"{each.path}?{each.query}" for each in seen)

    def sold(self, domain: str = SHOP) -> set[str]:
        """The addresses of all products that the shop has."""
        return {product.url for product in shop_products(self.world.scene, domain)}

    def fail(self, url: str, fault: FaultKind, *, times: int = 0) -> None:
        """Let one page misbehave."""
        place = urlsplit(url)
        self.world.fail(place.netloc, unquote(place.path), fault, times=times)

    def scraped(self, url: str, domain: str = SHOP) -> None:
        """Let a product be known with what it offers, whether or not a crawl has found it."""
        self.store.put_new(ShopPage(domain=domain, url=url, type="product"))
        page = self.pages(domain)[url]
        changes.record_offer(self.store, page, PageFacts("product", price=100, currency="EUR"))


@contextmanager
def opened_street() -> Iterator[Street]:
    clock = FixedClock(NOON)
    world = StreetWorld(clock)
    with world_server(world) as served, Store.in_memory(clock=clock) as store:
        store.create(SHOPS)
        patience = Policy(attempts=1)
        rules = FetchRules(delay=0, seconds=2, deadline=4, retry=patience, resolve=served.resolve)
        with Web(rules, clock=clock) as web:
            yield Street(store, web, clock, world)


def dying_at(pages: int) -> Callable[[CrawlStep], None]:
    """Whoever listens with this dies when so many pages were seen."""

    def die(step: CrawlStep) -> None:
        if step.pages == pages:
            raise Killed

    return die
