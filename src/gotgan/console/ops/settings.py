"""Every setting: its value or that there is one, where it came from, and what it is for."""

from __future__ import annotations

from typing import Annotated, Final, get_args

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.clock import has_days
from gotgan.console.frame import page
from gotgan.console.given import Admin, Gotgan
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.console.texts import catalogue
from gotgan.encoding import encode, keys_of
from gotgan.settings import Origin, Setting

__all__ = ["asked_origin", "router", "settings_file", "show_settings"]

router = APIRouter()
_ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)


async def asked_origin(origin: str = "") -> Origin | None:
    """What an address asks for."""
    wanted = next((known for known in _ORIGINS if known == origin), None)
    if origin and wanted is None:
        raise HTTPException(422)
    return wanted


Wanted = Annotated[Origin | None, Depends(asked_origin)]


@router.get("/ops/settings")
def show_settings(request: Request, _who: Admin, app: Gotgan, origin: Wanted) -> Response:
    """All settings, or those that came from one place."""
    every = app.operations.settings().items
    return page(
        request,
        "ops/settings.html",
        settings=[each for each in every if origin in {None, each.origin}],
        counts={word: sum(each.origin == word for each in every) for word in _ORIGINS},
        count=len(every),
        origin=origin,
        texts=catalogue(),
        has_days=has_days(app.settings.zone),
        elsewhere=Elsewhere.of(
            "/v1/settings", "/ops/settings.csv", "gotgan settings", origin=origin
        ),
    )


@router.get("/ops/settings.csv")
def settings_file(_who: Admin, app: Gotgan, origin: Wanted) -> Response:
    """The same settings as a file."""
    found = app.operations.settings(origin=origin).items
    return as_csv("settings", keys_of(Setting), map(encode, found))
