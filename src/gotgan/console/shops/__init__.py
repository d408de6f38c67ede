"""The pages of the shops: where all of them stand, and each with its pages and changes."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.binder import VerbForm, VerbForms
from gotgan.console.sections import NavPage, Section
from gotgan.console.shops import board, shop
from gotgan.console.shops.states import KINDS
from gotgan.domains.shops.reports import Registered, Released
from gotgan.domains.shops.service import Shops
from gotgan.errors import ConditionFailed, Conflict

__all__ = ["ROUTERS", "SECTION"]


def _added(report: Registered) -> tuple[str | None, str]:
    """The page of the shop; one that was there gets a country at most."""
    for failure in report.failed:
        raise failure.error
    heads = {"done": report.new, "placed": report.placed, "adopted": report.adopted}
    said = next((word for word, shops in heads.items() if shops), "there")
    return shop.address(report.shops[0].domain), f"shops.add.{said}"


def _released(report: Released) -> tuple[str | None, str]:
    """A shop that another worker took over in the meantime is refused."""
    for each in report.refused:
        if not isinstance(each.error, ConditionFailed | Conflict):
            raise each.error
    return None, "shops.release.not_now" if report.refused else "shops.release.done"


_ONE: Final = {"domains": "domain"}
_VERBS: Final = VerbForms(
    Shops,
    {
        "crawl": VerbForm(names=_ONE),
        "scrape": VerbForm(names=_ONE),
        "deliver": VerbForm(names=_ONE),
        "adopt": VerbForm(),
        "add": VerbForm(names=_ONE, done=_added, refused=board.again),
        "release": VerbForm(names=_ONE, done=_released),
    },
    context={"kinds": KINDS},
)
SECTION: Final = Section("shops", (NavPage("board", "/shops"), *_VERBS.pages))

ROUTERS: Final[tuple[APIRouter, ...]] = (
    board.router,
    _VERBS.router,
    shop.router,
)
