"""What the names of elements, their classes and ids, say about what is in them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

_PRICE_NAMES: Final = re.compile(
    r"price|preis|prix\b|preci|prezz|preco|preço|\bcena|cijena|prijs|\bpris\b|hinta|цена|amount"
    r"|betrag|價|价|가격"
)
_OLD_PRICE_NAMES: Final = re.compile(
    r"\b(?:old|was|rrp|uvp|msrp|srp|prev|previous|before|barre|ancien|alt|statt|listino|antes"
    r"|tachado|retail|strike|striked|strikethrough|through|linethrough|struck|crossed|compare"
    r"|compared|original|suggested)\b"
    r"|\b(?:old|was|list|regular|full|non ?sale|original|before|retail|strike|compare|previous) ?"
    r"(?:at )?(?:price|preis|prix|cena)"
    r"|\b(?:price|preis|prix) ?(?:old|was|before|original|compare|strike)\b"
)
_OTHER_AMOUNT_NAMES: Final = re.compile(
    r"\b(?:shipping|delivery|versand|saving|savings|save|saved|saves|instal\w*|klarna|afterpay"
    r"|affirm|monthly|financ\w*|unit|units|per|tax|taxes|vat|points?|rewards?|coupons?|threshold"
    r"|minimum|bonus|cashback|fees?|deposit|ratings?|reviews?|quantity|qty|sku|subtotal|subscri\w*"
    r"|swatch(?:es)?|twister|add ?ons?|percent\w*|grundpreis|facets?|filters?|refine\w*"
    r"|cart ?total)\b"
    r"|\bdiscount (?:amount|badge|percent)"
    r"|\b(?:unit|base|shipping|delivery|tax|grund|versand)price\b"
)
_AWAY_NAMES: Final = re.compile(
    r"\b(?:related|recommend|similar|up ?sell|cross ?sell|recently|bought together|frequently"
    r"|accessor|sponsor|mini ?cart|cart ?drawer|side ?cart|mini ?basket|footer|nav|menu|newsletter"
    r"|cookie|popup|modal|suggest|zubeh|alternativ|you may|viewed|trending|best ?sell|more from)"
    r"|\b(?:also|bought|together|bundle|bundles|comparison|other)\b|\bmega ?menu|navigation"
)
_CARD_NAMES: Final = re.compile(
    r"\b(?:product|produkt|produit|item) ?"
    r"(?:card|tile|teaser|thumb|thumbnail|miniature|preview)(?: |$)"
)
_HIDDEN_NAMES: Final = re.compile(
    r"(?<![\w-])(?:hidden|hide|d-none|displaynone|is-hidden|aok-hidden|invisible)(?![\w-])"
)
_SHOWN_NAMES: Final = re.compile(
    r"(?<![\w-])(?:d-(?:sm|md|lg|xl|xxl)|(?:sm|md|lg|xl|2xl):)-?(?:inline|block|flex|grid|table)"
)
"""Names of parts that are hidden on small screens alone."""
_CAMEL: Final = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_JOINTS: Final = re.compile(r"[\W_]+")


_WORD_PATTERNS: Final = (  # in the order of NameHints
    *(_PRICE_NAMES, _OLD_PRICE_NAMES, _OTHER_AMOUNT_NAMES),
    *(_AWAY_NAMES, _CARD_NAMES),
)


class NameHints(NamedTuple):
    """What the classes and id of an element say about its content."""

    is_price: bool
    is_old: bool
    is_other: bool
    is_away: bool
    is_card: bool
    is_hidden: bool


@lru_cache(maxsize=16_384)
def name_hints(names: str) -> NameHints:
    """The hints match whole words: ``old-price`` and ``oldPrice``, but not ``threshold-price``.

    Cached, because a shop uses the same names on all its pages.
    """
    words = _JOINTS.sub(" ", _CAMEL.sub(" ", names)).lower()
    lower = names.lower()
    is_hidden = _HIDDEN_NAMES.search(lower) is not None and not _SHOWN_NAMES.search(lower)
    return NameHints._make((*(bool(each.search(words)) for each in _WORD_PATTERNS), is_hidden))
