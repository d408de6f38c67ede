"""Figures of a day as people read them: moves, prices, lengths of time and numbers of things."""

from __future__ import annotations

from typing import Any, Final

from gotgan.day.words import ENGLISH, words_in
from gotgan.domains.shops.amounts import price_text
from gotgan.domains.shops.models import Change, Offer
from gotgan.domains.shops.summaries import ChangeKind
from gotgan.encoding import encode
from gotgan.texts import Texts

__all__ = [
    "change_text",
    "count_text",
    "duration_text",
    "facts_of",
    "kind_text",
    "offer_text",
    "percent",
    "units_text",
]

_IN_ENGLISH: Final = words_in("en")


def facts_of(summary: Any) -> list[tuple[str, str]]:
    """What a domain of another package has of a day: its numbers and texts, by name."""
    made: Any = encode(summary)
    found = made.items() if isinstance(made, dict) else ()
    return [
        (name, f"{value:,}" if isinstance(value, int) else str(value))
        for name, value in found
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    ]


def count_text(count: int, word: str, many: str | None = None) -> str:
    """A number and its thing: ``1 story``, ``12 stories``."""
    return f"{count:,} {word if count == 1 else many or word + 's'}"


def percent(value: float) -> str:
    """A move with its sign: ``+1.25 %``."""
    return f"{value:+,.2f} %"


def offer_text(offer: Offer | None, words: Texts = _IN_ENGLISH) -> str:
    """What was offered: ``1,299.00 EUR``, and its status where it is another than available."""
    if offer is None:
        return "–"
    price = price_text(offer.price, offer.currency)
    status = (offer.status or "").lower()
    told = words(f"status_{status}") if f"status_{status}" in ENGLISH else status
    known = [price, None if price and status == "available" else told]
    return " ".join(each for each in known if each) or "–"


def change_text(change: Change, words: Texts = _IN_ENGLISH) -> str:
    """What a thing was offered for, and what it is now."""
    if change.before is None:
        return offer_text(change.after, words)
    return f"{offer_text(change.before, words)} → {offer_text(change.after, words)}"


def kind_text(kind: ChangeKind, words: Texts = _IN_ENGLISH) -> str:
    """What happened to a thing, in words."""
    return words(kind)


def duration_text(seconds: float, words: Texts = _IN_ENGLISH) -> str:
    """A length of time: ``0.4 s``, ``12 s``, ``3 min``, ``1 h 05 min``."""
    if seconds < 10:  # noqa: PLR2004 - below that tenths tell something
        return words("seconds", count=f"{seconds:.1f}")
    if seconds < 100:  # noqa: PLR2004 - as people say it
        return words("seconds", count=f"{seconds:.0f}")
    hours, rest = divmod(round(seconds / 60), 60)
    if hours:
        return words("hours", count=hours, minutes=f"{rest:02}")
    return words("minutes", count=rest)


def units_text(reads: float, writes: float, words: Texts = _IN_ENGLISH) -> str:
    """What something took of DynamoDB: ``720 read, 98 write units``; a dash for nothing."""
    told = [
        words(f"{kind}_units", count=f"{units:,.1f}".removesuffix(".0"))
        for units, kind in _used(reads, writes)
    ]
    return words("units", counts=", ".join(told)) if told else "–"


def _used(reads: float, writes: float) -> list[tuple[float, str]]:
    return [(units, kind) for units, kind in ((reads, "read"), (writes, "write")) if units]
