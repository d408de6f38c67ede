"""Amounts of money, as machines declare them and as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from gotgan.domains.shops.reading.currencies import MARKS, digits_of, written_currency

__all__ = ["SIGNS", "Money", "declared_amount", "minor_units", "money_in", "monies_in"]

_SPACE: Final = r"[ \u00a0\u2009\u202f]"
_NUMBER: Final = re.compile(
    r"(?<![\d.,'\u2019])(?<![a-zA-Z\d]-)(?:"
    r"\d{1,3}(?:[.,'\u2019]\d{3})+(?:[.,]\d{1,2})?(?!\d)"  # 1.299,00 and 12,000
    rf"|\d{{1,3}}(?:{_SPACE}\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)"  # 1 299
    rf"|\d{{1,3}}(?:,\d\d)+,\d{{3}}(?:\.\d{{1,2}})?(?!\d)"  # 1,25,000
    r"|\d+(?:[.,]\d{1,2}(?!\d))?)"  # 1299,00 and 12
    rf"(?:[.,]?{_SPACE}?[-–—]{{1,2}}(?!{_SPACE}?[\d$€£]))?"  # 1'200.– but 10-20
)
SIGNS: Final = "".join(mark for mark in MARKS if len(mark) == 1)
_WORD: Final = r"[^\W\d_]"
_BEFORE: Final = re.compile(rf"({_WORD}{{0,3}}[{SIGNS}]|{_WORD}{{2,5}}\.?){_SPACE}{{0,2}}$")
_AFTER: Final = re.compile(rf"{_SPACE}{{0,2}}([{SIGNS}]|{_WORD}{{2,5}}\.?(?!{_WORD}))")
_LONGEST_SIGN: Final = 8
_MOST: Final = Decimal(10) ** 12
"""What costs more is no price but the number of something."""
_PLAIN: Final = re.compile(r"\d+(?:\.(\d*))?")
_LONGEST: Final = 100
"""How much of a text can be an amount."""
_GROUP: Final = 3


@dataclass(frozen=True)
class Money:
    """An amount, and in which currency, if that is said."""

    amount: Decimal
    currency: str | None
    begin: int = 0
    end: int = 0
    """Where in its text the amount stands, together with its currency."""


def declared_amount(value: Any) -> Decimal | None:
    """The amount that structured data declare; None where it is none, or not above nothing.

    A number with a point is what the standard asks for, but people's ways to write one are met too.
    """
    if isinstance(value, bool) or value is None:
        return None
    text = str(value)[:_LONGEST].strip()
    plain = _PLAIN.fullmatch(text)
    if not isinstance(value, str) or (plain and len(plain[1] or "") != _GROUP):
        return _if_a_price(text)
    found = _NUMBER.search(text)
    return _amount(found[0]) if found else None


def minor_units(amount: Decimal, currency: str | None) -> int:
    """An amount as a number of the currency's smallest unit."""
    return int((amount * 10 ** digits_of(currency)).to_integral_value())


def money_in(text: str, home: str | None = None) -> Money | None:
    """The first amount with a currency in a text."""
    return next(monies_in(text, home), None)


def monies_in(text: str, home: str | None = None) -> Iterator[Money]:
    """Every amount in a text that has its currency beside it."""
    for found in _NUMBER.finditer(text):
        money = _money(text, found, home)
        if money is not None:
            yield money


def _money(text: str, number: re.Match[str], home: str | None) -> Money | None:
    begin, end = number.span()
    before = _BEFORE.search(text[max(0, begin - _LONGEST_SIGN) : begin]) if begin else None
    currency = written_currency(before[1], home) if before else None
    if before and currency:
        begin -= len(before[0])
    elif after := _AFTER.match(text, end):
        currency = written_currency(after[1], home)
        end = after.end()
    amount = _amount(number[0]) if currency else None
    return Money(amount, currency, begin, end) if amount is not None else None


def _amount(number: str) -> Decimal | None:
    """A number as people write it: the last mark parts the decimals, unless three digits follow."""
    digits = number.rstrip(".,-–— \u00a0\u2009\u202f")
    head, mark, tail = _parted(digits)
    if mark and (len(tail) != _GROUP or head == "0"):
        return _if_a_price(f"{_digits(head)}.{tail}")
    return _if_a_price(_digits(digits))


def _parted(number: str) -> tuple[str, str, str]:
    at = max(number.rfind("."), number.rfind(","))
    return (number[:at], number[at], number[at + 1 :]) if at >= 0 else (number, "", "")


def _digits(number: str) -> str:
    return "".join(each for each in number if each.isdigit())


def _if_a_price(number: str) -> Decimal | None:
    try:
        amount = Decimal(number)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and 0 < amount < _MOST else None
