"""The hand-made scenarios, by what they are about."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracle.cases import (
    batches,
    capacity,
    conditions,
    keys,
    legacy,
    pages,
    partiql,
    projections,
    protocol,
    queries,
    scans,
    table_changes,
    tables,
    transactions,
    ttl,
    updates,
    values,
)
from tests.oracle.scenario import Scenario

__all__ = ["hand_made"]

_MODULES = (
    tables,
    table_changes,
    values,
    keys,
    legacy,
    conditions,
    updates,
    projections,
    queries,
    pages,
    scans,
    batches,
    transactions,
    ttl,
    capacity,
    partiql,
    protocol,
)


def hand_made() -> Iterator[Scenario]:
    """All of them."""
    for module in _MODULES:
        yield from module.scenarios()
