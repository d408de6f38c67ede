"""Which day a run is about."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from gotgan.errors import UsageError

__all__ = ["TARGET", "date_of", "day_of"]

TARGET: Final = "target_date"
"""The word for the day in the configuration of a run."""


def day_of(context: Mapping[str, Any], zone: str) -> date:
    """The key of the partition; else the ``target_date`` that was given; else when the run was due.

    Who starts a run by hand can name the day in either way, and need not.
    """
    run = context["dag_run"]
    named = run.partition_key or (run.conf or {}).get(TARGET)
    if named:
        return date_of(named)
    due: datetime = run.logical_date or run.run_after
    return due.astimezone(ZoneInfo(zone)).date()


def date_of(text: str) -> date:
    """A date as people write it."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(f"{text!r} is no date; write it as 2025-10-20") from error
