"""``/v1/tokens``: what programs prove with who they are; admins make and revoke them."""

from __future__ import annotations

from datetime import timedelta

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Listing, asked, page_data, refuse_consistent
from gotgan.api.record_ids import RecordId
from gotgan.api.routes import StrictJson, declared
from gotgan.api.versions import one
from gotgan.api.who import app_of
from gotgan.domains.site.bodies import TokenNew
from gotgan.domains.site.showing import shown

__all__ = ["create_token", "list_tokens", "revoke_token", "router"]

router = APIRouter(tags=["tokens"], route_class=StrictJson)


@router.get(
    "/tokens",
    **declared("List tokens", gives="TokenPage", role="admin", fails=(400,), query=Listing),
)
def list_tokens(request: Request) -> Response:
    """Tokens of all users, newest first; never their secrets."""
    listing = asked(request, Listing)
    refuse_consistent(listing.consistent)
    tokens = app_of(request).site.tokens
    return ok(page_data(tokens.page(limit=listing.limit, cursor=listing.cursor)))


@router.post(
    "/tokens",
    **declared(
        "Make a token", gives="IssuedToken", role="admin", status=201, fails=(404,), body=True
    ),
)
def create_token(request: Request, body: TokenNew) -> Response:
    """Make a token; its text is shown this once."""
    days = body.expires_in_days
    issued = app_of(request).site.tokens.issue(
        body.user_id,
        role=body.role,
        note=body.note,
        expires_in=None if days is None else timedelta(days=days),
    )
    return ok({"token": shown(issued.token), "text": issued.text}, status=201)


@router.delete(
    "/tokens/{user_id}/{token_id}",
    **declared("Revoke a token", gives="Token", role="admin", fails=(404,)),
)
def revoke_token(request: Request, user_id: RecordId, token_id: RecordId) -> Response:
    """Make a token worthless at once; it stays in the list."""
    return one(request, app_of(request).site.tokens.revoke(user_id, token_id))
