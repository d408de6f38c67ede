"""The front page, the switches in its corner, and the box that jumps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page, redirect, remember
from gotgan.console.gate import Form, checked_form, local_path
from gotgan.console.market import attention as market
from gotgan.console.needs import Need
from gotgan.console.news import attention as news
from gotgan.console.sections import find, visible
from gotgan.console.shops import attention as shops
from gotgan.console.site import delivery as site
from gotgan.console.texts import LANGUAGES
from gotgan.console.videos import attention as videos
from gotgan.console.viewer import THEMES, ZONES, Viewer, viewer

__all__ = ["jump", "overview", "prefer", "router"]

router = APIRouter()
_CHOICES: Final = {"language": LANGUAGES, "theme": THEMES, "zone": tuple(ZONES)}
_NEEDS: Final[Mapping[str, Callable[[App], list[Need]]]] = {
    "site": site.needs,
    "news": news.needs,
    "market": market.needs,
    "shops": shops.needs,
    "videos": videos.needs,
}
"""What tells, for each domain, what needs attention."""


@router.get("/")
def overview(request: Request, who: Annotated[Viewer, Depends(viewer)]) -> Response:
    """What there is to see, and for the staff what needs attention."""
    return _overview(request, who)


@router.get("/jump")
def jump(request: Request, who: Annotated[Viewer, Depends(viewer)], to: str = "") -> Response:
    """Go to the page that is called so, or say that there is none."""
    path = find(visible(request.app.state.sections, who), who, to)
    return redirect(path) if path else _overview(request, who, missed=to)


@router.post("/preferences")
def prefer(form: Annotated[Form, Depends(checked_form)]) -> Response:
    """Keep a choice of language, theme or zone, and go back to where it was made."""
    response = redirect(local_path(form.text("next")))
    for name, words in _CHOICES.items():
        if form.text(name) in words:
            remember(response, name, form.text(name))
    return response


def _overview(request: Request, who: Viewer, *, missed: str = "") -> Response:
    app: App = request.app.state.gotgan
    asked = [_NEEDS[name] for name in _NEEDS if name in request.app.state.domains]
    wanting = [need for ask in asked for need in ask(app)] if who.may("viewer") else None
    return page(request, "overview.html", missed=missed, needs=wanting)
