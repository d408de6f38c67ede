"""The pages of the news: the feed, an item, the queue of article texts, sources, and uploads."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from gotgan.console.binder import VerbForm, VerbForms
from gotgan.console.frame import NavPage, Section
from gotgan.console.news import feed, items, sources
from gotgan.domains.news.service import News
from gotgan.errors import BadSource, Conflict, UsageError

__all__ = ["ROUTERS", "SECTION"]

_VERBS: Final = VerbForms(
    News,
    {
        "collect": VerbForm(),
        "bodies": VerbForm(),
        "poll": VerbForm(fields=("sources",)),
        "sources.add": VerbForm(
            done=sources.added_source,
            refused=sources.show_refused_source,
            refusals=(UsageError, Conflict, BadSource),
        ),
        "sources.remove": VerbForm(done=sources.removed_source),
    },
    by_hand=("upload", "retry"),  # a file is uploaded, and a retry waits for the next run
    has_resources=True,
)
SECTION: Final = Section(
    "news",
    (
        NavPage("feed", "/news"),
        NavPage("bodies", "/news/bodies"),
        NavPage("sources", sources.SOURCES_PATH),
        NavPage("upload", "/news/upload"),
        *_VERBS.pages,
    ),
)
ROUTERS: Final[tuple[APIRouter, ...]] = (
    feed.router,
    items.router,
    sources.router,
    _VERBS.router,
)
