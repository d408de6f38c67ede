"""The shops' table is that of its document: two kinds of items, four indexes, every query."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops import keys
from gotgan.domains.shops.models import (
    BY_CORE_DOMAIN,
    BY_CRAWL,
    BY_PAGE_TYPE,
    BY_SCRAPE,
    SHOPS,
    Shop,
    ShopPage,
)
from gotgan.store import ALL, KEYS_ONLY, Pattern, Store, entities_of, patterns_of
from gotgan.store.attributes import decode_item, encode
from gotgan.store.queries import LAST_CHAR, SortCondition
from gotgan.store.schema import schema_of
from tests.unit.domains.wire import asked, condition, stored, stored_alone

SHOP = Shop(
    domain="example.com",
    core_domain_name="example",
    shop_name="Antik Beispiel",
    shop_country="DE",
    last_crawled_start=datetime(2023, 10, 27, tzinfo=UTC),
    last_crawled_end=datetime(2023, 10, 27, 23, 59, 59, tzinfo=UTC),
    last_scraped_start=datetime(2023, 10, 27, 12, tzinfo=UTC),
    last_scraped_end=datetime(2023, 10, 27, 23, 59, 59, tzinfo=UTC),
)
META = {
    "pk": "SHOP#example.com",
    "sk": "META#",
    "domain": "example.com",
    "core_domain_name": "example",
    "shop_name": "Antik Beispiel",
    "shop_country": "COUNTRY#DE",
    "last_crawled_start": "2023-10-27T00:00:00Z",
    "last_crawled_end": "2023-10-27T23:59:59Z",
    "last_scraped_start": "2023-10-27T12:00:00Z",
    "last_scraped_end": "2023-10-27T23:59:59Z",
}
INDEXED = {
    "gsi2_pk": "COUNTRY#DE",
    "gsi2_sk": "NEVER#",
    "gsi3_pk": "COUNTRY#DE",
    "gsi3_sk": "NEVER#",
    "gsi4_pk": "example",
    "gsi4_sk": "example.com",
}
ITEM_123 = "https://example.com/products/item-123"
PAGE = ShopPage(domain="example.com", url=ITEM_123, type="product", hash="a1b2c3d4")
CRAWLS = 'gsi2_pk = "COUNTRY#{country}" AND '
SCRAPES = 'gsi3_pk = "COUNTRY#{country}" AND '
CUTOFF = datetime(2026, 1, 13, tzinfo=UTC)
EIGHT, NINE, TEN = (datetime(2026, 1, 15, hour, tzinfo=UTC) for hour in (8, 9, 10))


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(TEN)


@pytest.fixture
def store(clock: FixedClock) -> Iterator[Store]:
    with Store.in_memory(clock=clock) as opened:
        opened.create(SHOPS)
        yield opened


# The table


def test_the_table_is_that_of_the_document() -> None:
    assert SHOPS.name == "aura-historia-data"
    assert [key.name for key in SHOPS.keys] == ["pk", "sk"]
    assert entities_of(SHOPS)[:2] == [Shop, ShopPage]


def test_the_four_indexes_have_the_keys_and_projections_of_the_document() -> None:
    assert list(SHOPS.indexes) == ["GSI1", "GSI2", "GSI3", "GSI4"]
    for number, index in enumerate(SHOPS.indexes.values(), start=1):
        assert [key.name for key in index.keys] == [f"gsi{number}_pk", f"gsi{number}_sk"]
    assert [index.project for index in SHOPS.indexes.values()] == [
        ALL,
        ("domain", "last_crawled_start", "last_crawled_end"),
        ("domain", "last_scraped_start", "last_scraped_end", "last_crawled_end"),
        KEYS_ONLY,
    ]


# The items


def test_a_shop_is_stored_as_the_document_shows(store: Store) -> None:
    assert stored(store, SHOP) == META | INDEXED


def test_a_shop_without_a_country_is_in_neither_index_of_work(store: Store) -> None:
    item = stored(store, Shop(domain="example.com", core_domain_name="example"))
    assert "shop_country" not in item
    assert "gsi2_pk" not in item
    assert "gsi3_pk" not in item
    assert (item["gsi2_sk"], item["gsi4_pk"]) == ("NEVER#", "example")


def test_a_page_is_stored_as_the_document_shows(store: Store) -> None:
    assert stored(store, PAGE) == {
        "pk": "SHOP#example.com",
        "sk": f"URL#{ITEM_123}",
        "url": ITEM_123,
        "type": "product",
        "hash": "a1b2c3d4",
        "gsi1_pk": "SHOP#example.com",
        "gsi1_sk": "product",
    }


def test_a_page_without_a_type_stays_out_of_its_index() -> None:
    item = stored_alone(ShopPage(domain="example.com", url=ITEM_123))
    assert set(item) == {"pk", "sk", "url"}


def test_an_address_that_is_too_long_for_a_key_is_hashed_there_and_kept_whole(
    store: Store,
) -> None:
    url = "https://example.com/" + "ü" * 600
    item = stored(store, ShopPage(domain="example.com", url=url))
    assert item["sk"] == f"URL#sha256:{hashlib.sha256(url.encode()).hexdigest()}"
    assert item["url"] == url


@pytest.mark.parametrize(
    ("extra", "state"),
    [
        ({"gsi2_sk": "PROGRESS#2026-01-15T10:00:00Z"}, "PROGRESS"),
        ({"gsi2_sk": "DONE#2026-01-15T12:00:00Z", "theirs": [1, {"a": None}]}, "DONE"),
    ],
)
def test_a_shop_that_others_wrote_is_read_and_written_without_a_trace(
    extra: dict[str, Any], state: str
) -> None:
    schema, document = schema_of(Shop), META | INDEXED | extra
    read = schema.load({name: encode(value) for name, value in document.items()})
    assert read == SHOP
    assert Shop.crawl.position(read).state.value == state
    assert decode_item(schema.item(read)) == document


@pytest.mark.parametrize("country", ["de", "DEU", "D", "COUNTRY#DE", "DE\n"])
def test_a_country_is_two_capital_letters(country: str) -> None:
    with pytest.raises(ValueError, match="shop_country"):
        Shop(domain="example.com", core_domain_name="example", shop_country=country)


# The queries


@pytest.mark.parametrize(
    ("pattern", "conditions"),
    [
        (keys.shop, ['pk = "SHOP#{domain}" AND sk = "META#"']),
        (keys.page, ['pk = "SHOP#{domain}" AND sk = "URL#{url}"']),
        (keys.pages_of, ['pk = "SHOP#{domain}" AND begins_with(sk, "URL#")']),
        (keys.pages_of_type, ['gsi1_pk = "SHOP#{domain}" AND gsi1_sk = "{page_type}"']),
        (
            keys.shops_to_crawl,
            [
                CRAWLS + 'begins_with(gsi2_sk, "NEVER#")',
                CRAWLS + 'gsi2_sk BETWEEN "DONE#" AND "DONE#{before}"',
            ],
        ),
        (
            keys.crawls_in_progress,
            [CRAWLS + 'gsi2_sk BETWEEN "PROGRESS#" AND "PROGRESS#{before}"'],
        ),
        (
            keys.shops_to_scrape,
            [
                SCRAPES + 'begins_with(gsi3_sk, "NEVER#")',
                SCRAPES + 'gsi3_sk BETWEEN "DONE#" AND "DONE#{before}"',
            ],
        ),
        (
            keys.scrapes_in_progress,
            [SCRAPES + 'gsi3_sk BETWEEN "PROGRESS#" AND "PROGRESS#{before}"'],
        ),
        (
            keys.crawls_unfinished_since,
            [
                CRAWLS + 'begins_with(gsi2_sk, "NEVER#")',
                CRAWLS + 'gsi2_sk BETWEEN "DONE#" AND "DONE#{since}"',
            ],
        ),
        (
            keys.scrapes_unfinished_since,
            [
                SCRAPES + 'begins_with(gsi3_sk, "NEVER#")',
                SCRAPES + 'gsi3_sk BETWEEN "DONE#" AND "DONE#{since}"',
            ],
        ),
        (keys.adoption, ['pk = "ADOPTION" AND sk = "PLACE"']),
        (keys.related_shops, ['gsi4_pk = "{core_domain_name}"']),
        (keys.delivery, ['pk = "SHOP#{domain}" AND sk = "SINK#{sink}"']),
        (
            keys.shops_crawled_ever,
            [
                SCRAPES + 'begins_with(gsi3_sk, "NEVER#")',
                SCRAPES + 'gsi3_sk BETWEEN "DONE#" AND "DONE#~"',
            ],
        ),
        (keys.shops_of, ['gsi2_pk = "COUNTRY#{country}"']),
        (keys.checkpoints, ['pk = "SHOP#{domain}" AND begins_with(sk, "CRAWL#{slot}#")']),
        (keys.countries, ['pk = "COUNTRIES" AND begins_with(sk, "COUNTRY#")']),
        (
            keys.shops_crawled,
            [CRAWLS + 'gsi2_sk BETWEEN "DONE#{after}" AND "DONE#{before}"'],
        ),
        (
            keys.shops_to_scrape_again,
            [SCRAPES + 'gsi3_sk BETWEEN "DONE#{after}" AND "DONE#{before}"'],
        ),
        (keys.changes_of, ['pk = "SHOP#{domain}" AND begins_with(sk, "CHANGE#")']),
        (
            keys.changes_since,
            [f'pk = "SHOP#{{domain}}" AND sk BETWEEN "CHANGE#{{since}}" AND "CHANGE#{LAST_CHAR}"'],
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Pattern) else "",
)
def test_each_access_pattern_has_the_key_conditions_of_the_document(
    pattern: Pattern[..., Any], conditions: list[str]
) -> None:
    assert [condition(read) for read in pattern.reads] == conditions


def test_every_access_pattern_is_among_them() -> None:
    assert len(patterns_of(SHOPS)) == 25


def test_each_pattern_reads_its_own_index() -> None:
    indexes = {each.name: {read.index for read in each.reads} for each in patterns_of(SHOPS)}
    assert indexes["pages_of_type"] == {BY_PAGE_TYPE}
    assert indexes["shops_to_crawl"] == indexes["crawls_in_progress"] == {BY_CRAWL}
    assert indexes["shops_to_scrape"] == indexes["scrapes_in_progress"] == {BY_SCRAPE}
    assert indexes["shops_crawled"] == {BY_CRAWL}
    assert indexes["shops_to_scrape_again"] == {BY_SCRAPE}
    assert indexes["related_shops"] == {BY_CORE_DOMAIN}
    assert indexes["shop"] == indexes["page"] == indexes["pages_of"] == {None}


def test_shops_to_scrape_are_filtered_by_what_their_index_holds() -> None:
    never, done = keys.shops_to_scrape.reads
    assert never.filter == "attribute_exists(last_crawled_end)"
    assert done.filter == "last_crawled_end > last_scraped_end"
    assert {"last_crawled_end", "last_scraped_end"} <= (BY_SCRAPE.held() or set())


def test_the_queries_have_the_very_strings_of_the_document() -> None:
    never = SortCondition("begins_with", "NEVER#")
    old = SortCondition("BETWEEN", "DONE#", "DONE#2026-01-13T00:00:00Z")
    assert asked(keys.shops_to_crawl("DE", CUTOFF)) == [
        ("GSI2", "COUNTRY#DE", never),
        ("GSI2", "COUNTRY#DE", old),
    ]
    assert asked(keys.shops_to_scrape("DE", CUTOFF)) == [
        ("GSI3", "COUNTRY#DE", never),
        ("GSI3", "COUNTRY#DE", old),
    ]
    assert asked(keys.crawls_in_progress("DE", EIGHT)) == [
        (
            "GSI2",
            "COUNTRY#DE",
            SortCondition("BETWEEN", "PROGRESS#", "PROGRESS#2026-01-15T08:00:00Z"),
        )
    ]
    assert asked(keys.scrapes_in_progress("DE", NINE)) == [
        (
            "GSI3",
            "COUNTRY#DE",
            SortCondition("BETWEEN", "PROGRESS#", "PROGRESS#2026-01-15T09:00:00Z"),
        )
    ]
    assert asked(Shop.crawl.in_progress("DE")) == [
        ("GSI2", "COUNTRY#DE", SortCondition("BETWEEN", "PROGRESS#", "PROGRESS#~"))
    ]
    assert asked(keys.pages_of_type("example.com", "product")) == [
        ("GSI1", "SHOP#example.com", SortCondition("=", "product"))
    ]
    assert asked(keys.related_shops("example")) == [("GSI4", "example", None)]


# The life of a shop, as the document tells it


def test_the_sort_key_goes_from_never_to_progress_to_done(store: Store, clock: FixedClock) -> None:
    def sort_key() -> Any:
        found = store.get(keys.shop("example.com"))
        assert found is not None
        assert found.origin is not None
        return decode_item(found.origin.item)["gsi2_sk"]

    shop = store.put_new(SHOP).item
    assert sort_key() == "NEVER#"
    claim = Shop.crawl.claim(store, shop)
    assert sort_key() == "PROGRESS#2026-01-15T10:00:00Z"
    clock.advance(timedelta(hours=2))
    Shop.crawl.finish(store, claim)
    assert sort_key() == "DONE#2026-01-15T12:00:00Z"


def test_a_shop_in_progress_is_in_no_list_of_work(store: Store) -> None:
    shop = store.put_new(SHOP).item
    late = datetime(2026, 12, 31, tzinfo=UTC)
    assert len(store.query(keys.shops_to_crawl("DE", late))) == 1
    Shop.crawl.claim(store, shop)
    assert len(store.query(keys.shops_to_crawl("DE", late))) == 0
    assert len(store.query(keys.crawls_in_progress("DE", late))) == 1


def test_a_new_crawl_makes_a_scraped_shop_due_again(store: Store, clock: FixedClock) -> None:
    def due() -> int:
        return len(store.query(keys.shops_to_scrape("DE", clock.now())))

    bare = Shop(domain="example.com", core_domain_name="example", shop_country="DE")
    shop = store.put_new(bare).item
    assert due() == 0
    shop = Shop.crawl.finish(store, Shop.crawl.claim(store, shop))
    assert due() == 1
    clock.advance(timedelta(hours=1))
    shop = Shop.scrape.finish(store, Shop.scrape.claim(store, shop))
    assert due() == 0
    clock.advance(timedelta(hours=1))
    Shop.crawl.finish(store, Shop.crawl.claim(store, shop))
    assert due() == 1


def test_pages_and_relations_are_found_by_their_indexes(store: Store) -> None:
    other = Shop(domain="example.de", core_domain_name="example")
    plain = ShopPage(domain="example.com", url="https://example.com/about", type="other")
    store.put_new_all([SHOP, other])
    store.put_new_all([PAGE, plain])
    assert store.query(keys.pages_of_type("example.com", "product")).items == (PAGE,)
    assert store.query(keys.pages_of("example.com")).items == (plain, PAGE)
    related = store.query(keys.related_shops("example"))
    assert [shop.domain for shop in related] == ["example.com", "example.de"]
