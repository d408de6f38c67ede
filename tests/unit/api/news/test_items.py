"""What is stored of the news, read by day, by ticker, by key and by address."""

from __future__ import annotations

import hashlib
import http.client
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import orjson
import pytest

from gotgan.clock import FixedClock
from gotgan.domains.news.models import NewsItem
from gotgan.encoding import field_keys
from tests.patience import PATIENCE
from tests.unit.api.calling import NOON, Api
from tests.unit.api.news.stories import SITE, details, stored, story, upload

PK = "id#" + hashlib.sha256(story(1)["url"].encode()).hexdigest()[:16]


def _titles(items: list[Any]) -> list[str]:
    return [item["title"] for item in items]


def test_an_item_is_listed_as_it_is_stored(api: Api) -> None:
    upload(api, story(1, tickers=["nvda", "AAPL"]))
    [item] = stored(api)
    assert tuple(item) == field_keys(NewsItem)
    assert item == {
        "pk": PK,
        "source": "yf_latest",
        "title": "Story 1",
        "url": f"{SITE}/story-000000001.html",
        "tickers": ["NVDA", "AAPL"],
        "uploaded_at_utc_iso": "2025-11-15T12:00:00Z",
        "uploaded_at_utc_ms": int(NOON.timestamp() * 1000),
        "uploaded_at_est_iso": "2025-11-15T07:00:00-05:00",
        "uploaded_at_kst_iso": "2025-11-15T21:00:00+09:00",
        "dt_utc": "2025-11-15",
        "dt_est": "2025-11-15",
        "dt_kst": "2025-11-15",
        "tz_est_abbr": "EST",
        "tz_est_is_dst": False,
    }


def test_a_day_is_that_of_its_zone(api: Api, clock: FixedClock) -> None:
    upload(api, story(1))
    clock.advance(timedelta(hours=4))  # 01:00 of the next day in Seoul
    upload(api, story(2))
    clock.advance(timedelta(hours=9))  # 01:00 of the next day in UTC, 20:00 in New York
    upload(api, story(3))
    day = "2025-11-15"
    assert _titles(stored(api, day=day, zone="utc")) == ["Story 2", "Story 1"]
    assert _titles(stored(api, day=day, zone="kst")) == ["Story 1"]
    assert _titles(stored(api, day=day)) == ["Story 1"]  # GOTGAN_ZONE is Seoul
    assert _titles(stored(api, day=day, zone="ny")) == ["Story 3", "Story 2", "Story 1"]
    assert _titles(stored(api, day="2025-11-16", zone="kst")) == ["Story 3", "Story 2"]


def test_without_a_day_the_last_seven_are_listed(api: Api, clock: FixedClock) -> None:
    for number in range(9):
        clock.advance(timedelta(days=1))
        upload(api, story(number))
    assert _titles(stored(api)) == [f"Story {number}" for number in range(8, 1, -1)]


def test_a_ticker_is_filtered_and_all_that_was_read_is_told(api: Api) -> None:
    upload(api, *(story(number, tickers=["NVDA"] if number == 4 else []) for number in range(8)))
    page = api.data("GET", "/news", params={"day": "2025-11-15", "ticker": "nvda"})
    assert _titles(page["items"]) == ["Story 4"]
    whole = api.data("GET", "/news", params={"day": "2025-11-15"})
    assert page["read"]["items"] == whole["read"]["items"] == 8
    assert page["read"]["units"] == whole["read"]["units"] > 0


def test_a_cursor_leads_through_all_pages(api: Api, clock: FixedClock) -> None:
    for number in range(7):
        upload(api, story(number))
        clock.advance(timedelta(hours=5))
    seen: list[Any] = []
    cursor: str | None = ""
    while cursor is not None:
        more = {"cursor": cursor} if cursor else {}
        page = api.data("GET", "/news", params={"limit": 2, **more})
        assert len(page["items"]) <= 2
        seen, cursor = seen + page["items"], page["cursor"]
    assert _titles(seen) == [f"Story {number}" for number in range(6, -1, -1)]


def test_a_cursor_is_good_for_its_own_list_only(api: Api) -> None:
    upload(api, story(1), story(2))
    cursor = api.data("GET", "/news", params={"day": "2025-11-15", "limit": 1})["cursor"]
    other = {"day": "2025-11-15", "zone": "ny", "cursor": cursor}
    assert api.refusal("GET", "/news", params=other) == (400, "store.cursor")


def test_an_index_has_no_consistent_reads(api: Api) -> None:
    assert api.refusal("GET", "/news?consistent=true") == (422, "invalid")


@pytest.mark.parametrize(
    "query",
    [
        {"day": "today"},
        {"day": "0"},
        {"day": "1763164800"},
        {"day": "20251115"},
        {"day": "2025-11-31"},
        {"day": "2025-11-15T00:00:00"},
        {"zone": "est"},
        {"ticker": ""},
        {"limit": "0"},
        {"limit": "1001"},
    ],
)
def test_what_is_no_day_or_zone_is_refused(api: Api, query: dict[str, str]) -> None:
    [name] = query
    answer = api.call("GET", "/news", params=query)
    assert answer.status_code == 422
    assert answer.json()["error"]["details"][0]["at"] == f"query.{name}"


def test_a_day_at_the_edge_of_the_calendar_is_refused(api: Api) -> None:
    assert api.refusal("GET", "/news?day=9999-12-31") == (400, "usage")
    assert api.refusal("GET", "/news?day=0001-01-01&zone=kst") == (400, "usage")


def test_an_item_tells_why_it_has_its_key(api: Api) -> None:
    url = f"{SITE}/story-000000001.html"
    upload(api, story(1))
    found = details(api, PK)
    assert found["why"] == {
        "tag": "id",
        "articleId": "000000001",
        "sha256": hashlib.sha256(url.encode()).hexdigest(),
    }
    assert found["item"]["pk"] == f"id#{found['why']['sha256'][:16]}"
    assert [found["item"]] == stored(api)
    assert (found["body"], found["lookAlikes"]) == (None, [])


def test_an_item_without_an_article_id_tells_that(api: Api) -> None:
    upload(api, story(1, url="https://example.com/a?b=1#c"))
    [item] = stored(api)
    why = details(api, item["pk"])["why"]
    assert (item["pk"][:2], why["tag"], why["articleId"]) == ("h#", "h", None)


def test_an_item_names_those_of_the_day_that_look_like_it(api: Api) -> None:
    upload(api, story(1), story(1, url=f"{story(1)['url']}?guccounter=1"), story(2))
    [other] = details(api, PK)["lookAlikes"]
    assert other["url"] == f"{story(1)['url']}?guccounter=1"


@pytest.mark.parametrize(
    "address",
    [
        f"{SITE}/story-000000001.html",
        "https://example.com/a?b=1&c=%2F+d#e",
        "https://example.com/a%20b/곳간?q=%ea%b3%b3",
    ],
)
def test_an_item_is_found_by_its_address_to_the_last_letter(api: Api, address: str) -> None:
    upload(api, story(1, url=address))
    assert details(api, address)["item"]["url"] == address
    assert api.refusal("GET", "/news/item", params={"item": f"{address}/"}) == (404, "not_found")


def test_every_client_reaches_a_key_and_an_address(api: Api, url: str) -> None:
    address = "https://example.com/a/b.html?c=1&d=2#e"
    upload(api, story(1, url=address))
    [item] = stored(api)
    headers = {"Authorization": f"Bearer {api.tokens['viewer']}"}
    for path in (f"item?item={quote(name, safe='')}" for name in (item["pk"], address)):
        by_httpx = httpx.get(f"{url}/v1/news/{path}", headers=headers, timeout=PATIENCE).content
        by_hand = _by_hand(url, f"/v1/news/{path}", headers)
        assert by_httpx == by_hand
        assert orjson.loads(by_hand)["data"]["item"]["url"] == address


def _by_hand(url: str, path: str, headers: dict[str, str]) -> bytes:
    """The answer to a path that is sent as it stands."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc)
    try:
        connection.request("GET", path, headers=headers)
        return connection.getresponse().read()
    finally:
        connection.close()


@pytest.mark.parametrize("name", [PK, SITE, "x#0123456789abcdef", "id#0123", "0" * 8_000])
def test_what_is_not_stored_is_not_found(api: Api, name: str) -> None:
    assert api.refusal("GET", "/news/item", params={"item": name}) == (404, "not_found")
    for query in ("", "?wait=0"):
        sent = {"items": [name]}
        assert api.refusal("POST", f"/news/retry{query}", json=sent) == (404, "not_found")
    assert api.app.runs.latest("news.retry") is None


@pytest.mark.parametrize("items", [[], [""], "id#0123456789abcdef", None])
def test_what_names_no_items_is_refused(api: Api, items: Any) -> None:
    assert api.refusal("POST", "/news/retry", json={"items": items}) == (422, "invalid")


def test_a_method_that_a_path_does_not_have_is_refused(api: Api) -> None:
    assert api.call("PUT", "/news/item").headers["Allow"] == "GET, HEAD"
