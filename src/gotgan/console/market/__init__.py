"""The pages of the market: the year, each day, shares and indices, and what is missing."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.binder import VerbForm, VerbForms
from gotgan.console.frame import NavPage, Section
from gotgan.console.market import days, gaps, indices, overview, screens, stocks
from gotgan.console.market.days import KINDS
from gotgan.domains.market.service import Market

__all__ = ["ROUTERS", "SECTION"]

_VERBS: Final = VerbForms(
    Market,
    {
        "collect": VerbForm(),
        "indicators": VerbForm(),
        "catch_up": VerbForm(),
        "recover": gaps.RECOVER_FORM,
        "open_day": VerbForm(done=lambda opened: (None, f"market.opened.{opened.outcome}")),
    },
    context={"kinds": KINDS},
)
SECTION: Final = Section(
    "market",
    (
        NavPage("overview", "/market"),
        NavPage("stocks", "/market/stocks"),
        NavPage("indices", "/market/indices"),
        NavPage("screens", "/market/screens"),
        NavPage("year", "/market/days"),
        NavPage("gaps", "/market/gaps"),
        NavPage("recover", "/market/recover"),
        *_VERBS.pages,
    ),
)
ROUTERS: Final[tuple[APIRouter, ...]] = (
    overview.router,
    days.router,
    stocks.router,
    indices.router,
    screens.router,
    gaps.router,
    _VERBS.router,
)
