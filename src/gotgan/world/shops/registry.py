"""The shops of the world: the shape of each, and the paths of its pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Final, Literal, NamedTuple
from urllib.parse import parse_qs, quote

from gotgan.world.scene import SceneRequest
from gotgan.world.shops.languages import ShopLanguage, shop_languages, slugify

Standard = Literal["json-ld", "microdata", "rdfa", "opengraph", "none"]
Sitemaps = Literal["none", "one", "index"]
Behaviour = Literal["tame", "endless", "walled", "heavy", "broken", "hasty"]
"""How a shop misbehaves: an endless calendar, a login before everything, pages of 30 MB, invalid
HTML, bursts of 429."""
Platform = Literal["shopify", "woocommerce"]
"""The shop systems whose list of products the world has."""
Kind = Literal["home", "product", "category", "journal", "imprint", "contact", "cart"]
HOME: Final = "/"
_KINDS: Final[tuple[Kind, ...]] = ("product", "category", "journal", "imprint", "contact", "cart")
_NUMBERED_KINDS: Final = frozenset(("product", "category", "journal"))
_NUMBER: Final = re.compile(r"(?:.*-)?([0-9]{1,9})/?")
_PAGE: Final = re.compile(r"[0-9]{1,9}")
_WITH_JOURNAL: Final = 10
_MANY: Final = 40
_PLATFORM_PATHS: Final[Mapping[Platform, Mapping[Kind, str]]] = {
    "shopify": {"product": "products", "category": "collections"},
    "woocommerce": {"product": "product", "category": "product-category"},
}
"""The words in the URLs of a shop system, whatever the language of the shop is."""
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


class ShopRoute(NamedTuple):
    """The page that a request is for."""

    kind: Kind
    number: int = 0
    """Of a product, a category or an article; articles begin with 1."""
    page: int = 1


@dataclass(frozen=True)
class WorldShop:
    """A shop and its shape."""

    domain: str
    country: str
    language_code: str
    currency: str
    standard: Standard
    sitemaps: Sitemaps
    products: int
    """How many shelves it has; some are empty for a day or so."""
    has_queries: bool = False
    """Whether its URLs are scripts with parameters."""
    behaviour: Behaviour = "tame"
    platform: Platform | None = None

    @property
    def language(self) -> ShopLanguage:
        """What its pages say."""
        return shop_languages()[self.language_code]

    @property
    def categories(self) -> int:
        """How many categories its products are in."""
        return max(1, min(len(self.language.categories), self.products // 8))

    @property
    def articles(self) -> int:
        """How many articles its journal has; a small shop has none."""
        return 3 if self.products >= _WITH_JOURNAL else 0

    def product_path(self, number: int, title: str) -> str:
        """The path of a product, as links have it."""
        return self._path("product", title, f"{number:06}")

    def category_path(self, number: int, page: int = 1) -> str:
        """The path of a page of a category."""
        path = self._path("category", self.language.categories[number], str(number))
        sign = "&" if "?" in path else "?"
        return path if page == 1 else f"{path}{sign}{self.language.paths['page']}={page}"

    def article_path(self, number: int, title: str) -> str:
        """The path of an article."""
        return self._path("journal", title, str(number))

    def info_path(self, kind: Kind) -> str:
        """The path of the imprint, the contact, the cart or the journal."""
        return f"/{self.language.paths[kind]}"

    def _word(self, kind: Kind) -> str:
        words = {} if self.platform is None else _PLATFORM_PATHS[self.platform]
        return words.get(kind, self.language.paths[kind])

    def _path(self, kind: Kind, title: str, number: str) -> str:
        name = self._word(kind)
        return (
            f"/{name}.php?id={number}" if self.has_queries else f"/{name}/{slugify(title)}-{number}"
        )

    def url(self, path: str) -> str:
        """The URL of a path, in its canonical spelling."""
        return f"https://{self.domain}{quote(path, safe='/?&=')}"

    def route(self, request: SceneRequest) -> ShopRoute | None:
        """The page at a URL, if there may be one."""
        if request.path == HOME:
            return ShopRoute("home")
        query = parse_qs(request.query)
        first, _, rest = request.path.removeprefix("/").partition("/")
        name = first.removesuffix(".php")
        if name != first:
            rest = query.get("id", [""])[0]
        kind = next((kind for kind in _KINDS if name == self._word(kind)), None)
        if kind is None:
            return None
        if not rest and kind not in {"product", "category"}:
            return ShopRoute(kind)
        number, page = _NUMBER.fullmatch(rest), query.get(self.language.paths["page"], ["1"])[0]
        if number is None or not _PAGE.fullmatch(page) or kind not in _NUMBERED_KINDS:
            return None
        return ShopRoute(kind, int(number[1]), int(page))


def _antiques() -> Iterator[WorldShop]:
    shapes = zip(cycle(_HOMES), cycle(_STANDARDS), cycle(_SITEMAPS), cycle(_SIZES), strict=False)
    for number, ((country, code, currency), standard, sitemaps, size) in enumerate(shapes, 1):
        if number > _MANY:
            return
        yield WorldShop(
            domain=f"antik-{number}.shop.test",
            country=country,
            language_code=code,
            currency=currency,
            standard=standard,
            sitemaps=sitemaps,
            products=size,
            has_queries=standard == "none",
        )


def _others() -> Iterator[WorldShop]:
    german = WorldShop("", "DE", "de", "EUR", "json-ld", "index", 5_000)
    small = replace(german, sitemaps="none", products=12)
    yield replace(german, domain="grosshandel.shop.test")
    yield replace(small, domain="kalender.shop.test", behaviour="endless")
    yield replace(small, domain="mitglieder.shop.test", behaviour="walled")
    yield replace(small, domain="bilderflut.shop.test", behaviour="heavy")
    yield replace(small, domain="flickwerk.shop.test", behaviour="broken")
    yield replace(small, domain="eilig.shop.test", behaviour="hasty")
    english = replace(small, country="US", language_code="en", currency="USD", products=30)
    yield replace(english, domain="laden.shop.test", platform="shopify")
    yield replace(small, domain="werkstatt.shop.test", platform="woocommerce", products=24)
    for name in ("antik-1", "stuben", "truhe"):
        yield replace(small, domain=f"{name}.hosted.test")


SHOPS: Final[Mapping[str, WorldShop]] = {
    shop.domain: shop for shops in (_antiques(), _others()) for shop in shops
}
