"""The languages of the shops: their texts, in ``languages.toml``, and how a price is written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final, Literal

from gotgan.world.scene import read_data

Status = Literal["AVAILABLE", "RESERVED", "SOLD"]

_PLAIN: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", "è": "e", "ê": "e", "û": "u"}
)
_BETWEEN: Final = re.compile(r"[^0-9a-z가-힣]+")


@dataclass(frozen=True, eq=False)
class ShopLanguage:
    """What shops of a language say."""

    code: str
    home: str
    on_request: str
    add: str
    related: str
    journal: str
    contact: str
    imprint: str
    next: str
    login: str
    categories: Sequence[str]
    statuses: Mapping[Status, str]
    paths: Mapping[str, str]
    """The words for product, category, journal, imprint, contact, cart and page in URLs."""
    title: str
    """The template of a product's title."""
    styles: Sequence[str]
    materials: Sequence[str]
    things: Sequence[Sequence[str]]
    """By category."""
    sentences: Sequence[str]

    def make_title(self, dice: Random, category: int) -> str:
        """The title of a product."""
        return self.title.format(
            style=dice.choice(self.styles),
            thing=dice.choice(self.things[category]),
            stuff=dice.choice(self.materials),
            year=dice.randrange(1720, 1935, 5),
        )

    def make_text(self, dice: Random, count: int) -> str:
        """Some sentences that would fit many products."""
        return " ".join(dice.choice(self.sentences) for _ in range(count))


@cache
def shop_languages() -> Mapping[str, ShopLanguage]:
    """All languages, by code."""
    data = read_data(__package__, "languages.toml")
    return {code: ShopLanguage(code=code, **fields) for code, fields in data.items()}


def format_price(price: int, currency: str, language: str) -> str:
    """A price in minor units as a shop writes it."""
    if currency == "KRW":
        return f"{price:,}원"
    whole, cents = divmod(price, 100)
    match currency, language:
        case "CHF", _:
            return f"CHF {whole:,}.–".replace(",", "'")
        case "GBP", _:
            return f"£{whole:,}.{cents:02}"
        case "USD", _:
            return f"${whole:,}.{cents:02}"
        case _, "fr":
            return f"{whole:,}".replace(",", "\u202f") + f",{cents:02}\u00a0€"
        case _:
            return f"{whole:,}".replace(",", ".") + (f",{cents:02} €" if cents else " €")


def slugify(text: str) -> str:
    """A name as URLs have it."""
    return _BETWEEN.sub("-", text.lower().translate(_PLAIN)).strip("-")
