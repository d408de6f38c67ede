"""What shops have: the same each time for a day, and something else every day."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest

from gotgan.world.scene import Scene
from gotgan.world.shops import Product, WorldShop, shop_products
from gotgan.world.shops.stock import find_product
from tests.unit.world.shops.looking import SHOPS, TAME, on_day

LARGE = SHOPS["antik-4.shop.test"]


def offer(product: Product) -> tuple[str, int | None]:
    return product.status, product.price


def changes(before: dict[str, Product], after: dict[str, Product]) -> set[str]:
    """What somebody who looks every day would call what happened."""
    happened = {"gone"} if before.keys() - after.keys() else set()
    happened |= {"new"} if after.keys() - before.keys() else set()
    for url in before.keys() & after.keys():
        old, new = before[url], after[url]
        if old.status != new.status:
            happened.add(new.status)
        elif old.price and new.price and old.price != new.price:
            happened.add("dearer" if new.price > old.price else "cheaper")
    return happened


def test_the_same_seed_and_day_give_the_same_products(scene: Scene) -> None:
    later = replace(scene, now=scene.now + timedelta(hours=11))
    assert shop_products(scene, LARGE.domain) == shop_products(later, LARGE.domain)


def test_another_seed_or_another_shop_has_other_products(scene: Scene) -> None:
    ours = {product.title for product in shop_products(scene, "antik-1.shop.test")}
    assert ours != {product.title for product in shop_products(scene, "antik-1.hosted.test")}
    other = replace(scene, seed=8)
    assert ours != {product.title for product in shop_products(other, "antik-1.shop.test")}


def test_within_two_weeks_everything_happens_that_can(scene: Scene) -> None:
    days = [on_day(scene, LARGE, days) for days in range(15)]
    happened = [changes(before, after) for before, after in pairwise(days)]
    assert set().union(*happened) == {
        *("new", "gone", "cheaper", "dearer"),
        *("AVAILABLE", "RESERVED", "SOLD"),
    }
    assert all(happened)


def test_on_most_days_most_products_stay_as_they_are(scene: Scene) -> None:
    today, tomorrow = on_day(scene, LARGE, 0), on_day(scene, LARGE, 1)
    same = [url for url in today.keys() & tomorrow.keys() if today[url] == tomorrow[url]]
    assert len(same) > 0.7 * len(today)


def test_a_product_is_what_it_is_since_the_day_it_says_and_until_it_goes(scene: Scene) -> None:
    shop = SHOPS["antik-1.shop.test"]
    today = scene.now.date()
    for product in shop_products(scene, shop.domain):
        since, until = (product.changed - today).days, (product.goes - today).days
        before = on_day(scene, shop, since - 1).get(product.url)
        assert before is None or offer(before) != offer(product)
        assert (before is None) == (product.changed == product.came)
        for days in range(since, 1):
            assert on_day(scene, shop, days)[product.url] == product
        assert product.url in on_day(scene, shop, until - 1)
        assert product.url not in on_day(scene, shop, until)


def test_a_number_is_a_product_only_while_it_is_there(scene: Scene) -> None:
    listed = {product.number: product for product in shop_products(scene, LARGE.domain)}
    found = {
        number: find_product(scene.seed, LARGE, number, scene.now.date()) for number in range(7_000)
    }
    assert {number: each for number, each in found.items() if each} == listed


@pytest.mark.parametrize("shop", TAME, ids=lambda shop: shop.domain)
def test_shelves_are_rarely_empty(scene: Scene, shop: WorldShop) -> None:
    products = shop_products(scene, shop.domain)
    assert 0.5 * shop.products <= len(products) <= shop.products
    assert {product.category for product in products} <= set(range(shop.categories))
    assert all(product.currency == shop.currency for product in products)


def test_some_prices_are_not_told_and_none_is_nothing(scene: Scene) -> None:
    prices = [each.price for shop in TAME for each in shop_products(scene, shop.domain)]
    assert 0 < prices.count(None) < len(prices) / 10
    assert min(price for price in prices if price is not None) > 0
