"""``/v1/posts``: read by everybody, written by editors."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.paging import Consistent, Listing, asked, page_data
from gotgan.api.record_ids import RecordId
from gotgan.api.routes import StrictJson, declared
from gotgan.api.running import read_at_once
from gotgan.api.site.articles import article_fields, changed_fields, one_article
from gotgan.api.versions import expected_version, one
from gotgan.api.who import app_of
from gotgan.domains.site.bodies import PostBody, PostNew, patch_of
from gotgan.store import Page

__all__ = [
    "change_post",
    "create_post",
    "delete_post",
    "list_posts",
    "read_post",
    "replace_post",
    "router",
]

router = APIRouter(tags=["posts"], route_class=StrictJson)
_Patch: Any = patch_of(PostBody)


class _OfPosts(Listing):
    """What is asked of the posts."""

    category: str | None = Field(
        default=None, min_length=1, max_length=100, description="A category's id or slug."
    )
    q: str | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        description="Words that must all be in the title or the contents. This is a filtered "
        "read: every post on the way is read and billed, as `read` says, and a page may have "
        "fewer posts than `limit`, or none, and still a cursor.",
    )


@router.get(
    "/posts",
    **declared("List posts", gives="PostPage", role=None, fails=(400, 404), query=_OfPosts),
)
async def list_posts(request: Request) -> Response:
    """Posts, newest first: of a category, or of all of them."""
    listing = asked(request, _OfPosts)
    if listing.q is None:
        return await read_at_once(request, lambda: _listed(request, listing))
    return await run_in_threadpool(_listed, request, listing)  # it may look through thousands


def _listed(request: Request, listing: _OfPosts) -> Response:
    posts, wanted = app_of(request).site.posts, dict(listing)
    q = wanted.pop("q")
    page: Page[Any] = posts.shown_page(**wanted) if q is None else posts.page(**wanted, q=q)
    return ok({**page_data(page), "filtered": q is not None})


@router.post(
    "/posts",
    **declared(
        "Write a post", gives="Post", role="editor", status=201, fails=(400, 404), body=True
    ),
)
def create_post(request: Request, body: PostNew) -> Response:
    """Write a post, which is public at once."""
    post = app_of(request).site.posts.create(**article_fields(request, body))
    return one(request, post, status=201)


@router.get(
    "/posts/{post_id}",
    **declared("Read a post", gives="Post", role=None, fails=(404,), cached=True),
)
def read_post(
    request: Request,
    post_id: RecordId,
    consistent: Consistent = False,  # noqa: FBT002 - a parameter of the query
    html: Annotated[bool, Query(description="Add the contents as safe HTML.")] = False,  # noqa: FBT002
) -> Response:
    """A post, by any id that it ever had: two reads."""
    post = app_of(request).site.posts.get(post_id, consistent=consistent)
    return one_article(request, post, html=html)


@router.put(
    "/posts/{post_id}",
    **declared(
        "Replace a post", gives="Post", role="editor", fails=(400, 404, 409, 412, 428), body=True
    ),
)
def replace_post(request: Request, post_id: RecordId, body: PostBody) -> Response:
    """Write all fields of a post anew; another category moves it there."""
    return _change(request, post_id, body)


@router.patch(
    "/posts/{post_id}",
    **declared(
        "Change a post", gives="Post", role="editor", fails=(400, 404, 409, 412, 428), body=True
    ),
)
def change_post(request: Request, post_id: RecordId, body: _Patch) -> Response:
    """Change some fields of a post; null clears one."""
    return _change(request, post_id, body)


@router.delete(
    "/posts/{post_id}",
    **declared("Delete a post", gives="Nothing", role="editor", fails=(400, 404, 409, 412)),
)
def delete_post(request: Request, post_id: RecordId) -> Response:
    """Delete a post; with If-Match only if it still has that version."""
    expected = expected_version(request, required=False)
    app_of(request).site.posts.delete(post_id, expected=expected)
    return ok(None)


def _change(request: Request, post_id: str, body: Any) -> Response:
    expected = expected_version(request, body.version)
    posts = app_of(request).site.posts
    fields = changed_fields(request, body, lambda: posts.get(post_id, consistent=True))
    return one(request, posts.update(post_id, fields, expected=expected))
