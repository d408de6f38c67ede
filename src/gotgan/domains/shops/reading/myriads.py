"""Numbers as they are spoken in East Asia, where they are counted in myriads: 1만 2천원, 3万円."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

__all__ = ["MYRIADS", "worth_of_myriads"]

_SPACE: Final = r"[ \u00a0]?"
_NUMBER: Final = r"\d[\d,]{0,9}(?:\.\d{1,4})?"
MYRIADS: Final = (
    rf"(?<![\d.,])(?={_NUMBER}{_SPACE}[만万萬천千])"
    rf"(?:(?P<myriads>{_NUMBER}){_SPACE}[만万萬]{_SPACE})?"
    rf"(?:(?P<thousands>{_NUMBER}){_SPACE}[천千]{_SPACE})?"
    rf"(?P<ones>\d[\d,]{{0,9}})?{_SPACE}(?P<sign>[원円元])"
)
"""What such a number looks like with its currency."""
_WORTH: Final = {"myriads": 10_000, "thousands": 1_000, "ones": 1}


def worth_of_myriads(found: re.Match[str]) -> Decimal:
    """What a number that was found is worth."""
    parts = ((found[name], worth) for name, worth in _WORTH.items())
    return sum(
        (Decimal(part.replace(",", "")) * worth for part, worth in parts if part), Decimal(0)
    )
