"""The front page, the switches in its corner, and the box that jumps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.day.places import address, zone_of
from gotgan.console.day.strips import glance_of, tried
from gotgan.console.frame import forget, page, redirect, remember
from gotgan.console.gate import Form, checked_form, local_path
from gotgan.console.jumping import JumpTarget, choices_for
from gotgan.console.market import attention as market
from gotgan.console.market.states import KINDS
from gotgan.console.mending import mend_of
from gotgan.console.needs import Need
from gotgan.console.news import attention as news
from gotgan.console.ops.setup import count_wanting
from gotgan.console.shops import attention as shops
from gotgan.console.site import delivery as site
from gotgan.console.texts import LANGUAGES
from gotgan.console.videos import attention as videos
from gotgan.console.viewer import AUTOMATIC, THEMES, ZONE_CHOICES, ZONES, Viewer, viewer

__all__ = ["jump", "overview", "prefer", "router"]

router = APIRouter()
_CHOICES: Final = {"language": LANGUAGES, "theme": THEMES, "zone": ZONE_CHOICES}
_OF_THE_ACCOUNT: Final[Sequence[str]] = ("language", "zone")
"""What follows a signed-in user to another browser; a theme belongs to a screen."""
_NEEDS: Final[Mapping[str, Callable[[App], list[Need]]]] = {
    "site": site.needs,
    "news": news.needs,
    "market": market.needs,
    "shops": shops.needs,
    "videos": videos.needs,
}
"""What tells, for each domain, what needs attention."""
_UNREAD: Final = Need("frame.overview.unread", "frame.overview.unread_link", "/")
_NOTHING: Final[Mapping[str, Any]] = {"needs": None, "unset": 0, "glance": None}
"""What everybody else is told."""


@router.get("/")
def overview(request: Request, who: Annotated[Viewer, Depends(viewer)]) -> Response:
    """What there is to see, and for the staff what needs attention."""
    return _overview(request, who)


@router.get("/jump")
def jump(request: Request, who: Annotated[Viewer, Depends(viewer)], to: str = "") -> Response:
    """Go to the page, the day or the thing that is called so; or tell which may be meant."""
    found = choices_for(request, who, to)
    if len(found) == 1:
        return redirect(found[0].path)
    return _overview(request, who, missed=to, choices=found)


@router.post("/preferences")
def prefer(
    request: Request,
    who: Annotated[Viewer, Depends(viewer)],
    form: Annotated[Form, Depends(checked_form)],
) -> Response:
    """Save a choice of language, theme or zone, and go back to where it was made.

    Language and zone are saved with the account; a cookie holds the theme, and all three for
    visitors who are not signed in.
    """
    response = redirect(local_path(form.text("next")))
    chosen = {name: form.text(name) for name in _CHOICES if name in form}
    if who.caller is not None:
        saved = {name: chosen.pop(name) for name in _OF_THE_ACCOUNT if name in chosen}
        _save(request.app.state.gotgan, who.caller.user.id, saved)
        for name in saved:
            forget(response, name)  # or it would count again once the account has no choice
    for name, word in chosen.items():
        if word in _CHOICES[name]:
            remember(response, name, word)
    return response


def _save(app: App, user_id: str, chosen: Mapping[str, str]) -> None:
    """Save choices with an account; automatic removes one."""
    named = {name: ZONES.get(word, word) for name, word in chosen.items()}
    changes: Any = {name: None if word == AUTOMATIC else word for name, word in named.items()}
    app.site.users.set_preferences(user_id, changes)


def _overview(
    request: Request, who: Viewer, *, missed: str = "", choices: Sequence[JumpTarget] = ()
) -> Response:
    told = _told(request, who) if who.may("viewer") else _NOTHING
    return page(request, "overview.html", missed=missed, choices=choices, **told)


def _by_hand(_need: Need, _needs: object) -> None:
    """What a site alone can begin: nothing that goes on after its answer."""


def _told(request: Request, who: Viewer) -> dict[str, Any]:
    """What is for the staff alone; a part that cannot be read is left out, and says so."""
    app, domains = request.app.state.gotgan, request.app.state.domains
    unset = tried("setup", lambda: count_wanting(app)) if "market" in domains else 0
    return {
        "needs": _needs(app, domains),
        "mend_of": mend_of if "market" in domains else _by_hand,
        "unset": unset,
        "glance": glance_of(app, request.app.state.past, zone_of(request), domains),
        "day_page": address,
        "kinds": KINDS,
        "session_word": lambda word: who.t(f"market.status.{word}"),
        "work_word": lambda kind: who.t(f"day.month.{kind}"),
    }


def _needs(app: App, domains: Collection[str]) -> list[Need]:
    asked = {name: ask for name, ask in _NEEDS.items() if name in domains}
    found = [tried(name, partial(ask, app)) for name, ask in asked.items()]
    told = [need for needs in found if needs is not None for need in needs]
    return [*told, _UNREAD] if None in found else told
