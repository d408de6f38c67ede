"""Where things are in a shop: from a thing to its address, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import parse_qs, quote

from gotgan.world.scene import SceneRequest
from gotgan.world.shops.prose import slug_of
from gotgan.world.shops.registry import WorldShop

__all__ = [
    "HOME",
    "Kind",
    "ShopRoute",
    "article_at",
    "category_at",
    "house_at",
    "place_of",
    "product_at",
    "url_of",
]

Kind = Literal["home", "product", "category", "journal", "imprint", "contact", "cart"]
HOME: Final = "/"
_KINDS: Final[tuple[Kind, ...]] = ("product", "category", "journal", "imprint", "contact", "cart")
_WITH_A_NUMBER: Final = frozenset(("product", "category", "journal"))
_NUMBER: Final = re.compile(r"(?:.*-)?([0-9]{1,9})/?")
_PAGE: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class ShopRoute:
    """What is asked for."""

    kind: Kind
    number: int = 0
    """Of a product, a category or an article; articles begin with 1."""
    page: int = 1


def product_at(shop: WorldShop, number: int, title: str) -> str:
    """Where a product is, as links name it."""
    return _at(shop, "product", slug_of(title), f"{number:06}")


def category_at(shop: WorldShop, number: int, page: int = 1) -> str:
    """Where a page of a category is."""
    place = _at(shop, "category", slug_of(shop.tongue.categories[number]), str(number))
    sign = "&" if "?" in place else "?"
    return place if page == 1 else f"{place}{sign}{shop.tongue.paths['page']}={page}"


def article_at(shop: WorldShop, number: int, title: str) -> str:
    """Where an article is."""
    return _at(shop, "journal", slug_of(title), str(number))


def house_at(shop: WorldShop, kind: Kind) -> str:
    """Where the imprint, the contact, the cart or the whole journal is."""
    return f"/{shop.tongue.paths[kind]}"


def url_of(shop: WorldShop, place: str) -> str:
    """The whole address of a place, in the spelling that all its links have in common."""
    return f"https://{shop.domain}{quote(place, safe='/?&=')}"


def place_of(shop: WorldShop, asked: SceneRequest) -> ShopRoute | None:
    """What stands at an address, if anything may."""
    if asked.path == HOME:
        return ShopRoute("home")
    query = parse_qs(asked.query)
    first, _, rest = asked.path.removeprefix("/").partition("/")
    name = first.removesuffix(".php")
    if name != first:
        rest = query.get("id", [""])[0]
    for kind in _KINDS:
        if name == shop.tongue.paths[kind]:
            return _place(kind, rest, query.get(shop.tongue.paths["page"], ["1"])[0])
    return None


def _place(kind: Kind, rest: str, page: str) -> ShopRoute | None:
    if not rest and kind not in {"product", "category"}:
        return ShopRoute(kind)
    number = _NUMBER.fullmatch(rest)
    if number is None or not _PAGE.fullmatch(page) or kind not in _WITH_A_NUMBER:
        return None
    return ShopRoute(kind, int(number[1]), int(page))


def _at(shop: WorldShop, kind: Kind, slug: str, number: str) -> str:
    name = shop.tongue.paths[kind]
    return f"/{name}.php?id={number}" if shop.has_queries else f"/{name}/{slug}-{number}"
