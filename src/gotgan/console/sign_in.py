"""Sign-in: a link with a code, or a token, becomes a session in a cookie."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.session import (
    CurrentViewer,
    Form,
    app_of,
    checked_form,
    local_path,
    read_form,
)
from gotgan.domains.site.auth import SESSION_COOKIE, SESSION_LIFE
from gotgan.domains.site.models import Token
from gotgan.errors import Unauthenticated

router = APIRouter()


@router.get("/sign-in")
def ask(
    request: Request,
    who: CurrentViewer,
    code: str = "",
    next: str = "/",  # noqa: A002 - what everybody calls it in an address
) -> Response:
    """The form of a token, or the button of a link, which is not used up by opening it."""
    if who.caller and not code:
        return redirect(local_path(next))
    return _form(request, code, next)


@router.post("/sign-in")
def sign_in(request: Request, form: Annotated[Form, Depends(read_form)]) -> Response:
    """Start a session, or show that the code or the token is not valid."""
    tokens = app_of(request).site.tokens
    code, text = form.text("code").strip(), form.text("token").strip()
    token: Token | None
    try:
        if code:
            issued = tokens.redeem(code)
            text, token = issued.text, issued.token
        else:
            token = tokens.authenticate(text).token
    except Unauthenticated:
        used = "frame.sign_in.bad_code" if form.text("code") else "frame.sign_in.bad_token"
        return _form(request, "", form.text("next"), problem=used, status=401)
    response = redirect(local_path(form.text("next")), notice="frame.sign_in.done")
    left = token.expires_at - tokens.now() if token and token.expires_at else SESSION_LIFE
    seconds, secure = int(min(left, SESSION_LIFE).total_seconds()), request.url.scheme == "https"
    response.set_cookie(
        SESSION_COOKIE, text, max_age=seconds, httponly=True, samesite="lax", secure=secure
    )
    return response


@router.post("/sign-out", dependencies=[Depends(checked_form)])
def sign_out(request: Request, who: CurrentViewer) -> Response:
    """End the session; a token that was pasted stays valid, that of a link does not."""
    token = who.caller.token if who.caller else None
    if token is not None and token.kind == "session":
        app_of(request).site.tokens.revoke(token.user_id, token.id)
    response = redirect("/", notice="frame.sign_in.left")
    response.delete_cookie(SESSION_COOKIE)
    return response


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
