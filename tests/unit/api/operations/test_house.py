"""How the house is set and what it does, over the API; no answer has a secret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from fastapi import FastAPI

from gotgan.app import App
from gotgan.events import emit
from gotgan.settings import Secret
from gotgan.store.costs import Cost, CostLine
from tests.unit.api.calling import Api
from tests.unit.api.conforming import expect_told

HIDDEN = "the-text-that-nobody-may-read-anywhere"
WRITES = Cost((CostLine("upload", "news_items", "by_day", 0.0, 750.0),))
READS = Cost((CostLine("query", "news_items", None, 2000.0, 0.0),))


@pytest.fixture
def app(app: App) -> Iterator[App]:
    """An app that remembers what happens, with secrets set."""
    app.settings = replace(
        app.settings,
        krx_password=Secret(HIDDEN),
        smtp=Secret(f"smtp://kim:{HIDDEN}@127.0.0.1:1"),
        webhook=f"https://hooks.example.com/{HIDDEN}",
    )
    with app.recent.listening():
        yield app


def test_what_is_set_up_is_told_with_the_way_to_the_rest(api: Api, server: FastAPI) -> None:
    answer = api.call("GET", "/setup", role="viewer")
    expect_told(server, "operations_setup", answer)
    steps = {f"{step['domain']}.{step['name']}": step for step in answer.json()["data"]["items"]}
    assert steps["market.login"]["isSet"] is True
    shop = steps["shops.shop"]
    assert (shop["isSet"], shop["isNeeded"], shop["reason"]) == (False, True, "no_shops")
    assert shop["command"] == "gotgan shops add DOMAIN --country XX"
    assert HIDDEN not in answer.text


def test_events_are_told_with_their_secrets_masked(api: Api, server: FastAPI) -> None:
    emit("mail.failed", level="error", password=HIDDEN, who="kim")
    answer = api.call("GET", "/events", params={"name": "mail."})
    expect_told(server, "operations_events", answer)
    [event] = answer.json()["data"]["items"]
    assert (event["event"], event["level"]) == ("mail.failed", "error")
    assert event["fields"] == {"password": "***", "who": "kim"}
    assert HIDDEN not in answer.text


def test_events_are_found_by_name_and_level_page_by_page(api: Api) -> None:
    for _ in range(3):
        emit("engine.opened")
    emit("engine.failed", level="error")
    emit("news.collected")
    first = api.data("GET", "/events", params={"name": "engine.", "limit": 2})
    rest = api.data(
        "GET", "/events", params={"name": "engine.", "limit": 2, "cursor": first["cursor"]}
    )
    told = [event["event"] for event in (*first["items"], *rest["items"])]
    assert told == ["engine.failed", "engine.opened", "engine.opened", "engine.opened"]
    assert rest["cursor"] is None
    loud = api.data("GET", "/events", params={"name": "engine.", "level": "warning"})
    assert [event["event"] for event in loud["items"]] == ["engine.failed"]


@pytest.mark.parametrize(
    ("path", "query", "refused"),
    [
        ("/events", {"cursor": "x"}, (400, "store.cursor")),
        ("/events", {"level": "loud"}, (422, "invalid")),
        ("/costs", {"by": "moon"}, (422, "invalid")),
        ("/settings", {"origin": "moon"}, (422, "invalid")),
    ],
)
def test_what_cannot_be_asked_is_refused(
    api: Api, path: str, query: dict[str, str], refused: tuple[int, str]
) -> None:
    assert api.refusal("GET", path, params=query) == refused


def test_the_bill_adds_up_in_parts_and_by_day(api: Api, server: FastAPI) -> None:
    before = api.app.store.total()
    api.app.store.calls.meter.record(WRITES + READS)
    answer = api.call("GET", "/costs", params={"by": "verb"})
    expect_told(server, "operations_costs", answer)
    bill = answer.json()["data"]
    assert bill["since"] == "2025-11-15T12:00:00Z"
    assert bill["writes"] >= before.writes + 750
    assert bill["items"][0] == {
        "verb": "upload", "table": None, "index": None,
        "reads": 0.0, "writes": 750.0, "usd": "0.00046875",
    }  # fmt: skip
    assert [day["day"] for day in bill["days"]] == ["2025-11-15"]
    assert bill["days"][0]["usd"] == bill["usd"]


@pytest.mark.parametrize("by", ["line", "table", "index"])
def test_the_parts_of_a_bill_are_the_whole(api: Api, by: str) -> None:
    api.app.store.calls.meter.record(WRITES + READS)
    bill = api.data("GET", "/costs", params={"by": by})
    assert sum(part["writes"] for part in bill["items"]) == bill["writes"]
    assert sum(part["reads"] for part in bill["items"]) == bill["reads"]


def test_settings_are_told_and_no_secret_is(api: Api, server: FastAPI) -> None:
    answer = api.call("GET", "/settings")
    expect_told(server, "operations_settings", answer)
    settings = {each["variable"]: each for each in answer.json()["data"]["items"]}
    assert (settings["KRX_PW"]["value"], settings["KRX_PW"]["isSecret"]) == (None, True)
    assert settings["GOTGAN_WEBHOOK"]["value"] == "https://hooks.example.com/…"
    assert settings["GOTGAN_LOG"]["origin"] == "default"
    assert HIDDEN not in answer.text


def test_settings_are_found_by_where_they_came_from(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRX_ID", "family")
    found = api.data("GET", "/settings", params={"origin": "environment"})
    assert [each["variable"] for each in found["items"]] == ["KRX_ID"]


@pytest.mark.parametrize("path", ["/events", "/costs", "/settings"])
def test_what_tells_of_the_whole_house_is_for_admins(api: Api, path: str) -> None:
    assert api.refusal("GET", path, role="editor") == (403, "forbidden")
    assert api.refusal("GET", path, role=None) == (401, "unauthenticated")
