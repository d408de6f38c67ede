"""What the names of elements say about what stands in them: their classes and ids."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

__all__ = ["Named", "named"]

_PRICE: Final = re.compile(
    r"price|preis|prix|preci|prezz|preco|preço|cena|cijena|prijs|pris\b|hinta|цена|amount|betrag"
    r"|價|价|가격",
    re.IGNORECASE,
)
_OLD: Final = re.compile(
    r"(?<![a-z])(?:old|was|rrp|uvp|msrp|srp|prev|barre|ancien|alt|statt|listino|antes)(?![a-z])"
    r"|old-?price|was-?price|list[-_]?price|regular-?price|retail|strike|crossed|compare|original"
    r"|before|previous|through|non-?sale|suggested|full-?price|tachado",
    re.IGNORECASE,
)
_OTHER: Final = re.compile(
    r"(?<![a-z])(?:shipping|delivery|versand|saving|save|saved|instal|klarna|afterpay|affirm"
    r"|monthly|financ|unit|per-|tax(?!able)|vat(?![a-z])|points|reward|coupon|threshold|minimum"
    r"|bonus|cashback|fee(?![a-z])|deposit|rating|review|quantity|qty|sku|subtotal|subscri|swatch"
    r"|twister|add-?on|percent|grundpreis|facet|filter|refine)|cart-?total|discount-(?:amount|badge|percent)",
    re.IGNORECASE,
)
_AWAY: Final = re.compile(
    r"related|recommend|similar|up-?sell|cross-?sell|recently|also|bought|together|bundle"
    r"|accessor|sponsor|mini-?cart|cart-?drawer|side-?cart|mini-?basket|footer|\bnav|menu"
    r"|newsletter|cookie|popup|modal|comparison|other-|more-from|suggest|zubeh|alternativ|you-may"
    r"|viewed|trending|best-?sell",
    re.IGNORECASE,
)
_CARD: Final = re.compile(
    r"(?<![\w-])(?:product|produkt|produit|item)[-_]{0,2}"
    r"(?:card|tile|teaser|thumb|thumbnail|miniature|preview)(?![\w-])",
    re.IGNORECASE,
)
_HIDDEN: Final = re.compile(
    r"(?<![\w-])(?:hidden|hide|d-none|is-hidden|aok-hidden|invisible)(?![\w-])", re.IGNORECASE
)


class Named(NamedTuple):
    """What the names of an element say."""

    is_price: bool
    is_old: bool
    """It is a price that was."""
    is_other: bool
    """It is an amount that is no price."""
    is_away: bool
    """It belongs to the frame of the page, or to what else the shop sells."""
    is_card: bool
    """It is one of several things, each with a page of its own."""
    is_hidden: bool


@lru_cache(maxsize=16_384)
def named(names: str) -> Named:
    """What some names say; kept, because a shop names the same things on all its pages."""
    return Named(
        is_price=bool(_PRICE.search(names)),
        is_old=bool(_OLD.search(names)),
        is_other=bool(_OTHER.search(names)),
        is_away=bool(_AWAY.search(names)),
        is_card=bool(_CARD.search(names)),
        is_hidden=bool(_HIDDEN.search(names)),
    )
