"""Collecting, calculating and opening a day from the pages: begun by a button, and watched."""

from __future__ import annotations

from datetime import date
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import redirect
from gotgan.console.gate import Form, local_path
from gotgan.console.given import Editor, Gotgan, Reader, Sent
from gotgan.console.market.states import KINDS
from gotgan.console.runs import RunCard, show_cards
from gotgan.domains.market.days import read_day
from gotgan.errors import Conflict
from gotgan.verbs import start

__all__ = ["calculate", "catch_up", "collect", "open_day", "router", "show_runs"]

router = APIRouter()
_VERBS: Final = ("market.collect", "market.indicators", "market.catch_up", "market.recover")
_FIELDS: Final = ("day", "now", "first", "last")


@router.get("/market/runs")
def show_runs(
    request: Request,
    _who: Reader,
    app: Gotgan,
    back: str = "/market",
) -> Response:
    """How the runs stand; a card keeps what its button sends along."""
    kept = {name: request.query_params.get(name, "") for name in _FIELDS}
    about = request.query_params.getlist("about")
    cards = [RunCard.of(app, verb, local_path(back), about=about, **kept) for verb in _VERBS]
    return show_cards(request, "market/runs.html", cards, kinds=KINDS)


@router.post("/market/collect")
def collect(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to collect a day; with ``now`` whatever the hour is, and however often it failed."""
    try:
        start(app.runs, app.market.collect, _day(form), now="now" in form)
    except Conflict:
        return _back(form, "market.begun.busy")
    return _back(form, "market.begun.collect")


@router.post("/market/indicators")
def calculate(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to calculate the indicators of a day."""
    try:
        start(app.runs, app.market.indicators, _day(form), now="now" in form)
    except Conflict:
        return _back(form, "market.begun.busy")
    return _back(form, "market.begun.indicators")


@router.post("/market/catch-up")
def catch_up(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to do all that is missing of the last sessions; one that is under way is joined."""
    start(app.runs, app.market.catch_up)
    return _back(form, "market.begun.catch_up")


@router.post("/market/open-day")
def open_day(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Write the pending row of a day."""
    opened = app.market.open_day(_day(form))
    return _back(form, f"market.opened.{opened.outcome}")


def _day(form: Form) -> date | None:
    return read_day(form.text("day")) if form.text("day") else None


def _back(form: Form, said: str) -> Response:
    return redirect(local_path(form.text("back")), said=said)
