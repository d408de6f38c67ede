"""The expressions of a request, parsed and checked together with their names and values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from gotgan.store.engine.expressions import (
    ParsedCondition,
    ParsedExpression,
    ParsedProjection,
    Update,
    check_placeholders,
    check_unused,
    check_values,
    parse_condition,
    parse_key_condition,
    parse_projection,
    parse_update,
)
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import Item, clean

__all__ = ["Clauses", "read_clauses"]

_MEMBERS = {
    "ConditionExpression": "condition",
    "FilterExpression": "filter",
    "KeyConditionExpression": "key_condition",
    "ProjectionExpression": "projection",
    "UpdateExpression": "update",
}


class Clauses(NamedTuple):
    """What a request says in expressions; None where it does not say it."""

    values: Item
    condition: ParsedCondition | None = None
    filter: ParsedCondition | None = None
    key_condition: ParsedCondition | None = None
    projection: ParsedProjection | None = None
    update: Update | None = None


_SILENT = Clauses({})


def read_clauses(request: Mapping[str, Any], *kinds: str) -> Clauses:
    """Read the expressions of these kinds, and refuse placeholders that none of them uses."""
    names = request.get("ExpressionAttributeNames")
    given = request.get("ExpressionAttributeValues")
    texts = {kind: request.get(kind) for kind in kinds}
    if names is not None or given is not None:
        check_placeholders(names, given, texts)
    values = {key: _value(key, value) for key, value in given.items()} if given else {}
    parsed = {
        _MEMBERS[kind]: _parse(kind, text, names)
        for kind, text in texts.items()
        if text is not None
    }
    for expression in parsed.values():
        check_values(expression, values)
    if names or values:
        check_unused(names, values, parsed.values())
    return Clauses(values, **parsed) if parsed else _SILENT  # type: ignore[arg-type]


def _value(key: str, value: Any) -> Any:
    try:
        return clean(value)[0]
    except ValidationException as error:
        raise ValidationException(
            f"ExpressionAttributeValues contains invalid value: {error.message} for key {key}",
        ) from error


def _parse(kind: str, text: str, names: Mapping[str, str] | None) -> ParsedExpression:
    match kind:
        case "ProjectionExpression":
            return parse_projection(text, names)
        case "UpdateExpression":
            return parse_update(text, names)
        case "KeyConditionExpression":
            return parse_key_condition(text, names)
        case _:
            return parse_condition(text, names, kind)
