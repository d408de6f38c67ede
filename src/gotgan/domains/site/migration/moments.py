"""The moments of old rows: any form of ISO 8601, or a number since 1970, as a moment in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from gotgan.store.attributes import AttributeValue

__all__ = ["UNKNOWN", "moment", "text_moment"]

UNKNOWN: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""When a row was made that has no moment that can be read."""

_MILLISECONDS_FROM: Final = 100_000_000_000
"""From here on a number counts milliseconds: as seconds it would be beyond the year 5000."""


def moment(value: AttributeValue | None) -> datetime | None:
    """The moment that an attribute holds; None where there is none, or none that can be read."""
    if value is None:
        return None
    if "N" in value:
        return _counted(value["N"])
    text = value.get("S")
    return None if text is None else text_moment(text)


def text_moment(text: str) -> datetime | None:
    """The moment that a text names; one without a zone is in UTC."""
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return _in_range(read.replace(tzinfo=UTC) if read.tzinfo is None else read)


def _counted(number: str) -> datetime | None:
    count = float(number)
    seconds = count / 1000 if count >= _MILLISECONDS_FROM else count
    try:
        return _in_range(datetime.fromtimestamp(seconds, UTC))
    except (OSError, OverflowError, ValueError):
        return None


def _in_range(read: datetime) -> datetime | None:
    """Ids hold no moments before 1970; a row that says so is taken for a mistake."""
    try:
        moved = read.astimezone(UTC)
    except OverflowError:
        return None
    return moved if moved >= UNKNOWN else None
