"""The first-run page: domain by domain what is there, what is missing, and how to get it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import as_csv
from gotgan.console.texts import catalogue, words_of
from gotgan.domain import SetupStep
from gotgan.encoding import encode, keys_of

__all__ = ["Room", "count_wanting", "router", "setup_file", "show_setup"]

router = APIRouter()
_PAGES: Final[Mapping[str, str]] = {
    "market_history": "/market/recover",
    "shops_shop": "/shops",
    "videos_key": "/videos",
    "videos_video": "/videos",
    "site_company": "/site/company",
    "site_category": "/site/categories/new",
}
"""Where something can be done here."""


@dataclass(frozen=True)
class Room:
    """A domain, and what there is to set up for it."""

    domain: str
    steps: Sequence[SetupStep]

    @property
    def count_wanting(self) -> int:
        """How much of what it needs is missing."""
        return sum(step.is_missing for step in self.steps)


@router.get("/setup")
def show_setup(request: Request, _who: Reader, app: Gotgan) -> Response:
    """What each domain needs or can make use of."""
    grouped = groupby(app.operations.setup().items, key=lambda step: step.domain)
    rooms = [Room(domain, list(steps)) for domain, steps in grouped]
    return page(
        request, "ops/setup.html", rooms=rooms, pages=_PAGES, texts=catalogue(), words_of=words_of
    )


@router.get("/setup.csv")
def setup_file(_who: Reader, app: Gotgan) -> Response:
    """The same as a file."""
    return as_csv("setup", keys_of(SetupStep), map(encode, app.operations.setup().items))


def count_wanting(app: App) -> int:
    """How much of what domains need is missing; what several of them need counts once."""
    return len({step.name for step in app.operations.setup().missing})
