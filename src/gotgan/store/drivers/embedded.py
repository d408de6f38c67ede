"""The embedded engine as a driver, and the driver that the settings ask for."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from gotgan.clock import Clock
from gotgan.settings import Settings
from gotgan.store.drivers import Driver
from gotgan.store.drivers.aws import Aws
from gotgan.store.engine import Engine


class Embedded:
    """Calls go to an engine in this process, which is closed with the driver."""

    name = "embedded"
    # Writes that wait together share one fsync: two threads write nearly twice as much as one on a
    # fast disk, and on a slow one eight gain more than two. Beyond that only the reads suffer.
    parallel = 8

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one operation, such as ``PutItem``.

        The ``Items`` of a page are a sequence that reads each item when it is looked at.
        """
        return self._engine.execute(operation, request, lazy=True)

    def batch(self) -> AbstractContextManager[None]:
        """Commit the writes that this thread makes in a block together."""
        return self._engine.batch()

    def check(self) -> None:
        """Raise unless the file can be read and written."""
        self._engine.check()

    def close(self) -> None:
        """Let go of the file."""
        self._engine.close()


def open_driver(settings: Settings, clock: Clock | None = None) -> Driver:
    """Open the driver that ``GOTGAN_DYNAMODB`` names; the embedded file expires by ``clock``."""
    if settings.dynamodb == "embedded":
        file, synchronous = settings.dynamodb_file(), settings.synchronous
        return Embedded(Engine(file, synchronous=synchronous, clock=clock))
    return Aws(None if settings.dynamodb == "aws" else settings.dynamodb)
