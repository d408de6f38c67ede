"""``/v1/shops``: shops registered, those that are due, and those that are stuck."""

from __future__ import annotations

from itertools import islice

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import asked
from gotgan.api.routes import StrictJson, declared
from gotgan.api.runs import error_data
from gotgan.api.shops.asking import DueListing, Registrations, StuckListing
from gotgan.api.who import app_of
from gotgan.domains.shops.records import shop_record, stuck_record
from gotgan.domains.shops.registrations import Registration
from gotgan.domains.shops.report_records import added_record

__all__ = ["list_due", "list_stuck", "register_shops", "router"]

router = APIRouter(tags=["shops"], route_class=StrictJson)


@router.post(
    "/shops",
    **declared("Register shops", gives="Registered", role="editor", fails=(400,), body=True),
)
def register_shops(request: Request, shops: Registrations) -> Response:
    """Register one shop or a list, all of them right.

    Those that are there stay as they are, but one without a country gets the one that is given, and
    one that another tool wrote gets the index keys that it lacks.
    """
    given = shops if isinstance(shops, list) else [shops]
    entries = [Registration(each.domain, each.country, each.name) for each in given]
    report = app_of(request).shops.add_all(entries)
    failed = [{"domain": each.item.domain, **error_data(each.error)} for each in report.failed]
    return ok({**added_record(report), "failed": failed})


@router.get(
    "/shops/due",
    **declared("List shops that are due", gives="DueShops", role="viewer", fails=(400,),
               query=DueListing),
)  # fmt: skip
def list_due(request: Request) -> Response:
    """Shops to be crawled or scraped: those that never were, then those done longest ago."""
    listing = asked(request, DueListing)
    app = app_of(request)
    with app.store.metered("due") as measured:
        found = app.shops.due(
            listing.stage, country=listing.country, before=listing.before, after=listing.after
        )
        shops = list(islice(found, listing.limit + 1))
    return ok(
        {
            "stage": listing.stage,
            "items": [shop_record(shop) for shop in shops[: listing.limit]],
            "has_more": len(shops) > listing.limit,
            "cost": measured.cost.shown(),
        }
    )


@router.get(
    "/shops/stuck",
    **declared("List shops that are stuck", gives="StuckShops", role="viewer", fails=(400,),
               query=StuckListing),
)  # fmt: skip
def list_stuck(request: Request) -> Response:
    """Crawls and scrapes whose worker is no more; the next run takes them over."""
    listing = asked(request, StuckListing)
    app = app_of(request)
    with app.store.metered("stuck") as measured:
        found = app.shops.stuck(older_than=listing.older_than, country=listing.country)
    items = [stuck_record(each) for each in found]
    return ok({"items": items, "cost": measured.cost.shown()})
