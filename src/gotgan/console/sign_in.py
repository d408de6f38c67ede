"""The door: a link with a code, or a token, becomes a session in a cookie."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gotgan.app import App
from gotgan.console.frame import page, redirect
from gotgan.console.gate import Form, checked_form, local_path, read_form
from gotgan.console.viewer import Viewer, viewer
from gotgan.domains.site.models import Token
from gotgan.domains.site.tokens import SESSION_COOKIE, SESSION_LIFE
from gotgan.errors import Unauthenticated

__all__ = ["ask", "router", "sign_in", "sign_out"]

router = APIRouter()


@router.get("/sign-in")
def ask(
    request: Request,
    who: Annotated[Viewer, Depends(viewer)],
    code: str = "",
    next: str = "/",  # noqa: A002 - what everybody calls it in an address
) -> Response:
    """Ask for a token, or show the button of a link; looking at a link does not use it up."""
    if who.caller and not code:
        return redirect(local_path(next))
    return _form(request, code, next)


@router.post("/sign-in")
def sign_in(request: Request, form: Annotated[Form, Depends(read_form)]) -> Response:
    """Begin a session, or say that nobody stands behind the code or the token."""
    app: App = request.app.state.gotgan
    try:
        text, token = _session(app, form)
    except Unauthenticated:
        used = "frame.sign_in.bad_code" if form.text("code") else "frame.sign_in.bad_token"
        return _form(request, "", form.text("next"), problem=used, status=401)
    response = redirect(local_path(form.text("next")), said="frame.sign_in.done")
    _keep(request, response, text, _seconds(app, token))
    return response


@router.post("/sign-out", dependencies=[Depends(checked_form)])
def sign_out(request: Request, who: Annotated[Viewer, Depends(viewer)]) -> Response:
    """End the session; a token that was pasted stays good, one that a link made does not."""
    app: App = request.app.state.gotgan
    token = who.caller.token if who.caller else None
    if token is not None and token.kind == "session":
        app.site.tokens.revoke(token.user_id, token.id)
    response = redirect("/", said="frame.sign_in.left")
    response.delete_cookie(SESSION_COOKIE)
    return response


def _session(app: App, form: Form) -> tuple[str, Token | None]:
    code = form.text("code").strip()
    if code:
        issued = app.site.tokens.redeem(code)
        return issued.text, issued.token
    text = form.text("token").strip()
    return text, app.site.tokens.authenticate(text).token


def _seconds(app: App, token: Token | None) -> int:
    left = token.expires_at - app.site.tokens.now() if token and token.expires_at else SESSION_LIFE
    return int(min(left, SESSION_LIFE).total_seconds())


def _keep(request: Request, response: RedirectResponse, text: str, seconds: int) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(
        SESSION_COOKIE, text, max_age=seconds, httponly=True, samesite="lax", secure=secure
    )


def _form(
    request: Request, code: str, next_path: str, *, problem: str | None = None, status: int = 200
) -> Response:
    return page(
        request,
        "sign_in.html",
        status=status,
        code=code,
        next_path=local_path(next_path),
        problem=problem,
    )
