"""Engines to make tables in, and what can go wrong on the way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gotgan.store.drivers import Driver
from gotgan.store.engine import Engine
from gotgan.store.engine.faults import UnknownOperationException
from gotgan.store.outputs.live import describe_table, describe_ttl

__all__ = ["Ageless", "Direct", "Meddler", "Slow", "look"]


class Direct:
    """A driver that hands calls to an engine, and remembers what it was asked."""

    name = "direct"
    parallel = 1

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.asked: list[str] = []

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(operation)
        return self.engine.execute(operation, request)

    def close(self) -> None:
        self.engine.close()

    @property
    def changes(self) -> list[str]:
        """The calls that were not just looks."""
        return [operation for operation in self.asked if not operation.startswith("Describe")]


class Meddler(Direct):
    """A driver under which somebody else does something just before a call of ours."""

    def __init__(self, engine: Engine, before: str, deed: Callable[[], object]) -> None:
        super().__init__(engine)
        self.before = before
        self.deed: Callable[[], object] | None = deed

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation == self.before and self.deed is not None:
            deed, self.deed = self.deed, None
            deed()
        return super().call(operation, request)


class Ageless(Direct):
    """A driver to an endpoint that knows nothing of expiry."""

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation.endswith("TimeToLive"):
            raise UnknownOperationException("")
        return super().call(operation, request)


class Slow(Direct):
    """A driver that shows tables and indexes as AWS does: missing, then CREATING, then ACTIVE."""

    def __init__(self, engine: Engine, *, looks: int) -> None:
        super().__init__(engine)
        self.looks = looks
        self.left = 0

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        answer = super().call(operation, request)
        if operation in ("CreateTable", "UpdateTable"):
            self.left = self.looks
        elif operation == "DescribeTable" and self.left:
            self.left -= 1
            self._delay(answer["Table"])
        return answer

    def _delay(self, shown: dict[str, Any]) -> None:
        if self.asked.count("UpdateTable") and self.left == self.looks - 1:
            shown["GlobalSecondaryIndexes"] = shown["GlobalSecondaryIndexes"][:-1]
        elif self.asked.count("UpdateTable"):
            shown["GlobalSecondaryIndexes"][-1]["IndexStatus"] = "CREATING"
        else:
            shown["TableStatus"] = "CREATING"


def look(driver: Driver, name: str) -> tuple[dict[str, Any] | None, dict[str, Any]]:
    """Both descriptions of a table."""
    return describe_table(driver, name), describe_ttl(driver, name)
