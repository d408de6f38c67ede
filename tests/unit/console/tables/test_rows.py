"""Rows of the relational tables: in the order of their key, a page at a time."""

from __future__ import annotations

import re
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import text

from gotgan.domains.market.messages import TURNED_OUT_CLOSED
from gotgan.messages import render
from gotgan.texts import Language
from tests.unit.console.tables.conftest import House, Visitor
from tests.unit.console.tables.filling import PRICES

PATH = "/tables/sql/stock_prices"


def rows(admin: Visitor, **asked: str) -> Any:
    return admin.file(f"{PATH}.json?{urlencode(asked)}")


def test_pages_follow_each_other_in_the_order_of_the_key(admin: Visitor) -> None:
    admin.open(PATH)
    count = admin.page.count("<tr>") - 1
    while following := re.search(r'href="([^"]+)" rel="next"', admin.page):
        admin.open(unescape(following[1]))
        count += admin.page.count("<tr>") - 1
    assert count == PRICES
    first = rows(admin)
    second = rows(admin, cursor=first["cursor"])
    keys = [(row["date"], row["ticker"]) for row in [*first["rows"], *second["rows"]]]
    assert len(keys) == 100
    assert keys == sorted(set(keys))


def test_rows_are_chosen_by_the_beginning_of_the_key(admin: Visitor) -> None:
    page = admin.ask(PATH, **{"key.date": "2099-12-31"})
    assert admin.answer.status_code == 200
    first = rows(admin, **{"key.date": "2099-12-31"})
    second = rows(admin, **{"key.date": "2099-12-31", "cursor": first["cursor"]})
    found = [*first["rows"], *second["rows"]]
    assert second["cursor"] is None
    assert len(found) == PRICES // 2
    assert {row["date"] for row in found} == {"2099-12-31"}
    assert 'value="2099-12-31"' in page
    [one] = rows(admin, **{"key.date": "2099-12-31", "key.ticker": "000001"})["rows"]
    assert one["ticker"] == "000001"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"key.ticker": "000001"}, "Enter the keys before it too"),
        ({"key.date": "soon"}, "Input should be a valid date"),
    ],
)
def test_a_mistake_is_told_at_its_field(admin: Visitor, asked: dict[str, str], told: str) -> None:
    page = admin.open(f"{PATH}?{urlencode(asked)}")
    assert admin.answer.status_code == 422
    assert told in page
    assert admin.client.get(f"{PATH}.csv?{urlencode(asked)}").status_code == 422


@pytest.mark.parametrize("cursor", ["nonsense", "[]", '["x", "y"]', '["2099-12-31"]', "7"])
def test_a_cursor_of_something_else_is_refused(admin: Visitor, cursor: str) -> None:
    page = admin.open(f"{PATH}?{urlencode({'cursor': cursor})}")
    assert admin.answer.status_code == 422
    assert "Not a valid cursor" in page


def test_the_same_rows_come_of_the_sql_that_is_shown(house: House, admin: Visitor) -> None:
    asked = {"key.date": "2099-12-31"}
    asked["cursor"] = rows(admin, **asked)["cursor"]
    page = admin.open(f"{PATH}?{urlencode(asked)}")
    statement = unescape(page.partition("<summary>SQL</summary>")[2].split("code>")[1][:-2])
    with house.app.database.read() as connection:
        found = connection.execute(text(statement)).mappings().all()
    assert [row["ticker"] for row in found] == [
        row["ticker"] for row in rows(admin, **asked)["rows"]
    ]
    assert len(found) == PRICES // 2 - 50


def test_of_bytes_their_number_is_shown(admin: Visitor) -> None:
    page = admin.open("/tables/sql/market_fetches")
    assert "rows, in bytes" in page
    assert '<td class="num">5000</td>' in page
    [row] = admin.file("/tables/sql/market_fetches.json")["rows"]
    assert row["rows"] == 5_000


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_stored_message_is_in_the_language_of_the_viewer(
    admin: Visitor, language: Language
) -> None:
    path = "/tables/sql/indicator_log"
    page = admin.client.get(path, headers={"accept-language": language}).text
    message = TURNED_OUT_CLOSED(day="2099-12-31")
    assert render(message, language) in page
    assert admin.file(f"{path}.json")["rows"][0]["error_message"] == message


def test_a_table_of_secrets_has_no_page(admin: Visitor) -> None:
    for name in ("quota_ledger", "nothing"):
        for ending in ("", ".json", ".csv"):
            assert admin.client.get(f"/tables/sql/{name}{ending}").status_code == 404


def test_every_relational_table_can_be_opened(admin: Visitor) -> None:
    board = admin.open("/tables")
    found = sorted(set(re.findall(r'href="(/tables/sql/\w+)"', board)))
    assert len(found) > 15
    for path in found:
        for ending in ("", ".json", ".csv"):
            assert admin.client.get(f"{path}{ending}").status_code == 200


def test_a_small_table_is_sorted_by_any_column(admin: Visitor) -> None:
    first = rows(admin, sort="-close")
    second = rows(admin, sort="-close", cursor=first["cursor"])
    closes = [row["close"] for row in [*first["rows"], *second["rows"]]]
    assert len(closes) == 100
    assert closes == sorted(closes, reverse=True)
    page = unescape(admin.open(f"{PATH}?sort=-close"))
    assert (
        'aria-sort="descending"><a class="sort" href="/tables/sql/stock_prices?sort=close"' in page
    )
    assert admin.client.get(f"{PATH}.csv?sort=-close").text.count("\n") == 51


@pytest.mark.parametrize("asked", [{"sort": "nothing"}, {"is.close": "7"}, {"is.nothing": "x"}])
def test_an_order_or_a_filter_that_is_not_offered_is_refused(
    admin: Visitor, asked: dict[str, str]
) -> None:
    for ending in ("", ".json", ".csv"):
        answer = admin.client.get(f"{PATH}{ending}?{urlencode(asked)}")
        assert answer.status_code == 422


@pytest.mark.parametrize("cursor", ["x", "-1", "99999999999"])
def test_a_cursor_of_another_order_is_refused(admin: Visitor, cursor: str) -> None:
    page = admin.open(f"{PATH}?{urlencode({'sort': 'close', 'cursor': cursor})}")
    assert admin.answer.status_code == 422
    assert "Not a valid cursor" in page


def test_values_of_a_column_are_counted_and_filter_the_rows(admin: Visitor) -> None:
    all_rows = [*rows(admin)["rows"]]
    markets = {row["market"] for row in all_rows}
    page = unescape(admin.open(PATH))
    for market in markets if len(markets) > 1 else ():
        assert f'href="/tables/sql/stock_prices?is.market={market}"' in page
    market = min(markets)
    found = rows(admin, **{"is.market": market})["rows"]
    assert {row["market"] for row in found} == {market}
    assert rows(admin, **{"is.market": "nowhere"})["rows"] == []
    assert 'aria-current="true"' in admin.open(f"{PATH}?is.market={market}").partition("<main")[2]


def test_an_empty_table_says_so(admin: Visitor) -> None:
    assert "Nothing found" in admin.open("/tables/sql/cache_hits")
