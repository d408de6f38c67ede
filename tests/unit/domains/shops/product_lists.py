"""Two shops of the simulated web that list their products, and lists of a test's own."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from gotgan.domains.shops import keys
from gotgan.domains.shops.models import Change, Shop, ShopPage
from gotgan.domains.shops.reports import ScrapeReport, ScrapeStep
from gotgan.domains.shops.scrape import scrape_shop
from gotgan.world.scene import SceneResponse
from gotgan.world.shops import Product, shop_products
from tests.unit.domains.shops.streets import Street

__all__ = [
    "BOTH",
    "DAY",
    "LISTS",
    "SHOPIFY",
    "WOOCOMMERCE",
    "asked",
    "changes",
    "count",
    "list_address",
    "product_pages",
    "products",
    "replace_list",
    "replace_page",
    "sample",
    "scrape",
    "shopify_item",
]

DAY = timedelta(days=1)
SHOPIFY = "laden.shop.test"
WOOCOMMERCE = "werkstatt.shop.test"
BOTH = pytest.mark.parametrize("domain", [SHOPIFY, WOOCOMMERCE])
LISTS = {SHOPIFY: "/products.json", WOOCOMMERCE: "/wp-json/wc/store/v1/products"}


def scrape(
    street: Street, domain: str, on_step: Callable[[ScrapeStep], None] = lambda _: None
) -> ScrapeReport:
    claim = Shop.scrape.claim(street.store, street.shop(domain))
    return scrape_shop(street.store, street.web, claim, on_step=on_step)


def products(street: Street, domain: str) -> dict[str, Product]:
    return {each.url: each for each in shop_products(street.world.scene, domain)}


def changes(street: Street, domain: str) -> list[Change]:
    return list(street.store.iterate(keys.changes_of(domain), at_most=None))


def count(street: Street) -> int:
    """How many requests there were so far."""
    return len(street.world.requests)


def asked(street: Street, begin: int = 0) -> list[str]:
    """The paths of all requests after the first ones."""
    paths = [each.path for each in street.world.requests[begin:]]
    return [path for path in paths if path != "/robots.txt"]


def list_address(domain: str, page: int = 1) -> str:
    query = f"limit=250&page={page}" if domain == SHOPIFY else f"per_page=100&page={page}"
    return f"https://{domain}{LISTS[domain]}?{query}"


def replace_list(street: Street, domain: str, body: Any, **fields: Any) -> None:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = SceneResponse(raw, **{"kind": "application/json", **fields})
    street.world.replaced[list_address(domain)] = answer


def product_pages(street: Street, domain: str) -> dict[str, ShopPage]:
    return {url: page for url, page in street.pages(domain).items() if page.type == "product"}


def replace_page(street: Street, number: int, items: list[dict[str, Any]]) -> None:
    body = json.dumps({"products": items}).encode()
    answer = SceneResponse(body, kind="application/json")
    street.world.replaced[list_address(SHOPIFY, number)] = answer


def shopify_item(handle: str, *variants: tuple[str, Any]) -> dict[str, Any]:
    offers = variants or (("10.00", True),)
    sizes = [{"price": price, "available": there} for price, there in offers]
    return {"handle": handle, "title": handle.title(), "variants": sizes}


def sample(street: Street, handle: str, price: str = "10.00", status: str = "InStock") -> None:
    """A product page that says what a list says."""
    offer = {"price": price, "priceCurrency": "USD", "availability": status}
    thing = {"@type": "Product", "name": handle.title(), "offers": offer}
    script = f'<script type="application/ld+json">{json.dumps(thing)}</script>'
    street.world.replaced[f"https://{SHOPIFY}/products/{handle}"] = SceneResponse(script.encode())
