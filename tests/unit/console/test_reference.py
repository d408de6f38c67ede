"""The page for programs: the API's document in rows."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from gotgan.app import App
from gotgan.console.reference import Operation, RequestParameter, operations
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from tests.patience import PATIENCE

DOCUMENT = {
    "paths": {
        "/v1/things/{id}": {
            "put": {
                "tags": ["things"],
                "summary": "Change a thing",
                "description": "Change it.",
                "parameters": [{"$ref": "#/components/parameters/Id"}],
                "requestBody": {
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}
                    }
                },
                "responses": {"200": {"description": "It. Codes: `usage`, `forbidden`."}},
                "x-role": "editor",
            }
        }
    },
    "components": {
        "parameters": {"Id": {"name": "id", "in": "path", "required": True}},
        "schemas": {
            "Thing": {
                "properties": {"title": {"description": "Its name."}, "note": {}},
                "required": ["title"],
            }
        },
    },
}


@pytest.fixture
def whole(app: App) -> Iterator[httpx.Client]:
    """The whole server, API and console."""
    with (
        serve_in_thread(create_server(app)) as url,
        httpx.Client(base_url=url, timeout=PATIENCE) as client,
    ):
        yield client


def test_an_operation_says_what_it_takes_and_what_it_answers() -> None:
    values = (
        RequestParameter("id", "path", required=True, line=""),
        RequestParameter("title", "body", required=True, line="Its name."),
        RequestParameter("note", "body", required=False, line=""),
    )
    made = Operation(
        "PUT",
        "/v1/things/{id}",
        "Change a thing",
        "Change it.",
        "editor",
        values,
        (("200", "It.", "usage, forbidden"),),
    )
    assert operations(DOCUMENT) == {"things": [made]}


def test_every_route_of_the_api_is_on_the_page(whole: httpx.Client) -> None:
    document, text = whole.get("/v1/openapi.json").json(), whole.get("/docs").text
    assert [path for path in document["paths"] if f"<code>{path}</code>" not in text] == []


@pytest.mark.parametrize("path", ["/v1", "/v1/", "/v1/nothing"])
def test_what_the_api_does_not_have_is_its_own_to_say(whole: httpx.Client, path: str) -> None:
    answer = whole.get(path)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


def test_the_number_of_a_failure_is_the_one_of_its_request(whole: httpx.Client) -> None:
    answer = whole.get("/nowhere", headers={"x-request-id": "mine-7"})
    assert answer.headers["x-request-id"] == "mine-7"
    assert "<code>mine-7</code>" in answer.text
