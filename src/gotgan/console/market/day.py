"""The sheet of a day: how its sides stand, what is decided and why, and what was traded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.market.states import KINDS, REASON_KINDS, is_weekend
from gotgan.console.runs import RunCard
from gotgan.domains.market.days import LAST, read_day
from gotgan.domains.market.models import SIDES
from gotgan.encoding import encode
from gotgan.plain_json import pretty

if TYPE_CHECKING:
    from gotgan.domains.market.models import SideLog
    from gotgan.domains.market.reports import DayStatus

__all__ = ["SideSheet", "address", "read_sheet", "router"]

router = APIRouter()


@dataclass(frozen=True)
class SideSheet:
    """One side of a day."""

    name: str
    log: SideLog | None

    @property
    def word(self) -> str:
        """How it stands."""
        return "never" if self.log is None else self.log.status


def address(day: date) -> str:
    """Where the sheet of a day is."""
    return f"/market/days/{day}"


@router.get("/market/days/{day}")
def read_sheet(request: Request, _who: Reader, app: Gotgan, day: str) -> Response:
    """All about one day."""
    market, wanted = app.market, read_day(day)
    cards = _cards(app, wanted)  # first: what a run that has ended wrote is read after it
    details = market.get_day(wanted)
    status = details.status
    return page(
        request,
        "market/day.html",
        stands=status,
        sides=_sides(status),
        word=_word(status),
        next=status.next,
        told=status.wording.of,
        zone=status.wording.zone,
        today=market.today(),
        is_weekend=is_weekend,
        neighbours=_neighbours(app, wanted),
        sheet=details,
        kinds=KINDS,
        reason_kinds=REASON_KINDS,
        **cards,
        raw=pretty(encode(status)),
    )


def _sides(status: DayStatus) -> list[SideSheet]:
    log = status.log
    return [SideSheet(side, None if log is None else log.side(side)) for side in SIDES]


def _word(status: DayStatus) -> str:
    """How the day stands as a whole."""
    if status.log is not None:
        return status.log.overall_status
    return "closed" if status.closed is not None else "never"


def _neighbours(app: App, day: date) -> tuple[date, date | None]:
    """The sessions before and after; there is none after the calendar's end."""
    calendar = app.market.calendar()
    after = calendar.next_session(day)
    return calendar.previous_session(day), (after if after <= LAST else None)


def _cards(app: App, day: date) -> dict[str, Any]:
    """What can be done about a day; each asks for it now, whatever the hour is."""
    back, text = address(day), day.isoformat()
    card = partial(RunCard.of, app, back=back, about=[text])
    return {
        "collect": card("market.collect", day=text, now="true"),
        "indicators": card("market.indicators", day=text, now="true"),
        "recover": card("market.recover", first=text, last=text),
    }
