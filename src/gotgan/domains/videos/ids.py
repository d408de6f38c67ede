"""Ids of jobs, results and snapshots: 32 hexadecimal digits that sort by when they were made."""

from __future__ import annotations

import secrets
from datetime import datetime

__all__ = ["new_id"]


def new_id(now: datetime) -> str:
    """One that nobody else has."""
    return f"{int(now.timestamp() * 1000):012x}{secrets.token_hex(10)}"
