"""The market under ``/v1/market``: how its days stand, what was traded, and the verbs."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.api.market import days, shares, verbs

__all__ = ["ROUTERS"]

ROUTERS: Final[tuple[APIRouter, ...]] = (days.router, shares.router, verbs.router)
