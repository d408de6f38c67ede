"""``/v1/news``: the items, each written once and read by viewers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.news.asking import NewsListing, Pk, QueueListing, Stories
from gotgan.api.paging import asked, page_data, refuse_consistent
from gotgan.api.routes import StrictJson, declared
from gotgan.api.runs import report_data
from gotgan.api.who import app_of
from gotgan.domains.news.keys import pk_of
from gotgan.domains.news.records import body_record, item_record, queued_record, why_record
from gotgan.domains.news.uploads import uploaded_stories
from gotgan.store import Page

__all__ = ["find_news", "list_bodies", "list_news", "read_news", "router", "upload_news"]

router = APIRouter(tags=["news"], route_class=StrictJson)


@router.get(
    "/news",
    **declared("List news", gives="NewsItemPage", role="viewer", fails=(400,), query=NewsListing),
)
def list_news(request: Request) -> Response:
    """Items, newest first: of a day in a zone, or of the last seven days."""
    listing = asked(request, NewsListing)
    refuse_consistent(listing.consistent)
    found = app_of(request).news.page(**listing.model_dump(exclude={"consistent"}))
    records = tuple(item_record(item) for item in found)
    return ok(page_data(Page(records, found.cursor, found.cost, found.read)))


@router.post(
    "/news",
    **declared("Upload news", gives="Uploaded", role="editor", body=True),
)
def upload_news(request: Request, stories: Stories) -> Response:
    """Store what is new of a list of stories; what was stored before stays as it is."""
    return ok(report_data(app_of(request).news.upload(uploaded_stories(stories))))


@router.get(
    "/news/item",
    **declared("Find an item by its address", gives="NewsArticle", role="viewer", fails=(404,)),
)
def find_news(
    request: Request,
    url: Annotated[
        str,
        Query(
            min_length=1,
            max_length=8_000,
            description="The address exactly as it was listed, to the last letter.",
            examples=["https://finance.yahoo.com/news/apple-holds-steady-003512345.html"],
        ),
    ],
) -> Response:
    """An item by its address, with its body and why it has this key."""
    return _article(request, pk_of(url))


@router.get(
    "/news/bodies",
    **declared(
        "List missing bodies", gives="QueuePage", role="viewer", fails=(400,), query=QueueListing
    ),
)
def list_bodies(request: Request) -> Response:
    """Bodies that wait or are under way, those that are due first; or those given up."""
    listing = asked(request, QueueListing)
    found = app_of(request).news.queued(
        "dead" if listing.dead else "retry", limit=listing.limit, cursor=listing.cursor
    )
    records = tuple(queued_record(body) for body in found)
    return ok(page_data(Page(records, found.cursor, found.cost, found.read)))


@router.get(
    "/news/{pk}",
    **declared("Read an item", gives="NewsArticle", role="viewer", fails=(404,)),
)
def read_news(request: Request, pk: Pk) -> Response:
    """An item by its key, with its body and why it has this key."""
    return _article(request, pk)


def _article(request: Request, pk: str) -> Response:
    news = app_of(request).news
    item = news.get(pk)
    body = news.body(pk)
    told = None if body is None else body_record(body)
    return ok({**item_record(item), "body": told, "why": why_record(item)})
