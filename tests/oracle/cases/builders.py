"""Short names for the shapes that the scenarios are made of."""

from __future__ import annotations

from typing import Any

from tests.oracle.scenario import Step

__all__ = [
    "TABLE",
    "ask",
    "create",
    "definitions",
    "delete",
    "get",
    "index",
    "keys",
    "n",
    "put",
    "s",
    "table",
    "update",
]

TABLE = "oracle"


def s(text: str) -> dict[str, str]:
    """A string value."""
    return {"S": text}


def n(text: str | int) -> dict[str, str]:
    """A number value."""
    return {"N": str(text)}


def keys(hash_key: str, range_key: str | None = None) -> list[dict[str, str]]:
    """A key schema."""
    schema = [{"AttributeName": hash_key, "KeyType": "HASH"}]
    if range_key is not None:
        schema.append({"AttributeName": range_key, "KeyType": "RANGE"})
    return schema


def definitions(names: str) -> list[dict[str, str]]:
    """Attribute definitions from a text such as ``pk:S sk:N``."""
    pairs = (name.split(":") for name in names.split())
    return [{"AttributeName": name, "AttributeType": kind} for name, kind in pairs]


def index(
    name: str, schema: list[dict[str, str]], projection: str = "ALL", *attributes: str
) -> dict[str, Any]:
    """A secondary index."""
    shown: dict[str, Any] = {"ProjectionType": projection}
    if attributes:
        shown["NonKeyAttributes"] = list(attributes)
    return {"IndexName": name, "KeySchema": schema, "Projection": shown}


def table(attributes: str = "pk:S", range_key: str | None = None, **members: Any) -> dict[str, Any]:
    """A CreateTable request on demand; a member that is ``None`` is left out."""
    request = {
        "TableName": TABLE,
        "AttributeDefinitions": definitions(attributes),
        "KeySchema": keys("pk", range_key),
        "BillingMode": "PAY_PER_REQUEST",
        **members,
    }
    return {name: value for name, value in request.items() if value is not None}


def create(attributes: str = "pk:S", range_key: str | None = None, **members: Any) -> Step:
    """The step that creates the scenario's table."""
    return Step("CreateTable", table(attributes, range_key, **members))


def put(item: dict[str, Any], note: str = "", **members: Any) -> Step:
    """A PutItem."""
    return Step("PutItem", {"TableName": TABLE, "Item": item, **members}, note)


def get(key: dict[str, Any], note: str = "", **members: Any) -> Step:
    """A GetItem."""
    return Step("GetItem", {"TableName": TABLE, "Key": key, **members}, note)


def delete(key: dict[str, Any], note: str = "", **members: Any) -> Step:
    """A DeleteItem."""
    return Step("DeleteItem", {"TableName": TABLE, "Key": key, **members}, note)


def update(
    key: dict[str, Any],
    expression: str | None = None,
    values: dict[str, Any] | None = None,
    note: str = "",
    **members: Any,
) -> Step:
    """An UpdateItem."""
    request: dict[str, Any] = {"TableName": TABLE, "Key": key, **members}
    if expression is not None:
        request["UpdateExpression"] = expression
    if values is not None:
        request["ExpressionAttributeValues"] = values
    return Step("UpdateItem", request, note or expression or "")


def ask(operation: str, note: str = "", **members: Any) -> Step:
    """Any operation on the scenario's table."""
    return Step(operation, {"TableName": TABLE, **members}, note)
