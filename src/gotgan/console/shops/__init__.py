"""The pages of the shops: where all of them stand, and each with its pages and changes."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.sections import NavPage, Section
from gotgan.console.shops import board, registering, runs, shop

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section("shops", (NavPage("board", "/shops"),))

ROUTERS: Final[tuple[APIRouter, ...]] = (
    board.router,
    registering.router,
    runs.router,
    shop.router,
)
