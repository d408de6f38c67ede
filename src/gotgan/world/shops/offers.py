"""The offer on a product page, marked up in the standard of its shop."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from gotgan.world.shops.languages import Status, format_price
from gotgan.world.shops.platforms import Variant, decimal_price, product_variants
from gotgan.world.shops.registry import Standard, WorldShop
from gotgan.world.shops.stock import Product

_SCHEMA: Final = "https://schema.org"
_AVAILABILITY: Final[Mapping[Status, str]] = {
    "AVAILABLE": "InStock",
    "RESERVED": "Reserved",
    "SOLD": "SoldOut",
}


@dataclass(frozen=True)
class OfferMarkup:
    """The parts of a product page that depend on the standard."""

    price: str
    status: str
    head: str = ""
    scope: str = ""
    """Attributes of what holds the whole product."""
    name: str = ""
    """Attributes of its title."""
    offer: str = ""
    """Attributes of what holds price and status."""


def offer_markup(shop: WorldShop, product: Product) -> OfferMarkup:
    """The parts of a product's page."""
    return _STANDARDS[shop.standard](shop, product)


def price_text(shop: WorldShop, product: Product) -> str:
    """The price as people read it, or the text without one."""
    if product.price is None:
        return shop.language.on_request
    return format_price(product.price, product.currency, shop.language.code)


def json_ld_script(data: Any) -> str:
    """JSON-LD for the head of a page."""
    text = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    return f'<script type="application/ld+json">{text}</script>'


def _plain(shop: WorldShop, product: Product) -> OfferMarkup:
    return OfferMarkup(
        price=f'<p class="price">{price_text(shop, product)}</p>',
        status=f'<p class="status">{shop.language.statuses[product.status]}</p>',
    )


def _json_ld(shop: WorldShop, product: Product) -> OfferMarkup:
    plain = _plain(shop, product)
    return OfferMarkup(
        plain.price, plain.status, head=json_ld_script(_json_ld_graph(shop, product))
    )


def _json_ld_graph(shop: WorldShop, product: Product) -> Any:
    """Four variants, as shops have them; shop systems name an offer for each size."""
    thing = {
        "@context": _SCHEMA,
        "@type": "Product",
        "name": product.title,
        "sku": f"{product.number:06}",
        "url": product.url,
    }
    offer: dict[str, Any] = {
        "@type": "Offer",
        "priceCurrency": product.currency,
        "availability": f"{_SCHEMA}/{_AVAILABILITY[product.status]}",
    }
    if product.price is None:
        return {**thing, "offers": offer}
    if shop.platform is not None:
        return {**thing, "offers": [_size_offer(each, offer) for each in product_variants(product)]}
    amount = _amount(product)
    match product.number // 100 % 4:
        case 0:
            return {**thing, "offers": {**offer, "price": amount}}
        case 1:
            trail = {"@type": "BreadcrumbList", "itemListElement": []}
            listed = {**thing, "offers": [{**offer, "price": float(amount)}]}
            return {"@context": _SCHEMA, "@graph": [trail, listed]}
        case 2:
            offer = {**offer, "@type": "AggregateOffer", "lowPrice": amount, "offerCount": 1}
            return {**thing, "@type": ["Product"], "offers": offer}
        case _:
            price = {"@type": "PriceSpecification", "price": amount}
            price["priceCurrency"] = product.currency
            return {**thing, "offers": {**offer, "priceSpecification": price}}


def _size_offer(size: Variant, offer: Mapping[str, Any]) -> dict[str, Any]:
    place = f"{_SCHEMA}/{'InStock' if size.is_available else 'OutOfStock'}"
    amount = decimal_price(size.price or 0)
    return {**offer, "sku": size.name, "price": amount, "availability": place}


def _microdata(shop: WorldShop, product: Product) -> OfferMarkup:
    return _attribute_markup(
        shop,
        product,
        scope=f' itemscope itemtype="{_SCHEMA}/Product"',
        offer=f' itemprop="offers" itemscope itemtype="{_SCHEMA}/Offer"',
        mark="itemprop",
    )


def _rdfa(shop: WorldShop, product: Product) -> OfferMarkup:
    return _attribute_markup(
        shop,
        product,
        scope=f' vocab="{_SCHEMA}/" typeof="Product"',
        offer=' property="offers" typeof="Offer"',
        mark="property",
    )


def _attribute_markup(
    shop: WorldShop, product: Product, *, scope: str, offer: str, mark: str
) -> OfferMarkup:
    shown = price_text(shop, product)
    if product.price is not None:
        shown = (
            f'<span {mark}="price" content="{_amount(product)}">{shown}</span>'
            f'<meta {mark}="priceCurrency" content="{product.currency}">'
        )
    where = f"{_SCHEMA}/{_AVAILABILITY[product.status]}"
    word = shop.language.statuses[product.status]
    return OfferMarkup(
        price=f'<p class="price">{shown}</p>',
        status=f'<p class="status"><link {mark}="availability" href="{where}">{word}</p>',
        scope=scope,
        name=f' {mark}="name"',
        offer=offer,
    )


def _opengraph(shop: WorldShop, product: Product) -> OfferMarkup:
    plain = _plain(shop, product)
    properties = {
        "og:type": "product",
        "og:title": product.title,
        "og:url": product.url,
        "product:availability": _AVAILABILITY[product.status].lower(),
    }
    if product.price is not None:
        properties["product:price:amount"] = _amount(product)
        properties["product:price:currency"] = product.currency
    head = "\n".join(
        f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()
    )
    return OfferMarkup(plain.price, plain.status, head=head)


def _amount(product: Product) -> str:
    """A price as a decimal number."""
    price = product.price or 0
    return str(price) if product.currency == "KRW" else f"{price // 100}.{price % 100:02}"


_STANDARDS: Final[Mapping[Standard, Callable[[WorldShop, Product], OfferMarkup]]] = {
    "json-ld": _json_ld,
    "microdata": _microdata,
    "rdfa": _rdfa,
    "opengraph": _opengraph,
    "none": _plain,
}
