"""What the meta elements of a page's head say about its product."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotgan.domains.shops.reading.currencies import currency_of
from gotgan.domains.shops.reading.facts import ProductFacts
from gotgan.domains.shops.reading.prices import Money, declared_amount, money_in
from gotgan.domains.shops.reading.statuses import declared_status

__all__ = ["has_opengraph", "said_by_opengraph"]

_PREFIXES: Final = ("og:", "product:")
_AMOUNTS: Final = ("product:sale_price:amount", "product:price:amount", "og:price:amount")
_CURRENCIES: Final = (
    "product:sale_price:currency",
    "product:price:currency",
    "og:price:currency",
)
_AVAILABILITIES: Final = ("product:availability", "og:availability")


def has_opengraph(metas: Mapping[str, str]) -> bool:
    """Whether a page uses OpenGraph at all."""
    return any(name.startswith(_PREFIXES) for name in metas)


def said_by_opengraph(metas: Mapping[str, str], home: str | None) -> ProductFacts:
    """What OpenGraph says about the product, or the card that a page sends to Twitter."""
    text = _first(metas, _AMOUNTS) or ""
    card = money_in(_card_price(metas), home)
    amount = declared_amount(text)
    currency = currency_of(_first(metas, _CURRENCIES) or "", home)
    written = money_in(text, home)
    return ProductFacts(
        amount=amount if amount is not None or card is None else card.amount,
        currency=currency or _currency(written) or _currency(card),
        status=declared_status(_first(metas, _AVAILABILITIES)),
    )


def _currency(money: Money | None) -> str | None:
    return money.currency if money else None


def _card_price(metas: Mapping[str, str]) -> str:
    for number in ("1", "2"):
        if metas.get(f"twitter:label{number}", "").strip(": ").lower() == "price":
            return metas.get(f"twitter:data{number}", "")
    return ""


def _first(metas: Mapping[str, str], names: tuple[str, ...]) -> str | None:
    return next((metas[name] for name in names if metas.get(name)), None)
