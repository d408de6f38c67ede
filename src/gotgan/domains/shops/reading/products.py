"""The products among the things of a page, and which of them the page is about."""

from __future__ import annotations

from typing import Any, Final

from gotgan.domains.shops.reading.likeness import likeness
from gotgan.domains.shops.reading.things import Thing, kinds_of, listed, text_in, things_in

__all__ = ["main_product", "products_in"]

_PRODUCTS: Final = frozenset(
    {"product", "productgroup", "productmodel", "individualproduct", "someproducts", "vehicle"}
    | {"car", "motorcycle"}
)
_OFFERED: Final = frozenset(
    {"book", "visualartwork", "painting", "sculpture", "photograph", "game", "videogame", "thing"}
    | {"musicalbum", "softwareapplication", "creativework", "movie"}
)
"""What is a product where it is offered, and else only spoken of."""
_APART: Final = frozenset(
    {"isRelatedTo", "isSimilarTo", "isAccessoryOrSparePartFor", "isConsumableFor", "review"}
    | {"itemListElement", "hasVariant", "isVariantOf", "offers", "breadcrumb", "relatedProduct"}
    | {"hasOfferCatalog", "mentions", "isPartOf", "itemOffered"}
)
"""Under these names a thing holds others that it is not itself."""
_OFFER: Final = 0.1


def products_in(documents: list[Any]) -> list[Thing]:
    """The products that stand by themselves, not those that belong to another or to a list."""
    things = list(things_in(documents, _APART))
    found = [each for each in things if _is_product(each)]
    return found or [item for each in things for item in _offered_by(each)]


def _offered_by(thing: Thing) -> list[Thing]:
    """The products of an offer that stands by itself and names them."""
    if "offer" not in kinds_of(thing):
        return []
    items = (each for each in listed(thing.get("itemOffered")) if isinstance(each, dict))
    return [{**item, "offers": thing} for item in items]


def main_product(
    products: list[Thing], names: tuple[str, ...], addresses: tuple[str, ...]
) -> Thing | None:
    """The product that a page of these names and addresses is about, if it is about one."""
    if not products:
        return None
    alike = [_likeness(each, names, addresses) for each in products]
    best = max(alike)
    several = {text_in(each.get("name")) for each in products}
    return products[alike.index(best)] if best > 0 or len(several) == 1 else None


def _is_product(thing: Thing) -> bool:
    kinds = kinds_of(thing)
    return bool(kinds & _PRODUCTS) or (bool(kinds & _OFFERED) and "offers" in thing)


def _likeness(product: Thing, names: tuple[str, ...], addresses: tuple[str, ...]) -> float:
    """How much a product is what the page is about; one that is offered wins over its twin."""
    called = text_in(product.get("name")) or ""
    named = max((likeness(called, name) for name in names), default=0.0)
    homes = {_path(text_in(product.get(name)) or "") for name in ("url", "@id")}
    is_here = bool((homes & set(map(_path, addresses))) - {""})
    alike = named + is_here
    return alike + _OFFER * bool(product.get("offers")) if alike else 0.0


def _path(url: str) -> str:
    """The part of an address that tells the pages of a site apart."""
    return url.partition("#")[0].partition("?")[0].rstrip("/").partition("://")[2].partition("/")[2]
