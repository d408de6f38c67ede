"""Whether a get costs the same in a small table and in a large one."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bench.store.measure import Pace, rate
from bench.store.workload import BATCH, TABLE, definition, get_request, item
from gotgan.store.engine import Client, connect

__all__ = ["Growth", "measure_growth"]

_SMALL = 1000
_CHUNK = 500
_SOURCES = 997


@dataclass(frozen=True)
class Growth:
    """Gets a second in a small table and in a large one."""

    small_items: int
    large_items: int
    build_seconds: float
    small: float
    large: float
    large_everywhere: float

    @property
    def cost(self) -> float:
        """What a get costs in the large table, as a multiple of what it costs in the small one."""
        return self.small / self.large

    @property
    def cost_everywhere(self) -> float:
        """The same where the keys are drawn from the whole table, not from the same thousand."""
        return self.small / self.large_everywhere


def measure_growth(folder: Path, items: int, pace: Pace) -> Growth:
    """Build both tables by batch writes and compare their gets, in turn."""
    with (
        connect(folder / "small.sqlite3", synchronous="normal") as small,
        connect(folder / "large.sqlite3", synchronous="normal") as large,
    ):
        _build(small, _SMALL, pace)
        started = time.monotonic()
        reached = _build(large, items, pace)
        build_seconds = time.monotonic() - started
        fields = {"small": (small, _SMALL), "large": (large, _SMALL), "all": (large, reached)}
        best = dict.fromkeys(fields, 0.0)
        for _ in range(pace.rounds):
            for name, (client, among) in fields.items():
                measured = rate(_gets(client, among), len, pace.slice_seconds)
                best[name] = max(best[name], measured)
    return Growth(_SMALL, reached, build_seconds, best["small"], best["large"], best["all"])


def _build(client: Client, items: int, pace: Pace) -> int:
    """Write so many items, or as many as the time allows, and return how many there are."""
    client.create_table(**definition(indexed=False))
    for first in range(0, items, BATCH):
        if first > _SMALL and pace.over:
            return first
        numbers = range(first, first + BATCH)
        puts = [{"PutRequest": {"Item": item(_source(number), number)}} for number in numbers]
        client.batch_write_item(RequestItems={TABLE: puts})
    return items


def _source(number: int) -> str:
    return f"grown{number % _SOURCES:03d}"


def _gets(client: Client, among: int) -> Callable[[], list[Callable[[], Any]]]:
    random = Random(among)

    def prepared() -> list[Callable[[], Any]]:
        numbers = [random.randrange(among) for _ in range(_CHUNK)]
        requests = [get_request(_source(number), number) for number in numbers]
        return [partial(_get_one, client, request) for request in requests]

    return prepared


def _get_one(client: Client, request: dict[str, Any]) -> tuple[Any]:
    return (client.get_item(**request)["Item"],)
