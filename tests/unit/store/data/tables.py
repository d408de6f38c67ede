"""Tables with items in them, for the tests that dump, load and browse."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from gotgan.store.data.item_json import to_lines
from gotgan.store.drivers import Driver
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from tests.contract.tables import Index, table_request

__all__ = [
    "VARIED",
    "Counting",
    "Item",
    "Narrow",
    "everything",
    "fill",
    "in_order",
    "make",
    "numbered",
    "patient",
    "text_of",
    "write_lines",
]

Item = dict[str, Any]

VARIED: list[Item] = [
    {"pk": {"S": "scalars"}, "sk": {"S": "1"}, "n": {"N": "-1.5"}, "yes": {"BOOL": True}},
    {"pk": {"S": "null"}, "sk": {"S": "1"}, "nothing": {"NULL": True}, "empty": {"S": ""}},
    {"pk": {"S": "bytes"}, "sk": {"S": "1"}, "B": {"B": b"\x00\xff\n"}, "none": {"B": b""}},
    {
        "pk": {"S": "sets"},
        "sk": {"S": "1"},
        "texts": {"SS": ["a", "b"]},
        "numbers": {"NS": ["1", "2.5"]},
        "bytes": {"BS": [b"\x01", b"\x02"]},
    },
    {
        "pk": {"S": "nested"},
        "sk": {"S": "1"},
        "list": {"L": [{"M": {"deep": {"L": [{"B": b"deep"}, {"NS": ["3"]}]}}}, {"L": []}]},
        "map": {"M": {}},
    },
    {"pk": {"S": "digits"}, "sk": {"S": "1"}, "n": {"N": "0." + "1234567890" * 3 + "12345678"}},
    {"pk": {"S": 'hostile"\\\n\r\u2028\x00'}, "sk": {"S": "곳간 🏺"}, "B": {"S": "no bytes"}},
    {"pk": {"S": "names"}, "sk": {"S": "1"}, "Item": {"M": {"B": {"N": "1"}}}, "a.b c": {"N": "2"}},
    {"pk": {"S": "large"}, "sk": {"S": "1"}, "text": {"S": "x" * (400 * 1024 - 20)}},
]


class Counting(Embedded):
    """Counts the calls of each operation."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.counted: Counter[str] = Counter()
        self.lock = Lock()

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Count, and carry out."""
        with self.lock:
            self.counted[operation] += 1
        return super().call(operation, request)


class Narrow(Embedded):
    """The embedded driver with small pages, so that few items make many of them."""

    page = 20

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Ask for a small page where nothing else was asked for."""
        small = {"Limit": self.page} if operation == "Scan" else {}
        return super().call(operation, small | request)


def make(driver: Driver, name: str, key: str = "pk:S sk:S", gsi: Sequence[Index] = ()) -> str:
    """Make an empty table and give its name."""
    driver.call("CreateTable", {"TableName": name, **table_request(key, gsi=gsi)})
    return name


def fill(driver: Driver, table: str, items: Iterable[Item]) -> None:
    """Put items."""
    for item in items:
        driver.call("PutItem", {"TableName": table, "Item": item})


def numbered(count: int) -> list[Item]:
    """Items that differ, in seven partitions."""
    return [
        {"pk": {"S": f"p{n % 7}"}, "sk": {"S": f"{n:05d}"}, "text": {"S": f"no. {n} " * 10}}
        for n in range(count)
    ]


def everything(driver: Driver, table: str) -> list[Item]:
    """All items of a table, in the order of their keys."""
    items: list[Item] = []
    request: dict[str, Any] = {"TableName": table, "ConsistentRead": True}
    while True:
        answer = driver.call("Scan", request)
        items += answer["Items"]
        if not answer.get("LastEvaluatedKey"):
            return in_order(items)
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def in_order(items: Iterable[Item]) -> list[Item]:
    """Items in an order that can be compared."""
    return sorted(items, key=lambda item: json.dumps([item["pk"], item.get("sk")], default=repr))


def write_lines(path: Path, items: Iterable[Item]) -> Path:
    """A file of lines."""
    path.write_bytes(to_lines(items))
    return path


def text_of(path: Path) -> list[str]:
    """The lines of a file."""
    return path.read_text(encoding="utf-8").splitlines()


def patient(driver: Driver) -> RetryingDriver:
    """A driver that repeats calls without waiting."""
    return RetryingDriver(driver, sleep=lambda _seconds: None)
