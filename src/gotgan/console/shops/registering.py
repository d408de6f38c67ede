"""Shops registered from the board, and given back where their worker is no more."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import redirect
from gotgan.console.gate import local_path
from gotgan.console.given import Editor, Gotgan, Sent
from gotgan.console.shops.board import show
from gotgan.console.shops.shop import address
from gotgan.domains.shops.registrations import Registration
from gotgan.domains.shops.stages import stage_of
from gotgan.errors import ConditionFailed, Conflict, UsageError

__all__ = ["add_shop", "release_shop", "router"]

router = APIRouter()


@router.post("/shops/add")
def add_shop(request: Request, _who: Editor, form: Sent, app: Gotgan) -> Response:
    """Register a shop, and go and see it; one that is there gets a country at most."""
    typed = Registration(form.text("domain"), form.text("country") or None, form.text("name"))
    try:
        report = app.shops.add([typed.domain], country=typed.country, name=typed.name)
    except UsageError as error:
        return show(request, None, typed=typed, refusal=error.message)
    for failure in report.failed:
        raise failure.error
    [shop] = report.shops
    heads = {"done": report.new, "placed": report.placed, "adopted": report.adopted}
    said = next((word for word, shops in heads.items() if shops), "there")
    return redirect(address(shop.domain), said=f"shops.add.{said}")


@router.post("/shops/release")
def release_shop(_who: Editor, form: Sent, app: Gotgan) -> Response:
    """Let a shop whose worker is no more stand where it stood before."""
    stage = form.text("stage")
    report = app.shops.release([form.text("domain")], stage=stage_of(stage) if stage else None)
    for each in report.refused:
        if not isinstance(each.error, ConditionFailed | Conflict):
            raise each.error
    # A refused one was taken over by another worker in the meantime.
    said = "shops.release.not_now" if report.refused else "shops.release.done"
    return redirect(local_path(form.text("back")), said=said)
