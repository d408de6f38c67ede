"""The members of a request, with AWS's constraints on them, and its expressions."""

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
from gotgan.store.engine.values import Item, clean

_NAME = re.compile(r"[a-zA-Z0-9_.-]+")
ARN_PREFIX = "arn:aws:dynamodb:local:000000000000:table/"
TABLE_ARN = re.compile(r"arn:[^:]+:dynamodb:[^:]*:[^:]*:table/([a-zA-Z0-9_.-]+)")
MIN_NAME_BYTES = 3
_MAX_NAME_BYTES = 255
_MAX_INTEGER = (1 << 31) - 1
PARSED = "Parsed clauses"
"""The member of a request that was made from a PartiQL statement: no front lets it in."""
_EXPRESSION_FIELDS = {
    "ConditionExpression": "condition",
    "FilterExpression": "filter",
    "KeyConditionExpression": "key_condition",
    "ProjectionExpression": "projection",
    "UpdateExpression": "update",
}


def constraint_error(member: str, value: object, rule: str) -> ValidationException:
    """Word a broken constraint as AWS does."""
    text = "null" if value is None else f"'{value}'"
    return ValidationException(
        f"1 validation error detected: Value {text} at '{member[0].lower()}{member[1:]}' failed to"
        f" satisfy constraint: {rule}"
    )


def required(request: Mapping[str, Any], member: str, where: str = "") -> Any:
    """Return a member that must be there; ``where`` is the path of the request, with a dot."""
    value = request.get(member)
    if value is None:
        path = f"{where}{member[0].lower()}{member[1:]}"
        raise constraint_error(path, None, "Member must not be null")
    return value


def choice(
    request: Mapping[str, Any], member: str, allowed: tuple[str, ...], default: str = "NONE"
) -> str:
    """Return a member that must be one of a few words."""
    value = request.get(member)
    if value is None:
        return default
    check_choice(member, value, allowed)
    return str(value)


def check_choice(member: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Refuse what is not one of a few words."""
    if value not in allowed:
        rule = f"Member must satisfy enum value set: [{', '.join(allowed)}]"
        raise constraint_error(member, value, rule)


def capacity_detail(request: Mapping[str, Any]) -> str:
    """Return how much of the consumed capacity is reported."""
    return choice(request, "ReturnConsumedCapacity", ("INDEXES", "TOTAL", "NONE"))


def wants_collection_sizes(request: Mapping[str, Any]) -> bool:
    """Whether the sizes of the touched item collections are reported."""
    return choice(request, "ReturnItemCollectionMetrics", ("SIZE", "NONE")) == "SIZE"


def bounded(
    request: Mapping[str, Any], member: str, low: int, high: int = _MAX_INTEGER
) -> int | None:
    """Return a number within its bounds, or None where it was not given."""
    value: int | None = request.get(member)
    if value is not None:
        _check_bounds(member, value, "value", value, low, high)
    return value


def check_length(member: str, value: Any, low: int, high: int) -> None:
    """Refuse a text or list that is missing, too short or too long; texts count in bytes."""
    if value is None:
        raise constraint_error(member, None, "Member must not be null")
    if isinstance(value, str):
        _check_bounds(member, value, "length", len(value.encode()), low, high)
    else:
        _check_bounds(member, "[...]" if value else "[]", "length", len(value), low, high)


def _check_bounds(member: str, text: object, what: str, number: int, low: int, high: int) -> None:
    if number < low:
        rule = f"Member must have {what} greater than or equal to {low}"
        raise constraint_error(member, text, rule)
    if number > high:
        raise constraint_error(
            member, text, f"Member must have {what} less than or equal to {high}"
        )


def check_name(member: str, value: Any, low: int = MIN_NAME_BYTES) -> None:
    """Refuse what cannot be the name of a table or index."""
    check_length(member, value, low, _MAX_NAME_BYTES)
    if not _NAME.fullmatch(value):
        rule = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
        raise constraint_error(member, value, rule)


def table_name(request: Mapping[str, Any], member: str = "TableName", least: int = 1) -> str:
    """Return the table's name; of an ARN, the name at its end."""
    name = required(request, member)
    arn = TABLE_ARN.fullmatch(name)
    name = arn[1] if arn else name
    check_name(member, name, least)
    return str(name)


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
