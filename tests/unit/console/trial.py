"""Pages that try the frame out, and how to sign in to them."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Any

import httpx
import pytest
from fastapi import APIRouter, Depends, FastAPI, HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from gotgan.app import App
from gotgan.console import FRAME, create_console
from gotgan.console.frame import NavPage, Section, page, redirect
from gotgan.console.session import Form, Viewer, checked_form, signed_in
from gotgan.domain import BUILT_IN
from gotgan.domains.market import messages as market
from gotgan.errors import Conflict, NotFound, StoreUnreachable

__all__ = ["EARLY", "SECTIONS", "Stage", "csrf", "open_trial", "sign_in", "with_mail_server"]

with_mail_server = pytest.mark.parametrize("smtp", ["smtp://127.0.0.1:1"])
"""A mail server is set; nothing is ever sent to it here."""

SECTIONS = (
    Section("frame", (NavPage("open", "/open", None), NavPage("mine", "/mine"))),
    Section("frame", (NavPage("kept", "/kept", "admin"),)),
)
"""Two sections; what they are called is never asked for here."""

EARLY = market.COLLECTED_FROM(day="2025-10-20", at=datetime(2025, 10, 20, 8, tzinfo=UTC))
"""17:00 in Seoul."""

router = APIRouter()


@router.get("/mine")
def mine(who: Annotated[Viewer, Depends(signed_in("viewer"))]) -> str:
    return who.caller.user.display_name if who.caller else ""


@router.post("/mine")
def write(
    _who: Annotated[Viewer, Depends(signed_in("editor"))],
    form: Annotated[Form, Depends(checked_form)],
) -> dict[str, list[str]]:
    return {name: form.every(name) for name, _ in form.pairs}


@router.get("/pictures")
def pictures(request: Request) -> Response:
    told: dict[str, Any] = {"highlights": (), "needs": None, "unset": 0, "glance": None}
    return page(request, "overview.html", foreign_images=True, **told)


@router.get("/done")
def done() -> Response:
    return redirect("/", notice="frame.sign_in.done")


@router.get("/missing")
def missing() -> None:
    raise NotFound("there is no <b>post</b> p1")


@router.get("/early")
def early() -> None:
    raise Conflict(EARLY)


@router.get("/elsewhere")
def elsewhere() -> None:
    raise Conflict(market.COLLECTED_ELSEWHERE(day="2025-10-20"))


@router.get("/unreachable")
def unreachable() -> None:
    raise StoreUnreachable("127.0.0.1:1 refuses")


@router.get("/broken")
def broken() -> None:
    raise ZeroDivisionError("a detail for the log alone")


@router.get("/teapot")
def teapot() -> None:
    raise HTTPException(418)


@router.get("/number/{number}")
def number(number: int) -> int:
    return number


class Stage:
    """A server's application that can be changed while it runs."""

    def __init__(self) -> None:
        self.url = ""
        self.plays: ASGIApp = FastAPI()
        self.scheme = "http"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.plays({**scope, "scheme": self.scheme}, receive, send)


def open_trial(app: App) -> ASGIApp:
    """The console with the trial pages, and no section to name."""
    return create_console(app, (), (*FRAME, router), api=FastAPI(), domains=BUILT_IN)


def sign_in(client: httpx.Client, app: App, user_id: str) -> str:
    """Sign a user in by a link; the text of the session's token."""
    answer = client.post("/sign-in", data={"code": app.site.tokens.sign_in_code(user_id)})
    assert answer.status_code == 303
    return client.cookies["gotgan_session"]


def csrf(client: httpx.Client) -> str:
    """What the forms of this session carry, as its pages say it."""
    found = re.search(r'name="csrf" value="([0-9a-f]*)"', client.get("/").text)
    assert found is not None
    return found[1]
