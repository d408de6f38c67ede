"""Conditions and filters: one table of examples, asked of both."""

from __future__ import annotations

from typing import Any

import pytest

from .refusals import INVALID, refused
from .shapes import given, item, used
from .tables import MakeTable, Table

SUBJECT: dict[str, object] = {
    "s": "hello",
    "blank": "",
    "planes": "é한\U0001f600",
    "n": 5,
    "neg": -3,
    "b": b"\x01\x02\x03",
    "yes": True,
    "nothing": None,
    "list1": [1, "two", {"x": 1}, [9]],
    "map1": {"x": 1, "y": {"z": "deep"}},
    "ss": {"a", "b"},
    "ns": {1, 2},
    "bs": {b"\x01", b"\x02"},
    "five": 5,
}

VALUES: dict[str, object] = {
    "hello": "hello", "hell": "hell", "ell": "ell", "e": "", "a": "a", "z": "z", "two": "two",
    "zero": 0, "one": 1, "two_": 2, "four": 4, "five_": 5, "six": 6, "b12": b"\x01\x02",
    "b1": b"\x01", "b123": b"\x01\x02\x03", "b2": b"\x02", "t": True, "f": False, "null": None,
    "l": [1, "two", {"x": 1}, [9]], "m": {"y": {"z": "deep"}, "x": 1}, "x1": {"x": 1},
    "sab": {"b", "a"}, "sa": {"a"}, "n12": {2, 1}, "deep": "deep",
    "S": "S", "N": "N", "B": "B", "BOOL": "BOOL", "NULL": "NULL", "L": "L", "M": "M",
    "SS": "SS", "NS": "NS", "BS": "BS",
}  # fmt: skip

TRUE = [
    "s = :hello", "n = :five_", "b = :b123", "yes = :t", "nothing = :null", "list1 = :l",
    "map1 = :m", "ss = :sab", "ns = :n12", "n = five", "blank = :e", ":hello = s",
    "s <> :hell", "n <> :hello", "yes <> :f", "absent <> :one", "ss <> :sa",
    "n < :six", "n <= :five_", "n > :four", "n >= :five_", "neg < :zero",
    "s < :z", "s > :hell", "s >= :hello", "b > :b12", "b <= :b123", "n > neg",
    "n BETWEEN :four AND :six", "n BETWEEN :five_ AND :five_", "s BETWEEN :a AND :z",
    ":five_ BETWEEN neg AND five", "n BETWEEN neg AND :six", "n BETWEEN :one AND five",
    "b BETWEEN :b1 AND :b2",
    "n IN (:five_)", "n IN (:one, :five_, :six)", "s IN (:a, :hello)", "five IN (n, neg)",
    "map1 IN (:m)", "yes IN (:f, :t)",
    "attribute_exists(s)", "attribute_exists(map1.y.z)", "attribute_exists(list1[3][0])",
    "attribute_exists(nothing)", "attribute_not_exists(absent)",
    "attribute_not_exists(map1.absent)", "attribute_not_exists(list1[4])",
    "attribute_not_exists(s.deeper)",
    "attribute_type(s, :S)", "attribute_type(n, :N)", "attribute_type(b, :B)",
    "attribute_type(yes, :BOOL)", "attribute_type(nothing, :NULL)", "attribute_type(list1, :L)",
    "attribute_type(map1, :M)", "attribute_type(ss, :SS)", "attribute_type(ns, :NS)",
    "attribute_type(bs, :BS)", "attribute_type(map1.y.z, :S)",
    "begins_with(s, :hell)", "begins_with(s, :hello)", "begins_with(b, :b12)",
    "begins_with(s, :e)", "begins_with(map1.y.z, :deep)",
    "contains(s, :ell)", "contains(s, :e)", "contains(ss, :a)", "contains(ns, :one)",
    "contains(bs, :b1)", "contains(b, :b2)", "contains(list1, :two)", "contains(list1, :x1)",
    "contains(:hello, blank)",
    "size(s) = :five_", "size(blank) = :zero", "size(planes) = :four", "size(b) > :two_",
    "size(list1) = :four",
    "size(map1) = :two_", "size(ss) = :two_", "size(s) = n", "size(s) BETWEEN :one AND :six",
    "size(s) IN (:five_, :one)", "size(map1.y.z) < :five_",
    "map1.x = :one", "list1[1] = :two", "list1[2].x = :one", "map1.y.z = :deep",
    "s = :hello AND n = :five_", "s = :a OR n = :five_", "NOT s = :a", "NOT absent = :one",
    "NOT (s = :a OR s = :z)", "NOT NOT s = :hello", "(s = :hello)", "absent <> absent2",
    "s = :a AND n = :one OR yes = :t", "yes = :t OR s = :a AND n = :one",
    "NOT s = :a AND n = :five_", "s = :hello and not n = :one or yes = :f",
    "n between :four and :six and s in (:hello)",
    "NOT contains(s, :z)", "NOT n BETWEEN :six AND :six",
]  # fmt: skip

FALSE = [
    "s = :hell", "n = :hello", "s = :five_", "absent = :one", "absent < :one", "absent = absent2",
    "s < :one", "n > :hello", "yes = :f", "ss = :sa", "list1 = :m", "n <> :five_", "n < :five_",
    "n > :five_", "b < :b12", "n <> five", "yes < five", "nothing < :one",
    "absent BETWEEN :one AND :six", "n BETWEEN :six AND :six", "s BETWEEN :one AND :six",
    "n IN (:one, :six)", "absent IN (:one)", "n IN (:hello)",
    "attribute_exists(absent)", "attribute_exists(map1.absent)", "attribute_exists(list1[9])",
    "attribute_exists(s[0])", "attribute_not_exists(s)", "attribute_not_exists(nothing)",
    "attribute_type(s, :N)", "attribute_type(absent, :S)", "attribute_type(yes, :S)",
    "begins_with(s, :ell)", "begins_with(n, :hell)", "begins_with(absent, :a)",
    "begins_with(s, :b1)", "contains(s, :z)", "contains(ss, :ell)", "contains(ns, :a)",
    "contains(list1, :deep)", "contains(absent, :a)", "contains(map1, :a)", "contains(n, :five_)",
    "size(absent) = :zero", "size(s) = :six", "size(n) = :one", "size(yes) >= :zero",
    "map1.x = :six", "list1[9] = :one", "s = :hello AND n = :one", "s = :a OR n = :one",
    "NOT s = :hello", "NOT (s = :hello AND n = :five_)", "NOT attribute_exists(s)",
    "s = :hello AND (n = :one OR yes = :f)",
]  # fmt: skip


@pytest.fixture(scope="module")
def subject(make_shared_table: MakeTable) -> Table:
    table = make_shared_table("pk:S")
    table.put(pk="a", **SUBJECT)
    return table


def _check(table: Table, expression: str) -> None:
    values = used(expression, VALUES)
    table.update_item(Key=item(pk="a"), ConditionExpression=expression, **values)


@pytest.mark.parametrize("expression", TRUE)
def test_a_condition_holds(subject: Table, expression: str) -> None:
    _check(subject, expression)


@pytest.mark.parametrize("expression", FALSE)
def test_a_condition_does_not_hold(subject: Table, expression: str) -> None:
    with refused("ConditionalCheckFailedException"):
        _check(subject, expression)


@pytest.mark.parametrize(
    ("expression", "holds"), [(e, True) for e in TRUE] + [(e, False) for e in FALSE]
)
def test_a_filter_agrees_with_the_condition(subject: Table, expression: str, holds: bool) -> None:
    page = subject.scan(FilterExpression=expression, **used(expression, VALUES))
    assert (page["Count"], page["ScannedCount"]) == (int(holds), 1)


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("", "can not be empty"),
        ("s", "Syntax error"),
        ("s =", "Syntax error"),
        ("= :a", "Syntax error"),
        ("s = :a AND", "Syntax error"),
        ("s = :a n = :one", "Syntax error"),
        ("(s = :a", "Syntax error"),
        ("s = :a)", "Syntax error"),
        ("s == :a", "Syntax error"),
        ("s != :a", "Syntax error"),
        ("s = 'a'", "Syntax error"),
        ("n = 5", "Syntax error"),
        ("n BETWEEN :one", "Syntax error"),
        ("n IN :one", "Syntax error"),
        ("n IN ()", "Syntax error"),
        ("NOT", "Syntax error"),
        ("s = :a XOR n = :one", "Syntax error"),
        ("attribute_exists s", "Syntax error"),
        ("attribute_exists()", "Syntax error"),
        ("unknown(s)", "(?i)invalid function name"),
        ("if_not_exists(s, :a)", "(?i)function"),
        ("size(s)", "(?i)function|syntax"),
        ("attribute_exists(s) = :t", "(?i)function|syntax"),
        ("attribute_exists(s, n)", "(?i)number of operands"),
        ("begins_with(s)", "(?i)number of operands"),
        ("contains(s, :a, :z)", "(?i)number of operands"),
        ("attribute_exists(:a)", "(?i)document path"),
        ("attribute_not_exists(:a)", "(?i)document path"),
        ("attribute_type(s, :hello)", "(?i)attribute type name"),
        ("attribute_type(s, :one)", "(?i)operand type"),
        ("begins_with(s, :one)", "(?i)operand type"),
        ("s < :t", "(?i)operand type"),
        ("s > :l", "(?i)operand type"),
        ("s BETWEEN :l AND :l", "(?i)operand type|distinct"),
        ("s = s", "(?i)distinct"),
        ("(s = :a) = :t", ""),
        ("s = :a = :t", ""),
        ("((n = :one))", "(?i)redundant parentheses"),
        ("((s = :a)) OR n = :one", "(?i)redundant parentheses"),
        ("n BETWEEN :six AND :one", "(?i)upper bound"),
        ("n BETWEEN :one AND :a", "(?i)same type|data type"),
        ("name = :a", "reserved keyword"),
        ("map1.Status = :a", "reserved keyword"),
        ("s = :undefined", "not defined"),
        ("#undefined = :a", "not defined"),
    ],
)
def test_a_condition_is_refused(subject: Table, expression: str, said: str) -> None:
    values = used(expression, VALUES)
    with refused(INVALID, match=said):
        subject.update_item(Key=item(pk="a"), ConditionExpression=expression, **values)
    with refused(INVALID, match=said):
        subject.scan(FilterExpression=expression, **values)


def test_a_condition_takes_a_hundred_operands_of_in(subject: Table) -> None:
    names = [f"v{n}" for n in range(101)]
    values = given(**{name: n for n, name in enumerate(names)})["ExpressionAttributeValues"]

    def among(count: int) -> dict[str, Any]:
        used = [f":{name}" for name in names[:count]]
        return {
            "FilterExpression": f"n IN ({', '.join(used)})",
            "ExpressionAttributeValues": {name: values[name] for name in used},
        }

    assert subject.scan(**among(100))["Count"] == 1
    with refused(INVALID):
        subject.scan(**among(101))


@pytest.mark.parametrize("name", ["s", "#s", "#a.b", "# s", "##"])
def test_values_must_begin_with_a_colon(subject: Table, name: str) -> None:
    with refused(INVALID):
        subject.scan(
            FilterExpression=f"s = {name}", ExpressionAttributeValues={name: {"S": "hello"}}
        )
