"""The page of a shop: its state, and its products, changes and other pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, Any, Final, get_args
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import current_url, page
from gotgan.console.lists import ExportLinks, all_items, csv_response
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Reader
from gotgan.console.shops.selectors import SELECTOR_NAMES
from gotgan.console.shops.states import STAGE_KINDS, stage_statuses
from gotgan.domains.shops.currency import price_text
from gotgan.domains.shops.extract.facts import PageFacts
from gotgan.domains.shops.models import SELECTOR_FIELDS, PageType, ShopPage
from gotgan.domains.shops.service import Shops, run_names
from gotgan.encoding import encode, field_keys
from gotgan.plain_json import to_pretty_json
from gotgan.store import Page

router = APIRouter()


_PAGE_TYPES: Final[tuple[PageType, ...]] = get_args(PageType)
_CHANGES_TAB: Final = ""
_TABS: Final = (_CHANGES_TAB, "pages", *_PAGE_TYPES)
"""The tabs of a shop as an address names them."""
_PAGE_SIZE: Final = 50
_CHANGE_COLUMNS: Final = ("seen_at", "url", "title", "before", "after")


@dataclass(frozen=True)
class ShopParams:
    """A shop with one of its tabs: its changes, or its pages of one type or of all."""

    domain: str
    show: str

    @property
    def is_changes(self) -> bool:
        """Whether its changes are shown."""
        return self.show == _CHANGES_TAB

    @property
    def type(self) -> PageType | None:
        """The type of the pages; None for all."""
        return next((each for each in _PAGE_TYPES if each == self.show), None)

    def pages_of(self, shops: Shops) -> Callable[..., Page[Any]]:
        """The verb that reads its pages."""
        if self.is_changes:
            return partial(shops.changes, self.domain)
        return partial(shops.urls, self.domain, type=self.type)

    @property
    def elsewhere(self) -> ExportLinks:
        """The same for programs."""
        part = "changes" if self.is_changes else "urls"
        query = {"domain": self.domain, **({"show": self.show} if self.show else {})}
        path, command = f"/v1/shops/{quote(self.domain)}/{part}", f"gotgan shops {part}"
        links = ExportLinks.of(path, "", f"{command} {self.domain}", type=self.type)
        return replace(links, csv=f"/shops/shop.csv?{urlencode(query)}")


async def _shop_params(domain: str, show: str = _CHANGES_TAB) -> ShopParams:
    if show not in _TABS:
        raise HTTPException(404)
    return ShopParams(domain, show)


RequestedShop = Annotated[ShopParams, Depends(_shop_params)]


def shop_path(domain: str) -> str:
    """The page of a shop."""
    return f"/shops/shop?{urlencode({'domain': domain})}"


@router.get("/shops/shop")
def read_shop(
    request: Request,
    _who: Reader,
    app: CurrentApp,
    wanted: RequestedShop,
    cursor: str | None = None,
) -> Response:
    """A shop by its domain, or by any of its URLs."""
    shop = app.shops.get(wanted.domain)
    wanted = replace(wanted, domain=shop.domain)
    found = wanted.pages_of(app.shops)(limit=_PAGE_SIZE, cursor=cursor or None)
    card = partial(RunCard.of, app, back=current_url(request, cursor=None), about=run_names(shop))
    return page(
        request,
        "shops/shop.html",
        shop=shop,
        standings=stage_statuses(shop, app.clock.now()),
        kinds=STAGE_KINDS,
        related=app.shops.related(shop.domain).items,
        found=found,
        wanted=wanted,
        details=[name for name in PageFacts("product").details if name not in ("title", "image")],
        tabs=_TABS,
        price=price_text,
        cursor=cursor,
        crawl=card("shops.crawl", domain=shop.domain),
        scrape=card("shops.scrape", domain=shop.domain),
        deliver=card("shops.deliver", domain=shop.domain),
        selector_fields=SELECTOR_FIELDS,
        no_selector=dict.fromkeys(SELECTOR_NAMES, ""),
        raw=to_pretty_json(encode(shop)),
        elsewhere=wanted.elsewhere,
    )


@router.get("/shops/shop.csv")
def shop_file(_who: Reader, app: CurrentApp, wanted: RequestedShop) -> Response:
    """The changes of a shop, or its pages, as a file."""
    domain = app.shops.get(wanted.domain).domain
    found = all_items(wanted.pages_of(app.shops))
    name = f"{domain}-{wanted.show or 'changes'}"
    columns = _CHANGE_COLUMNS if wanted.is_changes else field_keys(ShopPage)
    return csv_response(name, columns, map(encode, found))
