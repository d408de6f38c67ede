"""The front page, the preferences in its corner, and the jump box.

The jump box finds pages by name, days, and items by key or index, in sections that the viewer sees.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.alerts import ALERTS, Alert, quick_fix
from gotgan.console.day.addresses import day_path, find_day, viewer_zone
from gotgan.console.day.recent import read_or_none, recent_days
from gotgan.console.frame import (
    find_page,
    page,
    page_name,
    redirect,
    visible_sections,
)
from gotgan.console.market.days import KINDS
from gotgan.console.ops import count_missing
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
from gotgan.console.shops import shop_path
from gotgan.console.videos.display import video_page
from gotgan.domains.videos.keys import parse_video_id
from gotgan.errors import NotFound, UsageError
from gotgan.texts import LANGUAGES

_TICKER: Final = re.compile(r"[A-Z]{1,5}([.-][A-Z]{1,2})?")
"""As exchanges of the United States write them."""
_MAX_WORDS_LENGTH: Final = 300
"""Room for the URL of a video."""


@dataclass(frozen=True)
class JumpTarget:
    """A page that the words may name."""

    kind: str
    """The last part of the key ``frame.jump.…`` of its text."""
    name: str
    path: str


def _jump_targets(request: Request, who: Viewer, words: str) -> list[JumpTarget]:
    """The pages that words may name; the news about a ticker only if there is no other."""
    wanted = words.strip()[:_MAX_WORDS_LENGTH]
    sections = visible_sections(request.app.state.sections, who)
    keys = {section.key for section in sections}
    if not wanted:
        return []
    found = list[JumpTarget]()
    if (path := find_page(sections, who, wanted)) is not None:
        found.append(JumpTarget("page", page_name(sections, who, path), path))
    if (day := find_day(sections, wanted, viewer_zone(request))) is not None:
        found.append(JumpTarget("day", wanted, day))
    for key, search in _SEARCHES.items():
        if key in keys:
            found += read_or_none(key, partial(search, app_of(request), wanted)) or ()
    if not found and "news" in keys and _TICKER.fullmatch(wanted):
        found.append(JumpTarget("news", wanted, f"/news?{urlencode({'ticker': wanted})}"))
    return found


def _stock_targets(app: App, words: str) -> list[JumpTarget]:
    return [
        JumpTarget("share", f"{row.name} {row.ticker}", f"/market/stocks/{quote(row.ticker)}")
        for row in app.market.find(words)
    ]


def _shop_targets(app: App, words: str) -> list[JumpTarget]:
    try:
        shop = app.shops.get(words)
    except (NotFound, UsageError):
        return []
    return [JumpTarget("shop", shop.domain, shop_path(shop.domain))]


def _video_targets(app: App, words: str) -> list[JumpTarget]:
    """A video by its URL, or by the id of a known one."""
    try:
        video_id = parse_video_id(words)
    except UsageError:
        return []
    is_meant = video_id != words or app.videos.is_known(video_id)
    return [JumpTarget("video", video_id, video_page(video_id))] if is_meant else []


_SEARCHES: Final[Mapping[str, Callable[[App, str], list[JumpTarget]]]] = {
    "market": _stock_targets,
    "shops": _shop_targets,
    "videos": _video_targets,
}
"""The searches for items, by section."""

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
_PUBLIC_CONTEXT: Final[Mapping[str, Any]] = {"needs": None, "unset": 0, "glance": None}
"""The front page of everybody who is not staff."""


@router.get("/")
def overview(request: Request, who: CurrentViewer) -> Response:
    """The sections, and for the staff what needs attention."""
    return _overview(request, who)


@router.get("/jump")
def jump(request: Request, who: CurrentViewer, to: str = "") -> Response:
    """Go to the page, day or item of this name, or list those that fit."""
    found = _jump_targets(request, who, to)
    if len(found) == 1:
        return redirect(found[0].path)
    return _overview(request, who, missed=to, choices=found)


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


def _overview(
    request: Request, who: Viewer, *, missed: str = "", choices: Sequence[JumpTarget] = ()
) -> Response:
    context = _staff_context(request, who) if who.may("viewer") else _PUBLIC_CONTEXT
    return page(request, "overview.html", missed=missed, choices=choices, **context)


def _no_quick_fix(_need: Alert, _needs: object) -> None:
    """A server of the site alone runs nothing after its response."""


def _staff_context(request: Request, who: Viewer) -> dict[str, Any]:
    """What only the staff sees; a part that cannot be read is left out, and says so."""
    app, domains = app_of(request), request.app.state.domains
    unset = read_or_none("setup", lambda: count_missing(app)) if "market" in domains else 0
    return {
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
