"""The shops under ``/v1``: the registry, what is known of each shop, and the work on them."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.api.shops import one, registry, verbs

__all__ = ["ROUTERS"]

ROUTERS: Final[tuple[APIRouter, ...]] = (registry.router, verbs.router, one.router)
"""The pages of one shop come last: the words of the others are no domains."""
