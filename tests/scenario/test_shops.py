"""Document 002's shops, in its own words: its table, its queries, its lifecycles."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.domains.shops import keys
from gotgan.domains.shops.models import SHOPS, Shop, ShopPage, Stage, lifecycle_of
from gotgan.errors import LostRace
from gotgan.lifecycle import Claim
from tests.scenario.shop_places import HOUR, PLACES, TEN, Place, Scene

TWO_DAYS = timedelta(days=2)
CUTOFF = datetime(2026, 1, 13, tzinfo=UTC)
STAGES: list[Stage] = ["crawl", "scrape"]
SORT_KEY = {"crawl": "gsi2_sk", "scrape": "gsi3_sk"}
BETWEEN = {stage: f"{key} BETWEEN :v0 AND :v1" for stage, key in SORT_KEY.items()}
ITEM_123 = "https://example.com/products/item-123"


@pytest.fixture(scope="module", params=PLACES)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    with PLACES[request.param]() as place:
        yield place


@pytest.fixture
def scene(place: Place) -> Iterator[Scene]:
    with place.scene() as scene:
        yield scene


@pytest.fixture
def earlier(place: Place) -> Iterator[Scene]:
    """Some days before the document's cutoff."""
    with place.scene(CUTOFF - timedelta(days=3)) as scene:
        yield scene


# Table overview, key schema, global secondary indexes


def test_the_table_is_made_with_the_documents_keys_indexes_and_projections(scene: Scene) -> None:
    table = scene.client.describe_table(TableName="aura-historia-data")["Table"]
    assert _keys(table) == [("pk", "HASH"), ("sk", "RANGE")]
    indexes = {each["IndexName"]: each for each in table["GlobalSecondaryIndexes"]}
    for number in (1, 2, 3, 4):
        expected = [(f"gsi{number}_pk", "HASH"), (f"gsi{number}_sk", "RANGE")]
        assert _keys(indexes[f"GSI{number}"]) == expected
    projections = {name: each["Projection"] for name, each in indexes.items()}
    assert projections["GSI1"] == {"ProjectionType": "ALL"}
    assert projections["GSI4"] == {"ProjectionType": "KEYS_ONLY"}
    held = {name: set(projections[name]["NonKeyAttributes"]) for name in ("GSI2", "GSI3")}
    assert held == {
        "GSI2": {"domain", "last_crawled_start", "last_crawled_end"},
        "GSI3": {"domain", "last_scraped_start", "last_scraped_end", "last_crawled_end"},
    }
    assert {projections[name]["ProjectionType"] for name in held} == {"INCLUDE"}


def _keys(place: dict[str, list[dict[str, str]]]) -> list[tuple[str, str]]:
    return [(key["AttributeName"], key["KeyType"]) for key in place["KeySchema"]]


# Item types


def test_a_shops_metadata_are_those_of_the_document(place: Place) -> None:
    """Its example, lived through: crawled all day on 27 October, scraped from noon on."""
    with place.scene(datetime(2023, 10, 27, tzinfo=UTC)) as scene:
        scene.registry.add("example.com", country="DE", name="Example Shop")
        shop = scene.registry.get("example.com")
        crawl = Shop.crawl.claim(scene.store, shop)
        scene.clock.advance(12 * HOUR)
        scrape = Shop.scrape.claim(scene.store, shop)
        scene.clock.advance(12 * HOUR - timedelta(seconds=1))
        Shop.crawl.finish(scene.store, Shop.crawl.renew(scene.store, crawl))
        Shop.scrape.finish(scene.store, Shop.scrape.renew(scene.store, scrape))
        example = {
            "pk": "SHOP#example.com",
            "sk": "META#",
            "domain": "example.com",
            "core_domain_name": "example",
            "shop_name": "Example Shop",
            "shop_country": "COUNTRY#DE",
            "last_crawled_start": "2023-10-27T00:00:00Z",
            "last_crawled_end": "2023-10-27T23:59:59Z",
            "last_scraped_start": "2023-10-27T12:00:00Z",
            "last_scraped_end": "2023-10-27T23:59:59Z",
        }
        item = scene.item()
        assert {name: item[name] for name in example} == example
        assert {name: item[name] for name in item if name.startswith("gsi")} == {
            "gsi2_pk": "COUNTRY#DE",
            "gsi2_sk": "DONE#2023-10-27T23:59:59Z",
            "gsi3_pk": "COUNTRY#DE",
            "gsi3_sk": "DONE#2023-10-27T23:59:59Z",
            "gsi4_pk": "example",
            "gsi4_sk": "example.com",
        }


def test_a_shops_name_is_optional_and_its_core_domain_is_extracted(scene: Scene) -> None:
    scene.register("www.example.co.uk", "GB")
    item = scene.item("www.example.co.uk")
    assert item["core_domain_name"] == "example"
    assert "shop_name" not in item


def test_a_url_entry_is_that_of_the_document_and_mirrors_its_keys_in_gsi1(scene: Scene) -> None:
    page = ShopPage(domain="example.com", url=ITEM_123, type="product", hash="a1b2c3d4...")
    scene.store.put_new(page)
    assert scene.item(sort=f"URL#{ITEM_123}") == {
        "pk": "SHOP#example.com",
        "sk": "URL#https://example.com/products/item-123",
        "url": "https://example.com/products/item-123",
        "type": "product",
        "hash": "a1b2c3d4...",
        "gsi1_pk": "SHOP#example.com",
        "gsi1_sk": "product",
    }


def test_items_only_project_into_the_index_they_target(scene: Scene) -> None:
    scene.register()
    scene.store.put_new(ShopPage(domain="example.com", url=ITEM_123, type="product"))
    entries = {
        f"GSI{number}": [
            item["sk"]["S"]
            for item in scene.client.scan(TableName=SHOPS.name, IndexName=f"GSI{number}")["Items"]
        ]
        for number in (1, 2, 3, 4)
    }
    assert entries == {
        "GSI1": [f"URL#{ITEM_123}"],
        "GSI2": ["META#"],
        "GSI3": ["META#"],
        "GSI4": ["META#"],
    }


# GSI1


def test_all_urls_of_a_type_within_a_shop_are_one_query(scene: Scene) -> None:
    scene.register()
    for number, kind in enumerate(["product", "category", "product", "listing"]):
        page = ShopPage(domain="example.com", url=f"https://example.com/{number}", type=kind)
        scene.store.put_new(page)
    scene.store.put_new(ShopPage(domain="other.com", url="https://other.com/", type="product"))
    found = scene.registry.urls("example.com", type="product")
    assert {page.url for page in found} == {"https://example.com/0", "https://example.com/2"}


# Lifecycle examples


def test_a_crawl_goes_through_the_strings_of_the_documents_lifecycle_example(scene: Scene) -> None:
    shop = scene.register()
    assert scene.item()["gsi2_sk"] == "NEVER#"  # 1. new shop registered
    claim = Shop.crawl.claim(scene.store, shop)
    assert scene.item()["gsi2_sk"] == "PROGRESS#2026-01-15T10:00:00Z"  # 2. crawl starts
    scene.clock.advance(2 * HOUR)
    Shop.crawl.finish(scene.store, claim)
    after = scene.item()
    assert after["gsi2_sk"] == "DONE#2026-01-15T12:00:00Z"  # 3. crawl completes
    assert after["last_crawled_start"] == "2026-01-15T10:00:00Z"
    assert after["last_crawled_end"] == "2026-01-15T12:00:00Z"
    assert (after["gsi3_sk"], after["gsi2_pk"]) == ("NEVER#", "COUNTRY#DE")


def test_a_scrape_goes_through_the_strings_of_the_documents_lifecycle_example(
    scene: Scene,
) -> None:
    scene.register()
    scene.crawl(took=HOUR)
    assert scene.item()["gsi3_sk"] == "NEVER#"  # 1. shop crawled, ready for scraping
    claim = Shop.scrape.claim(scene.store, scene.registry.get("example.com"))
    assert scene.item()["gsi3_sk"] == "PROGRESS#2026-01-15T11:00:00Z"  # 2. scrape starts
    scene.clock.advance(2 * HOUR)
    Shop.scrape.finish(scene.store, claim)
    assert scene.item()["gsi3_sk"] == "DONE#2026-01-15T13:00:00Z"  # 3. scrape completes
    assert scene.due("scrape") == []
    scene.crawl()  # 4. new crawl happens: eligible for re-scrape
    assert scene.item()["gsi3_sk"] == "DONE#2026-01-15T13:00:00Z"
    assert scene.due("scrape") == ["example.com"]


@pytest.mark.parametrize("stage", STAGES)
def test_a_shop_never_disappears_from_its_index(scene: Scene, stage: Stage) -> None:
    lifecycle = lifecycle_of(stage)

    def entries() -> list[str]:
        """Everything in the index, whatever its state: NEVER# sorts between the other two."""
        return scene.asked(stage, BETWEEN[stage], "DONE#", "PROGRESS#~")

    shop = scene.register()
    seen = [entries()]
    claim = lifecycle.claim(scene.store, shop)
    seen.append(entries())
    released = lifecycle.release(scene.store, claim)
    seen.append(entries())
    lifecycle.finish(scene.store, lifecycle.claim(scene.store, released))
    seen.append(entries())
    assert seen == [["example.com"]] * 4


# Query strategies


def test_shops_needing_a_crawl_are_the_old_and_the_never_crawled(earlier: Scene) -> None:
    scene = earlier
    scene.register("old.de")
    scene.crawl("old.de")
    scene.clock.advance(timedelta(days=5))
    scene.register("recent.de")
    scene.crawl("recent.de")
    scene.register("new.de")
    scene.register("new.fr", "FR")
    scene.register("nowhere.com", None)
    assert scene.asked("crawl", "begins_with(gsi2_sk, :v0)", "NEVER#") == ["new.de"]
    old = scene.asked("crawl", BETWEEN["crawl"], "DONE#", "DONE#2026-01-13T00:00:00Z")
    assert old == ["old.de"]
    assert scene.due("crawl", CUTOFF) == ["new.de", "old.de"]
    everywhere = [shop.domain for shop in scene.registry.iter_due("crawl", before=CUTOFF)]
    assert everywhere == ["new.de", "old.de", "new.fr"]


def test_shops_needing_a_scrape_are_those_with_new_crawl_data(earlier: Scene) -> None:
    scene = earlier
    scene.register("never-crawled.de")
    for domain in ("never-scraped.de", "crawled-since.de", "nothing-new.de"):
        scene.register(domain)
        scene.crawl(domain)
    for domain in ("crawled-since.de", "nothing-new.de"):
        scene.scrape(domain)
    scene.clock.advance(timedelta(days=4))
    scene.crawl("crawled-since.de")
    crawled = "attribute_exists(last_crawled_end)"  # + Filter: crawl completed
    never = scene.asked("scrape", "begins_with(gsi3_sk, :v0)", "NEVER#", only=crawled)
    assert never == ["never-scraped.de"]
    newer = "last_crawled_end > last_scraped_end"  # + Filter: new crawl data available
    values = ("DONE#", "DONE#2026-01-13T00:00:00Z")
    old = scene.asked("scrape", BETWEEN["scrape"], *values, only=newer)
    assert old == ["crawled-since.de"]
    assert scene.due("scrape", CUTOFF) == ["never-scraped.de", "crawled-since.de"]


def test_the_eligibility_check_uses_what_the_index_projects(scene: Scene) -> None:
    scene.register()
    scene.crawl()
    page = scene.store.query(keys.shops_to_scrape("DE", scene.clock.now()))
    assert [shop.last_crawled_end for shop in page] == [TEN + 2 * HOUR]
    assert set(page.cost.by_index()) == {("aura-historia-data", "GSI3")}


@pytest.mark.parametrize("stage", STAGES)
def test_shops_in_progress_are_excluded_automatically(scene: Scene, stage: Stage) -> None:
    lifecycle = lifecycle_of(stage)
    for domain in ("new.de", "old.de"):
        scene.register(domain)
        scene.crawl(domain)
    scene.scrape("old.de")
    scene.crawl("old.de")
    scene.clock.advance(TWO_DAYS)
    before = scene.due(stage, scene.clock.now())
    claims = [
        lifecycle.claim(scene.store, shop) for shop in map(scene.registry.get, sorted(before))
    ]
    assert (len(claims), scene.due(stage, scene.clock.now())) == (2, [])
    everything = scene.asked(stage, BETWEEN[stage], "PROGRESS#", "PROGRESS#~")
    assert sorted(everything) == ["new.de", "old.de"]
    for claim in claims:
        lifecycle.release(scene.store, claim)
    assert scene.due(stage, scene.clock.now()) == before


@pytest.mark.parametrize(
    ("stage", "began", "cutoff"),
    [
        ("crawl", "2026-01-15T08:00:00Z", "PROGRESS#2026-01-15T08:00:00Z"),
        ("scrape", "2026-01-15T09:00:00Z", "PROGRESS#2026-01-15T09:00:00Z"),
    ],
)
def test_work_in_progress_for_more_than_two_hours_is_monitored(
    place: Place, stage: Stage, began: str, cutoff: str
) -> None:
    """As the document asks, by when it began; and stuck is what nobody renews besides."""
    lifecycle = lifecycle_of(stage)
    with place.scene(datetime.fromisoformat(began)) as scene:
        lifecycle.claim(scene.store, scene.register("dead.de"))
        alive = lifecycle.claim(scene.store, scene.register("alive.de"))
        scene.clock.advance(HOUR)
        lifecycle.claim(scene.store, scene.register("begun-later.de"))
        lifecycle.renew(scene.store, alive)
        scene.clock.advance(HOUR)
        long_ago = scene.asked(stage, BETWEEN[stage], "PROGRESS#", cutoff)
        assert sorted(long_ago) == ["alive.de", "dead.de"]
        found = [(each.stage, each.shop.domain) for each in scene.registry.iter_stuck()]
        assert found == [(stage, "dead.de")]


# GSI4


def test_domains_that_share_a_core_domain_name_are_associated(scene: Scene) -> None:
    domains = ["example.de", "example.com", "www.example.co.uk", "other.com"]
    scene.registry.add(domains)
    assert scene.registry.related("example.com").items == ("example.de", "www.example.co.uk")
    held = scene.client.scan(TableName=SHOPS.name, IndexName="GSI4")["Items"]
    assert {frozenset(item) for item in held} == {frozenset({"pk", "sk", "gsi4_pk", "gsi4_sk"})}


# Claims: what the document's states need so that nobody is lost and nothing is done twice


def test_a_stuck_crawl_is_taken_over_and_its_first_worker_cannot_finish(scene: Scene) -> None:
    first = Shop.crawl.claim(scene.store, scene.register())
    scene.clock.advance(2 * HOUR)
    [stuck] = scene.registry.iter_stuck()
    second = Shop.crawl.claim(scene.store, stuck.shop)
    with pytest.raises(LostRace):
        Shop.crawl.finish(scene.store, first)
    assert second.position.attempts == 2
    scene.clock.advance(HOUR)
    Shop.crawl.finish(scene.store, second)
    assert scene.item()["gsi2_sk"] == "DONE#2026-01-15T13:00:00Z"
    assert scene.item()["last_crawled_start"] == "2026-01-15T12:00:00Z"


def test_a_stuck_crawl_is_given_back_to_when_it_was_last_done(scene: Scene) -> None:
    scene.register()
    scene.crawl()
    scene.clock.advance(TWO_DAYS)
    Shop.crawl.claim(scene.store, scene.registry.get("example.com"))
    scene.clock.advance(2 * HOUR)
    scene.registry.release("example.com")
    assert scene.item()["gsi2_sk"] == "DONE#2026-01-15T12:00:00Z"
    assert scene.item()["last_crawled_end"] == "2026-01-15T12:00:00Z"


def test_two_crawlers_who_read_the_same_list_crawl_no_shop_twice(scene: Scene) -> None:
    scene.registry.add([f"shop-{number}.de" for number in range(10)], country="DE")
    lists = [list(scene.registry.iter_due("crawl", country="DE")) for _ in range(2)]
    won: list[Claim[Shop]] = []
    lost = 0
    for shop in [each for pair in zip(*lists, strict=True) for each in pair]:
        try:
            won.append(Shop.crawl.claim(scene.store, shop))
        except LostRace:
            lost += 1
    assert len({claim.item.domain for claim in won}) == len(won) == lost == 10


def test_a_crawl_and_a_scrape_of_one_shop_run_beside_each_other(scene: Scene) -> None:
    scene.register()
    scene.crawl()
    shop = scene.registry.get("example.com")
    scrape, crawl = Shop.scrape.claim(scene.store, shop), Shop.crawl.claim(scene.store, shop)
    scene.clock.advance(HOUR)
    Shop.crawl.finish(scene.store, crawl, shop_name="Example Shop")
    scene.clock.advance(HOUR)
    Shop.scrape.finish(scene.store, scrape)
    after = scene.item()
    assert after["gsi2_sk"] == "DONE#2026-01-15T13:00:00Z"
    assert after["gsi3_sk"] == "DONE#2026-01-15T14:00:00Z"
    assert after["shop_name"] == "Example Shop"


# Shops without a country


def test_a_shop_without_a_country_is_in_neither_index_and_is_found_by_a_scan(
    scene: Scene,
) -> None:
    scene.register("nowhere.com", None)
    item = scene.item("nowhere.com")
    assert not {"shop_country", "gsi2_pk", "gsi3_pk"} & set(item)
    assert [shop.domain for shop in scene.registry.iter_due("crawl")] == []
    scanned = scene.registry.without_country("crawl")
    assert [shop.domain for shop in scanned.due] == ["nowhere.com"]
    assert set(scanned.cost.by_index()) == {("aura-historia-data", None)}


def test_a_shop_whose_country_becomes_known_turns_up_with_its_history(scene: Scene) -> None:
    scene.register(country=None)
    scene.crawl()
    assert scene.due("crawl", scene.clock.now()) == []
    scene.store.update(scene.registry.get("example.com"), shop_country="DE")
    assert scene.due("crawl", scene.clock.now()) == ["example.com"]
    assert scene.due("scrape") == ["example.com"]
