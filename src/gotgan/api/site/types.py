"""``/v1/types`` and ``/v1/items``: the table for programs that know it only by ``Type``."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Listing, asked, page_data, refuse_consistent
from gotgan.api.routes import StrictJson, declared
from gotgan.api.who import app_of, role_of
from gotgan.domains.site.models import DOCUMENT_VERSION, SCHEMA_VERSION
from gotgan.domains.site.roles import allows
from gotgan.domains.site.types import reader_of
from gotgan.errors import Forbidden, Unauthenticated

__all__ = ["list_items", "list_types", "router"]

router = APIRouter(tags=["types"], route_class=StrictJson)


@router.get("/types", **declared("List types", gives="TypeList", role=None))
def list_types(request: Request) -> Response:
    """Every type: its JSON Schema, its keys, its access patterns, and what may be written."""
    types = app_of(request).site.types
    described = [types.describe(name) for name in sorted(types.all())]
    versions = {"schemaVersion": SCHEMA_VERSION, "documentVersion": DOCUMENT_VERSION}
    return ok({**versions, "items": described})


class _OfType(Listing):
    """What is asked of the items of a type."""

    type: str = Field(
        min_length=1,
        max_length=100,
        description="The type, as the registry names it.",
        examples=["Banner"],
    )


@router.get(
    "/items",
    **declared(
        "List items of a type",
        gives="ItemPage",
        role=None,
        fails=(400, 404),
        by_type=True,
        query=_OfType,
    ),
)
def list_items(request: Request) -> Response:
    """The items of a type, newest first, as far as the caller's role may read them."""
    listing = asked(request, _OfType)
    refuse_consistent(listing.consistent)
    role, types = role_of(request), app_of(request).site.types
    needed = reader_of(types.named(listing.type))
    if not allows(role, needed):
        told = f"items of the type {listing.type} are for the role {needed}"
        raise Unauthenticated(f"{told}; send a token") if role is None else Forbidden(told)
    page = types.page(listing.type, limit=listing.limit, cursor=listing.cursor)
    return ok(page_data(page))
