"""Looking at the shops without a server: a site is a function."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import unquote, urlsplit

from selectolax.lexbor import LexborHTMLParser

from gotgan.world.scene import Scene, SceneRequest, SceneResponse
from gotgan.world.shops import Product, WorldShop
from gotgan.world.shops.registry import SHOPS
from gotgan.world.shops.stock import shop_stock
from gotgan.world.world import site_response

__all__ = ["SHOPS", "TAME", "hrefs", "look", "on_day", "tree_of"]

TAME = [shop for shop in SHOPS.values() if shop.behaviour == "tame" and shop.products < 1000]


def look(scene: Scene, url: str, **headers: str) -> SceneResponse:
    """The page at an address."""
    parts = urlsplit(url)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return site_response(
        scene, SceneRequest(parts.netloc, unquote(parts.path), parts.query, headers=named)
    )


def tree_of(page: SceneResponse) -> LexborHTMLParser:
    """A page to look around in."""
    return LexborHTMLParser(page.body.decode())


def hrefs(page: SceneResponse, selector: str = "a[href]") -> list[str]:
    """Where a page's links lead, as they are written."""
    return [each.attributes["href"] or "" for each in tree_of(page).css(selector)]


def on_day(scene: Scene, shop: WorldShop, days: int) -> dict[str, Product]:
    """What a shop has some days later, by address."""
    day = scene.now.date() + timedelta(days=days)
    return {product.url: product for product in shop_stock(scene.seed, shop, day)}
