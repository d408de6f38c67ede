"""The verbs that take a while: a button for each, how far it has come, and what it did."""

from __future__ import annotations

import contextlib

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import redirect
from gotgan.console.gate import local_path
from gotgan.console.given import Editor, Gotgan, Reader, Sent
from gotgan.console.runs import RunCard, show_cards
from gotgan.errors import Conflict
from gotgan.verbs import start

__all__ = ["collect", "fetch_bodies", "router", "show_runs"]

router = APIRouter()


@router.get("/news/runs")
def show_runs(request: Request, _who: Reader, app: Gotgan, back: str = "/news") -> Response:
    """How the runs stand."""
    verbs = ("news.collect", "news.bodies", "news.upload")
    return show_cards(
        request, "news/runs.html", [RunCard.of(app, verb, local_path(back)) for verb in verbs]
    )


@router.post("/news/collect")
def collect(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to fetch the latest list; if that is under way already, leave it at that."""
    with contextlib.suppress(Conflict):  # the card shows what is under way, whoever asked for it
        start(app.runs, app.news.collect)
    return redirect(local_path(form.text("back")), said="news.begun.collect")


@router.post("/news/bodies")
def fetch_bodies(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to fetch the bodies that are missing, and those that are due again."""
    with contextlib.suppress(Conflict):
        start(app.runs, app.news.bodies)
    return redirect(local_path(form.text("back")), said="news.begun.bodies")
