"""The latest events of this process; the page asks for them again while somebody watches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, get_args

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import here, page
from gotgan.console.given import Admin, Gotgan
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.encoding import encode, keys_of
from gotgan.events import EventPage, KeptEvent
from gotgan.settings import LogLevel

__all__ = ["EventFilter", "asked_filter", "events_file", "router", "show_events"]

router = APIRouter()
_A_PAGE: Final = 100
_LEVELS: Final[tuple[LogLevel, ...]] = get_args(LogLevel)
_KINDS: Final[Mapping[str, str]] = {
    "debug": "none",
    "info": "none",
    "warning": "warning",
    "error": "bad",
    "critical": "bad",
}


@dataclass(frozen=True)
class EventFilter:
    """Which events are asked for."""

    name: str
    level: LogLevel | None

    def read(self, app: App, limit: int, cursor: str | None) -> EventPage:
        """A page of them."""
        return app.operations.events(
            name=self.name, level=self.level or "debug", limit=limit, cursor=cursor
        )


async def asked_filter(name: str = "", level: str = "") -> EventFilter:
    """What an address asks for."""
    wanted = next((known for known in _LEVELS if known == level), None)
    if level and wanted is None:
        raise HTTPException(422)
    return EventFilter(name.strip(), wanted)


Wanted = Annotated[EventFilter, Depends(asked_filter)]


@router.get("/ops/events")
def show_events(
    request: Request,
    who: Admin,
    app: Gotgan,
    wanted: Wanted,
    cursor: str | None = None,
    live: str = "",
) -> Response:
    """Events, the latest first."""
    found = wanted.read(app, _A_PAGE, cursor or None)
    return page(
        request,
        "ops/events.html",
        found=found,
        wanted=wanted,
        levels=[
            ("", who.t("ops.events.any")),
            *((level, who.t(f"ops.level.{level}")) for level in _LEVELS),
        ],
        kinds=_KINDS,
        is_live=live != "no" and not cursor,
        next=here(request, cursor=found.cursor) if found.cursor else None,
        first=here(request, cursor=None) if cursor else None,
        elsewhere=_elsewhere(wanted),
    )


@router.get("/ops/events.csv")
def events_file(_who: Admin, app: Gotgan, wanted: Wanted) -> Response:
    """The same events as a file."""
    found = every(lambda cursor: wanted.read(app, A_CALL, cursor))
    return as_csv("events", keys_of(KeptEvent), map(encode, found))


def _elsewhere(wanted: EventFilter) -> Elsewhere:
    """A command has no way into this process; from the start it can be told to write them down."""
    told = Elsewhere.of(
        "/v1/events", "/ops/events.csv", "", name=wanted.name or None, level=wanted.level
    )
    return Elsewhere(told.json, told.csv, f"GOTGAN_LOG={wanted.level or 'info'} gotgan up")
