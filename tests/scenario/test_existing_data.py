"""Tables that the authors of documents 000, 001 and 002 have already, with their data in them.

Each is made and filled by a client that knows nothing of us; then comes one command and a working
day, and after it the author's own queries still find everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.news.keys import NEWS_ITEMS
from gotgan.errors import IndexMissing, NotFound
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from gotgan.store.attributes import decode_item, encode
from gotgan.store.drivers import Driver
from gotgan.store.outputs.creation import Backfill, create
from gotgan.world import World, world_server
from gotgan.world.shops import shop_products
from tests.scenario.databases import DATABASES
from tests.scenario.site_document import EXAMPLES
from tests.scenario.test_news import RECORD_A, RECORD_B

NOW = datetime(2025, 11, 6, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SECRET = Secret("of this scenario, 32 letters long")
SHOP = "antik-1.shop.test"
Record = Mapping[str, Any]


@dataclass(frozen=True)
class Scene:
    """A database that an author has filled, their client, and the web around us."""

    driver: Driver
    client: Any
    clock: FixedClock
    world: World
    settings: Settings
    stack: ExitStack

    def make(self, name: str, keys: list[str], **indexes: Record) -> None:
        """Create a table as a template of the author's does: its keys, and some indexes."""
        shapes = [
            {"IndexName": index, "KeySchema": _schema(each["keys"]), "Projection": each["holds"]}
            for index, each in indexes.items()
        ]
        names = {*keys, *(key for each in indexes.values() for key in each["keys"])}
        self.client.create_table(
            TableName=name,
            KeySchema=_schema(keys),
            AttributeDefinitions=[
                {"AttributeName": each, "AttributeType": "S"} for each in sorted(names)
            ],
            BillingMode="PAY_PER_REQUEST",
            **({"GlobalSecondaryIndexes": shapes} if shapes else {}),
        )

    def put(self, table: str, *records: Record) -> None:
        """Write records as the author's program does."""
        for each in records:
            item = {name: encode(value) for name, value in each.items()}
            self.client.put_item(TableName=table, Item=item)

    def get(self, table: str, **key: str) -> dict[str, Any]:
        """One item, as the author's program reads it."""
        given = {name: {"S": value} for name, value in key.items()}
        return decode_item(self.client.get_item(TableName=table, Key=given)["Item"])

    def query(self, table: str, condition: str, index: str | None = None, **values: str) -> Any:
        """What a query with the document's own key condition finds."""
        request: dict[str, Any] = {
            "TableName": table,
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": {f":{name}": {"S": each} for name, each in values.items()},
        }
        if index is not None:
            request["IndexName"] = index
        if "Type" in condition:  # DynamoDB reserves the word, whatever the document writes
            request["KeyConditionExpression"] = condition.replace("Type", "#t")
            request["ExpressionAttributeNames"] = {"#t": "Type"}
        return [decode_item(each) for each in self.client.query(**request)["Items"]]

    def app(self) -> App:
        """Gotgan on these tables, as ``gotgan up`` starts it."""
        app = App(self.settings, Store(self.driver, secret=SECRET, clock=self.clock))
        self.stack.callback(app.close)
        app.prepare()
        return app


def _schema(keys: list[str]) -> list[dict[str, str]]:
    kinds = ("HASH", "RANGE")
    return [
        {"AttributeName": name, "KeyType": kind} for name, kind in zip(keys, kinds, strict=False)
    ]


@pytest.fixture(params=DATABASES)
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    with ExitStack() as stack:
        driver, client = DATABASES[request.param](stack)
        clock = FixedClock(NOW)
        world = World(clock=clock, padding=0)
        served = stack.enter_context(world_server(world))
        settings = Settings(data=tmp_path, given_secret=SECRET, resolve=served.resolve, delay=0)
        yield Scene(driver, client, clock, world, settings, stack)


# 002: shops

SHOPS = "aura-historia-data"
ALL = {"ProjectionType": "ALL"}


def _held(*names: str) -> Record:
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(names)}


def _gsi(number: int, holds: Record) -> Record:
    return {"keys": [f"gsi{number}_pk", f"gsi{number}_sk"], "holds": holds}


def _their_shops(scene: Scene) -> tuple[Record, Record, Record]:
    """The document's table with a shop without index keys, one with some, and a product."""
    crawled = ("domain", "last_crawled_start", "last_crawled_end")
    scene.make(
        SHOPS,
        ["pk", "sk"],
        GSI1=_gsi(1, ALL),
        GSI2=_gsi(2, _held(*crawled)),
        GSI3=_gsi(3, _held("domain", "last_scraped_start", "last_scraped_end", crawled[2])),
        GSI4=_gsi(4, {"ProjectionType": "KEYS_ONLY"}),
    )
    shop = {
        "pk": f"SHOP#{SHOP}",
        "sk": "META#",
        "domain": SHOP,
        "core_domain_name": "shop",
        "shop_name": "Example Shop",
        "shop_country": "COUNTRY#DE",
        "last_crawled_start": "2023-10-27T00:00:00Z",
        "last_crawled_end": "2023-10-27T23:59:59Z",
        "last_scraped_start": "2023-10-27T12:00:00Z",
        "last_scraped_end": "2023-10-27T23:59:59Z",
        "crawler_version": 7,
    }
    other = {
        "pk": "SHOP#antik-2.shop.test",
        "sk": "META#",
        "domain": "antik-2.shop.test",
        "core_domain_name": "shop",
        "shop_country": "AT",
        "gsi2_pk": "COUNTRY#AT",
        "gsi2_sk": "NEVER#",
    }
    url = shop_products(scene.world.scene, SHOP)[0].url
    page = {
        "pk": f"SHOP#{SHOP}",
        "sk": f"URL#{url}",
        "url": url,
        "type": "product",
        "hash": "a1b2c3d4...",
        "scraper_note": "theirs",
    }
    scene.put(SHOPS, shop, other, page)
    return shop, other, page


def test_shops_that_exist_already(scene: Scene) -> None:
    shop, other, page = _their_shops(scene)
    app = scene.app()
    assert [each.domain for each in app.shops.iter_due("crawl")] == []
    adopted = app.shops.adopt()
    assert (adopted.shops, adopted.pages, adopted.countries) == (2, 1, ["AT", "DE"])
    stored = scene.get(SHOPS, pk=shop["pk"], sk="META#")
    assert stored.items() >= shop.items()
    assert stored["gsi2_sk"] == stored["gsi3_sk"] == "DONE#2023-10-27T23:59:59Z"
    assert scene.get(SHOPS, pk=other["pk"], sk="META#").items() >= other.items()

    crawled = app.shops.crawl(workers=1)
    assert [each.domain for each in crawled.shops] == ["antik-2.shop.test", SHOP]
    app.shops.scrape(workers=1)

    now = "2025-11-06T12:00:00Z"
    done = "gsi2_pk = :country AND gsi2_sk BETWEEN :low AND :high"
    for country, domain in (("COUNTRY#DE", SHOP), ("COUNTRY#AT", "antik-2.shop.test")):
        words = {"country": country, "low": "DONE#", "high": f"DONE#{now}"}
        assert [each["domain"] for each in scene.query(SHOPS, done, "GSI2", **words)] == [domain]
        scraped = done.replace("gsi2", "gsi3")
        assert [each["domain"] for each in scene.query(SHOPS, scraped, "GSI3", **words)] == [domain]
    assert scene.query(SHOPS, "gsi2_pk = :c AND begins_with(gsi2_sk, :n)", "GSI2", c="COUNTRY#DE",
                       n="NEVER#") == []  # fmt: skip
    products = scene.query(
        SHOPS, "gsi1_pk = :p AND gsi1_sk = :t", "GSI1", p=shop["pk"], t="product"
    )
    assert {each["url"] for each in products} == {
        each.url for each in shop_products(scene.world.scene, SHOP)
    }
    related = scene.query(SHOPS, "gsi4_pk = :core", "GSI4", core="shop")
    assert {each["gsi4_sk"] for each in related} == {SHOP, "antik-2.shop.test"}
    kept = scene.get(SHOPS, pk=page["pk"], sk=page["sk"])
    assert (kept["scraper_note"], kept["type"]) == ("theirs", "product")
    assert kept["hash"] != page["hash"], "it is that of today's offer"
    after = scene.get(SHOPS, pk=shop["pk"], sk="META#")
    assert (after["crawler_version"], after["shop_name"]) == (7, "Example Shop")
    assert app.shops.adopt().completed == 0


def test_the_schedule_crawls_shops_that_exist_already(scene: Scene) -> None:
    _their_shops(scene)
    app = scene.app()
    app.scheduler().tick(is_start=True)
    app.runs.join()
    scene.clock.advance(timedelta(hours=1))
    app.scheduler().tick()
    app.runs.join()
    words = {"country": "COUNTRY#DE", "low": "DONE#2025", "high": "DONE#~"}
    condition = "gsi2_pk = :country AND gsi2_sk BETWEEN :low AND :high"
    assert [each["domain"] for each in scene.query(SHOPS, condition, "GSI2", **words)] == [SHOP]


# 000: news


def test_news_that_exist_already(scene: Scene) -> None:
    scene.make("news_items", ["pk"])
    scene.put("news_items", RECORD_A, {**RECORD_B, "our_tag": "kept"})
    app = scene.app()
    with pytest.raises(IndexMissing) as refused:
        app.news.list()
    [index] = NEWS_ITEMS.indexes
    assert f"Table news_items has no index {index}" in refused.value.message
    assert refused.value.message.endswith("which this query needs. Create it.")
    assert app.news.collect().new, "what needs no index works"

    announced: list[Backfill] = []
    made = create(scene.driver, NEWS_ITEMS, add_indexes=True, on_index=announced.append)
    assert made.indexes == (index,)
    [backfill] = announced
    assert backfill.items == backfill.writes > 2
    assert create(scene.driver, NEWS_ITEMS, add_indexes=True).indexes == ()

    day = app.news.list(day=datetime(2025, 11, 6, tzinfo=UTC).date(), limit=1000)
    assert {RECORD_A["pk"], RECORD_B["pk"]} < {each.pk for each in day}
    scene.clock.advance(DAY)
    app.news.collect()
    app.news.bodies()
    for record in (RECORD_A, {**RECORD_B, "our_tag": "kept"}):
        assert scene.query("news_items", "pk = :pk", pk=record["pk"]) == [record]


# 001: the site


def test_a_site_that_exists_already(scene: Scene) -> None:
    table = "FMWebAppTable"
    scene.make(table, ["PK", "SK"], Type_CreatedAt={"keys": ["Type", "CreatedAt"], "holds": ALL})
    scene.put(table, *EXAMPLES.values())
    app = scene.app()
    assert [post.id for post in app.site.posts.list()] == ["p001"]
    with pytest.raises(NotFound, match="adopt its records"):
        app.site.posts.get("p001")
    first = app.site.adopt(max_records=1)
    assert not first.is_complete
    with pytest.raises(NotFound, match="adopt its records"):
        app.site.posts.get("another")
    app.scheduler().tick(is_start=True)  # the schedule continues
    app.runs.join()
    assert app.site.posts.get("p001").title == EXAMPLES["Post"]["title"]
    with pytest.raises(NotFound) as plain:
        app.site.posts.get("another")
    assert "adopt" not in plain.value.message
    assert app.site.adopt().pointers == 0

    post = app.site.posts.create(category_id="c001", author_id="u001", title="t", contents="c")
    app.site.posts.update("p001", {"title": "Corrected"}, version=None)
    for name, record in EXAMPLES.items():
        found = scene.query(table, "PK = :pk AND SK = :sk", pk=record["PK"], sk=record["SK"])
        same = {"title", "UpdatedAt"} if name == "Post" else set()
        [stored] = found
        assert {k: v for k, v in record.items() if k not in same}.items() <= stored.items()
    posts = scene.query(table, "PK = :pk AND begins_with(SK, :prefix)", pk="CATEGORY#c001",
                        prefix="POST#")  # fmt: skip
    assert {each["id"] for each in posts} == {"p001", post.id}
    typed = scene.query(table, "Type = :type", "Type_CreatedAt", type="Post")
    assert {each["id"] for each in typed} == {"p001", post.id}
    assert scene.query(table, "Type = :type", "Type_CreatedAt", type="Banner")
