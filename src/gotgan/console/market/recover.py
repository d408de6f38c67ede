"""Going back over a span of days: a form, and how far that has come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.binder import VerbForm
from gotgan.console.frame import page
from gotgan.console.gate import Form
from gotgan.console.given import Reader, app_of
from gotgan.console.market.states import KINDS
from gotgan.console.runs import RunCard
from gotgan.console.viewer import Viewer
from gotgan.domains.market.days import DaySpan, read_day
from gotgan.domains.market.models import SIDES

__all__ = ["FORM", "router", "show_form"]

router = APIRouter()
_PATH: Final = "/market/recover"


@router.get("/market/recover")
def show_form(request: Request, _who: Reader, first: str = "", last: str = "") -> Response:
    """The form, filled in as the address says, and the last run."""
    return _show(request, {"first": first, "last": last, "only": ""})


def _span(form: Form) -> dict[str, DaySpan]:
    """The range between two days; one day alone is a range too."""
    first, last = (form.text(name).strip() for name in ("first", "last"))
    return {"span": DaySpan(read_day(first), read_day(last or first))}


def _again(request: Request, form: Form, refusal: str) -> Response:
    typed = {name: form.text(name).strip() for name in ("first", "last", "only")}
    return _show(request, {**typed, "last": typed["last"] or typed["first"]}, refusal=refusal)


FORM: Final = VerbForm(read=_span, fields=("first", "last"), refused=_again)
"""It asks for the first and the last day instead of a range."""


def _show(request: Request, typed: Mapping[str, str], *, refusal: str | None = None) -> Response:
    app, who = app_of(request), Viewer.of(request)
    both = ("", who.t("market.recover.both"))
    return page(
        request,
        "market/recover.html",
        status=200 if refusal is None else 422,
        typed=typed,
        refusal=refusal,
        sides=[both, *((side, who.t(f"market.side.{side}")) for side in SIDES)],
        today=app.market.today(),
        kinds=KINDS,
        recover=RunCard.of(app, "market.recover", _PATH),
        catch_up=RunCard.of(app, "market.catch_up", _PATH),
    )
