"""The lists of products that shop systems offer to programs, and the marks of such a system.

Shopify answers at ``/products.json``, without a currency; WooCommerce at its Store API. Some
products come in several sizes, of which only some can be bought.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Final
from urllib.parse import parse_qs

from gotgan.world.scene import NOT_FOUND, Scene, SceneRequest, SceneResponse
from gotgan.world.shops.registry import Platform, WorldShop
from gotgan.world.shops.stock import Product, shop_stock

PLATFORM_MARKS: Final[Mapping[Platform, str]] = {
    "shopify": '<script>var Shopify = Shopify || {};Shopify.theme = {"name":"Dawn"};</script>\n',
    "woocommerce": (
        '<meta name="generator" content="WooCommerce 9.4.2">\n'
        '<link rel="stylesheet" href="/wp-content/plugins/woocommerce/assets/css/woocommerce.css">'
    ),
}
"""What a shop system leaves in the head of each page."""
_PATHS: Final[Mapping[Platform, str]] = {
    "shopify": "/products.json",
    "woocommerce": "/wp-json/wc/store/v1/products",
}
_MAX_SIZES: Final[Mapping[Platform, int]] = {"shopify": 250, "woocommerce": 100}
_USUAL_SIZES: Final[Mapping[Platform, int]] = {"shopify": 30, "woocommerce": 10}


@dataclass(frozen=True)
class Variant:
    """A size of a product."""

    name: str
    price: int | None
    is_available: bool


def product_variants(product: Product) -> Sequence[Variant]:
    """The sizes of a product: every third has a dearer one, and a cheaper one that is sold out."""
    is_available, price = product.status == "AVAILABLE", product.price
    usual = Variant("M", price, is_available)
    if price is None or product.number // 100 % 3:
        return (usual,)
    dearer = Variant("L", price * 5 // 4, is_available)
    cheaper = Variant("S", price * 4 // 5, is_available=False)
    return (usual, dearer, cheaper) if is_available else (usual, dearer)


def product_list(scene: Scene, shop: WorldShop, request: SceneRequest) -> SceneResponse | None:
    """A page of the list of products; None if the request is for something else."""
    if shop.platform is None or request.path != _PATHS[shop.platform]:
        return None
    is_shopify = shop.platform == "shopify"
    query = parse_qs(request.query)
    most = _MAX_SIZES[shop.platform]
    sizes = query.get("limit" if is_shopify else "per_page", [])
    size = int(sizes[0]) if sizes else _USUAL_SIZES[shop.platform]
    page = int(query.get("page", ["1"])[0])
    if page < 1 or not 1 <= size <= most:
        return NOT_FOUND
    stock = shop_stock(scene.seed, shop, scene.now.date())
    shown = stock[(page - 1) * size : page * size]
    if is_shopify:
        return _json_page({"products": [_shopify_product(each) for each in shown]})
    total = {"X-WP-Total": str(len(stock)), "X-WP-TotalPages": str(-(-len(stock) // size))}
    return _json_page([_woocommerce_product(each) for each in shown], total)


def _json_page(data: Any, headers: Mapping[str, str] | None = None) -> SceneResponse:
    body = json.dumps(data, ensure_ascii=False).encode()
    return SceneResponse(body, kind="application/json; charset=utf-8", headers=headers or {})


def _shopify_product(product: Product) -> dict[str, Any]:
    sizes = [
        {
            "id": product.number * 10 + number,
            "title": each.name,
            "sku": f"{product.number:06}-{each.name}",
            "available": each.is_available,
            "price": decimal_price(each.price or 0),
            "compare_at_price": None,
            "position": number,
        }
        for number, each in enumerate(product_variants(product), 1)
    ]
    return {
        "id": product.number,
        "title": product.title,
        "handle": product.place.rpartition("/")[2],
        "body_html": f"<p>{escape(product.title)}</p>",
        "published_at": f"{product.came}T00:00:00-05:00",
        "updated_at": f"{product.changed}T00:00:00-05:00",
        "variants": sizes,
        "images": [],
    }


def _woocommerce_product(product: Product) -> dict[str, Any]:
    price = "" if product.price is None else str(product.price)
    is_single = len(product_variants(product)) == 1
    return {
        "id": product.number,
        "name": escape(product.title),
        "slug": product.place.strip("/").rpartition("/")[2],
        "type": "simple" if is_single else "variable",
        "permalink": product.url,
        "prices": {
            "price": price,
            "regular_price": price,
            "sale_price": price,
            "currency_code": product.currency,
            "currency_minor_unit": 2,
        },
        "is_purchasable": product.price is not None,
        "is_in_stock": product.status == "AVAILABLE",
        "is_on_backorder": False,
    }


def decimal_price(price: int) -> str:
    """A price of a shop system as a decimal number."""
    return f"{price // 100}.{price % 100:02}"
