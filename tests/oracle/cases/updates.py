"""UpdateExpression in all its clauses, and ReturnValues in all their forms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import create, delete, get, n, put, s, update
from tests.oracle.scenario import Scenario, Step, each, together

__all__ = ["scenarios"]

_KEY = {"pk": s("a")}
_ITEM: dict[str, Any] = {
    **_KEY,
    "v": n(1),
    "s": s("x"),
    "m": {"M": {"a": n(1), "b": {"L": [n(1), n(2), n(3)]}, "c": s("x"), "d": {"M": {"e": n(1)}}}},
    "l": {"L": [n(1), n(2), n(3)]},
    "ss": {"SS": ["a", "b"]},
    "ns": {"NS": ["1", "2"]},
}
_NINE = {":v": n(9)}
_TWO = {":v": n(9), ":w": s("w")}
_SOME = {":v": {"SS": ["a", "c"]}}
_EXPRESSIONS: list[tuple[str, dict[str, Any] | None]] = [
    ("SET v = :v", _NINE),
    ("SET new = :v", _NINE),
    ("SET v = :v, s = :w", _TWO),
    ("SET v = v", None),
    ("SET v = s, s = v", None),
    ("SET v = v + :v", _NINE),
    ("SET v = v - :v", _NINE),
    ("SET v = :v - v", _NINE),
    ("SET v = v + v", None),
    ("SET v = v+:v", _NINE),
    ("SET v = v + :v + :v", _NINE),
    ("SET v = (v + :v)", _NINE),
    ("SET v = -:v", _NINE),
    ("SET v = v * :v", _NINE),
    ("SET new = nope + :v", _NINE),
    ("SET new = s + :v", _NINE),
    ("SET new = v + :v", {":v": s("a")}),
    ("SET new = :v + :w", _TWO),
    ("SET new = nope", None),
    ("SET new = m.nope", None),
    ("SET new = l[9]", None),
    ("SET new = m.b[1]", None),
    ("SET m.a = :v", _NINE),
    ("SET m.new = :v", _NINE),
    ("SET m.d.e = :v", _NINE),
    ("SET m.nope.e = :v", _NINE),
    ("SET nope.x = :v", _NINE),
    ("SET nope[0] = :v", _NINE),
    ("SET v.x = :v", _NINE),
    ("SET v[0] = :v", _NINE),
    ("SET m[0] = :v", _NINE),
    ("SET l.x = :v", _NINE),
    ("SET l[1] = :v", _NINE),
    ("SET l[3] = :v", _NINE),
    ("SET l[7] = :v", _NINE),
    ("SET l[7] = :v, l[5] = :w", _TWO),
    ("SET l[0] = l[2], l[2] = l[0]", None),
    ("SET m.b[1] = :v", _NINE),
    ("SET m.b[9] = :v", _NINE),
    ("SET l[0].x = :v", _NINE),
    ("SET v = if_not_exists(v, :v)", _NINE),
    ("SET new = if_not_exists(nope, :v)", _NINE),
    ("SET v = if_not_exists(v, :v) + :v", _NINE),
    ("SET new = if_not_exists(nope, :v) + :v", _NINE),
    ("SET new = if_not_exists(m.a, :v)", _NINE),
    ("SET new = if_not_exists(nope, v)", None),
    ("SET new = if_not_exists(nope, nada)", None),
    ("SET new = if_not_exists(:v, :v)", _NINE),
    ("SET new = if_not_exists(nope)", None),
    ("SET new = if_not_exists(nope, if_not_exists(nada, :v))", _NINE),
    ("SET l = list_append(l, :v)", {":v": {"L": [n(9)]}}),
    ("SET l = list_append(:v, l)", {":v": {"L": [n(9)]}}),
    ("SET l = list_append(l, l)", None),
    ("SET l = list_append(l, m.b)", None),
    ("SET l = list_append(l, :v)", {":v": {"L": []}}),
    ("SET v = list_append(v, :v)", {":v": {"L": []}}),
    ("SET l = list_append(l, :v)", _NINE),
    ("SET new = list_append(nope, :v)", {":v": {"L": []}}),
    ("SET new = list_append(if_not_exists(nope, :e), :v)", {":e": {"L": []}, ":v": {"L": [n(1)]}}),
    ("SET l = list_append(l)", None),
    ("SET new = size(s)", None),
    ("SET new = attribute_exists(s)", None),
    ("SET new = nope()", None),
    ("SET v :v", _NINE),
    ("SET v = ", None),
    ("SET = :v", _NINE),
    ("SET :v = :v", _NINE),
    ("SET v = :v,", _NINE),
    ("SET", None),
    ("v = :v", _NINE),
    ("", None),
    (" ", None),
    ("SET v = :v SET s = :v", _NINE),
    ("REMOVE v REMOVE s", None),
    ("set v = :v", _NINE),
    ("SET v = :v REMOVE s ADD new :v DELETE ss :w", {":v": n(9), ":w": {"SS": ["a"]}}),
    ("REMOVE s SET v = :v", _NINE),
    ("SET v = :v, v = :v", _NINE),
    ("SET m = :v, m.a = :v", _NINE),
    ("SET m.a = :v REMOVE m", _NINE),
    ("SET l[0] = :v, l[0] = :v", _NINE),
    ("SET m.b[0] = :v, m.b.x = :v", _NINE),
    ("SET v = :v REMOVE v", _NINE),
    ("REMOVE v, v", None),
    ("REMOVE v", None),
    ("REMOVE nope", None),
    ("REMOVE v, s", None),
    ("REMOVE m.a", None),
    ("REMOVE m.a, m.c, m.nope", None),
    ("REMOVE m.nope.x", None),
    ("REMOVE v.x", None),
    ("REMOVE nope.x", None),
    ("REMOVE l[0]", None),
    ("REMOVE l[0], l[2]", None),
    ("REMOVE l[2], l[0]", None),
    ("REMOVE l[9]", None),
    ("REMOVE l[0], l[1], l[2]", None),
    ("REMOVE m.b[1]", None),
    ("REMOVE l[0] SET l[1] = :v", _NINE),
    ("REMOVE :v", _NINE),
    ("REMOVE v s", None),
    ("ADD v :v", _NINE),
    ("ADD v :v", {":v": n(-1)}),
    ("ADD new :v", _NINE),
    ("ADD m.a :v", _NINE),
    ("ADD m.new :v", _NINE),
    ("ADD nope.x :v", _NINE),
    ("ADD l[0] :v", _NINE),
    ("ADD ss :v", _SOME),
    ("ADD new :v", _SOME),
    ("ADD ns :v", {":v": {"NS": ["2.0", "3"]}}),
    ("ADD ns :v", _SOME),
    ("ADD v :v", _SOME),
    ("ADD ss :v", _NINE),
    ("ADD s :v", _NINE),
    ("ADD v :v", {":v": s("a")}),
    ("ADD l :v", {":v": {"L": [n(1)]}}),
    ("ADD m :v", _NINE),
    ("ADD v v", None),
    ("ADD v = :v", _NINE),
    ("ADD v :v, new :v", _NINE),
    ("DELETE ss :v", {":v": {"SS": ["a"]}}),
    ("DELETE ss :v", {":v": {"SS": ["a", "b"]}}),
    ("DELETE ss :v", {":v": {"SS": ["zz"]}}),
    ("DELETE ns :v", {":v": {"NS": ["1.0"]}}),
    ("DELETE nope :v", _SOME),
    ("DELETE ss :v", {":v": {"NS": ["1"]}}),
    ("DELETE v :v", _SOME),
    ("DELETE ss :v", _NINE),
    ("DELETE ss :v", {":v": s("a")}),
    ("DELETE v", None),
    ("SET v = :nope", None),
    ("SET v = :v", {":v": n(1), ":u": n(1)}),
    ("SET size = :v", _NINE),
    ("SET name.x = :v", _NINE),
    ("SET v = :v", {":v": {"SS": []}}),
]
_RETURNS = ("NONE", "ALL_OLD", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW")


def scenarios() -> Iterator[Scenario]:
    """Each expression on an item that is there, and on one that is not."""
    for expression, values in _EXPRESSIONS:
        name = f"update: {expression} {values or ''}"
        yield from together(name, [create(), put(_ITEM)], _updated(expression, values))
    for expression, values in _EXPRESSIONS:
        if expression.startswith(("SET v", "SET new", "ADD", "REMOVE", "DELETE")):
            name = f"update of nothing: {expression} {values or ''}"
            yield from together(name, [create()], _updated(expression, values))
    for shown in ("UPDATED_OLD", "UPDATED_NEW"):
        asked = (_shown(*pair, shown) for pair in _EXPRESSIONS)
        yield from each(f"update, {shown}", [create(), put(_ITEM)], asked)
    for setup in ([create()], [create(), put(_ITEM)]):
        yield from each(f"returned, {len(setup) - 1} items", setup, _returned())
    yield from together("update without an expression", [create()], _bare())
    yield from each("returns of a put", [create(), put(_ITEM)], _put_returns())


def _updated(expression: str, values: dict[str, Any] | None) -> list[Step]:
    return [_shown(expression, values, "ALL_NEW"), get(_KEY, "then")]


def _shown(expression: str, values: dict[str, Any] | None, shown: str) -> Step:
    return update(_KEY, expression, values, f"{expression} {values or ''}", ReturnValues=shown)


def _returned() -> Iterator[Step]:
    for shown in (*_RETURNS, "SOME"):
        yield update(_KEY, "SET v = :v", _NINE, f"update {shown}", ReturnValues=shown)
        yield update(_KEY, note=f"bare update {shown}", ReturnValues=shown)
        yield delete(_KEY, f"delete {shown}", ReturnValues=shown)


def _put_returns() -> Iterator[Step]:
    for shown in (*_RETURNS, "SOME"):
        yield put({**_KEY, "v": n(2)}, shown, ReturnValues=shown)
        yield put({"pk": s("new")}, f"{shown}, nothing there", ReturnValues=shown)


def _bare() -> list[Step]:
    return [update(_KEY, ReturnValues="ALL_NEW"), get(_KEY), update(_KEY, ReturnValues="ALL_OLD")]
