"""Statements return the same items as the equivalent expressions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as draw_for
from hypothesis import strategies as st

from .refusals import CANCELLED, refused
from .shapes import plain, value
from .statements import entry, item_pages
from .tables import MakeTable, Table, everything, pages

few = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))

PATHS = ("aa", "bb", "mm.xx", "ll[0]", "ll[1].xx")
VALUES: tuple[Any, ...] = (0, 1, 2, "x", "xy", "y", True, None, {"x", "y"}, {1}, [1, "x"], b"x")
ORDERED = (0, 1, 2, -3, "x", "xy", "it's")
TYPES = ("S", "N", "B", "SS", "NS", "L", "M", "BOOL", "NULL")


def _literal(python: Any) -> str:
    """A value in PartiQL; bytes have no literal."""
    match python:
        case None | bool():
            return {None: "NULL", True: "true", False: "FALSE"}[python]
        case str():
            return "'{}'".format(python.replace("'", "''"))
        case set():
            return f"<<{', '.join(map(_literal, sorted(python)))}>>"
        case list():
            return f"[{', '.join(map(_literal, python))}]"
    return str(python)


@dataclass
class _Pair:
    """One condition in both languages, drawn from left to right."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    values: dict[str, Any] = field(default_factory=dict)
    parameters: list[Any] = field(default_factory=list)

    def one_of(self, choices: tuple[Any, ...]) -> Any:
        return self.draw(st.sampled_from(choices))

    def value(self, python: Any) -> tuple[str, str]:
        """A placeholder, and a literal or a parameter."""
        name = f":v{len(self.values)}"
        self.values[name] = value(python)
        if not isinstance(python, bytes) and self.draw(st.booleans()):
            return name, _literal(python)
        self.parameters.append(python)
        return name, "?"

    def members(self, kind: str, expression: str) -> dict[str, Any]:
        """The members of a request for an expression."""
        values = {"ExpressionAttributeValues": self.values} if self.values else {}
        return {kind: expression, **values}

    def condition(self, depth: int = 2) -> tuple[str, str]:
        if depth and self.draw(st.booleans()):
            word = self.one_of(("AND", "OR"))
            one, two = self.condition(depth - 1), self.condition(depth - 1)
            left, right = (f"({one[n]} {word} {two[n]})" for n in range(2))
            return left, right
        leaf = self.one_of((self.comparison, self.between, self.among, self.test, self.size))
        expression, statement = leaf()
        negated = "NOT " if self.draw(st.booleans()) else ""
        return negated + expression, negated + statement

    def comparison(self) -> tuple[str, str]:
        path, operator = self.one_of(PATHS), self.one_of(("=", "<>", "<", "<=", ">", ">="))
        choices = VALUES if operator in {"=", "<>"} else ORDERED
        name, literal = self.value(self.one_of(choices))
        return f"{path} {operator} {name}", f"{path} {operator} {literal}"

    def between(self) -> tuple[str, str]:
        path = self.one_of(PATHS)
        low, high = self.value(self.one_of((0, 1))), self.value(self.one_of((1, 2)))
        return tuple(f"{path} BETWEEN {low[n]} AND {high[n]}" for n in range(2))  # type: ignore[return-value]

    def among(self) -> tuple[str, str]:
        path = self.one_of(PATHS)
        chosen = [self.value(self.one_of(VALUES)) for _ in range(self.one_of((1, 2, 3)))]
        names, literals = (", ".join(each[n] for each in chosen) for n in range(2))
        return f"{path} IN ({names})", f"{path} IN [{literals}]"

    def test(self) -> tuple[str, str]:
        path, kind = self.one_of(PATHS), self.one_of(("there", "type", "start", "part"))
        if kind == "there":
            if self.draw(st.booleans()):
                return f"attribute_exists({path})", f"{path} IS NOT MISSING"
            return f"attribute_not_exists({path})", f"{path} IS MISSING"
        function, choices = {
            "type": ("attribute_type", TYPES),
            "start": ("begins_with", ("x", "y", b"x")),
            "part": ("contains", (1, "x", "y", b"x")),
        }[kind]
        name, literal = self.value(self.one_of(choices))
        return f"{function}({path}, {name})", f"{function.upper()}({path}, {literal})"

    def size(self) -> tuple[str, str]:
        path, operator = self.one_of(PATHS), self.one_of(("=", "<", ">="))
        name, literal = self.value(self.one_of((0, 1, 2)))
        return f"size({path}) {operator} {name}", f"size({path}) {operator} {literal}"


@pytest.fixture(scope="module")
def varied(make_shared_table: MakeTable) -> Table:
    """Items whose attributes have all kinds of values."""
    table = make_shared_table("pk:S sk:N")
    candidates = (*VALUES, {"xx": 1}, {"xx": "x"})
    for number, (pk, candidate) in enumerate(product("pq", candidates)):
        other = candidates[(number * 5) % len(candidates)]
        attributes = {"aa": candidate, "bb": other, "mm": {"xx": other}, "ll": [other, candidate]}
        kept = [name for place, name in enumerate(attributes) if (number + place) % 4]
        table.put(pk=pk, sk=number, **{name: attributes[name] for name in kept})
    return table


@few
@draw_for(data=st.data())
def test_where_filters_a_scan_like_a_filter_expression(varied: Table, data: st.DataObject) -> None:
    pair = _Pair(data.draw)
    expression, where = pair.condition()
    expected = everything(varied.scan, **pair.members("FilterExpression", expression))
    limit = data.draw(st.sampled_from([None, 1, 5]))
    limited = {} if limit is None else {"Limit": limit}
    found = item_pages(varied, f"SELECT * FROM $t WHERE {where}", *pair.parameters, **limited)
    assert [item for page in found for item in page] == expected


@few
@draw_for(data=st.data())
def test_where_queries_like_key_conditions_and_a_filter(varied: Table, data: st.DataObject) -> None:
    pair = _Pair(data.draw)
    operator = data.draw(st.sampled_from(["=", "<", "<=", ">", ">="]))
    partition, bound = pair.value(pair.one_of(("p", "q", "r"))), pair.value(pair.one_of((3, 20)))
    key = f"pk = {partition[0]} AND sk {operator} {bound[0]}"
    keys = f"pk = {partition[1]} AND sk {operator} {bound[1]}"
    expression, where = pair.condition()
    forward, limit = data.draw(st.booleans()), data.draw(st.integers(1, 6))
    request = {
        "KeyConditionExpression": key,
        **pair.members("FilterExpression", expression),
        "ScanIndexForward": forward,
        "Limit": limit,
    }
    expected = [[plain(item) for item in page["Items"]] for page in pages(varied.query, **request)]
    order = "ASC" if forward else "DESC"
    statement = f"SELECT * FROM $t WHERE {keys} AND {where} ORDER BY sk {order}"
    found = item_pages(varied, statement, *pair.parameters, Limit=limit)
    if operator == "=":  # a get has one page, a query may have an empty one behind it
        found, expected = ([[item for page in each for item in page]] for each in (found, expected))
    assert found == expected


@few
@draw_for(data=st.data())
def test_where_guards_a_write_like_a_condition_expression(
    varied: Table, data: st.DataObject
) -> None:
    pair = _Pair(data.draw)
    partition, sort = pair.value("p"), pair.value(data.draw(st.integers(0, 14)))
    expression, where = pair.condition()
    key = {"KeyConditionExpression": f"pk = {partition[0]} AND sk = {sort[0]}"}
    holds = everything(varied.query, **key, **pair.members("FilterExpression", expression))
    exists = f"EXISTS(SELECT * FROM $t WHERE pk = {partition[1]} AND sk = {sort[1]} AND ({where}))"
    check = entry(varied, exists, *pair.parameters)
    with nullcontext() if holds else refused(CANCELLED):
        varied.client.execute_transaction(TransactStatements=[check])
