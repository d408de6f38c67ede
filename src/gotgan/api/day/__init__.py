"""The page of a day under ``/v1/day``: what all domains brought; and the same as a post."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.api.day import pages

__all__ = ["ROUTERS"]

ROUTERS: Final[tuple[APIRouter, ...]] = (pages.router,)
