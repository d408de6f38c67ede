"""The site's pages: what the public sees, what it writes, and who may work on it."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.sections import Page, Section
from gotgan.console.site import (
    banners,
    categories,
    company,
    drafts,
    inquiries,
    mails,
    people,
    posts,
    previews,
    tokens,
)

__all__ = ["ROUTERS", "SECTION", "SENDING"]

SECTION: Final = Section(
    "site",
    (
        Page("posts", "/site/posts"),
        Page("drafts", "/site/drafts"),
        Page("categories", "/site/categories"),
        Page("banners", "/site/banners"),
        Page("inquiries", "/site/inquiries"),
        Page("mails", "/site/mails"),
        Page("company", "/site/company"),
        Page("people", "/site/people"),
        Page("tokens", "/site/tokens", "admin"),
    ),
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    previews.router,
    posts.router,
    drafts.router,
    categories.router,
    banners.router,
    inquiries.router,
    mails.router,
    company.router,
    people.router,
    tokens.router,
)
SENDING: Final = mails.sending
"""It comes with the timetable, which sends mails too."""
