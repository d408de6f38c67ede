"""The document is complete: every operation, every header, examples that can be sent."""

from __future__ import annotations

import re
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI

from gotgan.api.analysis import CODES
from gotgan.api.analysis import PREFIX as CONTRACT
from gotgan.api.errors import codes_by_status
from gotgan.api.openapi import EXAMPLES
from gotgan.api.routes import STATUS_TEXTS
from gotgan.verbs import Extra
from tests.each import each
from tests.house.verbs import BOUND as ALL_BOUND
from tests.unit.api.calling import Api

BOUND = {name.replace(".", "_"): verb for name, verb in ALL_BOUND.items() if not verb.mark.is_local}
"""Verbs whose operations are derived from their signatures."""


@pytest.fixture
def operations(server: FastAPI) -> dict[str, dict[str, Any]]:
    """Every operation by its name, with its method and path."""
    return {
        operation["operationId"]: {**operation, "method": method, "path": path}
        for path, methods in server.openapi()["paths"].items()
        for method, operation in methods.items()
    }


def test_the_document_is_what_the_specification_asks_for(server: FastAPI) -> None:
    schemathesis.openapi.from_dict(server.openapi()).validate()


def test_it_is_served_to_everybody(api: Api, server: FastAPI) -> None:
    answer = api.call("GET", "/openapi.json", role=None)
    assert answer.json() == server.openapi()


@pytest.mark.parametrize("role", [None, "admin"])
def test_a_method_that_a_path_does_not_have_is_answered_with_those_that_it_has(
    api: Api, server: FastAPI, role: str | None
) -> None:
    asked = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
    for path, operations in server.openapi()["paths"].items():
        has = {method.upper() for method in operations}
        has |= {"HEAD"} if "GET" in has else set()
        for method in sorted(asked - has):
            filled = re.sub(r"\{[a-zA-Z_]+\}", "x1", path)
            headers = {"Authorization": f"Bearer {api.tokens[role]}"} if role else {}
            answer = api.client.request(method, filled, headers=headers)
            assert answer.status_code == 405, (method, path)
            assert set(answer.headers["allow"].split(", ")) == has, (method, path)


def test_an_operation_says_what_it_is(operations: dict[str, dict[str, Any]]) -> None:
    for name, operation in operations.items():
        assert re.fullmatch(r"[a-z]+(_[a-z]+)+", name), name
        assert operation["summary"]
        assert operation["description"].endswith("."), name
        assert len(operation["tags"]) == 1
    # the same verb, for one shop and for all
    apart = {name: each for name, each in operations.items() if not name.endswith("_of_all")}
    summaries = [operation["summary"] for operation in apart.values()]
    assert len(set(summaries)) == len(summaries)


def test_every_answer_says_which_request_it_is_of(operations: dict[str, dict[str, Any]]) -> None:
    for name, operation in operations.items():
        assert "RequestId" in _parameters(operation), name
        for status, response in operation["responses"].items():
            assert "X-Request-Id" in response["headers"], (name, status)


def _parameters(operation: dict[str, Any]) -> set[str]:
    references = [each.get("$ref", "") for each in operation["parameters"]]
    return {reference.rpartition("/")[2] for reference in references} - {""}


def test_whatever_has_a_version_has_its_headers(operations: dict[str, dict[str, Any]]) -> None:
    for name, operation in operations.items():
        responses = operation["responses"]
        assert ("412" in responses) == ("IfMatch" in _parameters(operation)), name
        assert ("304" in responses) == ("IfNoneMatch" in _parameters(operation)), name
        # Of two preferences that one person sets at once, the later counts.
        if operation["method"] in {"put", "patch"} and name != "set_preferences":
            assert {"409", "412", "428"} <= responses.keys(), name
        if "304" in responses:
            assert "ETag" in responses["304"]["headers"]
            assert "ETag" in responses["200"]["headers"]


def test_every_error_tells_its_codes(operations: dict[str, dict[str, Any]]) -> None:
    for operation in operations.values():
        own = CODES if _is_contract(operation) else codes_by_status()
        for status, response in operation["responses"].items():
            if int(status) < 400:
                continue
            assert response["description"].startswith(STATUS_TEXTS[int(status)])
            told = response["description"].rpartition("Codes: ")[2]
            assert told == ", ".join(f"`{code}`" for code in own[int(status)]) + "."


def _is_contract(operation: dict[str, Any]) -> bool:
    return bool(operation["path"].startswith(CONTRACT))


def test_what_needs_a_role_says_how_to_prove_it(operations: dict[str, dict[str, Any]]) -> None:
    for name, operation in operations.items():
        needed, ways = operation["x-role"], operation["security"]
        assert (ways == []) == (needed == "public"), name
        assert ({"401", "403"} <= operation["responses"].keys()) == (needed != "public"), name
        reads = operation["method"] == "get"
        assert ({"session": []} in ways) == (reads and needed != "public"), name


def test_a_status_that_cannot_be_is_not_in_the_document(
    operations: dict[str, dict[str, Any]],
) -> None:
    for name, operation in operations.items():
        responses, method = operation["responses"], operation["method"]
        own = [each for each in operation["parameters"] if "$ref" not in each]
        has_form, has_body = bool(own or "requestBody" in operation), "requestBody" in operation
        if _is_contract(operation):  # to which whatever is wrong with a request is a 400
            has_form = has_body = False
        assert ("422" in responses) == has_form, name
        assert ("413" in responses) == ("415" in responses) == has_body, name
        assert ("429" in responses) == (name in {"leave_message", "videos_analyse"}), name
        assert "428" not in responses or method in {"put", "patch"}, name
        assert "500" not in responses, name


def test_every_parameter_is_described(operations: dict[str, dict[str, Any]]) -> None:
    for name, operation in operations.items():
        for parameter in operation["parameters"]:
            assert "$ref" in parameter or parameter.get("description"), (name, parameter["name"])


def test_every_body_has_examples(server: FastAPI, operations: dict[str, dict[str, Any]]) -> None:
    by_hand = {
        name: each["requestBody"]["content"]["application/json"]
        for name, each in operations.items()
        if "requestBody" in each and name not in BOUND
    }
    assert EXAMPLES.keys() <= by_hand.keys()
    schemas = server.openapi()["components"]["schemas"]
    for name, content in by_hand.items():
        if name in EXAMPLES:
            assert content["examples"] == EXAMPLES[name]
        else:  # its fields have them
            schema = schemas[content["schema"]["$ref"].rpartition("/")[2]]
            assert "'examples'" in str(schema["properties"]), name


@each("name", BOUND)
def test_every_field_of_a_bound_body_is_described(
    server: FastAPI, operations: dict[str, dict[str, Any]], name: str
) -> None:
    if "requestBody" not in operations[name]:
        return
    schema = server.openapi()["components"]["schemas"][f"{name}_request"]
    if any(each.is_body for each in BOUND[name].parameters):
        assert schema["description"]
        return
    fields = schema["properties"]
    assert {alias for alias, each in fields.items() if not each.get("description")} == set()
    offered = [
        each for each in BOUND[name].parameters_of_front(over_http=True) if not each.mark(Extra)
    ]
    assert {each.alias for each in offered if f"{{{each.alias}}}" not in BOUND[name].path} == {
        *fields
    }


@pytest.mark.parametrize(
    ("name", "kind"), [(name, kind) for name, kinds in EXAMPLES.items() for kind in kinds]
)
def test_an_example_can_be_sent_as_it_stands(
    api: Api, operations: dict[str, dict[str, Any]], name: str, kind: str
) -> None:
    path = operations[name]["path"]
    method, value = operations[name]["method"].upper(), EXAMPLES[name][kind]["value"]
    who = {"Authorization": f"Bearer {api.tokens['admin']}"}
    answer = api.client.request(method, path, json=value, headers=who)
    assert answer.is_success, answer.text
