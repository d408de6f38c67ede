"""The pages of the market: the year, each day, shares and indices, and what is missing."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.market import day, gaps, indices, recover, runs, screens, stocks, year
from gotgan.console.sections import Page, Section

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section(
    "market",
    (
        Page("year", "/market"),
        Page("stocks", "/market/stocks"),
        Page("indices", "/market/indices"),
        Page("screens", "/market/screens"),
        Page("gaps", "/market/gaps"),
        Page("recover", "/market/recover"),
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
