"""Amounts of money, as machines declare them and as people write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from gotgan.domains.shops.reading.currencies import LETTERS, MARKS, digits_of, written_currency
from gotgan.domains.shops.reading.myriads import MYRIADS, worth_of_myriads

__all__ = ["SIGNS", "Money", "declared_amount", "minor_units", "money_in", "monies_in"]

_SPACE: Final = r"[ \u00a0\u2009\u202f]"
_NUMBER: Final = (
    r"(?<![\d.,'\u2019])(?<![a-zA-Z\d]-)(?:"
    r"\d{1,3}(?:[.,'\u2019]\d{3})+(?:[.,]\d{1,2})?(?!\d)"  # 1.299,00 and 12,000
    rf"|\d{{1,3}}(?:{_SPACE}\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)"  # 1 299
    rf"|\d{{1,3}}(?:,\d\d)+,\d{{3}}(?:\.\d{{1,2}})?(?!\d)"  # 1,25,000
    r"|\d+(?:[.,]\d{1,2}(?!\d))?)"  # 1299,00 and 12
    rf"(?:[.,]{_SPACE}?[-–—]{{1,2}}|{_SPACE}?[-–—]{{1,2}}(?!{_SPACE}?[\d$€£]))?"  # 12,– but 10-20
)
_AMOUNT: Final = re.compile(_NUMBER)
_FOUND: Final = re.compile(f"{MYRIADS}|{_NUMBER}")
SIGNS: Final = "".join(mark for mark in MARKS if len(mark) == 1 and mark not in LETTERS)
_WORD: Final = r"[^\W\d_]"
_BEFORE: Final = re.compile(rf"({_WORD}{{0,3}}[{SIGNS}]|{_WORD}{{1,5}}\.?){_SPACE}{{0,2}}$")
_AFTER: Final = re.compile(rf"{_SPACE}{{0,2}}([{SIGNS}]|{_WORD}{{1,5}}\.?(?!{_WORD}))")
_LONGEST_SIGN: Final = 8
_OF_NEXT: Final = re.compile(rf"{_SPACE}+[{SIGNS}]\d")
"""A sign that stands away from one number and right at another is that of the other."""
_CENTS: Final = re.compile(r"(?<=\d€)\d\d(?![\d.,%€])")
"""What follows the sign in the way of France: 12€50."""
_UP_TO: Final = re.compile(
    rf"{_SPACE}?(?:[-–—~]|bis|to|à){_SPACE}?\d[\d.,'\u2019]{{0,9}}(?<![.,])(?!\d)"
)
"""The rest of a range that names its currency at the end: 10,00 – 20,00 €."""
_WITH_CENTS: Final = re.compile(r"[.,]\d\d$")
_NO_PRICE: Final = re.compile(r"[kKmM](?![^\W\d_])|[^\W\d_]+\d")
"""What makes a number one of thousands, or the name of a model: $5k, AMD 9800X3D."""
_MINUS: Final = ("-", "\u2212")
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
    found = _AMOUNT.search(text)
    return _amount(found[0]) if found and not text.startswith(_MINUS) else None


def minor_units(amount: Decimal, currency: str | None) -> int:
    """An amount as a number of the currency's smallest unit."""
    return int((amount * 10 ** digits_of(currency)).to_integral_value())


def money_in(text: str, home: str | None = None) -> Money | None:
    """The first amount with a currency in a text."""
    return next(monies_in(text, home), None)


def monies_in(text: str, home: str | None = None) -> Iterator[Money]:
    """Every amount in a text that has its currency beside it."""
    done = 0
    for found in _FOUND.finditer(text):
        money = _money(text, found, home, done) if found.start() >= done else None
        if money is not None:
            done = money.end
            yield money


def _money(text: str, found: re.Match[str], home: str | None, done: int) -> Money | None:
    """What a number is worth; the sign of a number before it, which is done, is not its own."""
    if found["sign"]:
        currency = written_currency(found["sign"], home)
        return _if_paid(text, Money(worth_of_myriads(found), currency, *found.span()))
    begin, end = found.span()
    before = _BEFORE.search(text[max(done, begin - _LONGEST_SIGN) : begin])
    currency = written_currency(before[1], home) if before else None
    amount = _amount(found[0])
    if before is None or currency is None:
        return _money_before_sign(text, found, amount, home)
    if amount is None or _NO_PRICE.match(text, end):
        return None
    return _if_paid(text, Money(amount, currency, begin - len(before[0]), end))


def _money_before_sign(
    text: str, number: re.Match[str], amount: Decimal | None, home: str | None
) -> Money | None:
    begin, end = number.span()
    is_begun = begin == 0 or _WITH_CENTS.search(number[0])  # what else stands there is a name
    rest = _UP_TO.match(text, end) if is_begun else None
    after = _AFTER.match(text, rest.end() if rest else end)
    currency = written_currency(after[1], home) if after else None
    if after is None or amount is None or currency is None or _OF_NEXT.match(text, end):
        return None
    cents = _CENTS.match(text, after.end()) if number[0].isdigit() else None
    if cents:
        return Money(amount + Decimal(cents[0]) / 100, currency, begin, cents.end())
    return _if_paid(text, Money(amount, currency, begin, after.end()))


def _if_paid(text: str, money: Money) -> Money | None:
    """The same, unless a minus says that it is taken off another amount."""
    before = text[max(0, money.begin - 3) : money.begin]
    is_less = before.endswith(_MINUS) and before[:-1].strip()[-1:] in ("", "(", ":")
    is_price = 0 < money.amount < _MOST and not is_less
    return money if is_price and money.currency else None


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
