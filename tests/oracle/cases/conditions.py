"""ConditionExpression: every operator and function, on every kind of value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import TABLE, create, delete, n, put, s, update
from tests.oracle.scenario import Scenario, Step, each

__all__ = ["scenarios"]

_KEY = {"pk": s("a")}
_ITEM: dict[str, Any] = {
    **_KEY,
    "s": s("hello"),
    "n": n(5),
    "b": {"B": "YWJj"},
    "ss": {"SS": ["a", "b"]},
    "ns": {"NS": ["1", "2.5"]},
    "bs": {"BS": ["YQ==", "Yg=="]},
    "l": {"L": [n(1), s("two"), {"M": {"x": n(3)}}]},
    "m": {"M": {"a": n(1), "deep": {"M": {"er": s("x")}}}},
    "t": {"BOOL": True},
    "z": {"NULL": True},
    "e": s(""),
}
_ONE = {":v": n(5)}
_EXPRESSIONS: list[tuple[str, dict[str, Any] | None]] = [
    ("n = :v", _ONE),
    ("n <> :v", _ONE),
    ("n < :v", {":v": n(6)}),
    ("n <= :v", _ONE),
    ("n > :v", {":v": n("4.99")}),
    ("n >= :v", {":v": n("5.0")}),
    (":v = n", _ONE),
    (":v < :w", {":v": n(1), ":w": n(2)}),
    ("n = :v", {":v": s("5")}),
    ("n <> :v", {":v": s("5")}),
    ("n < :v", {":v": s("6")}),
    ("nope = :v", _ONE),
    ("nope <> :v", _ONE),
    ("nope = nope", None),
    ("nope < :v", _ONE),
    ("NOT nope = :v", _ONE),
    ("n = n", None),
    ("n = s", None),
    ("n <> s", None),
    ("ss = :v", {":v": {"SS": ["b", "a"]}}),
    ("ns = :v", {":v": {"NS": ["2.50", "1.0"]}}),
    ("l = :v", {":v": {"L": [n("1.0"), s("two"), {"M": {"x": n(3)}}]}}),
    ("m = :v", {":v": {"M": {"deep": {"M": {"er": s("x")}}, "a": n(1)}}}),
    ("t = :v", {":v": {"BOOL": True}}),
    ("z = :v", {":v": {"NULL": True}}),
    ("t < :v", {":v": {"BOOL": True}}),
    ("ss < :v", {":v": {"SS": ["a"]}}),
    ("l > :v", {":v": {"L": []}}),
    ("m <= :v", {":v": {"M": {}}}),
    ("b < :v", {":v": {"B": "YWJk"}}),
    ("n BETWEEN :v AND :w", {":v": n(1), ":w": n(5)}),
    ("n BETWEEN :v AND :w", {":v": n(9), ":w": n(1)}),
    ("n BETWEEN :v AND :w", {":v": n(1), ":w": s("9")}),
    ("s BETWEEN :v AND :w", {":v": n(1), ":w": n(9)}),
    ("nope BETWEEN :v AND :w", {":v": n(1), ":w": n(9)}),
    (":v BETWEEN n AND :w", {":v": n(6), ":w": n(9)}),
    ("t BETWEEN :v AND :w", {":v": {"BOOL": True}, ":w": {"BOOL": True}}),
    ("n IN (:v, :w)", {":v": n(1), ":w": n("5.0")}),
    ("n IN (:v)", {":v": s("5")}),
    ("nope IN (:v)", _ONE),
    ("n IN (s, n)", None),
    ("n IN ()", None),
    ("NOT n IN (:v)", {":v": n(1)}),
    ("n = :v AND s = :w", {":v": n(5), ":w": s("hello")}),
    ("n = :v OR s = :w", {":v": n(0), ":w": s("hello")}),
    ("NOT n = :v AND s = :w", {":v": n(0), ":w": s("hello")}),
    ("NOT (n = :v OR s = :w)", {":v": n(0), ":w": s("x")}),
    ("n = :v OR n = :v AND s = :w", {":v": n(5), ":w": s("x")}),
    ("NOT NOT n = :v", _ONE),
    ("((n = :v))", _ONE),
    ("(n) = :v", _ONE),
    ("n = (:v)", _ONE),
    ("attribute_exists(n)", None),
    ("attribute_exists(nope)", None),
    ("attribute_not_exists(nope)", None),
    ("attribute_exists(m.deep.er)", None),
    ("attribute_exists(l[2].x)", None),
    ("attribute_exists(l[9])", None),
    ("attribute_exists(n.x)", None),
    ("attribute_exists(l.x)", None),
    ("attribute_exists(m[0])", None),
    ("attribute_exists(:v)", _ONE),
    ("attribute_exists(n, s)", None),
    ("attribute_exists()", None),
    ("attribute_type(n, :v)", {":v": s("N")}),
    ("attribute_type(n, :v)", {":v": s("S")}),
    ("attribute_type(nope, :v)", {":v": s("S")}),
    ("attribute_type(z, :v)", {":v": s("NULL")}),
    ("attribute_type(n, :v)", {":v": s("Z")}),
    ("attribute_type(n, :v)", _ONE),
    ("attribute_type(n, s)", None),
    ("begins_with(s, :v)", {":v": s("he")}),
    ("begins_with(s, :v)", {":v": s("")}),
    ("begins_with(b, :v)", {":v": {"B": "YQ=="}}),
    ("begins_with(n, :v)", {":v": s("5")}),
    ("begins_with(s, :v)", _ONE),
    ("begins_with(s, s)", None),
    ("begins_with(nope, :v)", {":v": s("x")}),
    ("begins_with(:v, :w)", {":v": s("ab"), ":w": s("a")}),
    ("contains(s, :v)", {":v": s("ell")}),
    ("contains(s, :v)", {":v": s("")}),
    ("contains(s, :v)", _ONE),
    ("contains(ss, :v)", {":v": s("a")}),
    ("contains(ns, :v)", {":v": n("2.50")}),
    ("contains(bs, :v)", {":v": {"B": "YQ=="}}),
    ("contains(l, :v)", {":v": s("two")}),
    ("contains(l, :v)", {":v": n("1.0")}),
    ("contains(l, :v)", {":v": {"M": {"x": n(3)}}}),
    ("contains(b, :v)", {":v": {"B": "Yg=="}}),
    ("contains(n, :v)", _ONE),
    ("contains(m, :v)", {":v": s("a")}),
    ("contains(ss, :v)", {":v": {"SS": ["a"]}}),
    ("contains(nope, :v)", _ONE),
    ("contains(s, s)", None),
    ("contains(s, e)", None),
    ("contains(l, n)", None),
    ("size(s) = :v", _ONE),
    ("size(ss) = :v", {":v": n(2)}),
    ("size(l) = :v", {":v": n(3)}),
    ("size(m) = :v", {":v": n(2)}),
    ("size(b) = :v", {":v": n(3)}),
    ("size(e) = :v", {":v": n(0)}),
    ("size(n) = :v", _ONE),
    ("size(t) = :v", {":v": n(1)}),
    ("size(z) = :v", {":v": n(1)}),
    ("size(nope) = :v", _ONE),
    ("size(nope) <> :v", _ONE),
    ("size(s) > size(ss)", None),
    ("size(s) BETWEEN :v AND :w", {":v": n(1), ":w": n(9)}),
    ("size(s) IN (:v)", _ONE),
    ("size(:v) = :w", {":v": s("ab"), ":w": n(2)}),
    ("size(s)", None),
    ("size(s) = :v", {":v": s("5")}),
    ("size = :v", _ONE),
    ("name = :v", _ONE),
    ("Size(s) = :v", _ONE),
    ("ATTRIBUTE_EXISTS(n)", None),
    ("n = :v and s <> :v", _ONE),
    ("n = :v Or n = :v", _ONE),
    ("nope()", None),
    ("n", None),
    (":v", _ONE),
    ("n = ", None),
    ("= :v", _ONE),
    ("n = = :v", _ONE),
    ("n == :v", _ONE),
    ("n != :v", _ONE),
    ("n = :v AND", _ONE),
    ("AND n = :v", _ONE),
    ("(n = :v", _ONE),
    ("n = :v)", _ONE),
    ("()", None),
    ("", None),
    (" ", None),
    ("n = :v; n = :v", _ONE),
    ("n = 5", None),
    ("s = 'hello'", None),
    ("n = :", _ONE),
    ("n = :nope", None),
    ("n = :v", {":v": n(5), ":unused": n(1)}),
    ("n = :v", {}),
    ("attribute_exists(n)", _ONE),
    ("m.deep.er = :v", {":v": s("x")}),
    ("m . deep . er = :v", {":v": s("x")}),
    ("l[0] = :v", {":v": n(1)}),
    ("l[ 0 ] = :v", {":v": n(1)}),
    ("l[-1] = :v", {":v": n(1)}),
    ("l[:v] = :v", {":v": n(1)}),
    ("l[2].x = :v", {":v": n(3)}),
    ("l[00] = :v", {":v": n(1)}),
    ("_n = :v", _ONE),
    ("n_1 = :v", _ONE),
    ("1n = :v", _ONE),
    ("n-1 = :v", _ONE),
    ("é = :v", _ONE),
    ("n=:v", _ONE),
    ("n<>:v", _ONE),
    ("NOT(n=:v)", _ONE),
    ("(n=:v)AND(n=:v)", _ONE),
    ("n = :v\nAND\tn = :v", _ONE),
]
_NAMED: list[tuple[str, dict[str, str], dict[str, Any]]] = [
    ("#n = :v", {"#n": "n"}, _ONE),
    ("#m.#d.er = :v", {"#m": "m", "#d": "deep"}, {":v": s("x")}),
    ("#x = :v", {"#x": "m.a"}, {":v": n(1)}),
    ("#n = :v", {"#n": "n", "#unused": "s"}, _ONE),
    ("#nope = :v", {"#n": "n"}, _ONE),
    ("n = :v", {}, _ONE),
    ("#n = :v", {"#n": ""}, _ONE),
    ("n = :v", {"n": "n"}, _ONE),
    ("#size = :v", {"#size": "size"}, _ONE),
    ("#l[0] = :v", {"#l": "l"}, {":v": n(1)}),
    ("#1 = :v", {"#1": "n"}, _ONE),
    ("#a-b = :v", {"#a-b": "n"}, _ONE),
]
_REFUSING = {"ConditionExpression": "attribute_not_exists(pk)"}


def scenarios() -> Iterator[Scenario]:
    """Each expression as the condition of a delete; then what a failed condition says."""
    setup = [create(), put(_ITEM)]
    yield from each("condition", setup, _deletes())
    yield from each("condition with names", setup, _named())
    yield from each("condition at its limits", setup, _limits())
    yield from each("failed condition", setup, _failures())


def _deletes() -> Iterator[Step]:
    for expression, values in _EXPRESSIONS:
        members: dict[str, Any] = {"ConditionExpression": expression}
        if values is not None:
            members["ExpressionAttributeValues"] = values
        yield delete(_KEY, f"{expression} {values or ''}", **members)


def _named() -> Iterator[Step]:
    for expression, names, values in _NAMED:
        yield delete(
            _KEY,
            f"{expression} {names}",
            ConditionExpression=expression,
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=values,
        )


def _limits() -> Iterator[Step]:
    many = {f":v{one}": n(one) for one in range(101)}
    for count in (100, 101):
        some = dict(list(many.items())[:count])
        yield _where(f"IN of {count}", f"n IN ({', '.join(some)})", some)
    for count in (300, 301):
        yield _where(f"{count} comparisons", " OR ".join(["n = :v"] * count), _ONE)
    for length in (4096, 4097):
        start = "n = :v AND attribute_not_exists("
        yield _where(f"{length} bytes", f"{start}{'a' * (length - len(start) - 1)})", _ONE)


def _where(note: str, expression: str, values: dict[str, Any]) -> Step:
    return delete(_KEY, note, ConditionExpression=expression, ExpressionAttributeValues=values)


def _failures() -> Iterator[Step]:
    shown = {"ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    existing = {"ConditionExpression": "attribute_exists(pk)"}
    yield put(_KEY, "put", **_REFUSING)
    yield put(_KEY, "put, shown", **_REFUSING, **shown)
    yield delete(_KEY, "delete, shown", **_REFUSING, **shown)
    yield update(_KEY, "SET v = :v", _ONE, "update, shown", **_REFUSING, **shown)
    yield delete({"pk": s("none")}, "delete of nothing, shown", **existing, **shown)
    yield update({"pk": s("none")}, "SET v = :v", _ONE, "update of nothing", **existing)
    yield put({"pk": s("none")}, "put of nothing", **existing)
    yield put(_KEY, "unknown choice", ReturnValuesOnConditionCheckFailure="SOME", **_REFUSING)
    request = {"TableName": TABLE, "Item": _KEY, "ExpressionAttributeValues": _ONE}
    yield Step("PutItem", request, "values without a condition")
