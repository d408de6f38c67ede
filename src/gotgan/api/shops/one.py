"""``/v1/shops/{domain}``: one shop, its addresses, what changed in it, and who is related."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import asked, page_data
from gotgan.api.routes import StrictJson, declared
from gotgan.api.shops.asking import ChangeListing, Domain, ReleaseBody, UrlListing
from gotgan.api.who import app_of
from gotgan.domains.shops.records import change_record, page_record, shop_record, stuck_record
from gotgan.store import Page

__all__ = ["list_changes", "list_related", "list_urls", "read_shop", "release_shop", "router"]

router = APIRouter(tags=["shops"], route_class=StrictJson)

_BOTH = ReleaseBody()
"""What is meant where nothing is sent."""


@router.get(
    "/shops/{domain}",
    **declared("Read a shop", gives="Shop", role="viewer", fails=(400, 404)),
)
def read_shop(request: Request, domain: Domain) -> Response:
    """A shop, where it stands in crawling and scraping, and how each last ended."""
    return ok(shop_record(app_of(request).shops.get(domain)))


@router.get(
    "/shops/{domain}/urls",
    **declared("List addresses of a shop", gives="ShopPagePage", role="viewer", fails=(400, 404),
               query=UrlListing),
)  # fmt: skip
def list_urls(request: Request, domain: Domain) -> Response:
    """The pages of a shop: of one type, or all by the alphabet."""
    listing = asked(request, UrlListing)
    found = app_of(request).shops.urls(
        domain, listing.type, limit=listing.limit, cursor=listing.cursor
    )
    records = tuple(page_record(page) for page in found)
    return ok(page_data(Page(records, found.cursor, found.cost, found.read)))


@router.get(
    "/shops/{domain}/changes",
    **declared("List changes in a shop", gives="ChangePage", role="viewer", fails=(400, 404),
               query=ChangeListing),
)  # fmt: skip
def list_changes(request: Request, domain: Domain) -> Response:
    """What a shop offers otherwise than before, newest first: what it was, and what it is."""
    listing = asked(request, ChangeListing)
    found = app_of(request).shops.changes(
        domain, since=listing.since, limit=listing.limit, cursor=listing.cursor
    )
    records = tuple(change_record(change) for change in found)
    return ok(page_data(Page(records, found.cursor, found.cost, found.read)))


@router.get(
    "/shops/{domain}/related",
    **declared("List related domains", gives="RelatedDomains", role="viewer", fails=(400, 404)),
)
def list_related(request: Request, domain: Domain) -> Response:
    """Other domains with the same core name, by the alphabet."""
    return ok({"items": app_of(request).shops.related(domain)})


@router.post(
    "/shops/{domain}/release",
    **declared("Release a shop", gives="Released", role="editor", fails=(400, 404, 409), body=True),
)
def release_shop(request: Request, domain: Domain, body: ReleaseBody = _BOTH) -> Response:
    """Give back a shop whose worker is no more; it stands where it stood before."""
    released = app_of(request).shops.release(domain, body.stage, force=body.force)
    return ok({"released": [stuck_record(each) for each in released]})
