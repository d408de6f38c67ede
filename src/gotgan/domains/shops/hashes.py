"""The hash by which a change of a product is noticed."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

__all__ = ["state_hash"]

_UNKNOWN: Final = "UNKNOWN"


def state_hash(status: str | None, price: int | None, currency: str | None) -> str | None:
    """The hash of what a product's page says; None where it tells neither a status nor a price.

    It is taken over ``STATUS|minor units|currency``, in which what is not known is empty.
    """
    known = "" if status in (None, _UNKNOWN) else str(status)
    if not known and price is None:
        return None
    paid = "|" if price is None else f"{price}|{currency or ''}"
    return sha256(f"{known}|{paid}".encode()).hexdigest()
