"""What bodies of posts and drafts come to, and how an article is shown with its HTML."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.versions import one
from gotgan.api.who import app_of, caller_of
from gotgan.domains.site.bodies import PostBody
from gotgan.domains.site.contents import render
from gotgan.domains.site.models import Draft, Post

__all__ = ["article_fields", "changed_fields", "one_article"]


def article_fields(request: Request, body: PostBody) -> dict[str, Any]:
    """The fields of a new article; whoever writes it is its author, unless an admin names one."""
    return {"author_id": caller_of(request).user.id, **changed_fields(request, body)}


def changed_fields(
    request: Request, body: PostBody, current: Callable[[], Post | Draft] | None = None
) -> dict[str, Any]:
    """The fields that a body changes; an author who is named must be there, and may be named.

    ``current`` reads the article as it is, where it is changed: its author may stay.
    """
    fields = body.fields()
    if "author_id" in fields:
        caller, named = caller_of(request), fields["author_id"]
        is_other = caller.role != "admin" and named != caller.user.id
        caller.expect_author(named, before=current().author_id if current and is_other else None)
        app_of(request).site.users.get(named)
    return fields


def one_article(request: Request, article: Post | Draft, *, html: bool) -> Response:
    """An article, with its contents as safe HTML where that is wanted."""
    if not html:
        return one(request, article)
    return one(request, article, html=render(article.contents, article.format))
