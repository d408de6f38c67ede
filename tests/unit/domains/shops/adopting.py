"""A table that another tool filled, and a process that adopts it until it is killed.

``python -m tests.unit.domains.shops.adopting FILE``
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from gotgan.clock import FixedClock
from gotgan.domains.shops.models import SHOPS
from gotgan.domains.shops.registry import Registry
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.attributes import Item, encode
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.durability.processes import Child
from tests.house.repository import ROOT

__all__ = ["ITEM", "META", "Table", "adopter", "opened", "raw"]

META: Final[Mapping[str, Any]] = {
    "pk": "SHOP#example.com",
    "sk": "META#",
    "domain": "example.com",
    "core_domain_name": "example",
    "shop_name": "Example Shop",
    "shop_country": "COUNTRY#DE",
    "last_crawled_start": "2023-10-27T00:00:00Z",
    "last_crawled_end": "2023-10-27T23:59:59Z",
    "last_scraped_start": "2023-10-27T12:00:00Z",
    "last_scraped_end": "2023-10-27T23:59:59Z",
}
"""The document's sample of a shop, which has no index keys."""
ITEM: Final[Mapping[str, Any]] = {
    "pk": "SHOP#example.com",
    "sk": "URL#https://example.com/products/item-123",
    "url": "https://example.com/products/item-123",
    "type": "product",
    "hash": "a1b2c3d4...",
}
"""The document's sample of a page."""


def raw(item: Mapping[str, Any]) -> Item:
    """An item as DynamoDB takes it."""
    return {name: encode(value) for name, value in item.items()}


class Table:
    """A table of shops, written to as another tool writes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.registry = Registry(store)

    def put(self, item: Mapping[str, Any], **changes: Any) -> None:
        """Write an item; None leaves an attribute of the sample out."""
        whole = {name: value for name, value in {**item, **changes}.items() if value is not None}
        self.store.calls.send("test", "PutItem", {"TableName": SHOPS.name, "Item": raw(whole)})

    def item(self, item: Mapping[str, Any]) -> dict[str, Any]:
        """An item as it is stored."""
        request = {"TableName": SHOPS.name, "Key": raw({"pk": item["pk"], "sk": item["sk"]})}
        answer, _ = self.store.calls.send("test", "GetItem", request)
        return {name: next(iter(value.values())) for name, value in answer["Item"].items()}

    def items(self) -> list[Item]:
        """All items, in the table's order."""
        found: list[Item] = self.store.calls.send("test", "Scan", {"TableName": SHOPS.name})[0][
            "Items"
        ]
        return found


def opened(path: Path, clock: FixedClock | None = None) -> Store:
    """A store on a file that other processes work on."""
    engine = Engine(path, synchronous="normal")
    return Store(Embedded(engine), secret=Secret("s" * 32), clock=clock)


@contextmanager
def adopter(path: Path) -> Iterator[Child]:
    """Run ``adopt`` in a process of its own for as long as the block runs."""
    command = [sys.executable, "-m", "tests.unit.domains.shops.adopting", str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            yield Child(process)
        finally:
            process.kill()


def _say(line: str) -> None:
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def _say_read(read: int, _total: int, _last: str, /, **_figures: float) -> None:
    _say(f"read {read}")


def main(path: str) -> None:
    """Adopt the table, and say after each page how far it is."""
    with opened(Path(path)) as store:
        _say("ready")
        sys.stdin.readline()
        Registry(store).adopt(progress=_say_read)
        _say("end")


if __name__ == "__main__":
    main(*sys.argv[1:])
