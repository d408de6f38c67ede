"""One item whole: every type, long values, and where its values lead."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote, urlencode

import pytest

from gotgan.store.data.item_json import item_to_json, readable_item
from tests.unit.console.tables.conftest import House, Visitor
from tests.unit.console.tables.filling import LONG, ODD

SHOPS = "/tables/aura-historia-data"
ODD_QUERY = urlencode({"pk": ODD["pk"]["S"], "sk": ODD["sk"]["S"]})


def links(page: str) -> dict[str, str]:
    """Where a page leads, by the words of its links."""
    found = re.findall(r'<a href="([^"]+)">([^<]+)</a>', page.partition("<main")[2])
    return {words: unescape(path) for path, words in found}


def test_every_type_is_shown_and_nothing_is_taken_for_html(admin: Visitor) -> None:
    page = admin.open(f"{SHOPS}/item?{ODD_QUERY}")
    assert admin.answer.status_code == 200
    for kind in ("B", "BOOL", "BS", "L", "M", "N", "NS", "NULL", "S", "SS"):
        is_there = any(kind in value for value in ODD.values())
        assert (f">{kind}</abbr>" in page) == is_there
    assert "AP9ieXRlcw==" in page
    assert "ODD#&lt;b&gt;1&lt;/b&gt;" in page
    assert "<script>alert" not in page
    assert "{&#34;list&#34;:{&#34;L&#34;:[{&#34;N&#34;:&#34;7&#34;}" in page


def test_a_long_value_is_cut_on_the_page_and_whole_in_the_file(admin: Visitor) -> None:
    page = admin.open(f"{SHOPS}/item?{ODD_QUERY}")
    assert "The first 20,000 of 150,000 characters" in page
    assert len(page) < 60_000
    item = admin.file(unescape(links(page)["JSON"]))
    assert item["item"] == readable_item(ODD)
    assert item["item"]["long"] == LONG
    assert item["dynamodb"] == item_to_json(ODD)


def test_a_sheet_of_long_values_is_short(admin: Visitor) -> None:
    page = admin.open(f"{SHOPS}?{urlencode({'pk': ODD['pk']['S']})}")
    assert len(page) < 30_000
    assert "undeclared" in page
    assert "<script>alert" not in page
    found = admin.file(f"{SHOPS}.json?{urlencode({'pk': ODD['pk']['S']})}")
    assert found["items"] == [readable_item(ODD)]


def test_an_item_leads_to_its_partition_its_indexes_and_its_kin(admin: Visitor) -> None:
    key = {"pk": "SHOP#done.test", "sk": "URL#https://done.test/p000"}
    page = admin.open(f"{SHOPS}/item?{urlencode(key)}")
    led = links(page)
    assert led["This partition"] == f"{SHOPS}?pk=SHOP%23done.test"
    assert led["Shop"] == f"{SHOPS}/item?pk=SHOP%23done.test&sk=META%23"
    for path in (led["This partition"], led["Index GSI1"], led["Shop"]):
        admin.open(path)
        assert admin.answer.status_code == 200
        assert "Nothing found" not in admin.page
        assert "done.test" in admin.page


def test_a_change_leads_to_the_page_that_changed(admin: Visitor) -> None:
    query = urlencode({"pk": "SHOP#done.test", "op": "begins_with", "sk": "CHANGE#"})
    change = admin.file(f"{SHOPS}.json?{query}")["items"][0]
    page = admin.open(f"{SHOPS}/item?{urlencode({'pk': change['pk'], 'sk': change['sk']})}")
    admin.open(links(page)["ShopPage"])
    assert "Kommode" in admin.page


def test_an_item_leads_to_another_table_of_its_domain(house: House, admin: Visitor) -> None:
    pk = quote(house.filled.names["pk"], safe="")
    page = admin.open(f"/tables/news_items/item?pk={pk}")
    assert links(page)["NewsBody"] == f"/tables/news_bodies/item?pk={pk}"
    admin.open(links(page)["NewsBody"])
    assert "기자" in admin.page


def test_a_post_leads_to_its_category(house: House, admin: Visitor) -> None:
    key = {"pk": "CATEGORY#c1", "sk": f"POST#{house.filled.names['post_id']}"}
    page = admin.open(f"/tables/FMWebAppTable/item?{urlencode(key)}")
    admin.open(links(page)["Category"])
    assert admin.answer.status_code == 200
    assert "News" in admin.page


@pytest.mark.parametrize(
    ("path", "told"),
    [
        (f"{SHOPS}/item?pk=SHOP%23x&sk=y", "Item not found"),
        (f"{SHOPS}/item?pk=SHOP%23x", "Page not found"),
        (f"{SHOPS}/item?pk={'x' * 3000}&sk=y", ""),
        (f"{SHOPS}/item.json?pk=SHOP%23x&sk=y", ""),
        ("/tables/nothing/item?pk=x", ""),
    ],
)
def test_an_item_that_is_not_there_is_not_found(admin: Visitor, path: str, told: str) -> None:
    page = admin.open(path)
    assert admin.answer.status_code == 404
    assert told in page


def test_an_item_is_priced(admin: Visitor) -> None:
    page = admin.open(f"{SHOPS}/item?pk=SHOP%23done.test&sk=META%23")
    assert "0.5 read units, $0.000000063" in page
    assert re.search(r"<strong>\d+ bytes</strong>", page)
