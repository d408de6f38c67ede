"""The site's pages: what the public sees, what it writes, and who may work on it."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.sections import NavPage, Section
from gotgan.console.site import (
    articles,
    banners,
    company,
    extensions,
    inquiries,
    mails,
    people,
    previews,
)

__all__ = ["ROUTERS", "SECTION", "SENDING"]

SECTION: Final = Section(
    "site",
    (
        NavPage("posts", "/site/posts"),
        NavPage("drafts", "/site/drafts"),
        NavPage("categories", "/site/categories"),
        NavPage("banners", "/site/banners"),
        *extensions.pages,
        NavPage("inquiries", "/site/inquiries"),
        NavPage("mails", "/site/mails"),
        NavPage("company", "/site/company"),
        NavPage("people", "/site/people"),
        NavPage("tokens", "/site/tokens", "admin"),
    ),
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    previews.router,
    articles.router,
    banners.router,
    extensions.router,
    inquiries.router,
    mails.router,
    company.router,
    people.router,
)
SENDING: Final = mails.sending
"""It comes with the timetable, which sends mails too."""
