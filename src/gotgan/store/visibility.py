"""Expired items are hidden at once; DynamoDB removes them when it finds the time."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from gotgan.store.attributes import Item
from gotgan.store.conditions import Condition, raw
from gotgan.store.tables import Table

__all__ = ["is_expired", "unexpired"]


def is_expired(table: Table, item: Item, now: datetime) -> bool:
    """Whether an item's time to live is over."""
    if table.ttl is None:
        return False
    until = item.get(table.ttl, {}).get("N")
    return until is not None and Decimal(until) <= int(now.timestamp())


def unexpired(table: Table, condition: Condition | None, now: datetime) -> Condition | None:
    """A condition that expired items do not meet, where the table has any."""
    if table.ttl is None:
        return condition
    lives = raw(table.ttl).missing() | (raw(table.ttl) > int(now.timestamp()))
    return lives if condition is None else condition & lives
