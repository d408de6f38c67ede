"""What a shop tells robots: its robots.txt, and its sitemaps."""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from html import escape
from typing import Final

from gotgan.world.scene import Scene, SceneResponse, plain
from gotgan.world.shops.pages import article_title
from gotgan.world.shops.places import HOME, article_at, category_at, house_at, url_of
from gotgan.world.shops.registry import WorldShop
from gotgan.world.shops.stock import Product, stock_of

__all__ = ["robots", "sitemap"]

_ALL: Final = "/sitemap"
_FIRST: Final = "/sitemap.xml"
_HOUSE: Final = "/sitemap-pages.xml"
_PRODUCTS: Final = "/sitemap-products-{}.xml.gz"
_IN_ONE: Final = 2_000
"""How many products one file of an index lists."""
_XML: Final = "application/xml"
_SPACE: Final = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def robots(shop: WorldShop) -> SceneResponse:
    """A shop's robots.txt: the cart is not for robots."""
    rules = f"User-agent: *\nDisallow: {house_at(shop, 'cart')}\n"
    if shop.sitemaps != "none":
        rules += f"Sitemap: {url_of(shop, _FIRST)}\n"
    return plain(rules)


def sitemap(scene: Scene, shop: WorldShop, path: str) -> SceneResponse | None:
    """The sitemap at a path, where the shop has one."""
    if shop.sitemaps == "none" or not path.startswith(_ALL):
        return None
    if shop.sitemaps == "one":
        return _whole(scene, shop) if path == _FIRST else None
    if path == _FIRST:
        return _index(scene, shop)
    if path == _HOUSE:
        return _file("urlset", _house(scene, shop))
    for number, products in enumerate(_parts(scene, shop), 1):
        if path == _PRODUCTS.format(number):
            return _packed(_file("urlset", _things(products)))
    return None


def _whole(scene: Scene, shop: WorldShop) -> SceneResponse:
    stock = stock_of(scene.seed, shop, scene.now.date())
    return _file("urlset", [*_house(scene, shop), *_things(stock)])


def _index(scene: Scene, shop: WorldShop) -> SceneResponse:
    parts = enumerate(_parts(scene, shop), 1)
    files = [_HOUSE, *(_PRODUCTS.format(number) for number, _ in parts)]
    return _file("sitemapindex", (_entry("sitemap", url_of(shop, each)) for each in files))


def _parts(scene: Scene, shop: WorldShop) -> Iterable[tuple[Product, ...]]:
    stock = stock_of(scene.seed, shop, scene.now.date())
    for begin in range(0, len(stock), _IN_ONE):
        yield stock[begin : begin + _IN_ONE]


def _house(scene: Scene, shop: WorldShop) -> Iterable[str]:
    """Everything but the products; of a category only its first page, as shops do it."""
    places = [HOME, house_at(shop, "imprint"), house_at(shop, "contact")]
    places += [category_at(shop, number) for number in range(shop.categories)]
    for number in range(1, shop.articles + 1):
        places.append(article_at(shop, number, article_title(scene, shop, number)))
    return (_entry("url", url_of(shop, place)) for place in places)


def _things(products: Iterable[Product]) -> Iterable[str]:
    return (_entry("url", each.url, f"{each.changed:%Y-%m-%d}") for each in products)


def _entry(kind: str, url: str, lastmod: str = "") -> str:
    time = f"<lastmod>{lastmod}</lastmod>" if lastmod else ""
    return f"<{kind}><loc>{escape(url)}</loc>{time}</{kind}>\n"


def _file(root: str, entries: Iterable[str]) -> SceneResponse:
    text = f'<?xml version="1.0" encoding="UTF-8"?>\n<{root} {_SPACE}>\n{"".join(entries)}</{root}>'
    return SceneResponse(text.encode(), kind=_XML)


def _packed(page: SceneResponse) -> SceneResponse:
    """The file itself is packed; it is no matter of how it is sent."""
    return SceneResponse(gzip.compress(page.body, mtime=0), kind="application/gzip")
