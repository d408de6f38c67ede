"""Shares that stand out on a day: by their RSI, or because their MACD crossed its signal."""

from __future__ import annotations

from datetime import date
from typing import Final, get_args

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.console.market.spans import optional_day
from gotgan.domains.market.models import INDICATORS, Screen
from gotgan.encoding import encode

__all__ = ["router", "screen_file", "show_first", "show_screen"]

router = APIRouter()
_SCREENS: Final[tuple[Screen, ...]] = get_args(Screen)
_COLUMNS: Final = ("date", "ticker", "name", "market", "close", "change", "value", *INDICATORS)


@router.get("/market/screens")
def show_first(
    request: Request, _who: Reader, app: Gotgan, day: str = "", cursor: str | None = None
) -> Response:
    """The first of them."""
    return _show(request, app, _SCREENS[0], optional_day(day), cursor)


@router.get("/market/screens/{kind}.csv")
def screen_file(_who: Reader, app: Gotgan, kind: str, day: str = "") -> Response:
    """The same shares as a file."""
    screen, wanted = _known(kind), optional_day(day) or app.market.last_indicated()
    found = every(lambda cursor: app.market.screen(screen, wanted, limit=A_CALL, cursor=cursor))
    return as_csv(f"screen-{kind}", _COLUMNS, map(encode, found))


@router.get("/market/screens/{kind}")
def show_screen(
    request: Request, _who: Reader, app: Gotgan, kind: str, day: str = "", cursor: str | None = None
) -> Response:
    """The shares of one kind, of a day or of the last that has indicators."""
    return _show(request, app, _known(kind), optional_day(day), cursor)


def _show(
    request: Request, app: App, kind: Screen, day: date | None, cursor: str | None
) -> Response:
    found = app.market.screen(kind, day, cursor=cursor or None)
    return page(
        request,
        "market/screen.html",
        kind=kind,
        screens=_SCREENS,
        day=found.day,
        is_chosen=day is not None,
        found=found,
        cursor=cursor,
        elsewhere=_elsewhere(kind, day),
    )


def _known(kind: str) -> Screen:
    if kind not in _SCREENS:
        raise HTTPException(404)
    return kind


def _elsewhere(kind: Screen, day: date | None) -> Elsewhere:
    query = f"?day={day}" if day else ""
    path = f"/market/screens/{kind}"
    command = f"gotgan market screen {kind} {day or ''}".strip()
    return Elsewhere(f"/v1{path}{query}", f"{path}.csv{query}", command)
