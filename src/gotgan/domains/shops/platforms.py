"""The lists of products that shop systems offer: hundreds of products in one request.

Shopify answers at ``/products.json`` and WooCommerce at its Store API, if the shop has not switched
that off. Whatever is not in a list, or not certain in it, is read from its page as in other shops:
a product without a price or an availability, and all products of a list that their own pages
contradict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import islice
from typing import Any, Final
from urllib.parse import quote, urlsplit

import orjson

from gotgan.domains.shops import changes, messages
from gotgan.domains.shops.canonical import canonical_url
from gotgan.domains.shops.currency import parse_currency
from gotgan.domains.shops.extract import PageFacts, Status, read_page
from gotgan.domains.shops.extract.prices import declared_amount, minor_units
from gotgan.domains.shops.extract.products import image_url
from gotgan.domains.shops.extract.structured_data import as_list, first_text
from gotgan.domains.shops.models import PLATFORMS, Platform, Shop
from gotgan.domains.shops.sites import is_same_site
from gotgan.errors import (
    FetchError,
    GotganError,
    PageError,
    TruncatedPage,
    UnknownShape,
    WrongContentType,
)
from gotgan.events import emit
from gotgan.fetch import FetchResponse, Web, display_url

_RECHECK_AFTER: Final = timedelta(days=30)
"""When a shop that has no list is looked at again."""
_ACCEPT: Final = "application/json"
_MAX_PRODUCTS: Final = 25_000
"""As many as Shopify lists; a list that never ends is cut here, too."""
_MAX_SAMPLES: Final = 3
"""Product pages that are tried to confirm a list."""
_MAX_PAGE_BYTES: Final = 5_000_000
_MAX_MINOR_DIGITS: Final = 6

_MARKS: Final[Mapping[Platform, tuple[bytes, ...]]] = {
    "shopify": (b"Shopify.theme", b"cdn.shopify.com", b"/cdn/shop/"),
    "woocommerce": (b"/plugins/woocommerce/", b'content="WooCommerce'),
}
"""What a shop system leaves in the source of a page."""


def marked_platform(page: bytes) -> Platform | None:
    """The shop system that has left its marks on a page."""
    return next((name for name in PLATFORMS if any(mark in page for mark in _MARKS[name])), None)


@dataclass(frozen=True)
class ListedProduct:
    """A product as a list has it, its sizes and colours merged."""

    url: str
    title: str | None
    amount: Decimal | None
    """The lowest price that it can be bought for; once sold out, the lowest of all."""
    currency: str | None
    status: Status | None
    image: str | None = None
    has_one_price: bool = True


@dataclass
class ProductList:
    """What the list of a shop has, as far as it could be read."""

    platform: Platform
    products: dict[str, ListedProduct] = field(default_factory=dict)
    """By canonical URL."""
    requests: int = 0
    error: GotganError | None = None
    """Why it is incomplete."""

    @property
    def is_refused(self) -> bool:
        """Whether the shop does not offer it: no use in asking again soon."""
        return self.error is not None and not self.products and not self.error.retry


def known_platform(shop: Shop) -> Platform | None:
    """The shop system whose list a crawl of the shop has read."""
    return next((each for each in PLATFORMS if each == shop.product_list), None)


def is_platform_known(shop: Shop, now: datetime) -> bool:
    """Whether the front page need not be looked at: there is a list, or was none recently."""
    checked_at = shop.product_list_checked_at
    is_recent = checked_at is not None and now - checked_at < _RECHECK_AFTER
    return is_recent or known_platform(shop) is not None


def read_product_list(
    web: Web,
    domain: str,
    platform: Platform,
    *,
    on_page: Callable[[str], None] = lambda _: None,
) -> ProductList:
    """Read the list of a shop, page by page, up to an empty one.

    ``on_page`` is called with the URL of each page.
    """
    listing, api = ProductList(platform), _APIS[platform]
    try:
        for number in range(1, _MAX_PRODUCTS // api.size + 2):
            url = f"https://{domain}{api.path.format(page=number)}"
            listing.requests += 1
            answer = web.get(url, accept=_ACCEPT, within=partial(is_same_site, domain=domain))
            found = {each.url: each for each in api.read(_json(answer), _origin(answer.url))}
            ours = (each for each in found.values() if is_same_site(each.url, domain))
            new = [each for each in ours if each.url not in listing.products]
            listing.products |= {each.url: each for each in new}
            on_page(url)
            if not new or answer.headers.get("x-wp-totalpages") == str(number):
                return listing
        listing.error = PageError(messages.LIST_TOO_LONG(domain=domain, count=_MAX_PRODUCTS))
    except (FetchError, PageError) as error:
        listing.error = error
    if listing.error is not None:
        emit("shops.list.partial", domain=domain, reason=listing.error.message)
    return listing


def confirmed_facts(web: Web, listing: ProductList, domain: str) -> PageFacts | None:
    """What one of the first product pages says, if it says the same as the list.

    Its currency is that of a list without one. A shop whose pages are at other URLs than those of
    its list, or show other prices, is read page by page.
    """
    priced = [each for each in listing.products.values() if each.amount and each.status]
    for each in islice(sorted(priced, key=lambda each: not each.has_one_price), _MAX_SAMPLES):
        listing.requests += 1
        try:
            answer = web.get(
                each.url, most_bytes=_MAX_PAGE_BYTES, within=partial(is_same_site, domain=domain)
            )
        except FetchError:
            continue
        facts = read_page(answer.body, answer.url, charset=answer.charset)
        places = {canonical_url(answer.url), canonical_url(facts.canonical or each.url, each.url)}
        if places == {each.url} and facts.currency is not None and _says_the_same(each, facts):
            return facts
    return None


def _says_the_same(product: ListedProduct, page: PageFacts) -> bool:
    listed = listed_facts(product, page.currency, "")
    return listed is not None and changes.offer_from(listed).hash == changes.offer_from(page).hash


def listed_facts(
    product: ListedProduct, currency: str | None, source: str, currency_source: str | None = None
) -> PageFacts | None:
    """The facts of a product as its page would have them; None if the page has to say more."""
    currency = product.currency or currency
    if product.amount is None or product.status is None or currency is None:
        return None
    sources = dict.fromkeys(("title", "price", "currency", "status"), source)
    if product.image is not None:
        sources["image"] = source
    if product.currency is None and currency_source is not None:
        sources["currency"] = currency_source
    return PageFacts(
        type="product",
        title=product.title,
        image=product.image,
        price=minor_units(product.amount, currency),
        currency=currency,
        status=product.status,
        sources=sources,
    )


def product_facts(web: Web, listing: ProductList, domain: str) -> dict[str, PageFacts]:
    """The facts of all products that need no page, by URL; a missing currency is looked up."""
    currency = source = None
    if any(each.currency is None for each in listing.products.values()):
        page = confirmed_facts(web, listing, domain)
        if page is not None:
            currency, source = page.currency, page.sources.get("currency")
    found = (
        (url, listed_facts(each, currency, listing.platform, source))
        for url, each in listing.products.items()
    )
    return {url: facts for url, facts in found if facts is not None}


# What the lists look like


def _json(answer: FetchResponse) -> Any:
    """The JSON of a response, which may be a page for people, or broken."""
    url = display_url(answer.url)
    try:
        return orjson.loads(answer.body)
    except ValueError as error:
        if not answer.media_type.endswith("json"):
            kind = answer.media_type or "?"
            raise WrongContentType(messages.LIST_NOT_JSON(url=url, kind=kind)) from error
        raise TruncatedPage(messages.LIST_BROKEN(url=url, cause=str(error)[:200])) from error


def _origin(url: str) -> str:
    """The origin of the list after redirects, which its products share."""
    place = urlsplit(url)
    return f"{place.scheme}://{place.netloc}"


def _shopify_products(data: Any, origin: str) -> Iterator[ListedProduct]:
    for item in _objects(data.get("products") if isinstance(data, dict) else None):
        url = _product_url(item.get("handle"), origin)
        if url is None:
            continue
        sizes = [each for each in as_list(item.get("variants")) if isinstance(each, dict)]
        is_known = all(isinstance(each.get("available"), bool) for each in sizes)
        free = [each for each in sizes if each.get("available") is True]
        amounts = {declared_amount(each.get("price")) for each in free or sizes} - {None}
        yield ListedProduct(
            url=url,
            title=first_text(item.get("title")),
            amount=min(filter(None, amounts), default=None),
            currency=None,
            status=(Status.AVAILABLE if free else Status.SOLD) if sizes and is_known else None,
            image=_first_image(item, origin),
            has_one_price=len(amounts) == 1,
        )


def _woocommerce_products(data: Any, origin: str) -> Iterator[ListedProduct]:
    for item in _objects(data):
        link = item.get("permalink")
        url = canonical_url(_with_origin(link, origin)) if isinstance(link, str) else None
        prices = item.get("prices")
        if url is None or url == f"{origin}/" or not isinstance(prices, dict):
            continue
        yield ListedProduct(
            url=url,
            title=first_text(item.get("name")),
            amount=_from_minor_units(prices.get("price"), prices.get("currency_minor_unit")),
            currency=parse_currency(first_text(prices.get("currency_code")) or ""),
            status=_woocommerce_status(item),
            image=_first_image(item, origin),
            has_one_price=item.get("type") == "simple",
        )


def _woocommerce_status(item: dict[str, Any]) -> Status | None:
    is_there = item.get("is_in_stock")
    if item.get("is_on_backorder") is True:
        return Status.LISTED
    if not isinstance(is_there, bool):
        return None
    return Status.AVAILABLE if is_there else Status.SOLD


def _product_url(handle: Any, origin: str) -> str | None:
    """The URL of a product of Shopify; None for a name that is not one."""
    if not isinstance(handle, str) or not handle.strip("."):
        return None
    return canonical_url(f"{origin}/products/{quote(handle, safe='')}")


def _first_image(item: dict[str, Any], origin: str) -> str | None:
    images = (each for each in as_list(item.get("images")) if isinstance(each, dict))
    return image_url([each.get("src") for each in images], origin)


def _objects(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise UnknownShape(messages.LIST_SHAPE())
    return [each for each in value if isinstance(each, dict)]


def _with_origin(url: str, origin: str) -> str:
    """A link of the list at its own origin: many shops name themselves by http, or without www."""
    try:
        place = urlsplit(url)
    except ValueError:
        return ""
    if not is_same_site(f"https://{place.netloc}", urlsplit(origin).netloc):
        return url
    return f"{origin}{place.path}" + (f"?{place.query}" if place.query else "")


def _from_minor_units(value: Any, digits: Any) -> Decimal | None:
    """An amount in minor units of the shop's own choice."""
    is_number = isinstance(digits, int) and 0 <= digits <= _MAX_MINOR_DIGITS
    amount = declared_amount(value) if is_number and str(value).isdecimal() else None
    return None if amount is None else amount.scaleb(-digits)


@dataclass(frozen=True)
class _Api:
    path: str
    size: int
    read: Callable[[Any, str], Iterable[ListedProduct]]


_APIS: Final[Mapping[Platform, _Api]] = {
    "shopify": _Api("/products.json?limit=250&page={page}", 250, _shopify_products),
    "woocommerce": _Api(
        "/wp-json/wc/store/v1/products?per_page=100&page={page}", 100, _woocommerce_products
    ),
}
