"""``/v1/drafts``: articles that are not public yet, for the staff."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Consistent, Listing, asked, page_data, refuse_consistent
from gotgan.api.record_ids import RecordId
from gotgan.api.routes import StrictJson, declared
from gotgan.api.site.articles import article_fields, changed_fields, one_article
from gotgan.api.versions import expected_version, one
from gotgan.api.who import app_of
from gotgan.domains.site.bodies import DraftNew, PostBody, PublishBody, patch_of

__all__ = [
    "change_draft",
    "create_draft",
    "delete_draft",
    "list_drafts",
    "publish_draft",
    "read_draft",
    "replace_draft",
    "router",
]

router = APIRouter(tags=["drafts"], route_class=StrictJson)
_Patch: Any = patch_of(PostBody)


@router.get(
    "/drafts",
    **declared("List drafts", gives="DraftPage", role="viewer", fails=(400,), query=Listing),
)
def list_drafts(request: Request) -> Response:
    """Drafts, newest first."""
    listing = asked(request, Listing)
    refuse_consistent(listing.consistent)
    drafts = app_of(request).site.drafts
    return ok(page_data(drafts.page(limit=listing.limit, cursor=listing.cursor)))


@router.post(
    "/drafts",
    **declared(
        "Write a draft", gives="Draft", role="editor", status=201, fails=(400, 404), body=True
    ),
)
def create_draft(request: Request, body: DraftNew) -> Response:
    """Write a draft."""
    draft = app_of(request).site.drafts.create(**article_fields(request, body))
    return one(request, draft, status=201)


@router.get(
    "/drafts/{draft_id}",
    **declared("Read a draft", gives="Draft", role="viewer", fails=(404,), cached=True),
)
def read_draft(
    request: Request,
    draft_id: RecordId,
    consistent: Consistent = False,  # noqa: FBT002 - a parameter of the query
    html: Annotated[bool, Query(description="Add the contents as safe HTML.")] = False,  # noqa: FBT002
) -> Response:
    """A draft."""
    draft = app_of(request).site.drafts.get(draft_id, consistent=consistent)
    return one_article(request, draft, html=html)


@router.put(
    "/drafts/{draft_id}",
    **declared(
        "Replace a draft", gives="Draft", role="editor", fails=(400, 404, 409, 412, 428), body=True
    ),
)
def replace_draft(request: Request, draft_id: RecordId, body: PostBody) -> Response:
    """Write all fields of a draft anew."""
    return _change(request, draft_id, body)


@router.patch(
    "/drafts/{draft_id}",
    **declared(
        "Change a draft", gives="Draft", role="editor", fails=(400, 404, 409, 412, 428), body=True
    ),
)
def change_draft(request: Request, draft_id: RecordId, body: _Patch) -> Response:
    """Change some fields of a draft; null clears one."""
    return _change(request, draft_id, body)


@router.delete(
    "/drafts/{draft_id}",
    **declared("Delete a draft", gives="Nothing", role="editor", fails=(400, 404, 409, 412)),
)
def delete_draft(request: Request, draft_id: RecordId) -> Response:
    """Delete a draft; with If-Match only if it still has that version."""
    expected = expected_version(request, required=False)
    app_of(request).site.drafts.delete(draft_id, expected=expected)
    return ok(None)


@router.post(
    "/drafts/{draft_id}/publish",
    **declared(
        "Publish a draft", gives="Post", role="editor", fails=(400, 404, 409, 412), body=True
    ),
)
def publish_draft(
    request: Request, draft_id: RecordId, body: PublishBody | None = None
) -> Response:
    """Make a draft a post; of one that is published already, give the post."""
    given = None if body is None else body.version
    expected = expected_version(request, given, required=False)
    return one(request, app_of(request).site.drafts.publish(draft_id, expected=expected))


def _change(request: Request, draft_id: str, body: Any) -> Response:
    expected = expected_version(request, body.version)
    drafts = app_of(request).site.drafts
    fields = changed_fields(request, body, lambda: drafts.get(draft_id, consistent=True))
    return one(request, drafts.update(draft_id, fields, expected=expected))
