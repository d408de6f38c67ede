"""Prices as people read them; programs get the minor units that are stored."""

from __future__ import annotations

from decimal import Decimal

from gotgan.domains.shops.reading.currencies import digits_of

__all__ = ["price_text"]


def price_text(price: int | None, currency: str | None) -> str | None:
    """A price in whole units of its currency; None where none is known."""
    if price is None:
        return None
    digits = digits_of(currency)
    amount = f"{Decimal(price).scaleb(-digits):,.{digits}f}"
    return f"{amount} {currency}" if currency else amount
