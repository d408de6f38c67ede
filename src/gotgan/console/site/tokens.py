"""Tokens: made on the page of their user, where their text is shown once, and revoked."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.gate import Form
from gotgan.console.given import Admin, Sent
from gotgan.console.listing import A_CALL, every
from gotgan.console.site.articles import user_names
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import TheSite
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.console.site.people import address, show
from gotgan.console.site.saving import create
from gotgan.domains.site.bodies import TokenNew
from gotgan.domains.site.models import Token

__all__ = ["create_token", "list_tokens", "revoke_token", "router", "tokens_file"]

router = APIRouter()


@router.get("/site/tokens")
def list_tokens(
    request: Request, _who: Admin, site: TheSite, cursor: str | None = None
) -> Response:
    """The tokens of all users, newest first."""
    found = site.tokens.page(cursor=cursor)
    return page(
        request,
        "site/tokens.html",
        found=found,
        names=user_names(site, (token.user_id for token in found)),
        cursor=cursor,
        elsewhere=elsewhere("tokens"),
    )


@router.get("/site/tokens.csv")
def tokens_file(_who: Admin, site: TheSite) -> Response:
    """The tokens as a file; never their secrets."""
    found = every(lambda cursor: site.tokens.page(limit=A_CALL, cursor=cursor))
    return file_of("tokens", Token, found)


@router.post("/site/people/{user_id}/tokens")
def create_token(
    request: Request, _who: Admin, form: Sent, site: TheSite, user_id: str
) -> Response:
    """Make a token; its text is on the page that answers, and nowhere else."""
    user = site.users.get(user_id, consistent=True)

    def make(body: TokenNew) -> Response:
        days = body.expires_in_days
        life = None if days is None else timedelta(days=days)
        issued = site.tokens.issue(user_id, role=body.role, note=body.note, expires_in=life)
        return show(request, user, issued=issued)

    def again(filled: Filled) -> Response:
        return show(request, user, token=replace(filled, marks={}))

    named = Form((*form.pairs, ("user_id", user_id)))
    return create(request, named, TokenNew, make=make, show=again)


@router.post("/site/people/{user_id}/tokens/{token_id}/revoke")
def revoke_token(_who: Admin, _form: Sent, site: TheSite, user_id: str, token_id: str) -> Response:
    """Make a token worthless at once."""
    site.tokens.revoke(user_id, token_id)
    return redirect(address(user_id), said="site.tokens.revoked")
