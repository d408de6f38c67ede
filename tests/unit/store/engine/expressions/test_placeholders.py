from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gotgan.store.engine.expressions.parser import (
    check_placeholders,
    check_unused,
    parse_condition,
    parse_projection,
    parse_update,
)
from gotgan.store.engine.faults import ValidationException

Given = Mapping[str, Any] | None

A_CONDITION = {"ConditionExpression": "a = :a"}
NO_CONDITION = {"ConditionExpression": None}
NO_UPDATE = {"UpdateExpression": None, "ConditionExpression": None}
ONLY_A_PROJECTION = {"FilterExpression": None, "ProjectionExpression": "#a"}

REFUSED: list[tuple[Given, Given, Mapping[str, str | None], str]] = [
    (
        {"#a": "a"},
        None,
        NO_CONDITION,
        "ExpressionAttributeNames can only be specified when using expressions",
    ),
    (
        None,
        {":a": {"S": "x"}},
        NO_CONDITION,
        (
            "ExpressionAttributeValues can only be specified when using expressions: "
            "ConditionExpression is null"
        ),
    ),
    (
        None,
        {":a": {"S": "x"}},
        NO_UPDATE,
        (
            "ExpressionAttributeValues can only be specified when using expressions: "
            "UpdateExpression and ConditionExpression are null"
        ),
    ),
    (
        {"#a": "a"},
        {":a": {"S": "x"}},
        ONLY_A_PROJECTION,
        (
            "ExpressionAttributeValues can only be specified when using expressions: "
            "FilterExpression is null"
        ),
    ),
    ({}, None, A_CONDITION, "ExpressionAttributeNames must not be empty"),
    (None, {}, A_CONDITION, "ExpressionAttributeValues must not be empty"),
    (
        {"a": "a"},
        None,
        A_CONDITION,
        'ExpressionAttributeNames contains invalid key: Syntax error; key: "a"',
    ),
    (
        {"#a-b": "a"},
        None,
        A_CONDITION,
        'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"',
    ),
    (
        None,
        {":": {"S": "x"}},
        A_CONDITION,
        'ExpressionAttributeValues contains invalid key: Syntax error; key: ":"',
    ),
    (
        {"#" + "a" * 255: "a"},
        None,
        A_CONDITION,
        (
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains "
            "a key that is too long; size of key: 256"
        ),
    ),
    (
        {"#a": ""},
        None,
        A_CONDITION,
        "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a",
    ),
    (
        {"#a": "x" * 65536},
        None,
        A_CONDITION,
        (
            "ExpressionAttributeNames contains invalid value: Attribute name is too large, must "
            "be less than 65536 bytes for key #a"
        ),
    ),
]


@pytest.mark.parametrize(("names", "values", "expressions", "message"), REFUSED)
def test_placeholders_are_refused_with_the_words_of_aws(
    names: Given,
    values: Given,
    expressions: Mapping[str, str | None],
    message: str,
) -> None:
    with pytest.raises(ValidationException) as refused:
        check_placeholders(names, values, expressions)
    assert refused.value.message == message


def test_well_spelt_placeholders_are_accepted() -> None:
    check_placeholders({"#a_1": "a", "#1": "b"}, {":_": {"S": "x"}}, A_CONDITION)
    check_placeholders(None, None, NO_CONDITION)
    check_placeholders({"#a": "a"}, None, ONLY_A_PROJECTION)


def test_a_placeholder_may_be_used_by_any_expression_of_the_request() -> None:
    names, values = {"#a": "a", "#b": "b"}, {":a": {"S": "x"}, ":b": {"S": "x"}}
    condition = parse_condition("#a = :a", names)
    update = parse_update("SET #b = :b", names)
    check_unused(names, values, [condition, update])


@pytest.mark.parametrize(
    ("names", "values", "message"),
    [
        (
            {"#a": "a", "#b": "b", "#c": "c"},
            {":a": {"S": "x"}},
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}",
        ),
        (
            {"#a": "a"},
            {":a": {"S": "x"}, ":b": {"S": "x"}},
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:b}",
        ),
    ],
)
def test_a_placeholder_that_nothing_uses_is_refused(
    names: dict[str, str],
    values: dict[str, Any],
    message: str,
) -> None:
    expressions = [parse_condition("#a = :a", names), parse_projection("#a", names)]
    with pytest.raises(ValidationException) as refused:
        check_unused(names, values, expressions)
    assert refused.value.message == message
