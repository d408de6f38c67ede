"""``/v1/categories``: read by everybody, written by editors."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Consistent, refuse_consistent
from gotgan.api.record_ids import RecordId
from gotgan.api.routes import StrictJson, declared
from gotgan.api.versions import expected_version, one
from gotgan.api.who import app_of
from gotgan.domains.site.bodies import CategoryBody, CategoryNew, patch_of
from gotgan.domains.site.showing import shown

__all__ = [
    "change_category",
    "create_category",
    "delete_category",
    "list_categories",
    "read_category",
    "replace_category",
    "router",
]

router = APIRouter(tags=["categories"], route_class=StrictJson)
_Patch: Any = patch_of(CategoryBody)


@router.get(
    "/categories", **declared("List categories", gives="CategoryList", role=None, fails=(400,))
)
def list_categories(
    request: Request,
    consistent: Consistent = False,  # noqa: FBT002 - a parameter of the query
) -> Response:
    """All categories, by their order, then by their titles."""
    refuse_consistent(consistent)
    return ok({"items": [shown(each) for each in app_of(request).site.categories.all()]})


@router.post(
    "/categories",
    **declared(
        "Make a category", gives="Category", role="editor", status=201, fails=(409,), body=True
    ),
)
def create_category(request: Request, body: CategoryNew) -> Response:
    """Make a category; its slug is unique, and stays."""
    categories = app_of(request).site.categories
    return one(request, categories.create(category_id=body.id, **body.fields()), status=201)


@router.get(
    "/categories/{category_id}",
    **declared("Read a category", gives="Category", role=None, fails=(404,), cached=True),
)
def read_category(
    request: Request,
    category_id: RecordId,
    consistent: Consistent = False,  # noqa: FBT002 - a parameter of the query
) -> Response:
    """A category, by its id or its slug."""
    categories = app_of(request).site.categories
    return one(request, categories.find(category_id, consistent=consistent))


@router.put(
    "/categories/{category_id}",
    **declared(
        "Replace a category",
        gives="Category",
        role="editor",
        fails=(400, 404, 409, 412, 428),
        body=True,
    ),
)
def replace_category(request: Request, category_id: RecordId, body: CategoryBody) -> Response:
    """Write all fields of a category anew, but for its slug."""
    fields = body.fields()
    if fields["slug"] is None:
        del fields["slug"]
    return _change(request, category_id, body, fields)


@router.patch(
    "/categories/{category_id}",
    **declared(
        "Change a category",
        gives="Category",
        role="editor",
        fails=(400, 404, 409, 412, 428),
        body=True,
    ),
)
def change_category(request: Request, category_id: RecordId, body: _Patch) -> Response:
    """Change some fields of a category; null clears one."""
    return _change(request, category_id, body, body.fields())


@router.delete(
    "/categories/{category_id}",
    **declared("Delete a category", gives="Nothing", role="editor", fails=(400, 404, 409, 412)),
)
def delete_category(request: Request, category_id: RecordId) -> Response:
    """Delete a category that has neither posts nor drafts."""
    expected = expected_version(request, required=False)
    app_of(request).site.categories.delete(category_id, expected=expected)
    return ok(None)


def _change(request: Request, category_id: str, body: Any, fields: dict[str, Any]) -> Response:
    expected = expected_version(request, body.version)
    categories = app_of(request).site.categories
    return one(request, categories.update(category_id, fields, expected=expected))
