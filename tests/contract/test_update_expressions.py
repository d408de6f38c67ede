"""What SET, REMOVE, ADD and DELETE make of an item, and what they refuse."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, used
from .tables import Table, unique_name

Attributes = dict[str, Any]


def _update(table: Table, before: Attributes, expression: str, values: Attributes) -> Attributes:
    key = unique_name()
    table.put(pk=key, **before)
    table.update_item(Key=item(pk=key), UpdateExpression=expression, **given(**values))
    after = table.get(pk=key)
    assert after is not None
    del after["pk"]
    return after


SET: list[tuple[Attributes, str, Attributes, Attributes]] = [
    ({}, "SET a = :v", {"v": 1}, {"a": 1}),
    ({"a": 1}, "SET a = :v", {"v": [None, {"x": b"y"}]}, {"a": [None, {"x": b"y"}]}),
    ({"a": 1}, "SET b = a", {}, {"a": 1, "b": 1}),
    ({"a": 1, "b": 2}, "SET a = b, b = a", {}, {"a": 2, "b": 1}),
    ({"a": 1}, "SET a = a + :v", {"v": 2}, {"a": 3}),
    ({"a": 1}, "SET a = a - :v", {"v": 2}, {"a": -1}),
    ({"a": 1}, "SET a = :v - a", {"v": 5}, {"a": 4}),
    ({"a": 1, "b": 2}, "SET c = a + b", {}, {"a": 1, "b": 2, "c": 3}),
    ({}, "SET a = :v + :w", {"v": 1, "w": 2}, {"a": 3}),
    ({"a": 1}, "SET a = if_not_exists(a, :v)", {"v": 9}, {"a": 1}),
    ({}, "SET a = if_not_exists(a, :v)", {"v": 9}, {"a": 9}),
    ({}, "SET a = if_not_exists(a, :v) + :w", {"v": 9, "w": 1}, {"a": 10}),
    ({"b": 4}, "SET a = if_not_exists(a, b)", {}, {"a": 4, "b": 4}),
    ({"a": [1]}, "SET a = list_append(a, :v)", {"v": [2]}, {"a": [1, 2]}),
    ({"a": [1]}, "SET a = list_append(:v, a)", {"v": [2]}, {"a": [2, 1]}),
    ({}, "SET a = list_append(if_not_exists(a, :e), :v)", {"e": [], "v": [2]}, {"a": [2]}),
    ({"a": [1, 2]}, "SET a[0] = :v", {"v": 9}, {"a": [9, 2]}),
    ({"a": [1, 2]}, "SET a[9] = :v", {"v": 9}, {"a": [1, 2, 9]}),
    ({"a": [1]}, "SET a[5] = :v, a[3] = :w", {"v": 5, "w": 3}, {"a": [1, 3, 5]}),
    ({"a": {"b": 1}}, "SET a.c = :v", {"v": 2}, {"a": {"b": 1, "c": 2}}),
    ({"a": {"b": [{"c": 1}]}}, "SET a.b[0].c = :v", {"v": 2}, {"a": {"b": [{"c": 2}]}}),
    ({"a": {"b": 1}}, "SET a.b = a.b + :v", {"v": 1}, {"a": {"b": 2}}),
    ({"a": [[1, 2], 3]}, "SET a[0][1] = :v", {"v": 9}, {"a": [[1, 9], 3]}),
    ({"a": {"b": 1}}, "set a.b = :v", {"v": 2}, {"a": {"b": 2}}),
    ({"a": 1}, "SET a = (a + :v)", {"v": 1}, {"a": 2}),
]

REMOVE: list[tuple[Attributes, str, Attributes, Attributes]] = [
    ({"a": 1, "b": 2}, "REMOVE a", {}, {"b": 2}),
    ({"a": 1, "b": 2}, "REMOVE a, b, absent", {}, {}),
    ({"a": {"b": 1, "c": 2}}, "REMOVE a.b", {}, {"a": {"c": 2}}),
    ({"a": {"b": 1}}, "REMOVE a.b", {}, {"a": {}}),
    ({"a": {"b": 1}}, "REMOVE a.absent", {}, {"a": {"b": 1}}),
    ({"a": [1, 2, 3]}, "REMOVE a[1]", {}, {"a": [1, 3]}),
    ({"a": [1, 2, 3]}, "REMOVE a[0], a[1]", {}, {"a": [3]}),
    ({"a": [1, 2, 3]}, "REMOVE a[9]", {}, {"a": [1, 2, 3]}),
    ({"a": [1]}, "REMOVE a[0]", {}, {"a": []}),
    ({"a": [1, 2, 3]}, "REMOVE a[0] SET a[2] = :v", {"v": 9}, {"a": [2, 9]}),
]

ADD_DELETE: list[tuple[Attributes, str, Attributes, Attributes]] = [
    ({"a": 1}, "ADD a :v", {"v": 2}, {"a": 3}),
    ({"a": 1}, "ADD a :v", {"v": -1}, {"a": 0}),
    ({}, "ADD a :v", {"v": 2}, {"a": 2}),
    ({"a": {1, 2}}, "ADD a :v", {"v": {2, 3}}, {"a": {1, 2, 3}}),
    ({"a": {"x"}}, "ADD a :v", {"v": {"y"}}, {"a": {"x", "y"}}),
    ({"a": {b"x"}}, "ADD a :v", {"v": {b"y"}}, {"a": {b"x", b"y"}}),
    ({}, "ADD a :v", {"v": {"y"}}, {"a": {"y"}}),
    ({"a": {"b": 1}}, "ADD a.b :v", {"v": 1}, {"a": {"b": 2}}),
    ({"a": {}}, "ADD a.b :v", {"v": 1}, {"a": {"b": 1}}),
    ({"a": {"x", "y"}}, "DELETE a :v", {"v": {"y", "z"}}, {"a": {"x"}}),
    ({"a": {1, 2}}, "DELETE a :v", {"v": {Decimal("1.0")}}, {"a": {2}}),
    ({"a": {"x"}}, "DELETE a :v", {"v": {"x"}}, {}),
    ({}, "DELETE a :v", {"v": {"x"}}, {}),
    ({"a": {"b": {"x", "y"}}}, "DELETE a.b :v", {"v": {"x"}}, {"a": {"b": {"y"}}}),
    (
        {"a": 1, "b": 2, "c": 3, "d": {"x", "y"}},
        "SET a = :v REMOVE b ADD c :v DELETE d :s",
        {"v": 10, "s": {"x"}},
        {"a": 10, "c": 13, "d": {"y"}},
    ),
    (
        {"a": 1, "d": {"x", "y"}},
        "DELETE d :s ADD a :v",
        {"v": 10, "s": {"x"}},
        {"a": 11, "d": {"y"}},
    ),
]


@pytest.mark.parametrize(("before", "expression", "values", "after"), SET + REMOVE + ADD_DELETE)
def test_an_update_gives(
    shared: Table, before: Attributes, expression: str, values: Attributes, after: Attributes
) -> None:
    assert _update(shared, before, expression, values) == after


@pytest.mark.parametrize(
    ("a", "expression", "v", "expected"),
    [
        ("0.1", "SET a = a + :v", "0.2", "0.3"),
        ("9" * 38, "SET a = a - :v", "1", "9" * 37 + "8"),
        ("1E-100", "ADD a :v", "1E-100", "2E-100"),
        ("1E100", "SET a = a + :v", "1E99", "1.1E100"),
        ("5", "ADD a :v", "-5", "0"),
    ],
)
def test_arithmetic_is_exact(shared: Table, a: str, expression: str, v: str, expected: str) -> None:
    after = _update(shared, {"a": Decimal(a)}, expression, {"v": Decimal(v)})
    assert after["a"] == Decimal(expected)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        pytest.param("SET m.x.y = :v", "document path", id="a path through a number"),
        pytest.param("SET absent.x = :v", "document path", id="a path through nothing"),
        pytest.param("SET l.x = :v", "document path", id="a name in a list"),
        pytest.param("SET m[0] = :v", "document path", id="a position in a map"),
        pytest.param("REMOVE absent.x SET b = :v", "document path", id="removed under nothing"),
        pytest.param("SET b = absent", "does not exist in the item", id="a missing operand"),
        pytest.param("SET b = absent + :v", "does not exist in the item", id="adding to nothing"),
        pytest.param("SET b = t + :v", "incorrect data type", id="adding to text"),
        pytest.param("SET b = list_append(n, :l)", "incorrect data type", id="appending to 1"),
        pytest.param("ADD t :v", "incorrect data type", id="ADD to text"),
        pytest.param("ADD l :v", "incorrect data type", id="ADD to a list"),
        pytest.param("ADD s :ns", "incorrect data type", id="ADD numbers to strings"),
        pytest.param("ADD n :s", "incorrect data type", id="ADD a set to a number"),
        pytest.param("DELETE n :s", "incorrect data type", id="DELETE from a number"),
        pytest.param("DELETE s :ns", "incorrect data type", id="DELETE numbers from strings"),
        pytest.param("SET n = huge + huge", "overflow", id="past the largest number"),
    ],
)
def test_an_update_that_does_not_fit_the_item_is_refused(
    shared: Table, expression: str, said: str
) -> None:
    key = unique_name()
    before = {"n": 1, "t": "x", "l": [1], "m": {"x": 1}, "s": {"x"}, "huge": Decimal("9E125")}
    shared.put(pk=key, **before)
    values = used(expression, {"v": 1, "l": [2], "s": {"y"}, "ns": {1}})
    with refused(INVALID, match=said):
        shared.update_item(Key=item(pk=key), UpdateExpression=expression, **values)
    assert shared.get(pk=key) == {"pk": key, **before}


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("", "can not be empty"),
        ("a = :v", "Syntax error"),
        ("SET", "Syntax error"),
        ("SET a", "Syntax error"),
        ("SET a = :v,", "Syntax error"),
        ("SET a = :v b = :v", "Syntax error"),
        ("SET a == :v", "Syntax error"),
        ("SET a = :v * :v", "Syntax error"),
        ("SET a += :v", "Syntax error"),
        ("SET :v = a", "Syntax error"),
        ("ADD a = :v", "Syntax error"),
        ("ADD a b", "Syntax error"),
        ("REMOVE a = :v", "Syntax error"),
        ("SET a = :v + :v + :v", "Syntax error"),
        ("SET a = :v SET b = :v", "only be used once"),
        ("SET a = :v, a = :v", "overlap"),
        ("SET a = :v REMOVE a", "overlap"),
        ("SET a = :v, a.b = :v", "overlap"),
        ("SET a[0] = :v, a[0] = :v", "overlap"),
        ("SET a.b = :v, a[0] = :v", "conflict"),
        ("SET a = unknown(:v)", "(?i)invalid function name"),
        ("SET a = attribute_exists(b)", "(?i)function"),
        ("SET a = size(b)", "(?i)function"),
        ("SET a = if_not_exists(:v, :v)", "(?i)document path"),
        ("SET a = if_not_exists(a)", "(?i)number of operands"),
        ("SET a = list_append(a)", "(?i)number of operands"),
        ("SET a = list_append(a, :v)", "(?i)operand type|incorrect data type"),
        ("ADD a :text", "(?i)operand type|incorrect"),
        ("DELETE a :v", "(?i)operand type|incorrect"),
        ("SET a = :text + :v", "(?i)operand type|incorrect"),
        ("SET name = :v", "reserved keyword"),
        ("SET a = :undefined", "not defined"),
        ("SET #u = :v", "not defined"),
    ],
)
def test_an_expression_is_refused(shared: Table, expression: str, said: str) -> None:
    values = used(expression, {"v": 1, "text": "x"})
    with refused(INVALID, match=said):
        shared.update_item(Key=item(pk=unique_name()), UpdateExpression=expression, **values)


def test_values_that_no_expression_uses_are_refused(shared: Table) -> None:
    with refused(INVALID, match="unused in expressions"):
        shared.update_item(Key=item(pk="x"), UpdateExpression="SET a = :a", **given(a=1, unused=2))
    with refused(INVALID, match="can only be specified when using expressions"):
        shared.update_item(Key=item(pk="x"), **given(a=1))


def test_names_with_dots_and_spaces_are_updated_through_placeholders(shared: Table) -> None:
    key = unique_name()
    shared.put_item(Item=item({"a.b": {"c d": 1}}, pk=key))
    shared.update_item(
        Key=item(pk=key),
        UpdateExpression="SET #ab.#cd = #ab.#cd + :one, #n = :one",
        **given({"#ab": "a.b", "#cd": "c d", "#n": "name"}, one=1),
    )
    assert shared.get(pk=key) == {"pk": key, "a.b": {"c d": 2}, "name": 1}
