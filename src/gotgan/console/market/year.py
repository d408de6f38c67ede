"""The front of the market: a year of the log as a calendar, and what is decided about today."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import here, page
from gotgan.console.given import Gotgan, Reader
from gotgan.console.listing import Elsewhere, as_csv
from gotgan.console.market.cells import months_of, tally
from gotgan.console.market.states import KINDS, REASON_KINDS, is_weekend
from gotgan.console.runs import RunCard
from gotgan.domains.market.days import FIRST, LAST
from gotgan.domains.market.models import CollectionLog
from gotgan.encoding import encode, keys_of

if TYPE_CHECKING:
    from gotgan.domains.market.reports import DayStatus

__all__ = ["router", "show_year", "year_file"]

router = APIRouter()


@router.get("/market")
def show_year(request: Request, _who: Reader, app: Gotgan, year: str = "") -> Response:
    """The days of a year, and on top what is decided about today."""
    market, today = app.market, app.market.today()
    chosen = _year(year, today)
    collect, indicators = _cards(app, here(request))  # before what a run that has ended wrote
    days = _days(app, chosen)
    [now] = market.status_between(today, today)
    return page(
        request,
        "market/year.html",
        year=chosen,
        years=_neighbours(chosen, today),
        today=now,
        zone=now.wording.zone,
        next=now.next,
        told=now.wording.of,
        is_weekend=is_weekend,
        unset=_unset(app),
        months=months_of(chosen, days, today),
        tally=tally(days, today),
        kinds=KINDS,
        reason_kinds=REASON_KINDS,
        collect=collect,
        indicators=indicators,
        elsewhere=_elsewhere(chosen, today),
    )


@router.get("/market.csv")
def year_file(_who: Reader, app: Gotgan, year: str = "") -> Response:
    """The log of a year as a file."""
    chosen = _year(year, app.market.today())
    return as_csv(f"market-{chosen}", keys_of(CollectionLog), _records(_days(app, chosen)))


def _cards(app: App, back: str) -> tuple[RunCard, RunCard]:
    return RunCard.of(app, "market.collect", back), RunCard.of(app, "market.indicators", back)


def _records(days: list[DayStatus]) -> Iterator[dict[str, Any]]:
    return (encode(each.log) for each in days if each.log is not None)


def _days(app: App, year: int) -> list[DayStatus]:
    return app.market.status_between(date(year, 1, 1), date(year, 12, 31))


def _unset(app: App) -> str | None:
    """Which settings are missing to ask for prices; None if none are."""
    missing = app.market.unset()
    return None if missing is None else missing.words


def _year(text: str, today: date) -> int:
    if not text:
        return today.year
    chosen = int(text) if len(text) == len("2025") and text.isdecimal() else 0
    if not FIRST.year <= chosen <= max(LAST.year, today.year):
        raise HTTPException(422)
    return chosen


def _neighbours(year: int, today: date) -> tuple[int | None, int | None]:
    before, after = year - 1, year + 1
    return (before if before >= FIRST.year else None), (after if year <= today.year else None)


def _elsewhere(year: int, today: date) -> Elsewhere:
    """For programs a month at a time: of this year the present one, of others the last."""
    month = f"{year:04}-{today.month if year == today.year else 12:02}"
    months = Elsewhere.of("/v1/market/status", "", "gotgan market status", month=month)
    return Elsewhere(months.json, f"/market.csv?year={year}", months.cli)
