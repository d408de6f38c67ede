"""Reading a request's members, with AWS's constraints on them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from gotgan.store.engine.faults import ValidationException

__all__ = [
    "MIN_NAME",
    "bounded",
    "capacity_detail",
    "check_length",
    "check_name",
    "choice",
    "constraint",
    "required",
    "table_name",
    "wants_collection_sizes",
]

_NAME = re.compile(r"[a-zA-Z0-9_.-]+")
_ARN = re.compile(r"arn:[^:]+:dynamodb:[^:]*:[^:]*:table/([a-zA-Z0-9_.-]+)")
MIN_NAME = 3
_MAX_NAME = 255
_LARGEST = (1 << 31) - 1


def constraint(member: str, value: object, rule: str) -> ValidationException:
    """Word a broken constraint as AWS does."""
    shown = "null" if value is None else f"'{value}'"
    return ValidationException(
        f"1 validation error detected: Value {shown} at '{_path(member)}' failed to satisfy"
        f" constraint: {rule}",
    )


def _path(member: str) -> str:
    return member[0].lower() + member[1:]


def required(request: Mapping[str, Any], member: str) -> Any:
    """Return a member that must be there."""
    value = request.get(member)
    if value is None:
        raise constraint(member, None, "Member must not be null")
    return value


def choice(
    request: Mapping[str, Any],
    member: str,
    allowed: tuple[str, ...],
    default: str = "NONE",
) -> str:
    """Return a member that must be one of a few words."""
    value = request.get(member)
    if value is None:
        return default
    if value not in allowed:
        rule = f"Member must satisfy enum value set: [{', '.join(allowed)}]"
        raise constraint(member, value, rule)
    return str(value)


def capacity_detail(request: Mapping[str, Any]) -> str:
    """Return how much of the bill the caller wants to see."""
    return choice(request, "ReturnConsumedCapacity", ("INDEXES", "TOTAL", "NONE"))


def wants_collection_sizes(request: Mapping[str, Any]) -> bool:
    """Say whether the caller wants to know how large the touched item collections are."""
    return choice(request, "ReturnItemCollectionMetrics", ("SIZE", "NONE")) == "SIZE"


def bounded(
    request: Mapping[str, Any],
    member: str,
    low: int,
    high: int = _LARGEST,
) -> int | None:
    """Return a number within its bounds, or None where it was not given."""
    value: int | None = request.get(member)
    if value is None:
        return None
    if value < low:
        rule = f"Member must have value greater than or equal to {low}"
        raise constraint(member, value, rule)
    if value > high:
        raise constraint(member, value, f"Member must have value less than or equal to {high}")
    return value


def check_length(member: str, value: Any, low: int, high: int) -> None:
    """Refuse a text or list that is missing, too short or too long; texts count in bytes."""
    if value is None:
        raise constraint(member, None, "Member must not be null")
    length = len(value.encode()) if isinstance(value, str) else len(value)
    shown = value if isinstance(value, str) else "[...]" if value else "[]"
    if length < low:
        rule = f"Member must have length greater than or equal to {low}"
        raise constraint(member, shown, rule)
    if length > high:
        raise constraint(member, shown, f"Member must have length less than or equal to {high}")


def check_name(member: str, value: Any, low: int = MIN_NAME) -> None:
    """Refuse what is no name of a table or index."""
    check_length(member, value, low, _MAX_NAME)
    if not _NAME.fullmatch(value):
        rule = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
        raise constraint(member, value, rule)


def table_name(request: Mapping[str, Any], member: str = "TableName", least: int = 1) -> str:
    """Return the table's name; an ARN stands for the name at its end."""
    name = required(request, member)
    arn = _ARN.fullmatch(name)
    name = arn[1] if arn else name
    check_name(member, name, least)
    return str(name)
