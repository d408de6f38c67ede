"""Adopting, crawling, scraping and delivering from the pages: started by a button, and watched."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import redirect
from gotgan.console.gate import Form, local_path
from gotgan.console.given import Editor, Gotgan, Reader, Sent
from gotgan.console.runs import RunCard, show_cards
from gotgan.console.shops.states import KINDS
from gotgan.errors import Conflict
from gotgan.verbs import start

__all__ = ["adopt", "crawl", "deliver", "router", "scrape", "show_runs"]

router = APIRouter()


@router.get("/shops/runs")
def show_runs(
    request: Request,
    _who: Reader,
    app: Gotgan,
    back: str = "/shops",
    country: str = "",
    domain: str = "",
) -> Response:
    """How the runs stand."""
    about = request.query_params.getlist("about")
    cards = [
        RunCard.of(app, verb, local_path(back), about=about, country=country, domain=domain)
        for verb in ("shops.crawl", "shops.scrape", "shops.deliver")
    ]
    cards.append(RunCard.of(app, "shops.adopt", local_path(back)))  # it is about the whole table
    return show_cards(request, "shops/runs.html", cards, kinds=KINDS)


@router.post("/shops/adopt")
def adopt(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Start to adopt shops and pages that other tools wrote."""
    try:
        start(app.runs, app.shops.adopt)
    except Conflict:
        return _back(form, "shops.begun.busy")
    return _back(form, "shops.begun.adopt")


@router.post("/shops/crawl")
def crawl(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to crawl one shop, or all that are due."""
    domains, country = _asked(app, form)
    try:
        start(app.runs, app.shops.crawl, domains, country=country)
    except Conflict:
        return _back(form, "shops.begun.busy")
    return _back(form, "shops.begun.crawl")


@router.post("/shops/scrape")
def scrape(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to scrape one shop, or all that are due."""
    domains, country = _asked(app, form)
    try:
        start(app.runs, app.shops.scrape, domains, country=country)
    except Conflict:
        return _back(form, "shops.begun.busy")
    return _back(form, "shops.begun.scrape")


@router.post("/shops/deliver")
def deliver(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to tell the webhook what changed in one shop, or in all."""
    domains, _ = _asked(app, form)
    try:
        start(app.runs, app.shops.deliver, domains)
    except Conflict:
        return _back(form, "shops.begun.busy")
    return _back(form, "shops.begun.deliver")


def _asked(app: App, form: Form) -> tuple[list[str], str | None]:
    domain = form.text("domain")
    named = [app.shops.get(domain).domain] if domain else []
    return named, form.text("country") or None


def _back(form: Form, said: str) -> Response:
    return redirect(local_path(form.text("back")), said=said)
