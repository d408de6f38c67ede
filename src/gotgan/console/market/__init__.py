"""The pages of the market: the year, each day, shares and indices, and what is missing."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.market import day, gaps, indices, recover, runs, screens, stocks, year
from gotgan.console.sections import NavPage, Section

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section(
    "market",
    (
        NavPage("year", "/market"),
        NavPage("stocks", "/market/stocks"),
        NavPage("indices", "/market/indices"),
        NavPage("screens", "/market/screens"),
        NavPage("gaps", "/market/gaps"),
        NavPage("recover", "/market/recover"),
    ),
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    year.router,
    day.router,
    stocks.router,
    indices.router,
    screens.router,
    gaps.router,
    recover.router,
    runs.router,
)
