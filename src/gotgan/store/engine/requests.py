"""The members that several operations share, and the expressions of a request."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from gotgan.store.engine.expressions.parser import (
    ParsedCondition,
    ParsedExpression,
    ParsedProjection,
    Update,
    check_placeholders,
    check_unused,
    check_values,
    parse_condition,
    parse_projection,
    parse_update,
)
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.members import failure
from gotgan.store.engine.shapes import TABLE_ARN
from gotgan.store.engine.values import Item, clean

ARN_PREFIX = "arn:aws:dynamodb:local:000000000000:table/"
PARSED = "Parsed clauses"
"""The member of a request that was made from a PartiQL statement: no front lets it in."""
_EXPRESSION_FIELDS = {
    "ConditionExpression": "condition",
    "FilterExpression": "filter",
    "KeyConditionExpression": "key_condition",
    "ProjectionExpression": "projection",
    "UpdateExpression": "update",
}


def required(request: Mapping[str, Any], member: str) -> Any:
    """Return a member that must be there, where something else is looked at before it."""
    value = request.get(member)
    if value is None:
        place = f"{member[0].lower()}{member[1:]}"
        rule = failure("null", place, "Member must not be null")
        raise ValidationException(f"1 validation error detected: {rule}")
    return value


def capacity_detail(request: Mapping[str, Any]) -> str:
    """Return how much of the consumed capacity is reported."""
    detail: str = request.get("ReturnConsumedCapacity", "NONE")
    return detail


def wants_collection_sizes(request: Mapping[str, Any]) -> bool:
    """Whether the sizes of the touched item collections are reported."""
    return bool(request.get("ReturnItemCollectionMetrics") == "SIZE")


def table_name(request: Mapping[str, Any]) -> str:
    """Return the table's name; of an ARN, the name at its end."""
    name: str = request["TableName"]
    arn = re.fullmatch(TABLE_ARN, name)
    return arn[1] if arn else name


class Clauses(NamedTuple):
    """The parsed expressions of a request; None where it has none of a kind."""

    values: Item
    condition: ParsedCondition | None = None
    filter: ParsedCondition | None = None
    key_condition: ParsedCondition | None = None
    projection: ParsedProjection | None = None
    update: Update | None = None


_NO_CLAUSES = Clauses({})


def read_clauses(request: Mapping[str, Any], *kinds: str) -> Clauses:
    """Read the expressions of these kinds, and refuse placeholders that none of them uses."""
    if PARSED in request:
        parsed_before: Clauses = request[PARSED]
        return parsed_before
    names = request.get("ExpressionAttributeNames")
    given = request.get("ExpressionAttributeValues")
    texts = {kind: request.get(kind) for kind in kinds}
    if names is not None or given is not None:
        check_placeholders(names, given, texts)
    values = {key: _clean_value(key, value) for key, value in given.items()} if given else {}
    parsed = {
        _EXPRESSION_FIELDS[kind]: _parse_expression(kind, text, names)
        for kind, text in texts.items()
        if text is not None
    }
    for expression in parsed.values():
        check_values(expression, values)
    if names or values:
        check_unused(names, values, parsed.values())
    return Clauses(values, **parsed) if parsed else _NO_CLAUSES  # type: ignore[arg-type]


def _clean_value(key: str, value: Any) -> Any:
    try:
        return clean(value)[0]
    except ValidationException as error:
        raise ValidationException(
            f"ExpressionAttributeValues contains invalid value: {error.message} for key {key}"
        ) from error


def _parse_expression(
    kind: str, text: str | ParsedExpression, names: Mapping[str, str] | None
) -> ParsedExpression:
    if isinstance(text, ParsedExpression):
        return text  # translated from the legacy notation
    if kind == "ProjectionExpression":
        return parse_projection(text, names)
    if kind == "UpdateExpression":
        return parse_update(text, names)
    return parse_condition(text, names, kind)
