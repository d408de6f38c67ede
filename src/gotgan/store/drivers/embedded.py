"""The embedded engine as a driver: no wire, no copies, the same answers and faults."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from gotgan.store.engine import Engine

__all__ = ["Embedded"]


class Embedded:
    """Calls go to an engine in this process, which is closed with the driver."""

    name = "embedded"
    # Writes that wait together share one fsync: two threads write nearly twice as much as one on a
    # fast disk, and on a slow one eight gain more than two. Beyond that only the reads suffer.
    parallel = 8

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one operation, such as ``PutItem``."""
        return self._engine.execute(operation, request)

    def together(self) -> AbstractContextManager[None]:
        """Give the writes that this thread makes in a block one commit."""
        return self._engine.together()

    def check(self) -> None:
        """Raise unless the file can be read and written."""
        self._engine.check()

    def close(self) -> None:
        """Let go of the file."""
        self._engine.close()
