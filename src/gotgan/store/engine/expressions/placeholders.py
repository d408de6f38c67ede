"""The maps ExpressionAttributeNames and ExpressionAttributeValues themselves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from gotgan.store.engine.expressions.parser import ParsedExpression
from gotgan.store.engine.faults import ValidationException

__all__ = ["check_placeholders", "check_unused"]

MAX_KEY_BYTES = 255
MAX_NAME_BYTES = 65535

_NAMES, _VALUES = "ExpressionAttributeNames", "ExpressionAttributeValues"
_NAME_KEY = re.compile(r"#[A-Za-z0-9_]+", re.ASCII)
_VALUE_KEY = re.compile(r":[A-Za-z0-9_]+", re.ASCII)


def check_placeholders(
    names: Mapping[str, Any] | None,
    values: Mapping[str, Any] | None,
    expressions: Mapping[str, str | None],
) -> None:
    """Refuse placeholders without an expression, empty maps and misspelt keys.

    ``expressions`` has every expression that the operation knows, None where it was not given.
    """
    if names is not None:
        if all(text is None for text in expressions.values()):
            raise ValidationException(f"{_NAMES} can only be specified when using expressions")
        _check_keys(_NAMES, names, _NAME_KEY)
        _check_attribute_names(names)
    if values is not None:
        _check_values_wanted(expressions)
        _check_keys(_VALUES, values, _VALUE_KEY)


def check_unused(
    names: Mapping[str, Any] | None,
    values: Mapping[str, Any] | None,
    expressions: Iterable[ParsedExpression],
) -> None:
    """Refuse placeholders that none of a request's expressions uses."""
    parsed = list(expressions)
    _check_used(_NAMES, names, [each.names for each in parsed])
    _check_used(_VALUES, values, [each.values for each in parsed])


def _check_values_wanted(expressions: Mapping[str, str | None]) -> None:
    takers = [label for label in expressions if label != "ProjectionExpression"]
    if any(expressions[label] is not None for label in takers):
        return
    verb = "is" if len(takers) == 1 else "are"
    raise ValidationException(
        f"{_VALUES} can only be specified when using expressions: "
        f"{' and '.join(takers)} {verb} null",
    )


def _check_keys(label: str, given: Mapping[str, Any], pattern: re.Pattern[str]) -> None:
    if not given:
        raise ValidationException(f"{label} must not be empty")
    for key in given:
        if not pattern.fullmatch(str(key)):
            raise ValidationException(f'{label} contains invalid key: Syntax error; key: "{key}"')
        if len(key) > MAX_KEY_BYTES:
            raise ValidationException(
                f"{label} contains invalid key: The expression attribute map contains a key that "
                f"is too long; size of key: {len(key)}",
            )


def _check_attribute_names(names: Mapping[str, str]) -> None:
    for key, name in names.items():
        if not name:
            raise ValidationException(
                f"{_NAMES} contains invalid value: Empty attribute name for key {key}",
            )
        if len(name.encode("utf-8", "surrogatepass")) > MAX_NAME_BYTES:
            raise ValidationException(
                f"{_NAMES} contains invalid value: Attribute name is too large, must be less than "
                f"{MAX_NAME_BYTES + 1} bytes for key {key}",
            )


def _check_used(
    label: str,
    given: Mapping[str, Any] | None,
    used: list[frozenset[str]],
) -> None:
    unused = [key for key in given or () if not any(key in each for each in used)]
    if unused:
        raise ValidationException(
            f"Value provided in {label} unused in expressions: keys: {{{', '.join(unused)}}}",
        )
