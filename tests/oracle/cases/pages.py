"""Pages: Limit, LastEvaluatedKey and ExclusiveStartKey, for Query and Scan."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.oracle.cases.builders import ask, create, n, put, s
from tests.oracle.cases.queries import SETUP, query
from tests.oracle.scenario import Scenario, Step, together

__all__ = ["scenarios"]

_STARTS: dict[str, dict[str, Any]] = {
    "the first": {"pk": s("p"), "sk": n(1)},
    "the last": {"pk": s("p"), "sk": n(5)},
    "between two": {"pk": s("p"), "sk": n("2.5")},
    "no range key": {"pk": s("p")},
    "one attribute more": {"pk": s("p"), "sk": n(1), "x": s("a")},
    "another type": {"pk": s("p"), "sk": s("1")},
    "another partition": {"pk": s("other"), "sk": n(1)},
    "nothing": {},
    "another name": {"pk": s("p"), "zz": n(1)},
    "empty hash key": {"pk": s(""), "sk": n(1)},
}
_REFUSED = frozenset(_STARTS) - {"the first", "the last", "between two", "another partition"}
_INDEX_STARTS: dict[str, dict[str, Any]] = {
    "complete": {"g": s("g"), "l": n(6), "pk": s("p"), "sk": n(4)},
    "not there": {"g": s("g"), "l": n("6.5"), "pk": s("x"), "sk": n(4)},
    "index keys only": {"g": s("g"), "l": n(6)},
    "table keys only": {"pk": s("p"), "sk": n(4)},
    "another partition": {"g": s("h"), "l": n(6), "pk": s("p"), "sk": n(4)},
}
_BIG = [put({"pk": s("p"), "sk": n(place), "v": s("x" * 300_000)}) for place in range(8)]


def scenarios() -> Iterator[Scenario]:
    """One table read page by page from many starting points."""
    yield from together("limits", SETUP, _limits())
    yield from together("starts of a query", SETUP, _starts())
    yield from together("starts of a scan", SETUP, _scan_starts())
    yield from together("starts in an index", SETUP, _index_starts())
    yield from together("pages of a megabyte", [create("pk:S sk:N", "sk"), *_BIG], _big_pages())


def _limits() -> Iterator[Step]:
    for limit in (1, 2, 4, 5, 6):
        for name in (None, "gsi", "lsi", "some"):
            yield query(f"limit {limit} on {name}", name, Limit=limit)
            yield query(f"limit {limit} on {name}, back", name, Limit=limit, ScanIndexForward=False)
            paged = query(f"limit {limit} on {name}, followed", name, Limit=limit)
            yield replace(paged, follow=True)
    for limit in (1, 6, 7, 8):
        yield ask("Scan", f"scan limit {limit}", Limit=limit)
        yield replace(ask("Scan", f"scan limit {limit}, followed", Limit=limit), follow=True)


def _starts() -> Iterator[Step]:
    values = {":p": s("p"), ":s": n(3)}
    for name, start in _STARTS.items():
        yield query(name, ExclusiveStartKey=start)
        yield query(f"{name}, back", ExclusiveStartKey=start, ScanIndexForward=False)
        for operator in (">", "<", "="):
            yield query(
                f"{name}, sk {operator} 3",
                ExclusiveStartKey=start,
                KeyConditionExpression=f"pk = :p AND sk {operator} :s",
                ExpressionAttributeValues=values,
            )


def _scan_starts() -> Iterator[Step]:
    for name, start in _STARTS.items():
        if name in _REFUSED:  # where the others lie is each implementation's own affair
            yield ask("Scan", name, ExclusiveStartKey=start)


def _index_starts() -> Iterator[Step]:
    for name, start in _INDEX_STARTS.items():
        yield query(f"query: {name}", "gsi", ExclusiveStartKey=start)
    yield ask("Scan", "scan: table keys only", IndexName="gsi", ExclusiveStartKey={"pk": s("p")})


def _big_pages() -> Iterator[Step]:
    yield query("first page", ProjectionExpression="sk")
    yield query("counted", Select="COUNT")
    yield query("filtered", FilterExpression="attribute_not_exists(v)")
    yield replace(query("followed", ProjectionExpression="sk"), follow=True)
    yield ask("Scan", "scan: first page", ProjectionExpression="sk")
    yield replace(ask("Scan", "scan: followed", ProjectionExpression="sk"), follow=True)
