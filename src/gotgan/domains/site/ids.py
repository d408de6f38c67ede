"""Ids that sort by time: UUIDs of version 7, as RFC 9562 lays them out.

The first 48 bits are milliseconds, so that ids of one kind sort as they were made. A thing that
comes from elsewhere gets its id from its own moment and its old id: the same in every run.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

__all__ = ["derived_id", "new_id"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_VERSION: Final = 7
_VARIANT: Final = 0b10
_RANDOM_BITS: Final = 62
_FRACTION_BITS: Final = 12


def new_id(now: datetime) -> str:
    """An id for something that is made now."""
    return _id(now, secrets.randbits(_RANDOM_BITS))


def derived_id(made_at: datetime, old_id: str) -> str:
    """The id of something that was made elsewhere, under another id."""
    digest = hashlib.sha256(old_id.encode()).digest()
    return _id(made_at, int.from_bytes(digest[:8]) >> (64 - _RANDOM_BITS))


def _id(moment: datetime, tail: int) -> str:
    """What a millisecond leaves over goes into the next bits, so that microseconds sort too."""
    # Not by timestamp(): a float cannot hold the microseconds of every year.
    milliseconds, rest = divmod((moment - _EPOCH) // timedelta(microseconds=1), 1000)
    fraction = (rest << _FRACTION_BITS) // 1000
    number = milliseconds << 80 | _VERSION << 76 | fraction << 64 | _VARIANT << 62 | tail
    return str(UUID(int=number))
