"""The one table of the site, its index by type, and ids that sort by time (UUIDs of version 7)."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from gotgan.store import FewValues, Table

SITE: Final = Table("FMWebAppTable", pk="PK", sk="SK", ttl="expiresAt")
BY_TYPE: Final = SITE.index("Type_CreatedAt", pk="Type", sk="CreatedAt")

FEW_TYPES: Final = FewValues(
    "a company site writes a few items a day; a type that comes near 1,000 write units a second "
    "needs its own partition, such as Type and month"
)


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
