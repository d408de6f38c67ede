"""``/v1/day``: the page of a day for programs, and as a post."""

from __future__ import annotations

from datetime import timedelta

import pytest
from fastapi import FastAPI

from gotgan.clock import FixedClock
from gotgan.domains.news.models import Story
from gotgan.errors import DatabaseUnavailable
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told
from tests.unit.api.market.trading import DAY as SESSION
from tests.unit.api.market.trading import recovered

TODAY = "2025-11-15"
"""The clock of these tests stands at 21:00 of it in Seoul."""


def test_a_day_on_which_nothing_happened_has_a_page(api: Api, server: FastAPI) -> None:
    answer = api.call("GET", "/day/2025-11-01", role="viewer")
    expect_told(server, "day_get", answer)
    page = answer.json()["data"]
    assert (page["date"], page["zone"], page["isToday"]) == ("2025-11-01", "kst", False)
    assert page["news"] == {"value": page["news"]["value"], "error": None, "unset": None}
    assert page["news"]["value"]["new"] == 0


def test_today_is_that_of_the_zone(api: Api, server: FastAPI, clock: FixedClock) -> None:
    clock.advance(timedelta(hours=4))
    answer = api.call("GET", "/day/today", role="viewer")
    expect_told(server, "day_get", answer)
    assert answer.json()["data"]["date"] == "2025-11-16"
    assert api.data("GET", "/day/today?zone=ny")["date"] == TODAY


def test_a_day_tells_what_the_domains_brought(api: Api, server: FastAPI) -> None:
    url = "https://finance.yahoo.com/news/a-story-000000001.html"
    api.app.news.upload([Story("A story", url, ("AAPL",))])
    api.category()
    api.post(title="A notice")
    answer = api.call("GET", f"/day/{TODAY}", role="viewer")
    expect_told(server, "day_get", answer)
    page = answer.json()["data"]
    assert page["news"]["value"]["tickers"] == [{"ticker": "AAPL", "count": 1}]
    assert [post["title"] for post in page["site"]["value"]["posts"]] == ["A notice"]
    assert page["cost"]["reads"] > 0


def test_a_session_is_told_with_its_rows(api: Api, server: FastAPI) -> None:
    recovered(api)
    answer = api.call("GET", f"/day/{SESSION}?zone=utc", role="viewer")
    expect_told(server, "day_get", answer)
    market = answer.json()["data"]["market"]["value"]
    assert [index["name"] for index in market["indices"]] == ["KOSPI", "KOSDAQ"]
    assert market["status"]["overallStatus"] == "success"
    assert market["gainers"] or market["losers"]


def test_a_part_that_cannot_be_read_says_why(
    api: Api, server: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise DatabaseUnavailable("no route to 10.0.0.7")

    monkeypatch.setattr(api.app.videos, "summary", broken)
    answer = api.call("GET", f"/day/{TODAY}")
    expect_told(server, "day_get", answer)
    page = answer.json()["data"]
    message = "The database does not answer. Try again."
    told = {"code": "database", "reason": "api.database_busy", "message": message, "values": {}}
    assert (page["videos"]["value"], page["videos"]["error"]) == (None, told)
    assert page["market"]["error"] is None


@pytest.mark.parametrize(
    ("path", "refusal"),
    [
        ("/day/2025-11-16", (400, "usage")),
        ("/day/1999-12-31", (400, "usage")),
        ("/day/2025-02-30", (422, "invalid")),
        ("/day/1762386912", (422, "invalid")),
        ("/day/2025-11-15?zone=mars", (422, "invalid")),
    ],
)
def test_a_day_that_has_no_page_is_refused(api: Api, path: str, refusal: tuple[int, str]) -> None:
    assert api.refusal("GET", path) == refusal


@pytest.mark.parametrize("part", ["failures", "coming"])
def test_what_does_not_follow_from_the_parts_says_why_and_the_rest_is_there(
    api: Api, server: FastAPI, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def broken(_: object) -> None:
        raise KeyError("innards")

    monkeypatch.setattr(f"gotgan.day.reader.sort_{part}", broken)
    answer = api.call("GET", f"/day/{TODAY}", role="viewer")
    expect_told(server, "day_get", answer)
    page = answer.json()["data"]
    message = "Internal error. See the log for details."
    told = {"code": "failed", "reason": "api.run_failed", "message": message, "values": {}}
    assert page["faults"] == {part: told}
    assert page[part] == []
    assert page["news"]["error"] is None


# As a post


def test_a_day_is_published_once(api: Api, server: FastAPI) -> None:
    api.category()
    url = "https://finance.yahoo.com/news/a-story-000000001.html"
    api.app.news.upload([Story("A story", url, ())])
    path, body = f"/day/{TODAY}/publish", {"category": "c001"}
    answer = api.call("POST", path, role="editor", json=body)
    expect_told(server, "day_publish", answer)
    told = answer.json()["data"]
    assert (told["outcome"], told["categoryId"], told["version"]) == ("new", "c001", 1)
    again = api.data("POST", path, role="editor", json=body)
    assert again == {**told, "outcome": "duplicate"}
    post = api.data("GET", f"/posts/{told['id']}", role=None)
    assert post["title"] == told["title"] == "2025년 11월 15일 토요일 일일 요약(서울)"
    assert api.data("POST", "/day/today/publish", json=body) == again
    assert api.data("POST", path, json={**body, "zone": "ny"})["id"] != told["id"]


@pytest.mark.parametrize(
    ("path", "body", "refusal"),
    [
        (f"/day/{TODAY}/publish", {"category": "nowhere"}, (404, "not_found")),
        ("/day/2025-11-16/publish", {"category": "c001"}, (400, "usage")),
        ("/day/2025-11-01/publish", {"category": "c001"}, (409, "conflict")),
        (f"/day/{TODAY}/publish", {}, (422, "invalid")),
        (f"/day/{TODAY}/publish", {"category": ""}, (422, "invalid")),
        (f"/day/{TODAY}/publish", {"category": "c001", "to": "all"}, (422, "invalid")),
    ],
)
def test_what_cannot_be_published_is_refused(
    api: Api, path: str, body: dict[str, str], refusal: tuple[int, str]
) -> None:
    api.category()
    assert api.refusal("POST", path, json=body) == refusal


def test_a_page_that_lacks_a_part_is_not_published(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise DatabaseUnavailable("the database does not answer")

    api.category()
    monkeypatch.setattr(api.app.videos, "summary", broken)
    refusal = api.refusal("POST", f"/day/{TODAY}/publish", json={"category": "c001"})
    assert refusal == (409, "conflict")


def test_only_an_editor_publishes(api: Api) -> None:
    api.category()
    body = {"category": "c001"}
    assert api.refusal("POST", f"/day/{TODAY}/publish", role="viewer", json=body)[0] == 403
    assert api.refusal("GET", f"/day/{TODAY}", role=None)[0] == 401
