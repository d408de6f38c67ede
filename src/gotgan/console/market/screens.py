"""Screens: shares that stand out on a day by their indicators."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final, get_args

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.lists import ExportLinks, all_items, csv_response
from gotgan.console.market.days import optional_day
from gotgan.console.session import CurrentApp, Reader
from gotgan.domains.market.models import INDICATORS, Screen
from gotgan.encoding import encode

router = APIRouter()
SCREENS: Final[tuple[Screen, ...]] = get_args(Screen)
_SCREEN_COLUMNS: Final = (
    "date",
    "ticker",
    "name",
    "market",
    "close",
    "change",
    "value",
    *INDICATORS,
)


@router.get("/market/screens")
def show_first_screen(
    request: Request, _who: Reader, app: CurrentApp, day: str = "", cursor: str | None = None
) -> Response:
    """The first screen."""
    return _show_screen(request, app, SCREENS[0], optional_day(day), cursor)


@router.get("/market/screens/{kind}.csv")
def screen_file(_who: Reader, app: CurrentApp, kind: str, day: str = "") -> Response:
    """The same stocks as a file."""
    wanted = optional_day(day) or app.market.last_indicator_day()
    found = all_items(partial(app.market.screen, _screen(kind), wanted))
    return csv_response(f"screen-{kind}", _SCREEN_COLUMNS, map(encode, found))


@router.get("/market/screens/{kind}")
def show_screen(
    request: Request,
    _who: Reader,
    app: CurrentApp,
    kind: str,
    day: str = "",
    cursor: str | None = None,
) -> Response:
    """The stocks of a screen on a day; by default the last day with indicators."""
    return _show_screen(request, app, _screen(kind), optional_day(day), cursor)


def _show_screen(
    request: Request, app: App, kind: Screen, day: date | None, cursor: str | None
) -> Response:
    found = app.market.screen(kind, day, cursor=cursor or None)
    path, query = f"/market/screens/{kind}", f"?day={day}" if day else ""
    command = f"gotgan market screen {kind} {day or ''}".strip()
    return page(
        request,
        "market/screen.html",
        kind=kind,
        screens=SCREENS,
        day=found.day,
        is_chosen=day is not None,
        found=found,
        cursor=cursor,
        elsewhere=ExportLinks(f"/v1{path}{query}", f"{path}.csv{query}", command),
    )


def _screen(kind: str) -> Screen:
    if kind not in SCREENS:
        raise HTTPException(404)
    return kind
