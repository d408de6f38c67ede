"""Rows a second of a migration, beside raw batch writes of the same items to the same engine.

``python -m bench.site.migration [--posts N] [--rounds N] [--memory]``

The contestants take turns, each with a new file, and the best round of each counts. The raw writes
know nothing: they compare nothing, resolve nothing, and overwrite whatever is there.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.store.boards import table
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.migration import Options, Sources, migrate, verify
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.attributes import Item
from gotgan.store.batches import chunks
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.unit.domains.site.migration import old_tables

_SIZE = 2_000
_CATEGORIES = 8
_THREADS = 8


@contextmanager
def _opened(path: Path) -> Iterator[Store]:
    with Store(Embedded(Engine(path)), secret=Secret("s" * 32)) as store:
        yield store


def _write_source(folder: Path, count: int) -> dict[str, Path]:
    kinds = list(old_tables.categories(_CATEGORIES))
    rows = old_tables.posts(count, kinds, size=_SIZE)
    return {
        "categories": old_tables.write_lines(folder / "categories.jsonl", kinds, typed=True),
        "posts": old_tables.write_lines(folder / "posts.jsonl", rows, typed=True),
    }


def _sources(store: Store, files: dict[str, Path]) -> Sources:
    return Sources.named(store, **{kind: str(path) for kind, path in files.items()})


def _items(store: Store) -> list[Item]:
    request: dict[str, Any] = {"TableName": SITE.name}
    items: list[Item] = []
    while True:
        answer = store.calls.driver.call("Scan", request)
        items += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return items
        request["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _write_raw(store: Store, items: list[Item]) -> None:
    def write(some: list[Item]) -> None:
        puts = [{"PutRequest": {"Item": item}} for item in some]
        store.calls.driver.call("BatchWriteItem", {"RequestItems": {SITE.name: puts}})

    with ThreadPoolExecutor(_THREADS) as pool:
        list(pool.map(write, chunks(items, 25)))


def _write_bare(store: Store, items: list[Item]) -> None:
    """The same writes with the same conditions and nothing else: what no safe way can beat."""
    rows: dict[str, list[Item]] = {}
    for item in items:
        rows.setdefault(item.get("id", item["PK"])["S"], []).append(item)
    absent = {
        "TableName": SITE.name,
        "ConditionExpression": "attribute_not_exists(#pk)",
        "ExpressionAttributeNames": {"#pk": SITE.pk.name},
    }

    def write(some: list[list[Item]]) -> None:
        puts = [{"Put": {"Item": item, **absent}} for row in some for item in row]
        store.calls.driver.call("TransactWriteItems", {"TransactItems": puts})

    with ThreadPoolExecutor(_THREADS) as pool:
        list(pool.map(write, chunks(rows.values(), 32)))


def _round(folder: Path, files: dict[str, Path]) -> dict[str, float]:
    """One turn of everybody; seconds."""
    with _opened(folder / "ours.sqlite3") as store:
        sources = _sources(store, files)
        options = Options(folder=folder / "state", verify=False)
        seconds = {
            "migrate": _seconds(lambda: migrate(store, sources, options)),
            "delta": _seconds(lambda: migrate(store, sources, options)),
            "verify": _seconds(lambda: verify(store, sources, options)),
        }
        items = _items(store)
    for name, write in (("raw", _write_raw), ("bare", _write_bare)):
        with _opened(folder / f"{name}.sqlite3") as store:
            store.create(SITE)
            began = time.perf_counter()
            write(store, items)
            seconds[name] = time.perf_counter() - began
    return seconds


def _measure(count: int, rounds: int) -> dict[str, float]:
    """The best rates, in rows a second."""
    best: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        files = _write_source(Path(folder), count)
        for number in range(rounds):
            place = Path(folder) / str(number)
            place.mkdir()
            for name, seconds in _round(place, files).items():
                best[name] = max(best.get(name, 0.0), count / seconds)
    return best


def _peak() -> float:
    """The most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _memory_of(count: int) -> dict[str, float]:
    """A migration and its verification in this process; what they took."""
    with TemporaryDirectory() as folder:
        files = _write_source(Path(folder), count)
        before = _peak()
        with _opened(Path(folder) / "ours.sqlite3") as store:
            options = Options(folder=Path(folder) / "state", verify=False)
            report = migrate(store, _sources(store, files), options)
            migrated = _peak()
            verify(store, _sources(store, files), options)
    return {"before": before, "migrated": migrated, "verified": _peak(), "rate": report.rate}


def _memory(counts: tuple[int, ...]) -> str:
    rows = []
    for count in counts:
        command = [sys.executable, "-m", "bench.site.migration", "--one", str(count)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        measured: dict[str, float] = json.loads(done.stdout)
        rows.append([f"{count:,} posts", *(f"{value:,.0f}" for value in measured.values())])
    return table(["", "MB before", "MB migrated", "MB verified", "rows/s"], rows)


_LABELS = {
    "raw": "raw BatchWriteItem of the same items",
    "bare": "bare transactions of the same items",
    "migrate": "gotgan site migrate, all new",
    "delta": "the same again, nothing new",
    "verify": "--verify",
}


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.site.migration", description=__doc__)
    parser.add_argument("--posts", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true", help="measure memory with 200,000 posts")
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(_memory_of(arguments.one)))
        return
    rates = _measure(arguments.posts, arguments.rounds)
    rows = [
        [label, f"{rates[name]:,.0f}", f"{rates[name] / rates['raw']:.2f} ×"]
        for name, label in _LABELS.items()
    ]
    print(table([f"{arguments.posts:,} posts of 2 kB", "rows/s", "of raw"], rows))
    if arguments.memory:
        print()
        print(_memory((20_000, 200_000)))


if __name__ == "__main__":
    main()
