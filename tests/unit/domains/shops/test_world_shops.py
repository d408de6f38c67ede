"""The shops of the world through the crawler's eyes: one spelling for every page, none missed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time

import pytest
from selectolax.lexbor import LexborHTMLParser

from gotgan.domains.shops.canonical import canonical_url
from gotgan.domains.shops.sitemaps import Sitemap, parse_sitemap, walk_sitemaps
from gotgan.domains.shops.sites import core_domain_name, is_same_site
from gotgan.world.scene import Scene
from gotgan.world.shops import WorldShop, shop_products, world_shops
from tests.unit.world.shops.looking import TAME, look

NOON = datetime(2025, 11, 6, 12, 0, tzinfo=UTC)
MOST = 400
SCENE = Scene(seed=7, now=NOON, shop_bytes=100)


def links(url: str) -> Iterator[str]:
    for link in LexborHTMLParser(look(SCENE, url).body).css("a[href]:not([rel=nofollow])"):
        address = canonical_url(link.attributes["href"] or "", url)
        if address is not None:
            yield address


def crawled(domain: str) -> list[str]:
    """All addresses of a shop that links lead to."""
    found = {f"https://{domain}/": None}
    waiting = list(found)
    for url in waiting:
        new = [each for each in links(url) if is_same_site(each, domain) and each not in found]
        found |= dict.fromkeys(new)
        waiting += dict.fromkeys(new)
        assert len(found) < MOST
    return list(found)


@pytest.mark.parametrize(
    "domain", ["flickwerk.shop.test", *(shop.domain for shop in TAME if shop.products < 20)]
)
def test_links_lead_to_every_product_under_one_address_and_few_twins(domain: str) -> None:
    found = crawled(domain)
    products = {product.url for product in shop_products(SCENE, domain)}
    assert products <= set(found)
    assert not [url for url in found if "utm_" in url or "srsltid" in url or "cart" in url]


@pytest.mark.parametrize(
    "shop", [each for each in TAME if each.sitemaps != "none"], ids=lambda shop: shop.domain
)
def test_sitemaps_list_every_product_with_the_day_of_its_change(shop: WorldShop) -> None:
    domain = shop.domain

    def read(address: str) -> Sitemap:
        return parse_sitemap(look(SCENE, address).body, address)

    pages = list(walk_sitemaps([f"https://{domain}/sitemap.xml"], read))
    listed = {page.url: page.lastmod for page in pages}
    assert all(is_same_site(url, domain) for url in listed)
    for product in shop_products(SCENE, domain):
        assert listed[product.url] == datetime.combine(product.changed, time(), UTC)


def test_shops_of_the_world_have_core_names_of_their_own() -> None:
    names = [core_domain_name(shop.domain) for shop in world_shops(SCENE)]
    assert [name for name in set(names) if names.count(name) > 1] == ["antik-1"]
