"""The pages of the tables: the list of tables, queries with their cost, and items."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.frame import NavPage, Section
from gotgan.console.tables import board, item, patterns, query, relational

__all__ = ["ROUTERS", "SECTION"]

SECTION: Final = Section("tables", (NavPage("board", "/tables", "admin"),), domain="market")
"""It comes with the whole house: a function that serves the site alone may not describe tables."""

ROUTERS: Final[tuple[APIRouter, ...]] = (
    board.router,
    query.router,
    patterns.router,
    item.router,
    relational.router,
)
