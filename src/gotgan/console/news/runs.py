"""The verbs that take a while: a button for each, how far it has come, and what it did."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, get_args

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import fragment_of, page, redirect
from gotgan.console.gate import local_path
from gotgan.console.given import Editor, Gotgan, Reader, Sent
from gotgan.console.texts import catalogue
from gotgan.domains.news.running import BODIES_VERB, COLLECT_VERB, start_bodies, start_collect
from gotgan.domains.news.service import BODIES, LIST
from gotgan.errors import Conflict
from gotgan.runs import Run

__all__ = ["Card", "Name", "collect", "fetch_bodies", "router", "show_runs"]

router = APIRouter()

Name = Literal["collect", "bodies"]
_VERBS: Final[Mapping[Name, str]] = MappingProxyType(
    {"collect": COLLECT_VERB, "bodies": BODIES_VERB}
)
_ENDED: Final = "run-ended"
"""What a page is told when a run that it watched has ended, so that its list is read again."""


@dataclass(frozen=True)
class Card:
    """A verb as a page shows it, with its last run in this process."""

    name: Name
    run: Run | None
    back: str
    """The page that the button leads back to."""

    @classmethod
    def of(cls, app: App, name: Name, back: str) -> Card:
        """The card of a verb as it stands."""
        return cls(name, app.runs.latest(_VERBS[name]), back)

    @property
    def id(self) -> str:
        """The id of its element in a page."""
        return f"run-{self.name}"

    @property
    def is_running(self) -> bool:
        """Whether it is under way."""
        return self.run is not None and self.run.state == "running"

    @property
    def advice(self) -> str:
        """The text that says what to do about its failure."""
        error = self.run.error if self.run else None
        known = f"news.advice.{error.code}" if error else ""
        return known if known in catalogue() else "news.advice.other"


@router.get("/news/runs")
def show_runs(request: Request, _who: Reader, app: Gotgan, back: str = "/news") -> Response:
    """How the runs stand; a page that shows one asks for its part again until it has ended."""
    names: tuple[Name, ...] = get_args(Name)
    cards = {name: Card.of(app, name, local_path(back)) for name in names}
    answer = page(request, "news/runs.html", cards=cards)
    watched = next((card for card in cards.values() if card.id == fragment_of(request)), None)
    if watched and not watched.is_running:
        answer.headers["HX-Trigger"] = _ENDED
    return answer


@router.post("/news/collect")
def collect(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to fetch the latest list; if that is under way already, leave it at that."""
    with contextlib.suppress(Conflict):  # the card shows what is under way, whoever asked for it
        start_collect(app.runs, app.news, limit=LIST, rss=False)
    return redirect(local_path(form.text("back")), said="news.begun.collect")


@router.post("/news/bodies")
def fetch_bodies(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to fetch the bodies that are missing, and those that are due again."""
    with contextlib.suppress(Conflict):
        start_bodies(app.runs, app.news, day=None, zone="utc", limit=BODIES)
    return redirect(local_path(form.text("back")), said="news.begun.bodies")
