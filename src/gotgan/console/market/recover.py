"""Going back over a span of days: a form, and how far that has come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.gate import Form, local_path
from gotgan.console.given import Editor, Gotgan, Reader, Sent, app_of
from gotgan.console.market.states import KINDS
from gotgan.console.runs import RunCard
from gotgan.console.viewer import Viewer
from gotgan.domains.market.days import DaySpan, read_day
from gotgan.domains.market.models import SIDES, Side
from gotgan.errors import Conflict, UsageError
from gotgan.verbs import start

__all__ = ["Typed", "recover", "router", "show_form"]

router = APIRouter()
_PATH: Final = "/market/recover"


@dataclass(frozen=True)
class Typed:
    """A span as somebody typed it."""

    first: str = ""
    last: str = ""
    only: str = ""

    @classmethod
    def of(cls, form: Form) -> Typed:
        """What a form has."""
        first = form.text("first").strip()
        return cls(first, form.text("last").strip() or first, form.text("only"))

    @property
    def side(self) -> Side | None:
        """The one side that is wanted; None for both."""
        return self.only if self.only in SIDES else None


@router.get("/market/recover")
def show_form(request: Request, _who: Reader, first: str = "", last: str = "") -> Response:
    """The form, filled in as the address says, and the last run."""
    return _show(request, Typed(first, last))


@router.post("/market/recover")
def recover(request: Request, _who: Editor, form: Sent, app: Gotgan) -> Response:
    """Begin to collect what is missing of a span."""
    typed, back = Typed.of(form), local_path(form.text("back") or _PATH)
    try:
        span = DaySpan(read_day(typed.first), read_day(typed.last))
        start(app.runs, app.market.recover, span, only=typed.side)
    except UsageError as error:
        return _show(request, typed, refusal=error.message)
    except Conflict:
        return redirect(back, said="market.begun.busy")
    return redirect(back, said="market.begun.recover")


def _show(request: Request, typed: Typed, *, refusal: str | None = None) -> Response:
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
