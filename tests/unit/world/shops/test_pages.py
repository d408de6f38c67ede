"""The pages of shops say what is true, in the way of each shop, and link to each other."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from html import escape
from typing import Any

import pytest

from gotgan.world.scene import Scene, SceneResponse
from gotgan.world.shops import Product, WorldShop, shop_products
from gotgan.world.shops.languages import format_price, shop_languages
from tests.unit.world.shops.looking import SHOPS, TAME, hrefs, look, tree_of

PRICED = re.compile(r'"(?:price|lowPrice)": "?([0-9.]+)')
SAID = {"AVAILABLE": "instock", "RESERVED": "reserved", "SOLD": "soldout"}
each_shop = pytest.mark.parametrize("shop", TAME, ids=lambda shop: shop.domain)


def of_standard(standard: str) -> WorldShop:
    return next(shop for shop in TAME if shop.standard == standard and shop.products > 10)


def amount(product: Product) -> float | None:
    if product.price is None:
        return None
    return product.price if product.currency == "KRW" else product.price / 100


def told(page: SceneResponse) -> tuple[float | None, str]:
    """Price and availability as a page says them to machines."""
    tree = tree_of(page)
    for script in tree.css('script[type="application/ld+json"]'):
        text = json.dumps(json.loads(script.text()), ensure_ascii=False)
        price = PRICED.search(text)
        availability = re.search(r'"availability": "https://schema.org/(\w+)"', text)
        return float(price[1]) if price else None, (availability or [""] * 2)[1].lower()
    marks = {
        each.attributes.get("itemprop") or each.attributes.get("property"): each.attributes
        for each in tree.css("[itemprop], [property]")
    }
    cost: Any = marks.get("price") or marks.get("product:price:amount")
    status: Any = marks.get("availability") or marks["product:availability"]
    said = (status.get("href") or status["content"]).rpartition("/")[2]
    return float(cost["content"]) if cost else None, said.lower()


@each_shop
def test_a_product_page_says_to_people_what_is_true(scene: Scene, shop: WorldShop) -> None:
    for product in shop_products(scene, shop.domain)[:4]:
        text = look(scene, product.url).body.decode()
        price = shop.language.on_request
        if product.price is not None:
            price = format_price(product.price, product.currency, shop.language.code)
        assert f">{escape(product.title)}</h1>" in text
        assert f">{price}<" in text
        assert f">{shop.language.statuses[product.status]}</p>" in text
        assert f'<link rel="canonical" href="{product.url}">' in text
        assert f'<html lang="{shop.language.code}">' in text


@pytest.mark.parametrize("standard", ["json-ld", "microdata", "rdfa", "opengraph"])
def test_a_product_page_says_to_machines_what_is_true(scene: Scene, standard: str) -> None:
    for product in shop_products(scene, of_standard(standard).domain):
        assert told(look(scene, product.url)) == (amount(product), SAID[product.status])


def test_a_shop_without_a_standard_says_nothing_to_machines(scene: Scene) -> None:
    for product in shop_products(scene, of_standard("none").domain):
        text = look(scene, product.url).body.decode()
        assert re.search(r"ld\+json|itemprop|property=|og:", text) is None


@pytest.mark.parametrize(
    ("price", "currency", "tongue", "expected"),
    [
        (129_900, "EUR", "de", "1.299 €"),
        (129_950, "EUR", "de", "1.299,50 €"),
        (129_900, "EUR", "fr", "1\u202f299,00\u00a0€"),
        (9_950, "EUR", "fr", "99,50\u00a0€"),
        (129_900, "GBP", "en", "£1,299.00"),
        (129_900, "USD", "en", "$1,299.00"),
        (120_000, "CHF", "de", "CHF 1'200.–"),
        (1_299_000, "KRW", "ko", "1,299,000원"),
    ],
)
def test_a_price_is_written_as_its_country_does(
    price: int, currency: str, tongue: str, expected: str
) -> None:
    assert format_price(price, currency, tongue) == expected


@each_shop
def test_the_pages_of_the_categories_list_every_product_once(scene: Scene, shop: WorldShop) -> None:
    listed: list[str] = []
    for first in hrefs(look(scene, f"https://{shop.domain}/"), "header li:not(:first-child) a"):
        onward = [first]
        while onward:
            page = look(scene, f"https://{shop.domain}{onward[0]}")
            listed += hrefs(page, ".card a")
            onward = hrefs(page, 'a[rel="next"]')
    bare = [re.sub(r"[?&]srsltid=\w+", "", href) for href in listed]
    assert sorted(bare) == sorted(each.place for each in shop_products(scene, shop.domain))


def test_links_have_twins_that_lead_to_the_same_page(scene: Scene) -> None:
    shop = SHOPS["antik-4.shop.test"]
    links = set(hrefs(look(scene, f"https://{shop.domain}/")))
    for product in shop_products(scene, shop.domain):
        links |= set(hrefs(look(scene, product.url)))
    for twin in ("?utm_source=home&utm_medium=tile", "?ref=related"):
        href = next(each for each in sorted(links) if each.endswith(twin))
        clean = href.removesuffix(twin)
        assert look(scene, f"https://{shop.domain}{href}") == look(
            scene, f"https://{shop.domain}{clean}"
        )


def test_what_a_product_page_recommends_is_there_as_long_as_the_page(scene: Scene) -> None:
    root = "https://antik-4.shop.test"
    recommended = 0
    for product in shop_products(scene, "antik-4.shop.test"):
        days_left = product.goes - scene.now.date()
        last_day = replace(scene, now=scene.now + days_left - timedelta(days=1))
        for href in hrefs(look(scene, product.url), "aside a"):
            recommended += 1
            assert look(last_day, root + href).status == 200
    assert recommended > 20


def test_the_cart_is_nothing_for_robots(scene: Scene) -> None:
    shop = of_standard("json-ld")
    product = next(
        each
        for each in shop_products(scene, shop.domain)
        if each.status == "AVAILABLE" and each.price
    )
    carts = [href for href in hrefs(look(scene, product.url)) if "cart" in href or "waren" in href]
    assert carts == hrefs(look(scene, product.url), 'a[rel="nofollow"]')
    robots = look(scene, f"https://{shop.domain}/robots.txt").body.decode()
    assert all(f"Disallow: {href.partition('?')[0]}\n" in robots for href in carts)


def test_links_of_a_page_are_those_of_its_own_shop_or_lead_away(scene: Scene) -> None:
    links = hrefs(look(scene, "https://antik-1.shop.test/"))
    kinds = {href.partition(":")[0] for href in links if not href.startswith("/")}
    assert kinds == {"mailto", "javascript", "https"}


def test_a_product_page_that_did_not_change_has_the_same_bytes_tomorrow(scene: Scene) -> None:
    tomorrow = replace(scene, now=scene.now + timedelta(days=1))
    for standard in ("json-ld", "none"):
        shop = of_standard(standard)
        after = {each.url: each for each in shop_products(tomorrow, shop.domain)}
        for product in shop_products(scene, shop.domain):
            is_same = after.get(product.url) == product
            same = look(scene, product.url).body == look(tomorrow, product.url).body
            assert same == is_same


def test_a_page_that_was_not_modified_is_not_sent_again(scene: Scene) -> None:
    product = shop_products(scene, "antik-1.shop.test")[0]
    since = look(scene, product.url).headers["Last-Modified"]
    assert since == f"{product.changed:%a, %d %b %Y} 00:00:00 GMT"
    again = look(scene, product.url, if_modified_since=since)
    assert (again.status, again.body) == (304, b"")
    other = look(scene, product.url, if_modified_since="Thu, 01 Jan 1970 00:00:00 GMT")
    assert other.status == 200
    tagged = look(scene, product.url, if_modified_since=since, if_none_match='"other"')
    assert tagged.status == 200


def test_a_product_that_is_gone_is_missing_or_gone(scene: Scene) -> None:
    statuses = set()
    for product in shop_products(scene, "antik-4.shop.test"):
        then = replace(scene, now=scene.now + (product.goes - scene.now.date()))
        statuses.add(int(look(then, product.url).status))
    assert statuses == {404, 410}


def test_a_journal_has_articles_and_one_dead_link_each(scene: Scene) -> None:
    root = "https://antik-1.shop.test"
    articles = hrefs(look(scene, f"{root}/magazin"), "main a")
    assert len(articles) == 3
    for href in articles:
        page = look(scene, root + href)
        assert '"@type": "Article"' in page.body.decode()
        [dead] = hrefs(page, "article a")
        assert look(scene, root + dead).status == 410


@pytest.mark.parametrize("path", ["/impressum", "/kontakt", "/kategorie/moebel-0?seite=1"])
def test_a_shop_has_the_pages_of_every_house(scene: Scene, path: str) -> None:
    assert look(scene, f"https://antik-1.shop.test{path}").status == 200


@pytest.mark.parametrize(
    "path",
    [
        *("/nothing", "/impressum/x", "/magazin/x-9", "/produkt/", "/produkt/x", "/kategorie/"),
        *("/kategorie/moebel-0?seite=9", "/kategorie/moebel-0?seite=x", "/kategorie/x-6"),
        *("/kategorie/moebel-0?seite=0", "/sitemap-products-2.xml.gz", "/produkt/x-90000000"),
    ],
)
def test_elsewhere_there_is_nothing(scene: Scene, path: str) -> None:
    assert look(scene, f"https://antik-1.shop.test{path}").status == 404


def test_pages_weigh_about_what_the_scene_says(scene: Scene) -> None:
    heavy = replace(scene, shop_bytes=40_000)
    products = shop_products(heavy, "antik-4.shop.test")
    sizes = [len(look(heavy, product.url).body) for product in products]
    assert 30_000 < sum(sizes) / len(sizes) < 50_000
    assert max(sizes) > 1.5 * min(sizes)


def test_every_language_has_a_word_for_everything() -> None:
    for tongue in shop_languages().values():
        assert tongue.paths.keys() == shop_languages()["en"].paths.keys()
        assert tongue.statuses.keys() == shop_languages()["en"].statuses.keys()
        assert len(tongue.categories) == len(shop_languages()["en"].categories)
