"""The news under ``/v1``: what is stored, and the verbs that collect it."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.api.news import items, verbs

__all__ = ["ROUTERS"]

ROUTERS: Final[tuple[APIRouter, ...]] = (items.router, verbs.router)
