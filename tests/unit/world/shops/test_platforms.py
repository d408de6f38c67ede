"""Two shops of the world offer lists of their products, as their shop systems do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gotgan.world.scene import Scene
from gotgan.world.shops import shop_products
from tests.unit.world.shops.looking import look

SHOPIFY = "https://laden.shop.test/products.json"
WOOCOMMERCE = "https://werkstatt.shop.test/wp-json/wc/store/v1/products"


def listed(scene: Scene, url: str) -> Any:
    return json.loads(look(scene, url).body)


def test_a_list_of_shopify_has_every_product_with_its_sizes(scene: Scene) -> None:
    sold = {each.place: each for each in shop_products(scene, "laden.shop.test")}
    items = listed(scene, f"{SHOPIFY}?limit=250")["products"]
    assert {f"/products/{item['handle']}" for item in items} == set(sold)
    for item in items:
        product = sold[f"/products/{item['handle']}"]
        free = [each for each in item["variants"] if each["available"]]
        assert bool(free) == (product.status == "AVAILABLE")
        prices = [float(each["price"]) for each in free or item["variants"]]
        assert round(min(prices) * 100) == (product.price or 0)
    assert {len(item["variants"]) for item in items} == {1, 2, 3}


def test_the_store_api_of_woocommerce_has_every_product(scene: Scene) -> None:
    sold = {each.url: each for each in shop_products(scene, "werkstatt.shop.test")}
    items = listed(scene, f"{WOOCOMMERCE}?per_page=100")
    assert {item["permalink"] for item in items} == set(sold)
    for item in items:
        product = sold[item["permalink"]]
        assert item["prices"]["price"] == str(product.price or "")
        assert item["is_in_stock"] == (product.status == "AVAILABLE")


@pytest.mark.parametrize(
    ("url", "size", "most"), [(SHOPIFY, "limit", 250), (WOOCOMMERCE, "per_page", 100)]
)
def test_a_list_comes_in_pages_of_a_limited_size(
    scene: Scene, url: str, size: str, most: int
) -> None:
    def page(number: int) -> Any:
        found = listed(scene, f"{url}?{size}=10&page={number}")
        return found["products"] if isinstance(found, dict) else found

    pages = [page(number) for number in range(1, 5)]
    whole = listed(scene, f"{url}?{size}={most}")
    joined = [item for items in pages for item in items]
    assert joined == (whole["products"] if isinstance(whole, dict) else whole)
    assert pages[-1] == []
    assert look(scene, f"{url}?{size}={most + 1}").status == 404


def test_other_shops_have_no_lists_and_no_marks(scene: Scene) -> None:
    for path in ("/products.json", "/wp-json/wc/store/v1/products"):
        assert look(scene, f"https://antik-2.shop.test{path}").status == 404
    for name, mark in (("laden", b"Shopify.theme"), ("werkstatt", b"/plugins/woocommerce/")):
        assert mark in look(scene, f"https://{name}.shop.test/").body
        assert mark not in look(scene, "https://antik-2.shop.test/").body
