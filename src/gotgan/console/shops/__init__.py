"""The pages of the shops: products and changes of all shops, the shops, and each of them."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.binder import VerbForm, VerbForms
from gotgan.console.frame import NavPage, Section
from gotgan.console.shops import board, products, selectors, shop
from gotgan.console.shops.shop import shop_path
from gotgan.console.shops.states import STAGE_KINDS
from gotgan.domains.shops.products import ShopRemoved
from gotgan.domains.shops.reports import Registered, Released
from gotgan.domains.shops.service import Shops
from gotgan.errors import ConditionFailed, Conflict

__all__ = ["ROUTERS", "SECTION", "shop_path"]


def _added_shop(report: Registered) -> tuple[str | None, str]:
    """The page of a shop that was added, or that was there and got a country."""
    for failure in report.failed:
        raise failure.error
    heads = {"done": report.new, "placed": report.placed, "adopted": report.adopted}
    said = next((word for word, shops in heads.items() if shops), "there")
    return shop_path(report.shops[0].domain), f"shops.add.{said}"


def _released_shop(report: Released) -> tuple[str | None, str]:
    """A shop that another worker has taken over since is refused."""
    for each in report.refused:
        if not isinstance(each.error, ConditionFailed | Conflict):
            raise each.error
    return None, "shops.release.not_now" if report.refused else "shops.release.done"


def _removed_shop(removed: ShopRemoved) -> tuple[str | None, str]:
    if removed.is_complete:
        return "/shops", "shops.remove.done"
    return shop_path(removed.domain), "shops.remove.partial"


_DOMAIN_FIELD: Final = {"domains": "domain"}
_VERBS: Final = VerbForms(
    Shops,
    {
        "crawl": VerbForm(names=_DOMAIN_FIELD),
        "scrape": VerbForm(names=_DOMAIN_FIELD),
        "deliver": VerbForm(names=_DOMAIN_FIELD),
        "adopt": VerbForm(),
        "add": VerbForm(names=_DOMAIN_FIELD, done=_added_shop, refused=board.show_refused_shop),
        "release": VerbForm(names=_DOMAIN_FIELD, done=_released_shop),
        "remove": VerbForm(done=_removed_shop),
        "set_selector": VerbForm(
            done=selectors.saved_selector, refused=selectors.show_refused_selector
        ),
    },
    context={"kinds": STAGE_KINDS},
)
SECTION: Final = Section(
    "shops",
    (
        NavPage("board", "/shops"),
        NavPage("products", "/shops/products"),
        NavPage("changes", "/shops/changes"),
        *_VERBS.pages,
    ),
)
ROUTERS: Final[tuple[APIRouter, ...]] = (
    board.router,
    products.router,
    shop.router,
    selectors.router,
    _VERBS.router,
)
