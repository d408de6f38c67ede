"""A table queried: by key, by an index, with filters or an expression, a page at a time."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest

from gotgan.app import App
from gotgan.store.data.browse import starting_token
from tests.unit.console.conftest import Enter
from tests.unit.console.tables.conftest import Visitor

SHOPS = "/tables/aura-historia-data"
TOKEN = starting_token({"pk": {"S": "y"}, "sk": {"S": "z"}})
PAGES = {"pk": "SHOP#done.test", "op": "begins_with", "sk": "URL#"}


def page_key(number: int) -> str:
    return f"URL#https://done.test/p{number:03}"


def found(admin: Visitor, path: str = SHOPS, **asked: str) -> Any:
    """What a query finds, asked through its form, and then as the file that its page offers."""
    page = admin.ask(path, **asked)
    assert admin.answer.status_code == 200
    assert "read units, $" in page
    [file] = links(admin, f"{path}.json?")
    return admin.file(file)


def links(admin: Visitor, start: str) -> list[str]:
    """The links of this page that begin so."""
    return [unescape(each) for each in re.findall(rf'href="({re.escape(start)}[^"]*)"', admin.page)]


def sort_keys(admin: Visitor, **asked: str) -> list[str]:
    return [item["sk"] for item in found(admin, **asked)["items"]]


@pytest.mark.parametrize(
    ("asked", "numbers"),
    [
        ({"op": "=", "sk": page_key(7)}, [7]),
        ({"op": "between", "sk": page_key(3), "to": page_key(5)}, [3, 4, 5]),
        ({"op": "begins_with", "sk": "URL#https://done.test/p00"}, list(range(10))),
        ({"op": "<=", "sk": page_key(1), "limit": "500"}, [0, 1]),
        ({"op": ">=", "sk": page_key(58)}, [58, 59]),
        ({"op": ">", "sk": page_key(58)}, [59]),
        ({"op": "<", "sk": page_key(2), "limit": "500"}, [0, 1]),
    ],
)
def test_a_sort_key_is_asked_for_in_every_way(
    admin: Visitor, asked: dict[str, str], numbers: list[int]
) -> None:
    keys = sort_keys(admin, pk="SHOP#done.test", **asked)
    assert [key for key in keys if key.startswith("URL#")] == [page_key(n) for n in numbers]


def test_an_index_is_read_by_its_own_keys(admin: Visitor) -> None:
    answer = found(admin, index="GSI2", pk="COUNTRY#DE", op="begins_with", sk="NEVER#")
    assert {item["domain"] for item in answer["items"]} == {f"neu-{n}.test" for n in range(4)}
    assert '<th scope="col">gsi2_pk</th><th' in admin.page.replace("\n", "").replace("  ", "")


def test_the_newest_come_first_where_that_is_wanted(admin: Visitor) -> None:
    assert sort_keys(admin, **PAGES, order="newest", limit="2") == [page_key(59), page_key(58)]


def test_filters_are_in_the_address_and_drop_what_was_read(admin: Visitor) -> None:
    filters = "title=Kommode\r\nprice exists\r\n\r\nstatus^AVAIL"
    answer = found(admin, **PAGES, filters=filters)
    assert [item["sk"] for item in answer["items"]] == [page_key(0)]
    assert answer["read"] == 60
    assert "1 item, 60 read" in admin.page
    assert "filters=title%3DKommode" in str(admin.answer.url)
    assert "title=Kommode\nprice exists\n\nstatus^AVAIL</textarea>" in admin.page.replace("\r", "")


def test_an_expression_is_taken_as_dynamodb_writes_it(admin: Visitor) -> None:
    expression = "size(#t) > :n AND #c = :c OR #u = :u"
    values = "#t=title\n#u=url\n:n=3\n#c=currency\n:c=EUR\n:u=https://done.test/p031"
    answer = found(admin, **PAGES, expression=expression, values=values)
    assert [item["sk"] for item in answer["items"]] == [page_key(0), page_key(31)]


def test_only_some_attributes_are_sent_back_beside_the_keys(admin: Visitor) -> None:
    answer = found(admin, **PAGES, only="title, price", limit="1")
    assert answer["items"][0].keys() == {"pk", "sk", "title", "price"}


def test_reading_consistently_costs_twice_as_much(admin: Visitor) -> None:
    usual, consistent = (found(admin, **PAGES, consistent=each) for each in ("", "yes"))
    assert consistent["cost"]["reads"] == 2 * usual["cost"]["reads"]
    assert float(consistent["usd"]) == 2 * float(usual["usd"])


def test_pages_follow_each_other_by_links_alone(admin: Visitor) -> None:
    admin.ask(SHOPS, **PAGES, limit="25")
    seen = links(admin, f"{SHOPS}/item?")
    while following := re.search(r'href="([^"]+)" rel="next"', admin.page):
        admin.open(unescape(following[1]))
        seen += links(admin, f"{SHOPS}/item?")
    assert len(seen) == len(set(seen)) == 60
    assert 'rel="first"' in admin.page


def test_what_does_not_fit_is_told_with_what_was_read_for_it(admin: Visitor) -> None:
    page = admin.ask(SHOPS, **PAGES, filters="title=nothing")
    assert "Nothing found" in page
    assert "0 items, 60 read" in page


def test_a_filter_that_finds_little_stops_early_and_goes_on(app: App, enter: Enter) -> None:
    for start in range(0, 2_100, 25):
        puts = [
            {"PutRequest": {"Item": {"pk": {"S": "BIG"}, "sk": {"S": f"{number:05}"}}}}
            for number in range(start, start + 25)
        ]
        request = {"RequestItems": {"aura-historia-data": puts}}
        app.store.calls.driver.call("BatchWriteItem", request)
    last = {"pk": {"S": "BIG"}, "sk": {"S": "02050"}, "title": {"S": "It"}}
    app.store.calls.driver.call("PutItem", {"TableName": "aura-historia-data", "Item": last})
    somebody = enter("a")
    page = somebody.open(f"{SHOPS}?pk=BIG&filters=title%3DIt")
    assert "0 items, 2,000 read" in page
    assert "Nothing found so far" in page
    assert "Reading stopped before the page was full" in page
    following = re.search(r'href="([^"]+)" rel="next"', page)
    assert following
    page = somebody.open(unescape(following[1]))
    assert "1 item, 100 read" in page
    assert "sk=02050" in page


@pytest.mark.parametrize(
    ("asked", "field", "told"),
    [
        ({"index": "GSI9", "pk": "x"}, "index", "This table has no such index. Choose one"),
        ({"pk": "x", "op": "like", "sk": "y"}, "op", "Unknown condition"),
        ({"sk": "y"}, "sk", "A sort key needs a partition key"),
        ({"pk": "x", "op": "between", "sk": "a"}, "to", "Enter the upper bound too"),
        ({"pk": "x", "op": "between", "to": "a"}, "sk", "Enter the lower bound too"),
        ({"pk": "x", "op": "<", "sk": "=a"}, "sk", "cannot be compared this way"),
        ({"pk": "x", "filters": "nonsense"}, "filters", "Not a filter: "),
        ({"pk": "x", "filters": "price:N=much"}, "filters", "price cannot be"),
        ({"pk": "x", "filters": "pk=y"}, "filters", "non-primary key attributes"),
        ({"pk": "x", "expression": "size(title >"}, "expression", "Syntax error"),
        ({"pk": "x", "expression": "#s = :s", "values": ":s=1"}, "expression", "#s"),
        ({"pk": "x", "expression": "a = :s"}, "expression", ":s"),
        ({"pk": "x", "expression": "a = :s", "values": ":s=1\n:t=2"}, "values", ":t"),
        ({"pk": "x", "values": ":s=1"}, "expression", "No expression uses"),
        ({"pk": "x", "expression": "a = :s", "values": "s=1"}, "values", "Write :n=3"),
        ({"pk": "x", "expression": "a = :v0", "values": ":v0=1"}, "values", "Use another name"),
        ({"pk": "x", "expression": "a = :s", "filters": "b=1"}, "expression", "cannot be combined"),
        ({"pk": "x", "only": "a b"}, "only", "Not an attribute"),
        ({"order": "newest", "scan": "yes"}, "order", "A scan has no order"),
        ({"pk": "x", "limit": "0"}, "limit", "from 1 to 500"),
        ({"pk": "x", "limit": "501"}, "limit", "from 1 to 500"),
        ({"pk": "x", "limit": "²"}, "limit", "from 1 to 500"),
        ({"index": "GSI1", "pk": "x", "consistent": "yes"}, "consistent", "A global index"),
    ],
)
def test_a_mistake_is_told_at_its_field_with_what_to_do(
    admin: Visitor, asked: dict[str, str], field: str, told: str
) -> None:
    page = admin.open(f"{SHOPS}?{urlencode(asked)}")
    assert admin.answer.status_code == 422
    error = page.partition(f'id="{field}-error"')[2].partition("</p>")[0]
    assert told in error
    assert "read units" not in page
    for ending in (".json", ".csv"):
        assert admin.client.get(f"{SHOPS}{ending}?{urlencode(asked)}").status_code == 422


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"index": "by_day", "pk": "2100-01-01", "op": "=", "sk": "noon"}, "cannot be"),
        (
            {"index": "by_day", "pk": "2100-01-01", "op": "begins_with", "sk": "1"},
            "prefixes do not apply",
        ),
        ({"pk": "x", "sk": "y"}, "There is no sort key here"),
    ],
)
def test_a_key_of_the_wrong_type_is_told(admin: Visitor, asked: dict[str, str], told: str) -> None:
    page = admin.open(f"/tables/news_items?{urlencode(asked)}")
    assert admin.answer.status_code == 422
    assert told in page.partition('id="sk-error"')[2].partition("</p>")[0]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"pk": "x", "cursor": "nonsense"}, "Not a valid cursor. Start without one."),
        ({"pk": "x", "cursor": TOKEN}, "The cursor belongs to another partition key"),
        ({"pk": "x", "only": "a, a.b"}, "ProjectionExpression"),
    ],
)
def test_what_the_database_refuses_is_told_beside_the_form(
    admin: Visitor, asked: dict[str, str], told: str
) -> None:
    page = admin.open(f"{SHOPS}?{urlencode(asked)}")
    assert admin.answer.status_code == 422
    assert told in page
    assert "Could not read this" in page
    assert f'value="{asked["pk"]}"' in page


def test_nothing_is_read_before_anything_is_asked(admin: Visitor) -> None:
    page = admin.open(SHOPS)
    assert "No query yet" in page
    assert "read units" not in page
    page = admin.ask(SHOPS)
    assert "No query yet" in page


def test_a_table_that_is_not_there_is_not_found(admin: Visitor) -> None:
    for path in ("/tables/nothing", "/tables/nothing.json", "/tables/nothing/patterns"):
        admin.open(path)
        assert admin.answer.status_code == 404


def test_a_query_is_a_file_for_a_spreadsheet(admin: Visitor) -> None:
    admin.open(f"{SHOPS}.csv?{urlencode({**PAGES, 'limit': '2'})}")
    heading, *rows = admin.page.removeprefix("\ufeff").splitlines()
    assert heading.split(",")[:2] == ["pk", "sk"]
    assert [row.split(",")[1] for row in rows] == [page_key(0), page_key(1)]


def test_the_pages_speak_korean(admin: Visitor) -> None:
    answer = admin.client.get(
        f"{SHOPS}?pk=x&limit=0&op=between&sk=a", headers={"Accept-Language": "ko"}
    )
    assert "1부터 500 사이의 숫자를 넣으세요." in answer.text
    assert "상한도 넣으세요." in answer.text
