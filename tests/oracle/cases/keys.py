"""Keys of tables and indexes: missing, of another type, empty, too long."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.oracle.cases.builders import create, delete, get, index, keys, n, put, s, update
from tests.oracle.scenario import Scenario, Step, each

__all__ = ["scenarios"]

_SETUP = [
    create(
        "pk:S sk:N g:S b:B l:N",
        "sk",
        GlobalSecondaryIndexes=[index("gsi", keys("g", "b"))],
        LocalSecondaryIndexes=[index("lsi", keys("pk", "l"))],
    ),
    put({"pk": s("a"), "sk": n(1), "g": s("g"), "b": {"B": "Yg=="}, "l": n(1)}),
]
_KEY = {"pk": s("a"), "sk": n(1)}
_ITEMS: dict[str, dict[str, Any]] = {
    "empty hash key": {**_KEY, "pk": s("")},
    "number as a hash key": {**_KEY, "pk": n(1)},
    "no range key": {"pk": s("a")},
    "no hash key": {"sk": n(1)},
    "nothing": {},
    "empty string as an index key": {**_KEY, "g": s("")},
    "empty binary as an index key": {**_KEY, "g": s("a"), "b": {"B": ""}},
    "number as a global index key": {**_KEY, "g": n(1)},
    "string as a local index key": {**_KEY, "l": s("1")},
    "null as an index key": {**_KEY, "g": {"NULL": True}},
    "half of an index key": {**_KEY, "g": s("g")},
    "hash key of 2048 bytes": {**_KEY, "pk": s("a" * 2048)},
    "hash key of 2049 bytes": {**_KEY, "pk": s("a" * 2049)},
    "hash key of 2049 bytes in 1025 letters": {**_KEY, "pk": s("é" * 1024 + "a")},
    "index hash key of 2049 bytes": {**_KEY, "g": s("a" * 2049), "b": {"B": "Yg=="}},
    "index range key of 1025 bytes": {**_KEY, "g": s("a"), "b": {"B": "QUFB" * 342}},
}
_KEYS: dict[str, dict[str, Any]] = {
    "no range key": {"pk": s("a")},
    "one attribute more": {**_KEY, "x": s("a")},
    "range key of another type": {"pk": s("a"), "sk": s("1")},
    "hash key of another type": {"pk": n(1), "sk": n(1)},
    "range key of another name": {"pk": s("a"), "x": n(1)},
    "empty hash key": {"pk": s(""), "sk": n(1)},
    "nothing": {},
    "number in other words": {"pk": s("a"), "sk": n("1.00")},
    "number that is none": {"pk": s("a"), "sk": n("x")},
    "not there": {"pk": s("zz"), "sk": n(1)},
    "hash key of 2049 bytes": {**_KEY, "pk": s("a" * 2049)},
}
_INDEX_VALUES: dict[str, Any] = {
    "another type": n(1),
    "empty": s(""),
    "too long": s("a" * 2049),
    "a list": {"L": []},
}


def scenarios() -> Iterator[Scenario]:
    """Every key of the lists above in every operation that takes it."""
    puts = (put(item, name) for name, item in _ITEMS.items())
    yield from each("key of a put", _SETUP, puts)
    for operation in (get, delete):
        asked = (operation(key, name) for name, key in _KEYS.items())
        yield from each(f"key of a {operation.__name__}", _SETUP, asked)
    yield from each("key of an update", _SETUP, _updates())
    yield from each("range key", [create("pk:S sk:S", "sk")], _long_range_keys())


def _updates() -> Iterator[Step]:
    for name, key in _KEYS.items():
        yield update(key, "SET v = :v", {":v": n(1)}, name, ReturnValues="ALL_NEW")
    for name, value in _INDEX_VALUES.items():
        yield update(_KEY, "SET g = :v", {":v": value}, f"index key: {name}")
    yield update(_KEY, "REMOVE g", note="index key: removed", ReturnValues="ALL_NEW")
    yield update(_KEY, "SET pk = :v", {":v": s("z")}, "hash key")
    yield update(_KEY, "REMOVE sk", note="range key removed")
    yield update(_KEY, "ADD sk :v", {":v": n(1)}, "range key added to")
    yield update(_KEY, "SET pk = :v", {":v": s("a")}, "hash key to itself")


def _long_range_keys() -> Iterator[Step]:
    for length in (1024, 1025):
        yield put({"pk": s("a"), "sk": s("a" * length)}, f"of {length} bytes")
    yield put({"pk": s("a"), "sk": s("")}, "empty")
