"""Gaps of the data, and the form that recovers a range of days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.binder import VerbForm
from gotgan.console.frame import page
from gotgan.console.lists import ExportLinks, csv_response
from gotgan.console.market.days import KINDS, optional_day
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Form, Reader, Viewer, app_of
from gotgan.domains.market.days import DaySpan, parse_day
from gotgan.domains.market.models import SIDES

if TYPE_CHECKING:
    from gotgan.domains.market.reports import Gaps


router = APIRouter()
_MAX_LISTED: Final = 100
"""The most of each kind on a page."""
_GAP_COLUMNS: Final = ("kind", "date", "ticker", "words")


@router.get("/market/gaps")
def show_gaps(
    request: Request, _who: Reader, app: CurrentApp, first: str = "", last: str = "", span: str = ""
) -> Response:
    """What is missing; by default in the year that ends with the last session."""
    gaps = _gaps(app, first, last, span)
    range_ = {"first": str(gaps.first), "last": str(gaps.last)}
    return page(
        request,
        "market/gaps.html",
        gaps=gaps,
        most=_MAX_LISTED,
        is_chosen=any(map(str.strip, (first, last, span))),
        elsewhere=ExportLinks.of(
            "/v1/market/gaps", "/market/gaps.csv", "gotgan market gaps", **range_
        ),
    )


@router.get("/market/gaps.csv")
def gaps_file(
    _who: Reader, app: CurrentApp, first: str = "", last: str = "", span: str = ""
) -> Response:
    """All gaps as a file: a line for each missing or thin day, and for each hole."""
    return csv_response("gaps", _GAP_COLUMNS, _rows(_gaps(app, first, last, span)))


def _gaps(app: App, first: str, last: str, span: str) -> Gaps:
    wanted = DaySpan.of(span.strip()) if span.strip() else None
    return app.market.gaps(wanted, first=optional_day(first), last=optional_day(last))


def _rows(gaps: Gaps) -> Iterator[dict[str, Any]]:
    for day in gaps.missing:
        yield {"kind": "missing", "date": str(day.day), "words": day.words}
    for thin in gaps.thin:
        words = f"{thin.count} shares beside {thin.beside}"
        yield {"kind": "thin", "date": str(thin.day), "words": words}
    for hole in gaps.holes:
        for each in hole.days:
            yield {"kind": "hole", "date": str(each), "ticker": hole.ticker}


# Recovery


@router.get("/market/recover")
def show_recover(request: Request, _who: Reader, first: str = "", last: str = "") -> Response:
    """The form, filled in from the address, and the last run."""
    return _show_recover(request, {"first": first, "last": last, "only": ""})


def _form_span(form: Form) -> dict[str, DaySpan]:
    """The range of two days; the last one can be left out."""
    first, last = (form.text(name).strip() for name in ("first", "last"))
    return {"span": DaySpan(parse_day(first), parse_day(last or first))}


def _refused_form(request: Request, form: Form, refusal: str) -> Response:
    typed = {name: form.text(name).strip() for name in ("first", "last", "only")}
    return _show_recover(
        request, {**typed, "last": typed["last"] or typed["first"]}, refusal=refusal
    )


RECOVER_FORM: Final = VerbForm(read=_form_span, fields=("first", "last"), refused=_refused_form)
"""The form has a first and a last day instead of a range."""


def _show_recover(
    request: Request, typed: Mapping[str, str], *, refusal: str | None = None
) -> Response:
    app, who = app_of(request), Viewer.of(request)
    return page(
        request,
        "market/recover.html",
        status=200 if refusal is None else 422,
        typed=typed,
        refusal=refusal,
        sides=who.options("market.side", SIDES, "market.recover.both"),
        today=app.market.today(),
        kinds=KINDS,
        recover=RunCard.of(app, "market.recover", "/market/recover"),
        catch_up=RunCard.of(app, "market.catch_up", "/market/recover"),
    )
