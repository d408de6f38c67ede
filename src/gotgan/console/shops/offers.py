"""What a page offers, in words for people: a price with its currency, and what changed."""

from __future__ import annotations

from typing import Literal

from gotgan.domains.shops.models import Change
from gotgan.domains.shops.reading import Status
from gotgan.domains.shops.reading.currencies import digits_of

__all__ = ["Kind", "kind_of", "price_text"]

Kind = Literal["new", "removed", "price", "status"]


def price_text(price: int | None, currency: str | None) -> str | None:
    """A price in whole units of its currency; None where none is known."""
    if price is None:
        return None
    digits = digits_of(currency)
    amount = f"{price / 10**digits:,.{digits}f}"
    return f"{amount} {currency}" if currency else amount


def kind_of(change: Change) -> Kind:
    """What a change is about; a price that changes with the status is told by the status."""
    if change.before is None:
        return "new"
    if change.after.status == Status.REMOVED:
        return "removed"
    return "price" if change.before.status == change.after.status else "status"
