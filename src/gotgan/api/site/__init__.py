"""The site under ``/v1``: one file per kind of record."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.api.site import (
    adoption,
    banners,
    categories,
    company,
    contact,
    drafts,
    mails,
    posts,
    tokens,
    types,
    users,
)

__all__ = ["ROUTERS", "RUNNING"]

ROUTERS: Final[tuple[APIRouter, ...]] = (
    posts.router,
    drafts.router,
    categories.router,
    banners.router,
    company.router,
    contact.router,
    mails.router,
    users.router,
    tokens.router,
    types.router,
)
RUNNING: Final = (mails.sending, adoption.router)
"""They come with the runs that they start."""
