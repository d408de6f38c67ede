"""The reader on the shops of the world, in each of their standards and languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gotgan.domains.shops.extract import read_page
from gotgan.world.scene import Scene
from gotgan.world.shops import WorldShop, shop_products
from tests.unit.world.shops.looking import TAME, look

SCENE = Scene(seed=7, now=datetime(2025, 11, 6, 12, 0, tzinfo=UTC), shop_bytes=100)
SMALL = [shop for shop in TAME if shop.products <= 12]


@pytest.mark.parametrize("shop", SMALL, ids=lambda shop: shop.domain)
def test_what_a_shop_of_the_world_offers_is_read_from_its_pages(shop: WorldShop) -> None:
    for product in shop_products(SCENE, shop.domain):
        facts = read_page(look(SCENE, product.url).body, product.url)
        assert (facts.type, facts.price) == ("product", product.price)
        assert facts.currency == (product.currency if product.price else None)
        assert facts.status == product.status


@pytest.mark.parametrize("shop", SMALL, ids=lambda shop: shop.domain)
def test_the_front_of_a_shop_is_no_product(shop: WorldShop) -> None:
    front = f"https://{shop.domain}/"
    facts = read_page(look(SCENE, front).body, front)
    assert (facts.type, facts.price) == ("category", None)
