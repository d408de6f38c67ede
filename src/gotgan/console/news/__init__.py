"""The pages of the news: what was collected, each item, and the bodies that are missing."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.binder import VerbForm, VerbForms
from gotgan.console.news import bodies, feed, item, uploading
from gotgan.console.sections import NavPage, Section
from gotgan.domains.news.service import News

__all__ = ["ROUTERS", "SECTION"]

_VERBS: Final = VerbForms(
    News,
    {"collect": VerbForm(), "bodies": VerbForm()},
    by_hand=("upload", "retry"),  # a file is uploaded, and a retry waits for the next run
)
SECTION: Final = Section(
    "news",
    (
        NavPage("feed", "/news"),
        NavPage("bodies", "/news/bodies"),
        NavPage("upload", "/news/upload"),
        *_VERBS.pages,
    ),
)

ROUTERS: Final[tuple[APIRouter, ...]] = (
    feed.router,
    item.router,
    bodies.router,
    uploading.router,
    _VERBS.router,
)
