"""The pages of the site: articles, banners, inquiries, mails, the company and its users."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.frame import NavPage, Section
from gotgan.console.site import articles, company, mails, people, records

__all__ = ["ROUTERS", "SECTION", "SENDING"]

SECTION: Final = Section(
    "site",
    (
        NavPage("posts", "/site/posts"),
        NavPage("drafts", "/site/drafts"),
        NavPage("categories", "/site/categories"),
        NavPage("banners", "/site/banners"),
        *records.EXTENSION_PAGES,
        NavPage("inquiries", "/site/inquiries"),
        NavPage("mails", "/site/mails"),
        NavPage("company", "/site/company"),
        NavPage("people", "/site/people"),
        NavPage("tokens", "/site/tokens", "admin"),
    ),
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    articles.router,
    records.router,
    records.extension_router,
    mails.router,
    company.router,
    people.router,
)
SENDING: Final = mails.sending_router
"""Part of the operations, whose schedule sends mails too."""
