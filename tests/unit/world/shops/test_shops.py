"""Which shops there are, what they tell robots, and how some of them misbehave."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import UsageError
from gotgan.world import FaultKind, ServedWorld, World
from gotgan.world.scene import Scene, SceneRequest
from gotgan.world.shops import WorldShop, shop_products, world_shops
from tests.unit.world.asking import ask
from tests.unit.world.conftest import NOON
from tests.unit.world.shops.looking import SHOPS, TAME, hrefs, look, tree_of


def locations(text: str) -> list[str]:
    return re.findall(r"<loc>([^<]*)</loc>", text)


def test_there_are_shops_of_every_shape(scene: Scene) -> None:
    assert world_shops(scene) == tuple(SHOPS.values())
    assert len(TAME) >= 40
    pairs = {(shop.standard, shop.language.code) for shop in TAME}
    assert len(pairs) == 5 * 4
    assert {(shop.standard, shop.sitemaps) for shop in TAME} >= {
        ("json-ld", "none"),
        ("json-ld", "index"),
        ("none", "none"),
        ("none", "one"),
    }
    assert {shop.country for shop in TAME} == {"DE", "GB", "KR", "FR", "CH", "US"}
    assert min(shop.products for shop in TAME) == 2
    assert max(shop.products for shop in SHOPS.values()) == 5_000


def test_several_shops_are_under_one_host() -> None:
    assert len([name for name in SHOPS if name.endswith(".hosted.test")]) >= 3


def test_a_name_that_no_shop_has_is_told(scene: Scene) -> None:
    page = look(scene, "https://nobody.shop.test/")
    assert (page.status, page.body) == (404, b"the world has no shop nobody.shop.test\n")
    assert look(scene, "https://shop.test/").body == b"the world has no host shop.test\n"


def test_an_index_leads_to_every_product_and_to_the_house(scene: Scene) -> None:
    shop = SHOPS["antik-4.shop.test"]
    robots = look(scene, f"https://{shop.domain}/robots.txt").body.decode()
    index = look(scene, robots.partition("Sitemap: ")[2].strip()).body.decode()
    house, products = locations(index)
    things = gzip.decompress(look(scene, products).body).decode()
    dated = re.findall(r"<loc>(.*)</loc><lastmod>(.*)</lastmod>", things)
    assert dated == [(each.url, f"{each.changed}") for each in shop_products(scene, shop.domain)]
    for url in locations(look(scene, house).body.decode()):
        assert look(scene, url).status == 200


def test_a_large_shop_has_several_files(scene: Scene) -> None:
    index = look(scene, "https://grosshandel.shop.test/sitemap.xml").body.decode()
    assert len(locations(index)) == 4
    assert look(scene, locations(index)[3]).status == 200


def test_a_shop_may_have_one_sitemap_or_none(scene: Scene) -> None:
    one = look(scene, "https://antik-3.shop.test/sitemap.xml").body.decode()
    assert {each.url for each in shop_products(scene, "antik-3.shop.test")} < set(locations(one))
    assert look(scene, "https://antik-2.shop.test/sitemap.xml").status == 404
    robots = look(scene, "https://antik-2.shop.test/robots.txt").body.decode()
    assert "Sitemap" not in robots


def test_a_sitemap_spells_what_pages_write_in_their_own_letters(scene: Scene) -> None:
    product = shop_products(scene, "antik-9.shop.test")[0]
    assert "/상품/" in product.place
    assert product.url.isascii()


def test_a_calendar_has_no_end(scene: Scene) -> None:
    root = "https://kalender.shop.test"
    assert "/kalender/0" in hrefs(look(scene, f"{root}/"))
    for month in (0, 7, 99_999):
        page = look(scene, f"{root}/kalender/{month}")
        assert hrefs(page, 'a[rel="next"]') == [f"/kalender/{month + 1}"]
        assert f"/kalender/{month}?tag=28" in hrefs(page)


def test_behind_a_wall_everything_leads_to_the_login(scene: Scene) -> None:
    root = "https://mitglieder.shop.test"
    for path in ("/", "/produkt/x-1", "/sitemap.xml"):
        page = look(scene, root + path)
        assert (page.status, page.headers["Location"]) == (302, f"{root}/login?next={path}")
    login = look(scene, f"{root}/login?next=/")
    assert (login.status, hrefs(login)) == (200, [])
    assert tree_of(login).css_first('input[type="password"]') is not None


def test_a_heavy_shop_has_products_of_thirty_megabytes(scene: Scene) -> None:
    domain = "bilderflut.shop.test"
    product = shop_products(scene, domain)[0]
    assert len(look(scene, product.url).body) > 30_000_000
    assert len(look(scene, f"https://{domain}/").body) < 100_000
    assert look(scene, f"https://{domain}/produkt/x-999999").status == 410


def test_broken_pages_still_show_what_they_show(scene: Scene) -> None:
    domain = "flickwerk.shop.test"
    for product in shop_products(scene, domain):
        body = look(scene, product.url).body
        assert b"</p>" not in body
        with pytest.raises(UnicodeDecodeError):
            body.decode()
        assert f"{product.title}</h1>" in body.decode(errors="replace")


def test_a_hasty_shop_wants_to_be_left_alone_for_some_seconds(scene: Scene) -> None:
    url = "https://eilig.shop.test/"
    seconds = [replace(scene, now=scene.now + timedelta(seconds=each)) for each in range(15)]
    statuses = [look(each, url).status for each in seconds]
    assert statuses == [200] * 7 + [429] * 3 + [200] * 5
    assert look(seconds[7], url).headers == {"Retry-After": "2"}
    assert look(seconds[7], f"{url}robots.txt").status == 200


@pytest.mark.parametrize("shop", SHOPS.values(), ids=lambda shop: shop.domain)
def test_a_shop_gives_the_same_bytes_in_every_world_of_its_seed(shop: WorldShop) -> None:
    worlds = [World(clock=FixedClock(NOON), shop_bytes=100) for _ in range(2)]
    asked = SceneRequest(shop.domain, "/")
    first, second = (world.answer(asked)[0] for world in worlds)
    assert first == second


def test_faults_can_be_planned_for_a_shop_by_its_name() -> None:
    world = World(clock=FixedClock(NOON))
    world.fail("antik-1.shop.test", "*", FaultKind.BROKEN, times=1)
    world.fail("*.hosted.test", "*", FaultKind.FORBIDDEN)
    assert [world.answer(SceneRequest("antik-1.shop.test", "/"))[0].status for _ in range(2)] == [
        500,
        200,
    ]
    assert world.answer(SceneRequest("antik-2.shop.test", "/"))[0].status == 200
    assert world.answer(SceneRequest("truhe.hosted.test", "/"))[0].status == 403
    with pytest.raises(UsageError, match="no host"):
        world.fail("antik-1.shop.example", "*", FaultKind.BROKEN)


def test_a_shop_is_reached_over_http(served: ServedWorld) -> None:
    domain = "antik-9.shop.test"
    product = shop_products(served.world.scene, domain)[0]
    path = product.url.removeprefix(f"https://{domain}")
    got = ask(served, path, domain)
    assert product.title in got.text
    for headers in (
        {"If-None-Match": got.headers["ETag"]},
        {"If-Modified-Since": got.headers["Last-Modified"]},
    ):
        again = ask(served, path, domain, headers=headers)
        assert (again.status, again.body) == (304, b"")
