"""Shops in each of their states, with pages and changes."""

from __future__ import annotations

from datetime import timedelta
from errno import ECONNREFUSED

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops import changes, messages
from gotgan.domains.shops.extract import PageFacts, Status
from gotgan.domains.shops.models import CrawlOutcome, Shop, ShopPage, Stage, lifecycle_of
from gotgan.fetch.wire import fetch_error
from gotgan.messages import dump

__all__ = [
    "added",
    "claimed",
    "crawled",
    "path_of",
    "product",
    "product_at",
    "seen",
    "stuck",
    "unreached",
]


def added(app: App, domain: str, country: str | None = "DE", name: str | None = None) -> Shop:
    """A shop that is new."""
    return app.shops.add(domain, country=country, name=name).shops[0]


def path_of(domain: str, show: str = "") -> str:
    """Where the page of a shop is."""
    return f"/shops/shop?domain={domain}" + (f"&show={show}" if show else "")


def claimed(app: App, domain: str, stage: Stage = "crawl") -> None:
    """Somebody works on a shop."""
    lifecycle_of(stage).claim(app.store, app.shops.get(domain), owner="worker-1")


def stuck(app: App, clock: FixedClock, domain: str, stage: Stage = "crawl") -> None:
    """Somebody worked on a shop, and was not heard of for three hours."""
    claimed(app, domain, stage)
    clock.advance(timedelta(hours=3))


def unreached(app: App, clock: FixedClock, domain: str, stage: Stage = "crawl") -> None:
    """A shop refused the connection; the next attempt is due five minutes later."""
    lifecycle = lifecycle_of(stage)
    claim = lifecycle.claim(app.store, app.shops.get(domain))
    refused = OSError(ECONNREFUSED, "refused")
    error = dump(fetch_error(refused, f"https://{domain}/robots.txt").message)
    until = clock.now() + timedelta(minutes=5)
    lifecycle.postpone(app.store, claim, error=error, until=until)


def crawled(app: App, domain: str, outcome: CrawlOutcome = "ok", reason: str = "") -> None:
    """A shop was crawled, and it ended so."""
    claim = Shop.crawl.claim(app.store, app.shops.get(domain))
    told = reason or messages.ALL_VISITED()
    Shop.crawl.finish(
        app.store,
        claim,
        crawl_outcome=outcome,
        crawl_reason=told,
        crawl_pages=12,
        standards=("json-ld",),
    )


def product(app: App, domain: str, name: str, page_type: str = "product") -> ShopPage:
    """A page that a crawl found."""
    page = ShopPage(domain=domain, url=f"https://{domain}/{name}", type=page_type)
    app.store.put_new(page)
    return page


def product_at(domain: str, name: str) -> ShopPage:
    """The page that ``product`` made."""
    return ShopPage(domain=domain, url=f"https://{domain}/{name}", type="product")


def seen(
    app: App, page: ShopPage, price: int | None, status: Status = Status.AVAILABLE, title: str = ""
) -> None:
    """A scrape looked at a product, and wrote down what it offers."""
    stored = app.store.get(page.key)
    assert stored is not None
    facts = PageFacts(
        type="product",
        title=title or None,
        status=status,
        price=price,
        currency="EUR" if price is not None else None,
        sources={"price": "json-ld"},
    )
    assert changes.record_offer(app.store, stored, facts) in {"new", "changed"}
