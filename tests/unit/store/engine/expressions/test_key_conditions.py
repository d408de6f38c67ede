from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from gotgan.store.engine.expressions.conditions import KeyCondition, key_condition
from gotgan.store.engine.expressions.parser import check_values, parse_condition
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.keys import KeySchema, KeySchemaElement

VALUES: Mapping[str, dict[str, Any]] = {
    ":k": {"S": "k"},
    ":a": {"S": "a"},
    ":b": {"S": "b"},
    ":n": {"N": "1"},
    ":l": {"L": []},
}

# The expression, the sort key's operator and the placeholders of its operands.
FOUND: list[tuple[str, str | None, list[str]]] = [
    ("pk = :k", None, []),
    ("(pk = :k)", None, []),
    (":k = pk", None, []),
    ("#pk = :k", None, []),
    ("pk = :k AND sk = :a", "=", [":a"]),
    ("sk = :a AND pk = :k", "=", [":a"]),
    ("(pk = :k) AND (sk < :a)", "<", [":a"]),
    ("(pk = :k AND sk <= :a)", "<=", [":a"]),
    ("pk = :k AND sk > :a", ">", [":a"]),
    ("pk = :k AND sk >= :a", ">=", [":a"]),
    ("pk = :k AND :a < sk", ">", [":a"]),
    ("pk = :k AND :a >= sk", "<=", [":a"]),
    ("pk = :k AND sk BETWEEN :a AND :b", "BETWEEN", [":a", ":b"]),
    ("pk = :k AND begins_with(sk, :a)", "begins_with", [":a"]),
]

REFUSED = [
    ("", "Invalid KeyConditionExpression: The expression can not be empty;"),
    ("pk > :k", "Query key condition not supported"),
    ("begins_with(pk, :k)", "Query key condition not supported"),
    ("pk BETWEEN :a AND :b AND sk = :a", "Query key condition not supported"),
    ("sk = :a", "Query condition missed key schema element: pk"),
    ("x = :a", "Query condition missed key schema element: pk"),
    ("pk = :k AND x = :a", "Query condition missed key schema element: sk"),
    (
        "pk = :k AND sk = :a AND x = :a",
        (
            "The number of query conditions (3) exceeds the number of key attributes defined in "
            "the schema (2)"
        ),
    ),
    ("pk <> :k", "Invalid operator used in KeyConditionExpression: <>"),
    ("pk = :k OR sk = :a", "Invalid operator used in KeyConditionExpression: OR"),
    ("pk = :k AND NOT sk = :a", "Invalid operator used in KeyConditionExpression: NOT"),
    ("pk IN (:k)", "Invalid operator used in KeyConditionExpression: IN"),
    ("pk = :k AND contains(sk, :a)", "Invalid operator used in KeyConditionExpression: contains"),
    (
        "attribute_exists(pk)",
        "Invalid operator used in KeyConditionExpression: attribute_exists",
    ),
    ("pk = :k AND size(sk) = :n", "KeyConditionExpressions cannot contain nested operations"),
    (
        "pk = :k AND begins_with(:a, sk)",
        (
            "Invalid condition in KeyConditionExpression: begins_with operator must have the key "
            "attribute as its first operand"
        ),
    ),
    (
        "pk = :k AND sk = x",
        (
            "Invalid condition in KeyConditionExpression: Multiple attribute names used in one "
            "condition"
        ),
    ),
    (":k = :k", "Invalid condition in KeyConditionExpression: No key attribute specified"),
    (
        "pk.x = :k",
        ("KeyConditionExpressions cannot have conditions on nested attributes"),
    ),
    (
        "pk = :k AND sk > :a AND sk < :b",
        "KeyConditionExpressions must only contain one condition per key",
    ),
    (
        "pk = :n",
        (
            "One or more parameter values were invalid: "
            "Condition parameter type does not match schema type"
        ),
    ),
    (
        "pk = :k AND sk > :n",
        (
            "One or more parameter values were invalid: "
            "Condition parameter type does not match schema type"
        ),
    ),
    (
        "pk = :k AND sk BETWEEN :b AND :a",
        (
            "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be "
            "greater than or equal to lower bound; lower bound operand: AttributeValue: {S:b}, "
            "upper bound operand: AttributeValue: {S:a}"
        ),
    ),
    (
        "pk = :k AND begins_with(sk, :n)",
        (
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; "
            "operator or function: begins_with, operand type: N"
        ),
    ),
]


def found(text: str, *, with_sort_key: bool = True) -> KeyCondition:
    condition = parse_condition(text, {"#pk": "pk"}, "KeyConditionExpression")
    check_values(condition, VALUES)
    sort = KeySchemaElement("sk", "S") if with_sort_key else None
    return key_condition(condition.tree, KeySchema(KeySchemaElement("pk", "S"), sort), VALUES)


@pytest.mark.parametrize(("text", "operator", "operands"), FOUND)
def test_a_key_condition_says_what_it_asks_of_each_key(
    text: str,
    operator: str | None,
    operands: list[str],
) -> None:
    asked = found(text)
    assert asked.partition == ({"S": "k"},)
    assert (asked.range.operator if asked.range else None) == operator
    assert list(asked.range.operands if asked.range else ()) == [VALUES[name] for name in operands]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_a_key_condition_is_refused_with_the_words_of_aws(text: str, message: str) -> None:
    with pytest.raises(ValidationException) as refused:
        found(text)
    assert refused.value.message == message


def test_a_second_condition_needs_a_sort_key() -> None:
    with pytest.raises(ValidationException) as refused:
        found("pk = :k AND sk = :a", with_sort_key=False)
    assert refused.value.message == (
        "The number of query conditions (2) exceeds the number of key attributes defined in the "
        "schema (1)"
    )
