"""Several threads that begin at the same moment."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["at_once", "restless"]

T = TypeVar("T")


def at_once(works: list[Callable[[], T]]) -> list[T]:
    """Run each in a thread of its own, all from the same moment on; return what they return."""
    start = threading.Barrier(len(works))

    def run(work: Callable[[], T]) -> T:
        start.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


@contextmanager
def restless() -> Iterator[None]:
    """Let Python change threads as often as it can, so that rare meetings become common."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
