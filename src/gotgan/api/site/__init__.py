"""The site under ``/v1``: one file per kind of record."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.api.site import (
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

__all__ = ["ROUTERS", "SENDING"]

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
SENDING: Final = mails.sending
"""It comes with the runs that it starts."""
