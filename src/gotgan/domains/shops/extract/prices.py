"""Amounts of money, as declared and as people write them.

In East Asia large numbers are counted in myriads: 1만 2천원, 3万円.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from gotgan.domains.shops.currency import (
    CURRENCY_SIGNS,
    NOWHERE,
    Home,
    minor_digits,
    shared_currency,
    writes_mills,
    written_currency,
)

_MYRIAD_SPACE: Final = r"[ \u00a0]?"
_MYRIAD_NUMBER: Final = r"\d[\d,]{0,9}(?:\.\d{1,4})?"
_MYRIADS: Final = (
    rf"(?<![\d.,])(?={_MYRIAD_NUMBER}{_MYRIAD_SPACE}[만万萬천千])"
    rf"(?:(?P<myriads>{_MYRIAD_NUMBER}){_MYRIAD_SPACE}[만万萬]{_MYRIAD_SPACE})?"
    rf"(?:(?P<thousands>{_MYRIAD_NUMBER}){_MYRIAD_SPACE}[천千]{_MYRIAD_SPACE})?"
    rf"(?P<ones>\d[\d,]{{0,9}})?{_MYRIAD_SPACE}(?P<sign>[원円元])"
)
_MYRIAD_UNITS: Final = {"myriads": 10_000, "thousands": 1_000, "ones": 1}


_SPACE: Final = r"[ \u00a0\u2009\u202f]"
_NUMBER: Final = (
    r"(?<![\d,'\u2019])(?<![\d_]\.)(?<![^\w/]\.)(?<!^\.)(?<![a-zA-Z\d]-)(?:"
    r"\d{1,3}(?:[.,'\u2019]\d{3})+(?:[.,]\d{1,2})?(?!\d)"  # 1.299,00 and 12,000
    rf"|\d{{1,3}}(?:{_SPACE}\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)"  # 1 299
    rf"|\d{{1,3}}(?:,\d\d)+,\d{{3}}(?:\.\d{{1,2}})?(?!\d)"  # 1,25,000
    r"|\d+(?:[.,]\d{1,2}(?!\d))?"  # 1299,00 and 12
    r"|(?<=[$£€])\.\d\d(?!\d))"  # $.99
    rf"(?:[.,:]{_SPACE}?[-–—]{{1,2}}|{_SPACE}?[-–—]{{1,2}}(?!{_SPACE}?[\d$€£]))?"  # 12,– but 10-20
)
_AMOUNT: Final = re.compile(_NUMBER)
_FOUND: Final = re.compile(f"{_MYRIADS}|{_NUMBER}")
SIGNS: Final = "".join(
    mark for mark in CURRENCY_SIGNS if len(mark) == 1 and (not mark.isalpha() or mark > "\u3000")
)
_ODD: Final = "|".join(
    re.escape(mark) + r"\.?"
    for mark in sorted(CURRENCY_SIGNS, key=len, reverse=True)
    if len(mark) > 1 and not mark.isalpha() and not (mark[:-1].isalpha() and mark[-1] in SIGNS)
)
"""Marks that are neither a word nor a sign after letters."""
_WORD: Final = r"[^\W\d_]"
_BEFORE: Final = re.compile(rf"({_WORD}{{0,3}}[{SIGNS}]|{_WORD}{{1,5}}\.?){_SPACE}{{0,2}}$")
_AFTER: Final = re.compile(
    rf"{_SPACE}{{0,2}}([{SIGNS}]|F[.]?{_SPACE}?(?:CFA|CFP)(?!{_WORD})|{_WORD}{{1,5}}\.?(?!{_WORD}))"
)
_ODD_BEFORE: Final = re.compile(rf"((?<!{_WORD})(?:{_ODD})){_SPACE}{{0,2}}$", re.IGNORECASE)
_ODD_AFTER: Final = re.compile(rf"{_SPACE}{{0,2}}((?:{_ODD})(?!{_WORD}))", re.IGNORECASE)
_MAY_BE_ODD: Final = re.compile(r"[/'\u02bb\u0600-\u06ff]|\$[a-zA-Z]|[a-zA-Z]\.[a-zA-Z]")
_MAX_SIGN_CHARS: Final = 8
_OF_NEXT: Final = re.compile(rf"{_SPACE}+[{SIGNS}]\d")
"""A sign away from one number and right before another belongs to the latter."""
_CENTS: Final = re.compile(r"(?<=\d€)\d\d(?![\d.,%€])")
"""Cents after the sign, as in France: 12€50."""
_UP_TO: Final = re.compile(
    rf"{_SPACE}?(?:[-–—~]|bis|to|à){_SPACE}?\d[\d.,'\u2019]{{0,9}}(?<![.,])(?!\d)"
)
"""The rest of a range with its currency at the end: 10,00 – 20,00 €."""
_CODE_BEFORE: Final = re.compile(rf"(?<!{_WORD})([A-Z]{{2,3}}){_SPACE}?$")
_CODE_AFTER: Final = re.compile(rf"{_SPACE}?([A-Z]{{3}})(?!{_WORD})")
_DASHED: Final = re.compile(rf"[.,:]{_SPACE}?[-–—]{{1,2}}$")
_WITH_CENTS: Final = re.compile(r"[.,]\d\d$")
_NO_PRICE: Final = re.compile(
    r"[kKmMbB][nN]?(?![^\W\d_])|[^\W\d_]+\d"
    r"| ?(?:million|billion|trillion|mio|mrd|milliard|millón|millones|억|조)",
    re.IGNORECASE,
)
"""Thousands and millions, and names of models: $5k, $2 million, AMD 9800X3D."""
_MINUS: Final = ("-", "\u2212")
_MAX_AMOUNT: Final = Decimal(10) ** 12
_PLAIN: Final = re.compile(r"\d+(?:\.(\d*))?")
_MILLS: Final = re.compile(r"(\d+|\d{1,3}(?:,\d{3})+(?=\.))([.,])(\d{3})")
_MAX_AMOUNT_CHARS: Final = 100
_GROUP_DIGITS: Final = 3


@dataclass(frozen=True)
class Money:
    """An amount with a mark of its currency, which may be undecided."""

    amount: Decimal
    currency: str | None
    begin: int = 0
    end: int = 0
    """The position in its text, with the currency."""


def declared_amount(value: Any, currency: str | None = None) -> Decimal | None:
    """The amount in structured data; None if it is invalid or not positive.

    The standard asks for a decimal point, but other notations are accepted too.
    """
    if isinstance(value, bool) or value is None:
        return None
    text = str(value)[:_MAX_AMOUNT_CHARS].strip()
    plain = _PLAIN.fullmatch(text)
    if not isinstance(value, str) or (plain and len(plain[1] or "") != _GROUP_DIGITS):
        return _price_or_none(text)
    found = _AMOUNT.search(text)
    return _parse_amount(found[0], currency) if found and not text.startswith(_MINUS) else None


def minor_units(amount: Decimal, currency: str | None) -> int:
    """An amount in the smallest unit of the currency."""
    return int((amount * 10 ** minor_digits(currency)).to_integral_value())


def first_money(text: str, home: Home = NOWHERE) -> Money | None:
    """The first amount with a currency in a text."""
    return next(iter_money(text, home), None)


def iter_money(text: str, home: Home = NOWHERE) -> Iterator[Money]:
    """Every amount in a text with its currency beside it."""
    done = 0
    for found in _FOUND.finditer(text):
        money = _money(text, found, home, done) if found.start() >= done else None
        if money is not None:
            done = money.end
            yield money


def _money(text: str, found: re.Match[str], home: Home, done: int) -> Money | None:
    """The amount of a number; a sign before ``done`` belongs to the number before it."""
    if found["sign"]:
        mark = written_currency(found["sign"], home)
        parts = ((found[name] or "0", unit) for name, unit in _MYRIAD_UNITS.items())
        amount = sum((Decimal(part.replace(",", "")) * unit for part, unit in parts), Decimal(0))
        return _unless_discount(text, Money(amount, mark.currency if mark else None, *found.span()))
    begin, end = found.span()
    head = text[max(done, begin - _MAX_SIGN_CHARS) : begin]
    before = (_MAY_BE_ODD.search(head) and _ODD_BEFORE.search(head)) or _BEFORE.search(head)
    mark = written_currency(before[1], home) if before else None
    if before is None or mark is None:
        return _money_before_sign(text, found, home)
    start = begin - len(before[0])
    code = _CODE_AFTER.match(text, end)
    named = _named_currency(before[1], text[max(0, start - _MAX_SIGN_CHARS) : start], code)
    currency = named or mark.currency
    number = _parse_amount(found[0], currency)
    if number is None or _NO_PRICE.match(text, end):
        return None
    end = code.end() if code and named == code[1] else end
    return _unless_discount(text, Money(number, currency, start, end))


def _named_currency(sign: str, head: str, after: re.Match[str] | None) -> str | None:
    """The currency of a shared sign with its code beside it: $12.50 CAD, CAD $12.50, AU $12.50."""
    before = _CODE_BEFORE.search(head)
    words = (each[1] for each in (after, before) if each)
    return next(filter(None, (shared_currency(sign, word) for word in words)), None)


def _money_before_sign(text: str, number: re.Match[str], home: Home) -> Money | None:
    begin, end = number.span()
    is_begun = begin == 0 or _WITH_CENTS.search(number[0])  # else it is part of a name
    rest = _UP_TO.match(text, end) if is_begun else None
    at = rest.end() if rest else end
    is_odd = _MAY_BE_ODD.search(text, at, at + _MAX_SIGN_CHARS)
    after = (is_odd and _ODD_AFTER.match(text, at)) or _AFTER.match(text, at)
    mark = written_currency(after[1], home) if after else None
    if after is None or mark is None or _OF_NEXT.match(text, end):
        return _dashed_money(text, number, home)
    if after[1].isascii() and len(after[1]) == 1 and after[1].isalpha():
        return None  # a unit, as in 5 l
    code = _CODE_AFTER.match(text, after.end())
    currency = _named_currency(after[1], "", code) or mark.currency
    amount = _parse_amount(number[0], currency)
    if amount is None:
        return None
    cents = _CENTS.match(text, after.end()) if number[0].isdigit() else None
    if cents:
        return Money(amount + Decimal(cents[0]) / 100, currency, begin, cents.end())
    return _unless_discount(text, Money(amount, currency, begin, after.end()))


def _dashed_money(text: str, number: re.Match[str], home: Home) -> Money | None:
    """An amount with a dash for its decimals, as in 1 299,- which is a price without any mark."""
    amount = _parse_amount(number[0]) if home.dash_currency and _DASHED.search(number[0]) else None
    if amount is None:
        return None
    return _unless_discount(text, Money(amount, home.dash_currency, *number.span()))


def _unless_discount(text: str, money: Money) -> Money | None:
    """None if a minus marks it as a discount, or if it is no price."""
    before = text[max(0, money.begin - 3) : money.begin]
    is_less = before.endswith(_MINUS) and before[:-1].strip()[-1:] in ("", "(", ":")
    is_price = 0 < money.amount < _MAX_AMOUNT and not is_less
    return money if is_price else None


def _parse_amount(number: str, currency: str | None = None) -> Decimal | None:
    """A written number: the last mark separates the decimals, unless three digits follow.

    Some currencies are written with three decimals.
    """
    digits = number.rstrip(".,:-–— \u00a0\u2009\u202f")
    mills = _MILLS.fullmatch(digits)
    if mills and writes_mills(currency, mills[2]):
        return _price_or_none(f"{mills[1].replace(',', '')}.{mills[3]}")
    at = max(digits.rfind("."), digits.rfind(","))
    head, tail = digits[: max(at, 0)], digits[at + 1 :]
    if at >= 0 and (len(tail) != _GROUP_DIGITS or head == "0"):
        return _price_or_none(f"{''.join(filter(str.isdigit, head))}.{tail}")
    return _price_or_none("".join(filter(str.isdigit, digits)))


def _price_or_none(number: str) -> Decimal | None:
    try:
        amount = Decimal(number)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() and 0 < amount < _MAX_AMOUNT else None
