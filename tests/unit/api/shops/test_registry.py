"""Registering over the API: what is new, what is due, and what is stuck."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from tests.unit.api.calling import Api
from tests.unit.api.shops.stock import SHOP, claimed, register, stuck_shop


def _domains(shops: list[dict[str, Any]]) -> list[str]:
    return [shop["domain"] for shop in shops]


def _due(api: Api, **query: Any) -> list[str]:
    told = api.data("GET", "/shops/due", role="viewer", params=query)
    return _domains(told["items"])


def test_one_shop_is_registered_once(api: Api) -> None:
    body = {"domains": ["https://Example.com/start"], "country": "de", "name": "An example"}
    told = api.data("POST", "/shops", role="editor", json=body)
    assert (told["given"], _domains(told["new"]), told["duplicates"]) == (1, ["example.com"], [])
    assert told["cost"]["writes"] > 0
    again = api.data("POST", "/shops", json={**body, "name": "Another"})
    [duplicate] = again["duplicates"]
    assert (duplicate["domain"], duplicate["shop_country"]) == ("example.com", "DE")
    assert (again["new"], again["placed"]) == ([], [])
    shop = api.data("GET", "/shops/example.com", role="viewer")
    assert shop["shop_name"] == "An example"
    assert (shop["shop_country"], shop["core_domain_name"]) == ("DE", "example")
    assert (shop["crawl_state"], shop["scrape_state"]) == ("NEVER", "NEVER")


def test_a_shop_without_a_country_gets_one(api: Api) -> None:
    register(api, "example.com", country=None)
    [placed] = register(api, "example.com")["placed"]
    assert (placed["domain"], placed["shop_country"]) == ("example.com", "DE")
    assert _due(api, country="DE") == ["example.com"]


def test_of_a_list_all_must_be_right(api: Api) -> None:
    entries = [{"domain": "example.com"}, {"domain": "nonsense"}]
    answer = api.call("POST", "/shops", json={"entries": entries})
    assert answer.status_code == 400
    assert "shop 2: 'nonsense' is not a domain" in answer.json()["error"]["message"]
    assert api.refusal("GET", "/shops/example.com") == (404, "not_found")


@pytest.mark.parametrize(
    "body",
    [
        {"domains": [""]},
        {"domains": ["example.com"], "country": "Germany"},
        {"domains": ["example.com"], "name": "x" * 201},
        {"domains": ["example.com"], "colour": "red"},
        {"domains": ["example.com"], "file": "shops.csv"},
        {"domains": "example.com"},
        {"domains": ["example.com"] * 1_001},
        {"entries": [{"domain": 7}]},
        {"entries": [{"domain": "example.com", "colour": "red"}]},
        ["example.com"],
    ],
)
def test_what_is_no_shop_is_refused(api: Api, body: Any) -> None:
    assert api.refusal("POST", "/shops", json=body) == (422, "invalid")


def test_without_a_shop_nothing_is_registered(api: Api) -> None:
    assert api.refusal("POST", "/shops", json={}) == (400, "usage")
    assert api.refusal("POST", "/shops") == (400, "usage")


def test_each_shop_of_a_list_can_have_its_own_country(api: Api) -> None:
    entries = [{"domain": "a.fr", "country": "FR", "name": "A"}, {"domain": "nowhere.com"}]
    told = api.data("POST", "/shops", json={"entries": entries, "domains": ["b.de"]})
    assert [(shop["domain"], shop["shop_country"]) for shop in told["new"]] == [
        ("b.de", None),
        ("a.fr", "FR"),
        ("nowhere.com", None),
    ]


def test_shops_are_listed_page_by_page(api: Api) -> None:
    register(api, "one.test", "two.test")
    register(api, "three.test", country="FR")
    first = api.data("GET", "/shops", role="viewer", params={"limit": 2})
    rest = api.data("GET", "/shops", params={"limit": 2, "cursor": first["cursor"]})
    assert sorted(_domains(first["items"])) == ["one.test", "two.test"]
    assert _domains(rest["items"]) == ["three.test"]
    assert (rest["cursor"], rest["read"]["items"]) == (None, 2)  # in the index, and whole
    assert _domains(api.data("GET", "/shops", params={"country": "fr"})["items"]) == ["three.test"]
    for query in ({"limit": 0}, {"limit": 1_001}, {"cursor": ""}, {"country": "Germany"}):
        assert api.refusal("GET", "/shops", params=query) == (422, "invalid")
    assert api.refusal("GET", "/shops", params={"cursor": "x"})[1] == "store.cursor"


def test_those_that_never_were_are_due_in_their_country(api: Api) -> None:
    register(api, "one.test", "two.test")
    register(api, "three.test", country="FR")
    register(api, "four.test", country=None)
    assert sorted(_due(api)) == ["one.test", "three.test", "two.test"]
    assert _due(api, country="fr") == ["three.test"]
    assert _due(api, stage="scrape") == []
    assert _due(api, after="2020-01-01") == []


def test_a_limit_says_whether_there_are_more(api: Api) -> None:
    register(api, "one.test", "two.test")
    told = api.data("GET", "/shops/due", params={"limit": 1})
    assert (len(told["items"]), told["hasMore"]) == (1, True)
    assert not api.data("GET", "/shops/due", params={"limit": 2})["hasMore"]


@pytest.mark.parametrize(
    "query",
    [
        {"stage": "sleep"},
        {"country": "Germany"},
        {"before": "yesterday"},
        {"before": "0001-01-01T00:00:00+14:00"},
        {"limit": 0},
    ],
)
def test_what_cannot_be_due_is_refused(api: Api, query: dict[str, Any]) -> None:
    assert api.refusal("GET", "/shops/due", params=query) == (422, "invalid")


def test_nothing_is_due_between_an_end_and_a_later_beginning(api: Api) -> None:
    query = {"before": "2025-01-01", "after": "2025-01-02"}
    assert api.refusal("GET", "/shops/due", params=query) == (400, "usage")


def test_what_is_stuck_is_told_and_given_back(api: Api) -> None:
    stuck_shop(api)
    [told] = api.data("GET", "/shops/stuck", role="viewer")["items"]
    assert (told["domain"], told["stage"], told["attempts"]) == (SHOP, "crawl", 1)
    assert told["owner"].startswith("worker-1")
    assert api.data("GET", "/shops/stuck", params={"country": "FR"})["items"] == []
    assert api.data("GET", "/shops/stuck", params={"olderThan": "4h"})["items"] == []
    assert api.refusal("GET", "/shops/stuck", params={"olderThan": "4"}) == (422, "invalid")
    released = api.data("POST", "/shops/release", role="editor", json={"domains": [SHOP]})
    assert (released["released"], released["refused"]) == ([told], [])
    assert api.data("GET", "/shops/stuck")["items"] == []
    assert _due(api) == [SHOP]


def test_work_that_somebody_does_is_not_given_back(api: Api, clock: FixedClock) -> None:
    register(api, SHOP)
    claimed(api, SHOP)
    clock.advance(timedelta(minutes=1))
    told = api.data("POST", "/shops/release", json={"domains": [SHOP, "nobody.test"]})
    assert told["released"] == []
    refused = [(each["domain"], each["error"]["code"]) for each in told["refused"]]
    assert refused == [(SHOP, "conflict"), ("nobody.test", "not_found")]
    assert api.refusal("POST", "/shops/release", json={}) == (422, "invalid")
    told = api.data("POST", "/shops/release", json={"domains": [SHOP], "force": True})
    assert _domains(told["released"]) == [SHOP]
    assert _due(api) == [SHOP]


def test_a_stage_alone_is_given_back(api: Api) -> None:
    stuck_shop(api)
    body = {"domains": [SHOP]}
    told = api.data("POST", "/shops/release", json={**body, "stage": "scrape"})
    assert (told["released"], told["refused"][0]["error"]["code"]) == ([], "conflict")
    [released] = api.data("POST", "/shops/release", json={**body, "stage": "crawl"})["released"]
    assert released["stage"] == "crawl"
