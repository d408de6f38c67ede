"""The rows of the catalog: products and changes as the tables of the database have them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final, overload

from sqlalchemy import RowMapping

from gotgan.domains.shops.currency import minor_digits
from gotgan.domains.shops.extract import Status
from gotgan.domains.shops.models import Change, Offer, ShopPage, url_digest
from gotgan.domains.shops.tables import NO_AMOUNT

_MAX_TITLE_CHARS: Final = 500
_MAX_INTEGER: Final = 2**63 - 1
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def fold_text(text: str) -> str:
    """A text for searching: without case, accents, and more than one blank at a time."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(each for each in parts if not unicodedata.combining(each))
    return " ".join(unicodedata.normalize("NFC", plain).split())


def change_row(change: Change) -> dict[str, Any]:
    """The row of a change."""
    before, after = change.before or Offer(), change.after
    return {
        "domain": change.domain,
        "digest": url_digest(change.url),
        "seen_at": change.seen_at,
        "kind": change.kind,
        "url": _storable(change.url),
        "title": _title(change.title),
        "before_status": _storable(before.status),
        "before_price": _integer(before.price),
        "before_currency": _storable(before.currency),
        "status": _storable(after.status),
        "price": _integer(after.price),
        "currency": _storable(after.currency),
    }


def product_row(
    page: ShopPage, country: str | None, history: Sequence[RowMapping]
) -> dict[str, Any]:
    """The row of a product; ``history`` has its changes, the oldest first."""
    offer = _lasting_offer(page, history)
    last = history[-1] if history else None
    changed_at = None if last is None else last["seen_at"]
    return {
        "domain": page.domain,
        "digest": url_digest(page.url),
        "url": _storable(page.url),
        "title": _title(page.title),
        "folded": fold_text(_title(page.title) or ""),
        "image": _storable(page.image),
        "country": country,
        "status": _storable(page.status),
        "last_status": offer.last_status,
        "price": offer.price,
        "currency": offer.currency,
        "amount": _amount(offer.price, offer.currency),
        "first_seen": next((each["seen_at"] for each in history if each["kind"] == "new"), None),
        "checked_at": page.checked_at,
        "changed_at": changed_at,
        "listed_at": changed_at or page.checked_at or _EPOCH,
        "kind": None if last is None else last["kind"],
        "before_status": None if last is None else last["before_status"],
        "before_price": None if last is None else last["before_price"],
        "before_currency": None if last is None else last["before_currency"],
    }


@dataclass(frozen=True)
class _LastingOffer:
    price: int | None
    currency: str | None
    last_status: str | None = None


def _lasting_offer(page: ShopPage, history: Sequence[RowMapping]) -> _LastingOffer:
    """What a product costs; of a removed one what it cost before."""
    if page.status != Status.REMOVED:
        return _LastingOffer(_integer(page.price), _storable(page.currency))
    for each in reversed(history):
        if each["status"] == Status.REMOVED and each["before_status"] != Status.REMOVED:
            return _LastingOffer(
                each["before_price"], each["before_currency"], each["before_status"]
            )
    return _LastingOffer(None, None)


def _amount(price: int | None, currency: str | None) -> float:
    return NO_AMOUNT if price is None else float(Decimal(price).scaleb(-minor_digits(currency)))


def _integer(value: int | None) -> int | None:
    """A number that a column can hold; other tools may have stored any."""
    return value if value is not None and abs(value) <= _MAX_INTEGER else None


def _title(text: str | None) -> str | None:
    return None if text is None else _storable(text[:_MAX_TITLE_CHARS])


@overload
def _storable(text: str) -> str: ...
@overload
def _storable(text: None) -> None: ...
@overload
def _storable(text: str | None) -> str | None: ...
def _storable(text: str | None) -> str | None:
    """A text that every database can hold."""
    return None if text is None else text.replace("\0", "").encode("utf-8", "replace").decode()
