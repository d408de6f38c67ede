"""The pages of banners: all of them as they look, and the form."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Editor, Reader, Sent
from gotgan.console.listing import A_CALL, every
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import TheSite, site_of
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.console.site.saving import Change, change, create, removed
from gotgan.console.site.spans import time_left
from gotgan.domains.site.bodies import BannerBody, BannerNew
from gotgan.domains.site.models import Banner

__all__ = [
    "banners_file",
    "begin_banner",
    "change_banner",
    "create_banner",
    "delete_banner",
    "edit_banner",
    "list_banners",
    "router",
]

router = APIRouter()
_LIST: Final = "/site/banners"


@router.get("/site/banners")
def list_banners(
    request: Request, who: Reader, site: TheSite, cursor: str | None = None
) -> Response:
    """The banners that have not ended, newest first, as they look."""
    found = site.banners.page(cursor=cursor)
    now = request.app.state.gotgan.clock.now()
    return page(
        request,
        "site/banners.html",
        foreign_images=True,
        found=found,
        left={each.id: time_left(each.expires_at, now, who.t) for each in found},
        cursor=cursor,
        elsewhere=elsewhere("banners"),
    )


@router.get("/site/banners.csv")
def banners_file(_who: Reader, site: TheSite) -> Response:
    """The banners as a file."""
    found = every(lambda cursor: site.banners.page(limit=A_CALL, cursor=cursor))
    return file_of("banners", Banner, found)


@router.get("/site/banners/new")
def begin_banner(request: Request, who: Editor) -> Response:
    """The form of a new banner."""
    return _form(request, Filled.of(BannerNew, None, who.zone), None)


@router.post("/site/banners/new")
def create_banner(request: Request, _who: Editor, form: Sent) -> Response:
    """Make a banner."""

    def make(body: BannerNew) -> Response:
        site_of(request).banners.create(banner_id=body.id, **body.fields())
        return redirect(_LIST, said="site.banners.created")

    def show(filled: Filled) -> Response:
        return _form(request, filled, None)

    return create(request, form, BannerNew, make=make, show=show)


@router.get("/site/banners/{banner_id}/edit")
def edit_banner(request: Request, who: Editor, site: TheSite, banner_id: str) -> Response:
    """The form of a banner."""
    banner = site.banners.get(banner_id, consistent=True)
    return _form(request, Filled.of(BannerBody, banner, who.zone), banner_id)


@router.post("/site/banners/{banner_id}/edit")
def change_banner(request: Request, _who: Editor, form: Sent, banner_id: str) -> Response:
    """Change a banner."""
    verbs = site_of(request).banners
    planned = Change(
        BannerBody,
        read=lambda: verbs.get(banner_id, consistent=True),
        write=lambda fields, version: verbs.update(banner_id, fields, expected=version),
        show=lambda filled: _form(request, filled, banner_id),
        done=lambda: redirect(_LIST, said="site.saved"),
        gone=lambda filled: _form(request, replace(filled, body=BannerNew), None),
    )
    return change(request, form, planned)


@router.post("/site/banners/{banner_id}/delete")
def delete_banner(request: Request, _who: Editor, form: Sent, banner_id: str) -> Response:
    """Delete a banner."""
    verbs = site_of(request).banners

    def delete(version: int | None) -> Response:
        verbs.delete(banner_id, expected=version)
        return redirect(_LIST, said="site.banners.deleted")

    def show(filled: Filled) -> Response:
        return _form(request, filled, banner_id)

    banner = verbs.get(banner_id, consistent=True)
    return removed(request, form, BannerBody, banner, delete=delete, show=show)


def _form(request: Request, filled: Filled, banner_id: str | None) -> Response:
    return page(
        request,
        "site/banner_form.html",
        status=filled.status,
        foreign_images=True,
        form=filled,
        banner_id=banner_id,
    )
