"""A look at a live table, and patience until it is ready."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gotgan.errors import StoreUnreachable
from gotgan.store.drivers import Driver
from gotgan.store.engine.faults import ResourceNotFoundException, UnknownOperationException

__all__ = ["TableWait", "await_active", "describe", "describe_ttl"]

_FIRST_PAUSE: Final = 0.1
_LONGEST_PAUSE: Final = 5.0


@dataclass(frozen=True)
class TableWait:
    """How long to wait for a table; a new index on a large one may take hours."""

    seconds: float = 600.0
    pause: Callable[[float], None] = time.sleep
    watch: Callable[[Mapping[str, Any]], None] = lambda _: None
    """Is called with the description of a table that is not ready."""

    def looks(self) -> Iterator[None]:
        """Let the caller look, pause, and look again until the time is up."""
        waited, pause = 0.0, _FIRST_PAUSE
        while True:
            yield
            if waited >= self.seconds:
                return
            self.pause(pause)
            waited, pause = waited + pause, min(pause * 2, _LONGEST_PAUSE)


def describe(driver: Driver, name: str) -> dict[str, Any] | None:
    """The ``Table`` of DescribeTable; None where there is no such table."""
    try:
        answer = driver.call("DescribeTable", {"TableName": name})
    except ResourceNotFoundException:
        return None
    description: dict[str, Any] = answer["Table"]
    return description


def describe_ttl(driver: Driver, name: str) -> dict[str, Any]:
    """The ``TimeToLiveDescription``; off where an endpoint has no such thing."""
    try:
        answer = driver.call("DescribeTimeToLive", {"TableName": name})
    except UnknownOperationException:
        return {"TimeToLiveStatus": "DISABLED"}
    description: dict[str, Any] = answer["TimeToLiveDescription"]
    return description


def await_active(
    driver: Driver, name: str, patience: TableWait, *, index: str | None = None
) -> dict[str, Any]:
    """Wait until a table and all its indexes can be used; the description is as they are then.

    What was just made may not be seen at once: a table that is missing is waited for, and so is
    the index that is named.
    """
    for _ in patience.looks():
        description = describe(driver, name)
        if description is not None and _is_active(description, index):
            return description
        if description is not None:
            patience.watch(description)
    raise StoreUnreachable(
        f"{name} is not ready after {patience.seconds:,.0f} seconds; DynamoDB goes on making it, "
        "so run the same command again"
    )


def _is_active(description: Mapping[str, Any], index: str | None) -> bool:
    indexes = description.get("GlobalSecondaryIndexes") or ()
    statuses = {each["IndexName"]: each["IndexStatus"] for each in indexes}
    if index is not None and index not in statuses:
        return False
    return {description["TableStatus"], *statuses.values()} == {"ACTIVE"}
