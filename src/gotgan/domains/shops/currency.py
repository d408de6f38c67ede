"""Currencies: how pages write them, which one they mean, and prices as text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final
from urllib.parse import urlsplit


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


CODES: Final = _codes("""
    AED ALL AMD ARS AUD AZN BAM BDT BGN BHD BOB BRL BYN CAD CHF CLP CNY COP CRC CZK DKK DOP DZD
    EGP EUR GBP GEL GHS GTQ HKD HRK HUF IDR ILS INR ISK JOD JPY KES KRW KWD KZT LBP LKR MAD MDL MKD
    MXN MYR NGN NOK NPR NZD OMR PAB PEN PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB TND TRY TWD
    TZS UAH UGX USD UYU UZS VND XAF XOF ZAR
""")
_CODE_CHARS: Final = 3
_NO_DIGITS: Final = _codes("CLP ISK JPY KRW PYG UGX VND XAF XOF")
_THREE_DIGITS: Final = _codes("BHD JOD KWD OMR TND")

CURRENCY_SIGNS: Final[Mapping[str, str]] = _pairs("""
    $:USD us$:USD u$s:USD ca$:CAD c$:CAD can$:CAD au$:AUD a$:AUD nz$:NZD hk$:HKD nt$:TWD s$:SGD
    mx$:MXN r$:BRL €:EUR euro:EUR euros:EUR £:GBP ¥:JPY ￥:JPY 円:JPY 元:CNY rmb:CNY ₩:KRW ￦:KRW
    원:KRW ₽:RUB \u0440\u0443\u0431:RUB ₹:INR rs:INR ₺:TRY tl:TRY ₴:UAH грн:UAH ₫:VND ₪:ILS ฿:THB
    ₱:PHP ₦:NGN ₸:KZT zł:PLN kč:CZK kr:SEK sfr:CHF fr:CHF ft:HUF lei:RON лв:BGN rm:MYR rp:IDR
    r:ZAR din:RSD zl:PLN kc:CZK \u0440:RUB тг:KZT đ:VND บาท:THB
""")
"""Signs and short names, in lower case; one of several currencies means the first."""

LETTER_SIGNS: Final = frozenset({"r", "\u0440", "đ"})
"""Letters that are a currency only if they are alone."""

_SHARED_SIGNS: Final = {
    "$": _codes("ARS AUD CAD CLP COP HKD MXN NZD SGD TWD USD UYU"),
    "kr": _codes("DKK ISK NOK SEK"),
    "¥": _codes("CNY JPY"),
    "￥": _codes("CNY JPY"),
    "元": _codes("CNY HKD TWD"),
    "rs": _codes("INR LKR NPR PKR"),
    "£": _codes("EGP GBP"),
}
"""Signs of several currencies: the country of the page decides."""

_HOME_CURRENCIES: Final[Mapping[str, str]] = _pairs("""
    at:EUR be:EUR cy:EUR de:EUR ee:EUR es:EUR eu:EUR fi:EUR fr:EUR gr:EUR hr:EUR ie:EUR it:EUR
    lt:EUR lu:EUR lv:EUR mt:EUR nl:EUR pt:EUR si:EUR sk:EUR
    ar:ARS au:AUD bg:BGN br:BRL ca:CAD ch:CHF cl:CLP cn:CNY cz:CZK dk:DKK gb:GBP hk:HKD hu:HUF
    id:IDR il:ILS in:INR is:ISK jp:JPY kr:KRW li:CHF lk:LKR mx:MXN my:MYR no:NOK nz:NZD ph:PHP
    pk:PKR pl:PLN ro:RON rs:RSD ru:RUB se:SEK sg:SGD th:THB tr:TRY tw:TWD ua:UAH uk:GBP us:USD
    uy:UYU vn:VND za:ZAR
""")
"""Currencies by country domain, or by region of the language."""

_WORD_SIGNS: Final = _codes("ALL AMD BAM MAD PEN TRY FR FT RM RP TL R DIN ZL KC \u0420 ТГ Đ")
"""Words that mean a currency only in its country: 6 ft, ALL 12."""
_UNAMBIGUOUS_CODES: Final = _codes("CHF CZK DKK EUR GBP HUF JPY KRW PLN USD")
"""Codes that are not a word in any language, in upper or lower case."""

_REGION: Final = re.compile(r"[a-z]{2,3}(?:[-_][a-z]{4})?[-_]([a-z]{2})\b", re.IGNORECASE)


def parse_currency(mark: str, home: str | None = None) -> str | None:
    """The ISO code of a currency as declared; ``home`` decides among those of one sign."""
    name = mark.strip(" .\u00a0").lower()
    if len(name) == _CODE_CHARS and name.upper() in CODES:
        return name.upper()
    shared = _SHARED_SIGNS.get(name, frozenset())
    return home if home in shared else CURRENCY_SIGNS.get(name)


def written_currency(mark: str, home: str | None = None) -> str | None:
    """The ISO code of a currency in text for people, where it may be an ordinary word."""
    name = mark.strip(" .\u00a0").upper()
    currency = parse_currency(mark, home)
    is_code = name in CODES and name not in _UNAMBIGUOUS_CODES
    is_word = name in _WORD_SIGNS or (is_code and not mark.isupper())
    return currency if not is_word or currency == home else None


def minor_digits(currency: str | None) -> int:
    """Decimal digits of a currency; two if it is unknown."""
    if currency in _NO_DIGITS:
        return 0
    return 3 if currency in _THREE_DIGITS else 2


def home_currency(address: str, language: str | None) -> str | None:
    """The currency of a site's country, by its domain or the region of its language."""
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    by_domain = _HOME_CURRENCIES.get(host.rpartition(".")[2])
    region = _REGION.match(language or "")
    return by_domain or (_HOME_CURRENCIES.get(region[1].lower()) if region else None)


def price_text(price: int | None, currency: str | None) -> str | None:
    """A price in whole units of its currency; None if it is unknown."""
    if price is None:
        return None
    digits = minor_digits(currency)
    amount = f"{Decimal(price).scaleb(-digits):,.{digits}f}"
    return f"{amount} {currency}" if currency else amount
