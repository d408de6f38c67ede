"""Threads that write at once, each put acknowledged on disk: what group commit is worth."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

from bench.store.measure import Pace
from bench.store.workload import definition, put_request
from gotgan.store.engine import Client, connect

__all__ = ["THREADS", "measure_writers"]

THREADS = (1, 4, 16)
_PUTS_A_SECOND = 4000


def measure_writers(folder: Path, pace: Pace) -> dict[int, float]:
    """Conditional puts a second by how many threads share one client, FULL; the best of all."""
    best = dict.fromkeys(THREADS, 0.0)
    with connect(folder / "writers.sqlite3") as client:
        client.create_table(**definition())
        numbers = count()
        for _ in range(pace.rounds):
            for threads in THREADS:
                puts = max(1, int(_PUTS_A_SECOND * pace.slice_seconds)) // threads
                shares = [[next(numbers) for _ in range(puts)] for _ in range(threads)]
                best[threads] = max(best[threads], _rate(client, shares))
    return best


def _rate(client: Client, shares: list[list[int]]) -> float:
    start = threading.Barrier(len(shares) + 1)
    with ThreadPoolExecutor(len(shares)) as pool:
        writing = [pool.submit(_put, client, share, start) for share in shares]
        start.wait()
        started = time.perf_counter()
        for future in writing:
            future.result()
        return sum(map(len, shares)) / (time.perf_counter() - started)


def _put(client: Client, numbers: list[int], start: threading.Barrier) -> None:
    requests = [put_request(number) for number in numbers]
    start.wait()
    for request in requests:
        client.put_item(**request)
