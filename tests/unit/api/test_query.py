"""Every route of ``/v1`` names the query parameters that it knows, and refuses the others."""

from __future__ import annotations

import re

from fastapi import FastAPI

from tests.unit.api.calling import Api


def test_an_unknown_query_parameter_is_refused_by_every_route(api: Api, server: FastAPI) -> None:
    for path, operations in server.openapi()["paths"].items():
        if not path.startswith("/v1/"):
            continue
        for method, operation in operations.items():
            known = {
                each["name"]
                for each in operation.get("parameters", [])
                if each.get("in") == "query"
            }
            address = re.sub(r"\{[a-zA-Z_]+\}", "x1", path)
            headers = {"Authorization": f"Bearer {api.tokens['admin']}"}
            answer = api.client.request(method.upper(), f"{address}?lmit=5", headers=headers)
            assert answer.status_code == 422, (method, path, answer.text)
            [told] = answer.json()["error"]["details"]
            assert told["at"] == "query.lmit", (method, path)
            named = set(re.findall(r"[a-z_A-Z]+", told["message"].partition("known: ")[2]))
            assert named == known, (method, path)


def test_the_known_ones_are_listed(api: Api) -> None:
    error = api.call("GET", "/posts?categry=news&limit=1", role=None).json()["error"]
    assert error["message"] == (
        "query.categry: unknown parameter; known: category, consistent, cursor, limit, q"
    )
    error = api.call("GET", "/health?verbose=1", role=None).json()["error"]
    assert error["message"] == "query.verbose: unknown parameter; this route takes none"


def test_who_may_not_ask_learns_nothing_of_the_parameters(api: Api) -> None:
    assert api.refusal("GET", "/users?lmit=5", role=None) == (401, "unauthenticated")
    assert api.refusal("GET", "/tokens?lmit=5", role="viewer") == (403, "forbidden")


def test_the_contract_of_analyses_is_not_touched(api: Api) -> None:
    asked = api.client.get("/api/analysis/jobs/nothing?verbose=1")
    assert asked.status_code == api.client.get("/api/analysis/jobs/nothing").status_code
