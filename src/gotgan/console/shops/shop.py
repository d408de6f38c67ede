"""The page of a shop: how it stands and why, what changed in it, and its pages by type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, get_args
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import here, page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.console.runs import RunCard
from gotgan.console.shops.offers import kind_of
from gotgan.console.shops.states import KINDS, standings
from gotgan.domains.shops.amounts import price_text
from gotgan.domains.shops.models import PageType, ShopPage
from gotgan.domains.shops.reading.facts import PageFacts
from gotgan.domains.shops.service import Shops, names_of
from gotgan.encoding import encode, keys_of
from gotgan.plain_json import pretty
from gotgan.store import Page

__all__ = ["ShopParams", "address", "asked", "read_shop", "router", "shop_file"]

router = APIRouter()
_TYPES: Final[tuple[PageType, ...]] = get_args(PageType)
_CHANGES: Final = ""
_ALL: Final = "pages"
_TABS: Final = (_CHANGES, _ALL, *_TYPES)
"""What an address calls what can be shown of a shop."""
_A_PAGE: Final = 50
_CHANGE_COLUMNS: Final = ("seen_at", "url", "title", "before", "after")


@dataclass(frozen=True)
class ShopParams:
    """What is asked of a shop: its changes, or its pages of one type or of all."""

    domain: str
    show: str

    @property
    def is_changes(self) -> bool:
        """Whether its changes are asked for."""
        return self.show == _CHANGES

    @property
    def type(self) -> PageType | None:
        """The type of pages that is asked for; None for all."""
        return next((each for each in _TYPES if each == self.show), None)

    def read(self, shops: Shops, limit: int, cursor: str | None) -> Page[Any]:
        """A page of it."""
        if self.is_changes:
            return shops.changes(self.domain, limit=limit, cursor=cursor)
        return shops.urls(self.domain, type=self.type, limit=limit, cursor=cursor)

    @property
    def elsewhere(self) -> Elsewhere:
        """The same for programs."""
        part = "changes" if self.is_changes else "urls"
        query = {"domain": self.domain, **({"show": self.show} if self.show else {})}
        api = Elsewhere.of(
            f"/v1/shops/{quote(self.domain)}/{part}",
            "",
            f"gotgan shops {part} {self.domain}",
            type=self.type,
        )
        return Elsewhere(api.json, f"/shops/shop.csv?{urlencode(query)}", api.cli)


async def asked(domain: str, show: str = _CHANGES) -> ShopParams:
    """What an address asks for."""
    if show not in _TABS:
        raise HTTPException(404)
    return ShopParams(domain, show)


TheAsked = Annotated[ShopParams, Depends(asked)]


def address(domain: str) -> str:
    """Where the page of a shop is."""
    return f"/shops/shop?{urlencode({'domain': domain})}"


@router.get("/shops/shop")
def read_shop(
    request: Request, _who: Reader, app: Gotgan, wanted: TheAsked, cursor: str | None = None
) -> Response:
    """A shop by its domain, or by any address of it."""
    shop = app.shops.get(wanted.domain)
    asked_for = ShopParams(shop.domain, wanted.show)
    found = asked_for.read(app.shops, _A_PAGE, cursor or None)
    back, about = here(request, cursor=None), names_of(shop)
    return page(
        request,
        "shops/shop.html",
        shop=shop,
        standings=standings(shop, app.clock.now()),
        kinds=KINDS,
        related=app.shops.related(shop.domain).items,
        found=found,
        wanted=asked_for,
        details=[name for name in PageFacts("product").details if name != "title"],
        tabs=_TABS,
        change_kinds=[kind_of(each) for each in found] if asked_for.is_changes else [],
        price=price_text,
        cursor=cursor,
        crawl=RunCard.of(app, "shops.crawl", back, about=about, domain=shop.domain),
        scrape=RunCard.of(app, "shops.scrape", back, about=about, domain=shop.domain),
        deliver=RunCard.of(app, "shops.deliver", back, about=about, domain=shop.domain),
        raw=pretty(encode(shop)),
        elsewhere=asked_for.elsewhere,
    )


@router.get("/shops/shop.csv")
def shop_file(_who: Reader, app: Gotgan, wanted: TheAsked) -> Response:
    """The changes of a shop, or its pages, as a file."""
    domain = app.shops.get(wanted.domain).domain
    found = every(lambda cursor: wanted.read(app.shops, A_CALL, cursor))
    name = f"{domain}-{wanted.show or 'changes'}"
    columns = _CHANGE_COLUMNS if wanted.is_changes else keys_of(ShopPage)
    return as_csv(name, columns, map(encode, found))
