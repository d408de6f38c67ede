"""Figures of a day as people read them: moves, prices, lengths of time and numbers of things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gotgan.domains.shops.amounts import price_text
from gotgan.domains.shops.models import Change, Offer
from gotgan.domains.shops.summaries import ChangeKind

__all__ = [
    "change_text",
    "count_text",
    "duration_text",
    "kind_text",
    "move_percent",
    "offer_text",
    "percent",
    "units_text",
]


def count_text(count: int, word: str, many: str | None = None) -> str:
    """A number and its thing: ``1 story``, ``12 stories``."""
    return f"{count:,} {word if count == 1 else many or word + 's'}"


def percent(value: float) -> str:
    """A move with its sign: ``+1.25 %``."""
    return f"{value:+,.2f} %"


def move_percent(index: Mapping[Any, Any]) -> float | None:
    """By how much an index moved against its session before; None where that is not known."""
    before = index["before"]
    return None if not before else (index["close"] - before) * 100.0 / before


def offer_text(offer: Offer | None) -> str:
    """What was offered: ``1,299.00 EUR``, and its status where it is another than available."""
    if offer is None:
        return "–"
    price = price_text(offer.price, offer.currency)
    status = (offer.status or "").lower()
    known = [price, None if price and status == "available" else status]
    return " ".join(each for each in known if each) or "–"


def change_text(change: Change) -> str:
    """What a thing was offered for, and what it is now."""
    if change.before is None:
        return offer_text(change.after)
    return f"{offer_text(change.before)} → {offer_text(change.after)}"


def kind_text(kind: ChangeKind) -> str:
    """What happened to a thing, in words."""
    return "changed" if kind == "other" else kind.replace("_", " ")


def duration_text(seconds: float) -> str:
    """A length of time: ``0.4 s``, ``12 s``, ``3 min``, ``1 h 05 min``."""
    if seconds < 10:  # noqa: PLR2004 - below that tenths tell something
        return f"{seconds:.1f} s"
    if seconds < 100:  # noqa: PLR2004 - as people say it
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest:02} min" if hours else f"{minutes} min"


def units_text(reads: float, writes: float) -> str:
    """What something took of DynamoDB: ``720 read, 98 write units``; a dash for nothing."""
    told = [f"{units:,.1f}".removesuffix(".0") + f" {kind}" for units, kind in _used(reads, writes)]
    return f"{', '.join(told)} units" if told else "–"


def _used(reads: float, writes: float) -> list[tuple[float, str]]:
    return [(units, kind) for units, kind in ((reads, "read"), (writes, "write")) if units]
