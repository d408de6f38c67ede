"""Routes that are derived from verbs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

import gotgan.api
from gotgan.api import binder
from gotgan.app import App
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from tests.patience import PATIENCE
from tests.unit.api.calling import Api
from tests.unit.toys import Shed, Toys


@pytest.fixture
def server(app: App, monkeypatch: pytest.MonkeyPatch) -> Iterator[FastAPI]:
    """A server that also has the toys."""
    monkeypatch.setattr(binder, "_VERBS", dict(binder._VERBS))  # noqa: SLF001 - it is put back
    routers = {**gotgan.api._EXTRA_ROUTERS}  # noqa: SLF001 - as above
    routers["news"] = (binder.bind(Toys), binder.bind(Shed))
    monkeypatch.setattr(gotgan.api, "_EXTRA_ROUTERS", routers)
    gotgan.api._routers.cache_clear()  # noqa: SLF001 - as above
    monkeypatch.setattr(app, "toys", Toys("a", "b", "c"), raising=False)
    monkeypatch.setattr(app, "shed", Shed(), raising=False)
    yield create_server(app)
    gotgan.api._routers.cache_clear()  # noqa: SLF001 - as above


@pytest.fixture
def client(server: FastAPI) -> Iterator[httpx.Client]:
    with serve_in_thread(server) as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        yield client


def _complaints(api: Api, method: str, path: str, **words: Any) -> list[Any]:
    answer = api.call(method, path, **words)
    assert answer.status_code == 422, answer.text
    details: list[Any] = answer.json()["error"]["details"]
    return details


def test_a_query_is_text_and_has_the_bounds_of_the_signature(api: Api) -> None:
    assert api.data("GET", "/toys", params={"limit": 2}) == {"items": ["a", "b"], "cursor": "2"}
    assert api.data("GET", "/toys/a", params={"day": "2026-01-15"})["toyNames"][1] == "2026-01-15"
    for query in ({"limit": 0}, {"limit": "x"}, {"limit": ""}):
        assert api.refusal("GET", "/toys", params=query) == (422, "invalid")
    assert api.refusal("GET", "/toys/toolong") == (422, "invalid")


def test_names_that_a_route_does_not_have_are_refused_with_those_it_has(api: Api) -> None:
    told = str(_complaints(api, "GET", "/toys", params={"limits": 1}))
    assert "limits" in told
    assert "known: cursor, limit" in told
    for name in ("colour", "max_parts", "folder"):
        told = str(_complaints(api, "POST", "/toys/make", json={name: 1}))
        assert name in told
        assert "known: maxParts, names, parts" in told
    assert "known: wait" in str(_complaints(api, "POST", "/toys/make", params={"names": "a"}))


def test_a_body_is_strict_json(api: Api) -> None:
    bodies: list[Any] = [
        {"maxParts": "3"},
        {"maxParts": True},
        {"names": "a"},
        {"parts": [{"a": "1"}]},
        [],
    ]
    for body in bodies:
        assert api.refusal("POST", "/toys/make", json=body) == (422, "invalid")
    for number in (3, 3.0):  # JSON has one kind of numbers
        told = api.data("POST", "/toys/make", json={"maxParts": number})
        assert told["report"]["howMany"] == 3
    assert api.refusal("POST", "/toys/make", json={"maxParts": 3.5}) == (422, "invalid")
    assert api.data("POST", "/toys/make")["report"]["howMany"] == 0


def test_a_body_that_is_not_json_is_refused(api: Api) -> None:
    form = api.call("POST", "/toys/make", content=b"a=1", headers={"Content-Type": "text/plain"})
    assert form.status_code == 415
    broken: dict[str, Any] = {"content": b"{", "headers": {"Content-Type": "application/json"}}
    assert api.call("POST", "/toys/make", **broken).status_code in (400, 422)


def test_a_parameter_can_be_the_whole_body(api: Api) -> None:
    told = api.data("POST", "/toys/a/paint", json={"colour": "red"})
    assert told["toyNames"] == ["a", "red"]
    bodies: list[Any] = [{"colour": "green"}, {"colour": "red", "name": "b"}, {}, []]
    for body in bodies:
        assert api.refusal("POST", "/toys/a/paint", json=body) == (422, "invalid")
    assert api.refusal("POST", "/toys/a/paint") == (422, "invalid")
    assert api.refusal("POST", "/toys/toolong/paint", json={"colour": "red"}) == (422, "invalid")


def test_a_run_has_progress_a_report_and_a_role(api: Api) -> None:
    told = api.data("POST", "/toys/make", json={"names": ["a", "b"], "parts": [{"x": 1}]})
    assert (told["run"]["about"], told["run"]["done"], told["run"]["last"]) == (["a", "b"], 2, "b")
    assert api.refusal("POST", "/toys/make", json={"names": ["ghost"]}) == (404, "not_found")
    assert api.refusal("POST", "/toys/make", role="viewer") == (403, "forbidden")
    assert api.refusal("GET", "/toys", role=None)[0] == 401


def test_an_error_inside_a_result_tells_no_secrets(api: Api) -> None:
    [failed] = api.data("POST", "/toys/make", json={"names": ["bad"]})["report"]["failed"]
    assert failed["name"] == "x"
    assert "secret" not in str(failed["error"])


def test_a_local_verb_has_no_route(api: Api) -> None:
    assert api.refusal("POST", "/toys/sweep")[0] in (404, 405)


def test_the_document_has_parameters_bodies_and_answers(server: FastAPI) -> None:
    document = server.openapi()
    schemas, paths = document["components"]["schemas"], document["paths"]
    assert {each.get("name") for each in paths["/v1/toys"]["get"]["parameters"]} >= {
        "limit",
        "cursor",
    }
    assert schemas["toys_make_request"]["properties"].keys() == {"names", "maxParts", "parts"}
    whole = schemas["toys_paint_request"]
    assert "colour" in str(whole)
    assert schemas["toys_getAnswer"]["properties"]["data"] == {"$ref": "#/components/schemas/Made"}


# Resources


def test_a_record_is_created_of_its_fields_by_whoever_calls(api: Api) -> None:
    answer = api.call("POST", "/crates", json={"id": "a", "label": "b"})
    assert answer.status_code == 201
    made = answer.json()["data"]
    assert (made["fields"], made["by"]) == ({"id": "a", "label": "b"}, "u001")
    assert "body.label" in str(_complaints(api, "POST", "/crates", json={}))
    for name in ("by", "version", "more"):
        body = {"label": "b", name: "x"}
        assert f"body.{name}" in str(_complaints(api, "POST", "/crates", json=body))
    assert api.refusal("POST", "/crates", role="editor", json={"label": "b"}) == (403, "forbidden")


def test_a_change_has_the_fields_that_are_sent_and_null_among_them(api: Api) -> None:
    any_version = {"If-Match": "*"}
    body = {"weight": None, "plan": "p"}
    told = api.data("PATCH", "/crates/a", json=body, headers=any_version)
    assert (told["id"], told["fields"]) == ("a", body)
    complaints = _complaints(api, "PATCH", "/crates/a", json={"label": None}, headers=any_version)
    assert complaints[0]["at"] == "body.label"
    told = api.data("PUT", "/crates/a", json={"label": "b"})
    assert (told["fields"], told["version"]) == ({"label": "b"}, None)
    assert "body.label" in str(_complaints(api, "PUT", "/crates/a", json={"weight": 1}))


def test_a_version_is_in_a_header_or_in_the_body(api: Api) -> None:
    assert api.refusal("PATCH", "/crates/a", json={}) == (428, "version_required")
    assert api.data("PATCH", "/crates/a", json={"version": 3})["version"] == 3
    tag = {"If-Match": '"4-1700000000"'}
    assert api.data("PATCH", "/crates/a", json={"version": 3}, headers=tag)["version"] == 4
    assert api.data("DELETE", "/crates/a", headers=tag)["version"] == 4
    assert api.data("DELETE", "/crates/a")["version"] is None
    assert "query.version" in str(_complaints(api, "DELETE", "/crates/a?version=3"))
    assert api.refusal("DELETE", "/crates/a", headers={"If-Match": "four"}) == (400, "usage")


def test_names_that_nothing_else_has_are_further_attributes(api: Api) -> None:
    any_version = {"If-Match": "*"}
    body = {"label": "b", "since": "1999", "blog": None}
    told = api.data("PATCH", "/crates/a", json=body, headers=any_version)
    assert (told["fields"], told["more"]) == ({"label": "b"}, {"since": "1999", "blog": None})
    assert api.data("PATCH", "/crates/a", json={}, headers=any_version)["more"] == {}
    for wrong, at in (
        ({"since": "toolong"}, "body.since"),
        ({"a": "1", "b": "2", "c": "3"}, "body"),
        ({"more": {"a": "1"}}, "body.more"),
    ):
        complaints = _complaints(api, "PATCH", "/crates/a", json=wrong, headers=any_version)
        assert complaints[0]["at"].startswith(at)


def test_a_body_that_is_nested_too_deeply_is_refused(api: Api) -> None:
    deep = b'{"label": ' + b"[" * 400 + b"]" * 400 + b"}"
    headers = {"Content-Type": "application/json"}
    answer = api.call("POST", "/crates", content=deep, headers=headers)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "invalid")


def test_the_document_says_what_a_record_takes(server: FastAPI) -> None:
    document = server.openapi()
    schemas, crates = document["components"]["schemas"], document["paths"]["/v1/crates/{id}"]
    new, change = schemas["shed_boxes_create_request"], schemas["shed_boxes_update_request"]
    assert new["properties"].keys() == {"id", "label", "weight", "plan"}
    assert (new["required"], new["additionalProperties"]) == (["label"], False)
    assert change["properties"].keys() == {"label", "weight", "plan", "version"}
    assert change["required"] == []
    assert change["additionalProperties"]["anyOf"][0]["maxLength"] == 5
    assert "default" not in change["properties"]["weight"]
    assert {"412", "428"} <= crates["patch"]["responses"].keys()
    assert "428" not in crates["delete"]["responses"]
    own = [each["name"] for each in crates["delete"]["parameters"] if "name" in each]
    assert own == ["id"]
