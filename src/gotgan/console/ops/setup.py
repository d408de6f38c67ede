"""The first-run page: domain by domain what is there, what is missing, and how to get it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import as_csv

if TYPE_CHECKING:
    from gotgan.scheduler.setup import Step

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
_COLUMNS: Final = ("domain", "name", "isSet", "isNeeded", "words", "variables", "command", "source")


@dataclass(frozen=True)
class Room:
    """A domain, and what there is to set up for it."""

    domain: str
    steps: Sequence[Step]

    @property
    def count_wanting(self) -> int:
        """How much of what it needs is missing."""
        from gotgan.scheduler.setup import wanting  # noqa: PLC0415 - it loads SQLAlchemy

        return len(wanting(self.steps))


@router.get("/setup")
def show_setup(request: Request, _who: Reader, app: Gotgan) -> Response:
    """What each domain needs or can make use of."""
    grouped = groupby(app.setup(), key=lambda step: step.domain)
    rooms = [Room(domain, list(steps)) for domain, steps in grouped]
    return page(request, "ops/setup.html", rooms=rooms, pages=_PAGES)


@router.get("/setup.csv")
def setup_file(_who: Reader, app: Gotgan) -> Response:
    """The same as a file."""
    from gotgan.scheduler.setup import step_record  # noqa: PLC0415 - it loads SQLAlchemy

    return as_csv("setup", _COLUMNS, map(step_record, app.setup()))


def count_wanting(app: App) -> int:
    """How much of what domains need is missing; what several of them need counts once."""
    from gotgan.scheduler.setup import wanting  # noqa: PLC0415 - it loads SQLAlchemy

    return len({step.name for step in wanting(app.setup())})
