"""ProjectionExpression: which parts of an item come back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import create, get, n, put, s
from tests.oracle.scenario import Scenario, Step, together

__all__ = ["scenarios"]

_KEY = {"pk": s("a")}
_ITEM: dict[str, Any] = {
    **_KEY,
    "v": n(1),
    "m": {"M": {"a": n(1), "b": {"L": [n(1), {"M": {"x": n(2), "y": n(3)}}, n(3)]}}},
    "l": {"L": [n(0), n(1), n(2), {"L": [n(4), n(5)]}]},
}
_PLAIN = (
    "v",
    "pk",
    "v, pk",
    "nope",
    "v, nope",
    "m.a",
    "m.b",
    "m.b[0]",
    "m.b[2], m.b[0]",
    "m.b[1].x",
    "m.nope",
    "m.a, m.b[1].y",
    "l[1]",
    "l[2], l[0]",
    "l[9]",
    "l[3][1]",
    "l[3][1], l[0]",
    "v.x",
    "v[0]",
    "m[0]",
    "l.x",
    "v, v",
    "m, m.a",
    "l[0], l[0]",
    "l, l[0]",
    "m.b[0], m.b.x",
    "v,",
    ", v",
    "v pk",
    "v,, pk",
    "m.",
    "l[]",
    "l[x]",
    "l[-1]",
    ":v",
    "size",
    "name",
    "v AND pk",
    "(v)",
    "size(v)",
    "#v",
    "m.#v",
    "1v",
    "l [0]",
    "m . a",
)
_NAMED: list[tuple[str, dict[str, str]]] = [
    ("#v", {"#v": "v"}),
    ("#m.#a", {"#m": "m", "#a": "a"}),
    ("#x", {"#x": "m.a"}),
    ("#v, v", {"#v": "v"}),
    ("v", {"#v": "v"}),
    ("v", {}),
    ("#v", {"#v": "v", "#w": "w"}),
]


def scenarios() -> Iterator[Scenario]:
    """Each projection in a GetItem; reads only, so one item serves all."""
    yield from together("projection", [create(), put(_ITEM)], _reads())


def _reads() -> Iterator[Step]:
    for expression in (*_PLAIN, "", " "):
        yield get(_KEY, repr(expression), ProjectionExpression=expression)
    for expression, names in _NAMED:
        members: dict[str, Any] = {"ExpressionAttributeNames": names}
        yield get(_KEY, f"{expression} {names}", ProjectionExpression=expression, **members)
    yield get(_KEY, "names without a projection", ExpressionAttributeNames={"#v": "v"})
    yield get({"pk": s("none")}, "of nothing", ProjectionExpression="v")
