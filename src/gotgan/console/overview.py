"""The front page, and the preferences in its corner."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.alerts import ALERTS, Alert, quick_fix
from gotgan.console.day.addresses import day_path, viewer_zone
from gotgan.console.day.recent import recent_days
from gotgan.console.frame import (
    page,
    redirect,
)
from gotgan.console.highlights import read_highlights
from gotgan.console.market.days import KINDS
from gotgan.console.ops import count_missing
from gotgan.console.parts import read_or_none
from gotgan.console.session import (
    AUTOMATIC,
    COLOURS,
    THEMES,
    ZONE_CHOICES,
    ZONES,
    CurrentViewer,
    SentForm,
    Viewer,
    app_of,
    local_path,
)
from gotgan.console.videos.display import template_names
from gotgan.texts import LANGUAGES

router = APIRouter()
_PREFERENCES: Final = {
    "language": LANGUAGES,
    "theme": THEMES,
    "zone": ZONE_CHOICES,
    "colours": COLOURS,
}
_ACCOUNT_PREFERENCES: Final[Sequence[str]] = ("language", "zone")
"""These are saved with the account; a theme and colours belong to a screen."""
_YEAR_S: Final = 365 * 24 * 3600
_UNREADABLE: Final = Alert("frame.overview.unread", "/")
_PUBLIC_CONTEXT: Final[Mapping[str, Any]] = {
    "highlights": (),
    "needs": None,
    "unset": 0,
    "glance": None,
}
"""The front page of everybody who is not staff."""


@router.get("/")
def overview(request: Request, who: CurrentViewer) -> Response:
    """What is new in each domain, what needs attention, and how everything runs."""
    context = _staff_context(request, who) if who.may("viewer") else _PUBLIC_CONTEXT
    return page(request, "overview.html", **context)


@router.post("/preferences")
def save_preferences(request: Request, who: CurrentViewer, form: SentForm) -> Response:
    """Save a choice of language, theme, zone or colours, and go back to where it was made.

    Language and zone are saved with the account; a cookie holds the others, and all of them for
    visitors who are not signed in.
    """
    response = redirect(local_path(form.text("next")))
    chosen = {name: form.text(name) for name in _PREFERENCES if name in form}
    if who.caller is not None:
        saved = {name: chosen.pop(name) for name in _ACCOUNT_PREFERENCES if name in chosen}
        zones = {name: ZONES.get(word, word) for name, word in saved.items()}
        changes: Any = {name: None if word == AUTOMATIC else word for name, word in zones.items()}
        app_of(request).site.users.set_preferences(who.caller.user.id, changes)
        for name in saved:  # an old cookie would count again once the account has no choice
            response.delete_cookie(f"gotgan_{name}")
    for name, word in chosen.items():
        if word in _PREFERENCES[name]:
            cookie = f"gotgan_{name}"
            response.set_cookie(cookie, word, max_age=_YEAR_S, httponly=True, samesite="lax")
    return response


def _no_quick_fix(_need: Alert, _needs: object) -> None:
    """A server of the site alone runs nothing after its response."""


def _staff_context(request: Request, who: Viewer) -> dict[str, Any]:
    """What only the staff sees; a part that cannot be read is left out, and says so."""
    app, domains = app_of(request), request.app.state.domains
    unset = read_or_none("setup", lambda: count_missing(app)) if "market" in domains else 0
    return {
        **template_names(app),
        "highlights": read_highlights(app, domains),
        "needs": _alerts(app, domains),
        "mend_of": quick_fix if "market" in domains else _no_quick_fix,
        "unset": unset,
        "glance": recent_days(app, request.app.state.past, viewer_zone(request), domains),
        "day_page": day_path,
        "kinds": KINDS,
        "session_word": lambda word: who.t(f"market.status.{word}"),
        "work_word": lambda kind: who.t(f"day.month.{kind}"),
    }


def _alerts(app: App, domains: Collection[str]) -> list[Alert]:
    found = {
        name: read_or_none(name, partial(_read_alerts, app, name))
        for name in ALERTS
        if name in domains
    }
    known = [alert for alerts in found.values() if alerts is not None for alert in alerts]
    return [*known, _UNREADABLE] if None in found.values() else known


def _read_alerts(app: App, domain: str) -> list[Alert]:
    return list(ALERTS[domain](app))
