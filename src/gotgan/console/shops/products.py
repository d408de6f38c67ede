"""Products and changes of all shops, and the history of each product."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, cast, get_args
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.lists import ExportLinks, Sort, all_items, csv_response, encoded_csv, one_of
from gotgan.console.session import CurrentApp, Reader, Viewer
from gotgan.domains.shops.currency import minor_digits, price_text
from gotgan.domains.shops.models import CHANGE_KINDS, Change, ChangeKind
from gotgan.domains.shops.products import ProductHistory, ProductStatus, ShopProduct
from gotgan.encoding import encode, field_keys
from gotgan.plain_json import to_json

_PAGE_SIZE: Final = 50
_STATUSES: Final[tuple[ProductStatus, ...]] = get_args(ProductStatus)
_SORTS: Final = ("changed", "price", "title")
_DEFAULT_SORT: Final = "-changed"
_SORT_CHOICES: Final = ("-changed", "price", "-price", "title")
"""The orders that the form offers; headings have all."""
_MAX_CHART_DAYS: Final = 1_500
_CHANGE_COLUMNS: Final = ("seen_at", "domain", "kind", "url", "title", "before", "after")
router = APIRouter()


# Products


@dataclass(frozen=True)
class ProductParams:
    """What the address of the list asks for."""

    q: str
    shop: str
    country: str
    status: str
    currency: str
    min: float | None
    max: float | None
    sort: Sort

    @property
    def filters(self) -> dict[str, Any]:
        """The arguments of the verb."""
        status = one_of(_STATUSES, self.status) if self.status else None
        return {
            "text": self.q,
            "domains": [self.shop] if self.shop else [],
            "country": self.country or None,
            "status": status,
            "currency": self.currency or None,
            "min_price": self.min,
            "max_price": self.max,
            "sort": self.sort.word,
        }

    @property
    def query(self) -> dict[str, str]:
        """The same as it is written in an address."""
        numbers = {"min": self.min, "max": self.max}
        given = {
            "q": self.q,
            "shop": self.shop,
            "country": self.country,
            "status": self.status,
            "currency": self.currency,
            **{name: f"{value:g}" for name, value in numbers.items() if value is not None},
            "sort": "" if self.sort.word == _DEFAULT_SORT else self.sort.word,
        }
        return {name: value for name, value in given.items() if value}

    @property
    def elsewhere(self) -> ExportLinks:
        """The same for programs."""
        names = {"q": "text", "shop": "domains", "min": "minPrice", "max": "maxPrice"}
        query = {names.get(name, name): value for name, value in self.query.items()}
        options = {"minPrice": "min-price", "maxPrice": "max-price"}
        words = [shlex.quote(self.q)] if self.q else []
        words += [
            f"--{options.get(name, name)}={shlex.quote(value)}"
            for name, value in query.items()
            if name != "text"
        ]
        return ExportLinks(
            _with_query("/v1/shops/products", query),
            _with_query("/shops/products.csv", self.query),
            " ".join(["gotgan shops products", *words]),
        )


async def _product_params(  # noqa: PLR0913, PLR0917 - the fields of the form
    q: str = "",
    shop: str = "",
    country: str = "",
    status: str = "",
    currency: str = "",
    min: str = "",  # noqa: A002 - the field is named so
    max: str = "",  # noqa: A002 - as above
    sort: str = "",
) -> ProductParams:
    return ProductParams(
        q=q.strip(),
        shop=shop.strip(),
        country=country.strip().upper(),
        status=status,
        currency=currency.strip().upper(),
        min=_amount(min),
        max=_amount(max),
        sort=Sort.of(sort, _SORTS, _DEFAULT_SORT),
    )


def _amount(text: str) -> float | None:
    """A price of the form; people write thousands with commas."""
    if not text.strip():
        return None
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        raise HTTPException(422) from None
    if not 0 <= value < float("inf"):
        raise HTTPException(422)
    return value


RequestedProducts = Annotated[ProductParams, Depends(_product_params)]


@router.get("/shops/products")
def list_products(
    request: Request,
    who: Reader,
    app: CurrentApp,
    wanted: RequestedProducts,
    cursor: str | None = None,
) -> Response:
    """Products of all shops."""
    found = app.shops.products(**wanted.filters, limit=_PAGE_SIZE, cursor=cursor or None)
    countries, currencies = app.shops.countries(), app.shops.currencies()
    return page(
        request,
        "shops/products.html",
        foreign_images=True,
        found=found,
        wanted=wanted,
        cursor=cursor,
        countries=_options(who, "country", [(each, each) for each in countries]),
        currencies=_options(who, "currency", [(each, each) for each in currencies]),
        statuses=_options(
            who,
            "status",
            [(each, who.t(f"shops.offer.{each.lower()}")) for each in _STATUSES],
        ),
        sorts=[(each, who.t(f"shops.products.sort.{each}")) for each in _SORT_CHOICES],
        price=price_text,
        elsewhere=wanted.elsewhere,
    )


@router.get("/shops/products.csv")
def products_file(_who: Reader, app: CurrentApp, wanted: RequestedProducts) -> Response:
    """Products of all shops, as a file."""
    found = all_items(app.shops.products, **wanted.filters)
    return encoded_csv("products", ShopProduct, found)


def _options(who: Viewer, name: str, options: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return [("", who.t(f"shops.products.any.{name}")), *options]


# A product


def product_path(url: str) -> str:
    """The page of a product."""
    return _with_query("/shops/product", {"url": url})


@router.get("/shops/product")
def read_product(request: Request, _who: Reader, app: CurrentApp, url: str) -> Response:
    """A product: what it costs, what it did cost, and where that is from."""
    found = app.shops.product(url)
    query = {"url": url}
    return page(
        request,
        "shops/product.html",
        foreign_images=True,
        charts=True,
        found=found,
        product=found.product,
        price=price_text,
        chart=_with_query("/shops/product.json", query),
        has_chart=any(each.after.price is not None for each in found.changes),
        elsewhere=ExportLinks(
            _with_query("/v1/shops/product", query),
            _with_query("/shops/product.csv", query),
            f"gotgan shops product {shlex.quote(url)}",
        ),
    )


@router.get("/shops/product.csv")
def product_file(_who: Reader, app: CurrentApp, url: str) -> Response:
    """The changes of a product, as a file."""
    changes = app.shops.product(url).changes
    return csv_response("product", _CHANGE_COLUMNS, map(encode, changes))


@router.get("/shops/product.json")
def product_chart(who: Reader, app: CurrentApp, url: str) -> Response:
    """The prices of a product, as its chart is drawn."""
    found = app.shops.product(url)
    currency = found.product.currency
    end = app.clock.now() if found.as_of is None else found.as_of
    points = list(_price_points(found, end, who.place))
    series = {"kind": "step", "name": who.t("shops.field.price"), "tone": 1, "points": points}
    chart = {
        "panes": [{"height": 1, "series": [series]}],
        "decimals": minor_digits(currency),
        "unit": currency or "",
    }
    return Response(to_json(chart), media_type="application/json")


def _price_points(
    found: ProductHistory, end: datetime, place: ZoneInfo
) -> Iterator[Mapping[str, Any]]:
    """The price at the end of each day; without one where it was not offered.

    Prices in another currency than the present one are left out.
    """
    days = {each.seen_at.astimezone(place).date(): each for each in found.changes}
    if not days:
        return
    last = end.astimezone(place).date()
    day = max(min(days), last - timedelta(days=_MAX_CHART_DAYS))
    earlier = [each for at, each in days.items() if at < day]
    now: Change | None = earlier[-1] if earlier else None
    while day <= max(last, *days):
        now = days.get(day, now)
        value = None if now is None else _chart_value(now, found.product.currency)
        yield (
            {"time": day.isoformat()}
            if value is None
            else {
                "time": day.isoformat(),
                "value": value,
            }
        )
        day += timedelta(days=1)


def _chart_value(change: Change, currency: str | None) -> float | None:
    offer = change.after
    if offer.price is None or offer.currency != currency:
        return None
    return cast("float", offer.price / 10 ** minor_digits(currency))


# Changes


@dataclass(frozen=True)
class ChangeParams:
    """What the address of the changes asks for."""

    kind: ChangeKind | None
    shop: str

    @property
    def filters(self) -> dict[str, Any]:
        """The arguments of the verb."""
        return {"domain": self.shop or None, "kind": self.kind}

    @property
    def elsewhere(self) -> ExportLinks:
        """The same for programs."""
        query = {"kind": self.kind or "", "shop": self.shop}
        given = {name: value for name, value in query.items() if value}
        api = {"domain": self.shop, "kind": self.kind or ""}
        words = [shlex.quote(self.shop)] if self.shop else []
        words += [f"--kind {self.kind}"] if self.kind else []
        return ExportLinks(
            _with_query("/v1/shops/changes", {name: each for name, each in api.items() if each}),
            _with_query("/shops/changes.csv", given),
            " ".join(["gotgan shops changes", *words]),
        )


async def _change_params(kind: str = "", shop: str = "") -> ChangeParams:
    return ChangeParams(one_of(CHANGE_KINDS, kind) if kind else None, shop.strip())


RequestedChanges = Annotated[ChangeParams, Depends(_change_params)]


@router.get("/shops/changes")
def list_changes(
    request: Request,
    who: Reader,
    app: CurrentApp,
    wanted: RequestedChanges,
    cursor: str | None = None,
) -> Response:
    """Changes of all shops, newest first."""
    found = app.shops.changes(**wanted.filters, limit=_PAGE_SIZE, cursor=cursor or None)
    return page(
        request,
        "shops/changes.html",
        foreign_images=True,
        found=found,
        products=app.shops.products_of(found),
        wanted=wanted,
        cursor=cursor,
        kinds=_options(
            who, "kind", [(each, who.t(f"shops.change.{each}")) for each in CHANGE_KINDS]
        ),
        price=price_text,
        elsewhere=wanted.elsewhere,
    )


@router.get("/shops/changes.csv")
def changes_file(_who: Reader, app: CurrentApp, wanted: RequestedChanges) -> Response:
    """Changes of all shops, as a file."""
    found = all_items(app.shops.changes, **wanted.filters)
    return csv_response("changes", field_keys(Change), map(encode, found))


def _with_query(path: str, query: Mapping[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path
