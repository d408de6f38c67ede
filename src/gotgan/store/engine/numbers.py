"""DynamoDB's numbers: 38 significant digits, from 1E-130 to 9.9…E+125, kept as text.

A number has one canonical text (plain notation, no needless zeros), so equal numbers are equal
strings, and one canonical key, whose bytes sort as the numbers do.
"""

from __future__ import annotations

import re
from decimal import Context, Decimal, InvalidOperation

from gotgan.store.engine.faults import ValidationException

MAX_DIGITS = 38
LARGEST_EXPONENT = 125
SMALLEST_EXPONENT = -130

# Wide enough for the exact sum of the largest and the smallest number there is.
_EXACT = Context(prec=300)
_SYNTAX = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_CANONICAL_INTEGER = re.compile(r"-?[1-9][0-9]{0,37}|0", re.ASCII)

_NEGATIVE, _ZERO, _POSITIVE = b"\x01", b"\x02", b"\x03"
_END_OF_NEGATIVE = b"\xff"
# From two digits read as hexadecimal ones to their value plus one; other bytes do not occur.
_PAIRS = bytes(10 * tens + ones + 1 for tens in range(16) for ones in range(16))
_COMPLEMENTS = bytes(range(255, -1, -1))


def canonical(text: str) -> str:
    """Return the one text of this number, or refuse what is not a number of DynamoDB's."""
    if _CANONICAL_INTEGER.fullmatch(text):
        return text
    return render(parse(text))


def parse(text: str) -> Decimal:
    """Read a number, refusing what DynamoDB refuses."""
    if not _SYNTAX.fullmatch(text):
        detail = f": {text}" if text else ""
        raise ValidationException(f"The parameter cannot be converted to a numeric value{detail}")
    try:
        number = Decimal(text)
    except InvalidOperation:  # an exponent so long that even Decimal gives up
        number = Decimal("1e-999" if "e-" in text.lower() else "1e999")
    _check_range(number)
    return number


def render(number: Decimal) -> str:
    """Write a number in plain notation without needless zeros."""
    if not number:
        return "0"
    text = format(number, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def add(left: str, right: str) -> str:
    """Return left + right, exactly, or refuse a result out of DynamoDB's range."""
    return _checked_result(_EXACT.add(Decimal(left), Decimal(right)))


def subtract(left: str, right: str) -> str:
    """Return left - right, exactly, or refuse a result out of DynamoDB's range."""
    return _checked_result(_EXACT.subtract(Decimal(left), Decimal(right)))


def byte_count(text: str) -> int:
    """Return what a canonical number counts in an item's size.

    That is a byte for every two digits, paired from the decimal point as ``encode`` pairs them, one
    for the exponent, and one for a minus.
    """
    if text == "0":
        return 1
    exponent, digits = _scientific(text.lstrip("-"))
    pairs = (len(digits) + exponent % 2 + 1) // 2
    return 1 + pairs + (text[0] == "-")


def is_natural(text: str) -> bool:
    """Whether this is a whole number above 0 in its canonical text."""
    return text.isdecimal() and text.isascii() and text[0] != "0" and len(text) <= MAX_DIGITS


def natural_byte_count(text: str) -> int:
    """Return what ``byte_count`` does, for a natural number."""
    return 1 + (len(text.rstrip("0")) + len(text) % 2 + 1) // 2


def encode(text: str) -> bytes:
    """Return bytes that sort as the numbers do: sign, exponent, base-100 digits.

    ``text`` is canonical. The digits are paired so that the exponent counts hundreds; each pair is
    stored plus one, which leaves 0 and 255 free as smaller and larger than any pair.
    """
    if text == "0":
        return _ZERO
    negative = text[0] == "-"
    exponent, digits = _scientific(text[1:] if negative else text)
    if exponent % 2:
        digits, exponent = "0" + digits, exponent + 1
    if len(digits) % 2:
        digits += "0"
    body = bytes((exponent // 2 + 128,)) + bytes.fromhex(digits).translate(_PAIRS)
    if not negative:
        return _POSITIVE + body
    return _NEGATIVE + body.translate(_COMPLEMENTS) + _END_OF_NEGATIVE


def _scientific(text: str) -> tuple[int, str]:
    """Split a positive number into 0.digits and the power of ten that they are multiplied by."""
    if "." not in text:
        return len(text), text.rstrip("0")
    whole, _, fraction = text.partition(".")
    whole = whole.lstrip("0")
    exponent = len(whole) if whole else len(fraction.lstrip("0")) - len(fraction)
    return exponent, (whole + fraction).strip("0")


def _checked_result(number: Decimal) -> str:
    _check_range(number)
    return render(number)


def _check_range(number: Decimal) -> None:
    if not number:
        return
    if number.adjusted() > LARGEST_EXPONENT:
        raise ValidationException(
            "Number overflow. Attempting to store a number with magnitude larger than supported"
            " range"
        )
    if number.adjusted() < SMALLEST_EXPONENT:
        raise ValidationException(
            "Number underflow. Attempting to store a number with magnitude smaller than supported"
            " range"
        )
    digits = number.as_tuple().digits
    if len(digits) > MAX_DIGITS and any(digits[MAX_DIGITS:]):
        raise ValidationException("Attempting to store more than 38 significant digits in a Number")
