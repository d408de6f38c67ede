"""Which shops there are, and how each is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Final, Literal

from gotgan.world.shops.tongues import TONGUES, Tongue

__all__ = ["SHOPS", "Nature", "Sitemaps", "Standard", "WorldShop"]

Standard = Literal["json-ld", "microdata", "rdfa", "opengraph", "none"]
Sitemaps = Literal["none", "one", "index"]
Nature = Literal["tame", "endless", "walled", "heavy", "broken", "hasty"]
"""How it misbehaves by itself: an endless calendar, a login before everything, pages of 30 MB,
HTML that nobody checked, 429 in bursts."""


@dataclass(frozen=True)
class WorldShop:
    """A shop and its shape."""

    domain: str
    country: str
    tongue: Tongue
    currency: str
    standard: Standard
    sitemaps: Sitemaps
    products: int
    """How many shelves it has, of which some stand empty for a day or so."""
    has_queries: bool = False
    """Whether its addresses are scripts with parameters."""
    nature: Nature = "tame"

    @property
    def categories(self) -> int:
        """How many categories its products are in."""
        return max(1, min(len(self.tongue.categories), self.products // 8))

    @property
    def articles(self) -> int:
        """How many articles its journal has; a small shop has none."""
        return 3 if self.products >= _WITH_JOURNAL else 0


_WITH_JOURNAL: Final = 10
_MANY: Final = 40
_HOMES: Final = (
    ("DE", "de", "EUR"),
    ("GB", "en", "GBP"),
    ("KR", "ko", "KRW"),
    ("FR", "fr", "EUR"),
    ("CH", "de", "CHF"),
    ("US", "en", "USD"),
)
_STANDARDS: Final[tuple[Standard, ...]] = ("json-ld", "none", "microdata", "opengraph", "rdfa")
_SITEMAPS: Final[tuple[Sitemaps, ...]] = ("index", "none", "one")
_SIZES: Final = (12, 30, 2, 60, 18, 90, 7)
"""The lengths of these lists share no divisor but 3, so that every combination comes about."""


def _antiques() -> Iterator[WorldShop]:
    shapes = zip(cycle(_HOMES), cycle(_STANDARDS), cycle(_SITEMAPS), cycle(_SIZES), strict=False)
    for number, ((country, code, currency), standard, sitemaps, size) in enumerate(shapes, 1):
        if number > _MANY:
            return
        yield WorldShop(
            domain=f"antik-{number}.shop.test",
            country=country,
            tongue=TONGUES[code],
            currency=currency,
            standard=standard,
            sitemaps=sitemaps,
            products=size,
            has_queries=standard == "none",
        )


def _others() -> Iterator[WorldShop]:
    german = WorldShop("", "DE", TONGUES["de"], "EUR", "json-ld", "index", 5_000)
    small = replace(german, sitemaps="none", products=12)
    yield replace(german, domain="grosshandel.shop.test")
    yield replace(small, domain="kalender.shop.test", nature="endless")
    yield replace(small, domain="mitglieder.shop.test", nature="walled")
    yield replace(small, domain="bilderflut.shop.test", nature="heavy")
    yield replace(small, domain="flickwerk.shop.test", nature="broken")
    yield replace(small, domain="eilig.shop.test", nature="hasty")
    for name in ("antik-1", "stuben", "truhe"):
        yield replace(small, domain=f"{name}.hosted.test")


SHOPS: Final[Mapping[str, WorldShop]] = {
    shop.domain: shop for shops in (_antiques(), _others()) for shop in shops
}
