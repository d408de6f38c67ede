"""The registry of shops: registered once, found when they are due, given back when stuck."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops import keys
from gotgan.domains.shops.models import SHOPS, Shop, ShopPage
from gotgan.domains.shops.registration import Registration
from gotgan.domains.shops.registry import Registry
from gotgan.encoding import encode
from gotgan.errors import BadCursor, NotFound, UsageError
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.attributes import decode_item
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.faults import AccessDeniedException
from gotgan.verbs import iterate

TEN = datetime(2026, 1, 15, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(TEN)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as opened:
        opened.create(SHOPS)
        yield opened


@pytest.fixture
def registry(store: Store) -> Registry:
    return Registry(store)


def _read(store: Store, domain: str) -> Shop:
    shop = store.get(keys.shop(domain))
    assert shop is not None
    return shop


def _crawl(store: Store, clock: FixedClock, *domains: str) -> None:
    claims = [Shop.crawl.claim(store, _read(store, domain)) for domain in domains]
    clock.advance(HOUR)
    for claim in claims:
        Shop.crawl.finish(store, claim)


def _scrape(store: Store, clock: FixedClock, *domains: str) -> None:
    claims = [Shop.scrape.claim(store, _read(store, domain)) for domain in domains]
    clock.advance(HOUR)
    for claim in claims:
        Shop.scrape.finish(store, claim)


def _claim(store: Store, domain: str, owner: str = "worker") -> None:
    Shop.crawl.claim(store, _read(store, domain), owner=owner)


def _domains(shops: Iterator[Shop]) -> list[str]:
    return [shop.domain for shop in shops]


# Registering


def test_a_shop_is_registered_by_any_address_of_it(store: Store, registry: Registry) -> None:
    added = registry.add("https://WWW.Example.co.uk/sale?x=1", country="gb", name=" Example ")
    assert added.new
    found = store.get(keys.shop("www.example.co.uk"))
    assert found is not None
    assert found.origin is not None
    assert decode_item(found.origin.item) == {
        "pk": "SHOP#www.example.co.uk",
        "sk": "META#",
        "domain": "www.example.co.uk",
        "core_domain_name": "example",
        "shop_name": "Example",
        "shop_country": "COUNTRY#GB",
        "gsi2_pk": "COUNTRY#GB",
        "gsi2_sk": "NEVER#",
        "gsi3_pk": "COUNTRY#GB",
        "gsi3_sk": "NEVER#",
        "gsi4_pk": "example",
        "gsi4_sk": "www.example.co.uk",
    }


def test_a_shop_that_is_there_already_stays_as_it_is(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add("example.com", country="DE", name="First")
    _crawl(store, clock, "example.com")
    again = registry.add("EXAMPLE.com", country="FR", name="Second")
    assert not again.new
    kept = registry.get("example.com")
    assert (kept.shop_name, kept.shop_country) == ("First", "DE")
    assert encode(kept)["crawl_state"] == "DONE"


def test_a_shop_without_a_country_gets_one_and_keeps_all_else(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add("example.com", name="First")
    _crawl(store, clock, "example.com")
    report = registry.add("example.com", country="DE", name="Second")
    assert [shop.domain for shop in report.placed] == ["example.com"]
    kept = registry.get("example.com")
    assert (kept.shop_name, kept.shop_country) == ("First", "DE")
    assert _domains(registry.iter_due("scrape")) == ["example.com"]
    assert _domains(registry.iter_due("crawl", before=clock.now())) == ["example.com"]
    assert not registry.add("example.com", country="DE").placed


def test_a_shop_that_somebody_works_on_gets_its_country_too(
    store: Store, registry: Registry
) -> None:
    registry.add("example.com")
    claim = Shop.crawl.claim(store, _read(store, "example.com"))
    assert registry.add("example.com", country="DE").placed
    assert _domains(registry.iter_due("crawl")) == []
    Shop.crawl.finish(store, claim)
    assert _domains(registry.iter_due("scrape")) == ["example.com"]


def test_another_country_than_the_stored_one_is_told_and_changes_nothing(
    registry: Registry,
) -> None:
    registry.add("example.com", country="DE")
    [shop] = registry.add("example.com", country="FR").duplicates
    assert (shop.domain, shop.shop_country) == ("example.com", "DE")
    assert registry.countries() == ["DE"]


def test_a_shop_comes_with_a_country_further_down_the_list(registry: Registry) -> None:
    given = [Registration("a.de"), Registration("www.a.de", "DE"), Registration("a.de", "FR")]
    report = registry.add(entries=given)
    assert [len(each) for each in (report.new, report.placed, report.duplicates)] == [1, 1, 1]
    assert _domains(registry.iter_due("crawl")) == ["a.de"]


# With www. and without


@pytest.mark.parametrize(
    ("first", "second"),
    [("example.com", "www.example.com"), ("www.example.com", "https://example.com/sale")],
)
def test_with_www_and_without_it_is_one_shop(
    store: Store, registry: Registry, first: str, second: str
) -> None:
    registry.add(first, country="DE")
    store.put(ShopPage(domain=first, url=f"https://{first}/a", type="product"))
    assert [shop.domain for shop in registry.add(second, country="DE").duplicates] == [first]
    assert [shop.domain for shop in store.scan(Shop)] == [first]
    assert registry.get(second).domain == first
    assert [page.url for page in registry.urls(second)] == [f"https://{first}/a"]
    assert registry.related(second).items == ()


def test_of_one_list_with_both_the_first_is_taken(store: Store, registry: Registry) -> None:
    report = registry.add(entries=[Registration("www.a.de", "DE"), Registration("a.de", "DE")])
    assert [shop.domain for shop in report.new] == ["www.a.de"]
    assert [shop.domain for shop in report.duplicates] == ["www.a.de"]
    assert [shop.domain for shop in store.scan(Shop)] == ["www.a.de"]


def test_another_subdomain_is_another_shop(registry: Registry) -> None:
    registry.add("example.com")
    assert registry.add("shop.example.com").new


@pytest.mark.parametrize("country", ["", "D", "DEU", "D1", "de de", "ÄÖ"])
def test_a_country_is_two_letters(registry: Registry, country: str) -> None:
    with pytest.raises(
        UsageError, match=r"is not a country code .* \(use two letters such as DE\)"
    ):
        registry.add("example.com", country=country)
    with pytest.raises(UsageError, match="is not a country code"):
        registry.iter_due("crawl", country=country)
    assert registry.countries() == []


@pytest.mark.parametrize("name", ["x" * 201, "two\nlines"])
def test_a_name_is_a_line(registry: Registry, name: str) -> None:
    with pytest.raises(UsageError, match=r"is not a name .*200 characters"):
        registry.add("example.com", name=name)


def test_many_shops_are_registered_at_once_and_counted(registry: Registry) -> None:
    registry.add("known.de", country="DE")
    report = registry.add(
        entries=[
            Registration("known.de", "DE"),
            Registration("new.de", "de"),
            Registration("https://new.de/"),
            Registration("nowhere.com"),
        ]
    )
    assert [shop.domain for shop in report.new] == ["new.de", "nowhere.com"]
    assert [shop.domain for shop in report.duplicates] == ["known.de", "new.de"]
    assert report.failed == []
    assert report.cost.writes == 4 + 2  # table and three indexes; table and one


def test_of_many_shops_all_are_right_or_none_is_stored(store: Store, registry: Registry) -> None:
    given = [Registration("good.de", "DE"), Registration("bad"), Registration("a.de", "Germany")]
    with pytest.raises(UsageError, match=r"Nothing was stored: shop 2: 'bad' .*; shop 3: 'Germany"):
        registry.add(entries=given)
    assert list(store.scan(Shop)) == []
    assert registry.countries() == []


def test_countries_are_known_in_order_and_once(registry: Registry) -> None:
    registry.add(entries=[Registration("a.fr", "FR"), Registration("a.de", "DE")])
    registry.add("b.de", country="DE")
    registry.add("nowhere.com")
    assert registry.countries() == ["DE", "FR"]


class _WithoutCountries(Embedded):
    """A database that lets nobody write a country down."""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation == "PutItem" and request["Item"]["pk"] == {"S": "COUNTRIES"}:
            raise AccessDeniedException("not you")
        return super().call(operation, request)


def test_no_shop_has_a_country_that_the_registry_does_not_know() -> None:
    driver = _WithoutCountries(Engine(None))
    with Store(driver, secret=Secret("of this test")) as store:
        store.create(SHOPS)
        registry = Registry(store)
        with pytest.raises(AccessDeniedException):
            registry.add("a.de", country="DE")
        with pytest.raises(AccessDeniedException):
            registry.add(entries=[Registration("b.de", "DE"), Registration("nowhere.com")])
        assert list(store.scan(Shop)) == []
        assert registry.add("nowhere.com").new


# Reading


def test_a_shop_that_nobody_registered_is_named_with_what_to_do(registry: Registry) -> None:
    for ask in (registry.get, registry.related, registry.urls):
        with pytest.raises(NotFound, match=r"no shop nobody\.de\. Register it first"):
            ask("Nobody.de")


def test_related_shops_share_the_core_name_and_not_the_host(registry: Registry) -> None:
    names = ["example.de", "www.example.co.uk", "example.com", "other.de"]
    hosted = ["antik.myshopify.com", "truhe.myshopify.com"]
    registry.add([*names, *hosted])
    assert registry.related("example.com").items == ("example.de", "www.example.co.uk")
    assert registry.related("antik.myshopify.com").items == ()


def test_shops_are_listed_page_by_page_over_all_countries(registry: Registry) -> None:
    assert registry.page_of_shops().items == ()
    for domain, country in {"a.fr": "FR", "a.de": "DE", "b.de": "DE", "nowhere.com": None}.items():
        registry.add(domain, country=country)
    assert [shop.domain for shop in iterate(registry.page_of_shops, limit=2)] == [
        "a.de",
        "b.de",
        "a.fr",
    ]
    assert [shop.domain for shop in registry.page_of_shops(country="fr")] == ["a.fr"]
    first = registry.page_of_shops(limit=1)
    with pytest.raises(BadCursor):
        registry.page_of_shops(country="FR", cursor=first.cursor)


def test_addresses_are_found_by_their_type_page_by_page(store: Store, registry: Registry) -> None:
    registry.add("example.com")
    urls = [f"https://example.com/{number}" for number in range(5)]
    store.put_all(
        ShopPage(domain="example.com", url=url, type="article" if url.endswith("0") else "product")
        for url in urls
    )
    first = registry.urls("example.com", type="product", limit=3)
    rest = registry.urls("example.com", type="product", limit=3, cursor=first.cursor)
    assert sorted(page.url for page in (*first, *rest)) == urls[1:]
    assert set(first.cost.by_index()) == {("aura-historia-data", "GSI1")}
    assert [page.url for page in registry.urls("example.com")] == urls
    assert len(registry.urls("example.com", type="category")) == 0


# What is due


def test_without_a_country_the_countries_are_walked(registry: Registry) -> None:
    registry.add(
        entries=[
            Registration("a.fr", "FR"),
            Registration("a.de", "DE"),
            Registration("nowhere.com"),
        ]
    )
    assert _domains(registry.iter_due("crawl")) == ["a.de", "a.fr"]
    assert _domains(registry.iter_due("crawl", country="fr")) == ["a.fr"]
    assert _domains(registry.iter_due("crawl", country="IT")) == []


def test_a_crawl_is_due_again_after_two_days(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add("a.de", country="DE")
    _crawl(store, clock, "a.de")
    clock.advance(2 * DAY - timedelta(seconds=1))
    assert _domains(registry.iter_due("crawl")) == []
    clock.advance(timedelta(seconds=1))
    assert _domains(registry.iter_due("crawl")) == ["a.de"]


def test_a_scrape_is_due_as_soon_as_there_is_a_newer_crawl(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add("a.de", country="DE")
    assert _domains(registry.iter_due("scrape")) == []
    _crawl(store, clock, "a.de")
    assert _domains(registry.iter_due("scrape")) == ["a.de"]
    _scrape(store, clock, "a.de")
    assert _domains(registry.iter_due("scrape")) == []
    _crawl(store, clock, "a.de")
    assert _domains(registry.iter_due("scrape")) == ["a.de"]
    assert _domains(registry.iter_due("scrape", before=clock.now() - DAY)) == []


def test_a_range_of_dates_leaves_out_what_was_never_done(
    store: Store, clock: FixedClock, registry: Registry
) -> None:
    registry.add(entries=[Registration(name, "DE") for name in ("new.de", "old.de", "recent.de")])
    _crawl(store, clock, "old.de")
    clock.advance(5 * DAY)
    middle = clock.now()
    _crawl(store, clock, "recent.de")
    now = clock.now()
    assert _domains(registry.iter_due("crawl", before=now)) == ["new.de", "old.de", "recent.de"]
    assert _domains(registry.iter_due("crawl", after=TEN, before=middle)) == ["old.de"]
    assert _domains(registry.iter_due("crawl", after=middle, before=now)) == ["recent.de"]
    assert _domains(registry.iter_due("scrape", after=middle, before=now)) == []
    _scrape(store, clock, "old.de")
    _crawl(store, clock, "old.de")
    assert _domains(registry.iter_due("scrape", after=middle)) == ["old.de"]
    with pytest.raises(UsageError, match=r"is later than the end .* Use a later end"):
        registry.iter_due("crawl", after=now, before=middle)


def test_what_is_due_says_whether_there_is_more_and_what_to_do_without_shops(
    registry: Registry,
) -> None:
    assert (registry.due().hint, registry.stuck().hint) == ("add_shops", "add_shops")
    registry.add(["a.de", "b.de"], country="DE")
    first, every = registry.due(limit=1), registry.due(limit=2)
    assert ([shop.domain for shop in first.items], first.has_more) == (["a.de"], True)
    assert ([shop.domain for shop in every.items], every.has_more) == (["a.de", "b.de"], False)
    scrape = registry.due(stage="scrape")
    assert (scrape.items, scrape.hint) == ((), None)
    with pytest.raises(UsageError, match="either a country or no_country"):
        registry.due(country="DE", no_country=True)


def test_what_is_no_stage_is_refused_before_anything_is_read(registry: Registry) -> None:
    with pytest.raises(UsageError, match=r"Not a stage: 'clean'\. Use one of crawl, scrape"):
        registry.iter_due("clean")


@pytest.mark.parametrize("stage", ["crawl", "scrape"])
def test_shops_without_a_country_are_found_by_a_scan_under_the_same_rules(
    store: Store, clock: FixedClock, registry: Registry, stage: str
) -> None:
    """Each shop twice, with a country and without: the scan finds what the index finds."""
    names = ["new", "crawled", "scraped", "again", "busy"]
    registry.add(entries=[Registration(f"{name}.de", "DE") for name in names])
    registry.add(entries=[Registration(f"{name}.com") for name in names])
    for name in ("crawled", "scraped", "again"):
        _crawl(store, clock, f"{name}.de", f"{name}.com")
    for name in ("scraped", "again"):
        _scrape(store, clock, f"{name}.de", f"{name}.com")
    _crawl(store, clock, "again.de", "again.com")
    for domain in ("busy.de", "busy.com"):
        _claim(store, domain)
    clock.advance(HOUR)
    for before in (TEN, TEN + 4 * HOUR, clock.now(), None):
        scanned = registry.without_country(stage, before=before)
        due = sorted(_domains(registry.iter_due(stage, before=before)))
        assert [shop.domain.removesuffix(".com") for shop in scanned.due] == [
            domain.removesuffix(".de") for domain in due
        ]
        assert (scanned.stuck, scanned.cost.reads > 0) == ((), True)
