"""The board of all tables: what there is, how large, what it costs, and who may look."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

import httpx
import pytest
from fastapi.routing import APIRoute

from gotgan.app import App
from gotgan.console.tables import ROUTERS
from gotgan.domains.news.keys import NEWS_BODIES, NEWS_ITEMS, NEWS_SOURCES
from gotgan.domains.shops.models import SHOPS
from gotgan.domains.site.keys import SITE
from gotgan.store import patterns_of
from gotgan.store.tables import Table
from tests.unit.console.conftest import Enter
from tests.unit.console.tables.conftest import House, Visitor
from tests.unit.console.trial import csrf, sign_in

ALL = (NEWS_ITEMS, NEWS_BODIES, NEWS_SOURCES, SHOPS, SITE)


CREATE = "/tables/create"
"""The only path that writes: it makes tables, and changes no item."""


def paths() -> Iterator[str]:
    for route in chain.from_iterable(router.routes for router in ROUTERS):
        assert isinstance(route, APIRoute)
        if route.path == CREATE:
            continue
        assert route.methods == {"GET"}
        path = route.path.replace("sql/{name}", "sql/stocks").replace("{name}", SITE.name)
        yield path.replace("{pattern}", "all_posts")


PATHS = sorted(paths())


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("user_id", ["v", "e"])
def test_only_admins_may_look(house: House, path: str, user_id: str) -> None:
    with httpx.Client(base_url=house.url, timeout=60) as client:
        sign_in(client, house.app, user_id)
        answer = client.get(path, params={"pk": "USER#a", "sk": "METADATA", "scan": "yes"})
        assert answer.status_code == 403
        assert "USER#a" not in answer.text
        assert 'href="/tables"' not in client.get("/").text


@pytest.mark.parametrize("path", PATHS)
def test_a_stranger_is_asked_to_sign_in(house: House, path: str) -> None:
    answer = httpx.get(f"{house.url}{path}", params={"pk": "USER#a", "sk": "METADATA"}, timeout=60)
    assert answer.status_code in {303, 401}
    assert "/sign-in" in answer.headers.get("location", answer.text)


@pytest.mark.parametrize("path", PATHS)
def test_nothing_can_be_changed_here(admin: Visitor, path: str) -> None:
    assert admin.client.post(path, data={"csrf": ""}).status_code in {403, 405}


@pytest.mark.parametrize("table", ALL, ids=lambda table: table.name)
def test_a_table_is_shown_with_its_indexes_and_patterns(admin: Visitor, table: Table) -> None:
    page = admin.open("/tables")
    assert f'href="/tables/{table.name}"' in page
    for index in table.indexes.values():
        assert f'href="/tables/{table.name}?index={index.name}"' in page
    for pattern in patterns_of(table):
        assert f'href="/tables/{table.name}/patterns/{pattern.name}"' in page


def test_sizes_are_those_of_the_database_with_what_they_cost(house: House, admin: Visitor) -> None:
    admin.open("/tables")  # a first visit is noted in the same table
    told = house.app.store.calls.driver.call("DescribeTable", {"TableName": SITE.name})["Table"]
    page = admin.open("/tables").partition("FMWebAppTable")[2]
    assert f'<td class="num">{told["ItemCount"]}</td>' in page
    assert f'<td class="num">{told["TableSizeBytes"]:,}</td>' in page
    assert re.search(r"[\d.]+ units, \$0\.0000", page)


def test_relational_tables_are_counted_and_one_is_kept_secret(admin: Visitor) -> None:
    page = admin.open("/tables")
    assert 'href="/tables/sql/stock_prices"' in page
    assert '<td class="num">130</td>' in page
    assert 'href="/tables/sql/quota_ledger"' not in page
    assert "key is secret" in page


def test_a_missing_table_says_so_until_it_is_used(app: App, enter: Enter) -> None:
    app.store.calls.driver.call("DeleteTable", {"TableName": "news_items"})
    somebody = enter("a")
    for path in ("?pk=x", "?scan=yes"):
        page = somebody.open(f"/tables/news_items{path}")
        assert somebody.answer.status_code == 422
        assert 'This table does not exist. <a class="nowrap" href="/tables">' in page
    assert somebody.client.get("/tables/news_items.json?pk=x").status_code == 422
    somebody.open("/tables/news_items/patterns/news_by_pk?arg.pk=x")  # which the store carries out
    assert somebody.answer.status_code == 200
    assert somebody.client.get("/tables/news_items/item?pk=x").status_code == 404


def test_an_admin_creates_missing_tables(app: App, enter: Enter) -> None:
    app.store.calls.driver.call("DeleteTable", {"TableName": "news_items"})
    admin = enter("a")
    assert "This table does not exist." in admin.open("/tables")
    page = admin.send(CREATE)
    assert "All tables exist now." in page
    assert "This table does not exist." not in page


@pytest.mark.parametrize("user_id", ["v", "e"])
def test_only_admins_may_create_tables(app: App, enter: Enter, user_id: str) -> None:
    somebody = enter(user_id)
    form = {"csrf": csrf(somebody.client)}
    app.store.calls.driver.call("DeleteTable", {"TableName": "news_items"})
    answer = somebody.client.post(CREATE, data=form)
    assert answer.status_code == 403
    assert "news_items" not in app.store.calls.driver.call("ListTables", {})["TableNames"]


def test_the_board_is_a_file_too(house: House, admin: Visitor) -> None:
    admin.open("/tables")  # a first visit is noted in the same table
    told = house.app.store.calls.driver.call("DescribeTable", {"TableName": SITE.name})["Table"]
    places = admin.file("/tables.json")["places"]
    assert len(places) == sum(1 + len(table.indexes) for table in ALL)
    own = next(each for each in places if each["table"] == SITE.name and not each["index"])
    assert (own["items"], own["bytes"]) == (told["ItemCount"], told["TableSizeBytes"])
    assert own["keys"] == "PK S, SK S"
    lines = admin.open("/tables.csv").removeprefix("\ufeff").splitlines()
    assert len(lines) == 1 + len(places)
