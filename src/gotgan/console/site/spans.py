"""How long something still lasts, in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

__all__ = ["time_left"]

_UNITS: Final = (("days", 86_400), ("hours", 3_600), ("minutes", 60))


def time_left(until: datetime | None, now: datetime, t: Callable[..., str]) -> str | None:
    """The time until a moment in its largest unit; None of what does not end."""
    if until is None:
        return None
    seconds = max(0, int((until - now).total_seconds()))
    for unit, length in _UNITS:
        if seconds >= length:
            return t(f"site.left.{unit}", count=seconds // length)
    return t("site.left.none")
