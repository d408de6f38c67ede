"""``/v1/banners``: read by everybody, written by editors."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Consistent, Listing, asked, page_data, refuse_consistent
from gotgan.api.record_ids import RecordId
from gotgan.api.routes import StrictJson, declared
from gotgan.api.versions import expected_version, one
from gotgan.api.who import app_of
from gotgan.domains.site.bodies import BannerBody, BannerNew, patch_of

__all__ = [
    "change_banner",
    "create_banner",
    "delete_banner",
    "list_banners",
    "read_banner",
    "replace_banner",
    "router",
]

router = APIRouter(tags=["banners"], route_class=StrictJson)
_Patch: Any = patch_of(BannerBody)


@router.get(
    "/banners",
    **declared("List banners", gives="BannerPage", role=None, fails=(400,), query=Listing),
)
def list_banners(request: Request) -> Response:
    """Banners that have not expired, newest first."""
    listing = asked(request, Listing)
    refuse_consistent(listing.consistent)
    banners = app_of(request).site.banners
    return ok(page_data(banners.page(limit=listing.limit, cursor=listing.cursor)))


@router.post(
    "/banners",
    **declared(
        "Make a banner", gives="Banner", role="editor", status=201, fails=(400, 409), body=True
    ),
)
def create_banner(request: Request, body: BannerNew) -> Response:
    """Make a banner."""
    banners = app_of(request).site.banners
    return one(request, banners.create(banner_id=body.id, **body.fields()), status=201)


@router.get(
    "/banners/{banner_id}",
    **declared("Read a banner", gives="Banner", role=None, fails=(404,), cached=True),
)
def read_banner(
    request: Request,
    banner_id: RecordId,
    consistent: Consistent = False,  # noqa: FBT002 - a parameter of the query
) -> Response:
    """A banner."""
    return one(request, app_of(request).site.banners.get(banner_id, consistent=consistent))


@router.put(
    "/banners/{banner_id}",
    **declared(
        "Replace a banner",
        gives="Banner",
        role="editor",
        fails=(400, 404, 409, 412, 428),
        body=True,
    ),
)
def replace_banner(request: Request, banner_id: RecordId, body: BannerBody) -> Response:
    """Write all fields of a banner anew."""
    return _change(request, banner_id, body)


@router.patch(
    "/banners/{banner_id}",
    **declared(
        "Change a banner", gives="Banner", role="editor", fails=(400, 404, 409, 412, 428), body=True
    ),
)
def change_banner(request: Request, banner_id: RecordId, body: _Patch) -> Response:
    """Change some fields of a banner; null clears one."""
    return _change(request, banner_id, body)


@router.delete(
    "/banners/{banner_id}",
    **declared("Delete a banner", gives="Nothing", role="editor", fails=(400, 404, 409, 412)),
)
def delete_banner(request: Request, banner_id: RecordId) -> Response:
    """Delete a banner; with If-Match only if it still has that version."""
    expected = expected_version(request, required=False)
    app_of(request).site.banners.delete(banner_id, expected=expected)
    return ok(None)


def _change(request: Request, banner_id: str, body: Any) -> Response:
    expected = expected_version(request, body.version)
    banners = app_of(request).site.banners
    return one(request, banners.update(banner_id, body.fields(), expected=expected))
