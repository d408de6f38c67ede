"""The pages of posts: the list, one of them, and the form."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page
from gotgan.console.given import Editor, Reader, Sent
from gotgan.console.listing import A_CALL, every
from gotgan.console.site.articles import POSTS, category_names, user_names
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import TheSite
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.domains.site.bodies import PostBody
from gotgan.domains.site.models import Category, Post

__all__ = [
    "begin_post",
    "change_post",
    "create_post",
    "delete_post",
    "edit_post",
    "list_posts",
    "posts_file",
    "read_post",
    "router",
]

router = APIRouter()
_LONGEST: Final = 200


@router.get("/site/posts")
def list_posts(
    request: Request,
    _who: Reader,
    site: TheSite,
    category: str = "",
    q: str = "",
    cursor: str | None = None,
) -> Response:
    """The posts, newest first: of a category, or with some words."""
    categories, words = site.categories.all(), _words(q)
    titles = category_names(categories)
    found = site.posts.page(category=category or None, q=words, cursor=cursor)
    return page(
        request,
        "site/posts.html",
        found=found,
        categories=titles,
        slugs=_slugs(categories),
        options=[(slug, titles[key]) for key, slug in _slugs(categories).items()],
        chosen=next((each for each in categories if category in {each.id, each.slug}), None),
        names=user_names(site, (post.author_id for post in found)),
        q=words,
        cursor=cursor,
        elsewhere=elsewhere("posts", category=category, q=words),
    )


@router.get("/site/posts.csv")
def posts_file(_who: Reader, site: TheSite, category: str = "", q: str = "") -> Response:
    """The same posts as a file."""
    chosen, words = category or None, _words(q)
    found = every(
        lambda cursor: site.posts.page(category=chosen, q=words, limit=A_CALL, cursor=cursor)
    )
    return file_of("posts", Post, found)


@router.get("/site/posts/new")
def begin_post(request: Request, who: Editor, category: str = "") -> Response:
    """The form of a new post."""
    return POSTS.begin(request, who, category)


@router.post("/site/posts/new")
def create_post(request: Request, who: Editor, form: Sent) -> Response:
    """Write a post, which is public at once."""
    return POSTS.create(request, who, form)


@router.get("/site/posts/{post_id}")
def read_post(request: Request, _who: Reader, site: TheSite, post_id: str) -> Response:
    """A post."""
    return POSTS.show(request, site.posts.get(post_id, consistent=True))


@router.get("/site/posts/{post_id}/edit")
def edit_post(request: Request, who: Editor, site: TheSite, post_id: str) -> Response:
    """The form of a post."""
    post = site.posts.get(post_id, consistent=True)
    return POSTS.form(request, Filled.of(PostBody, post, who.zone))


@router.post("/site/posts/{post_id}/edit")
def change_post(request: Request, _who: Editor, form: Sent, post_id: str) -> Response:
    """Change a post; another category moves it there."""
    return POSTS.change(request, form, post_id)


@router.post("/site/posts/{post_id}/delete")
def delete_post(request: Request, _who: Editor, form: Sent, post_id: str) -> Response:
    """Delete a post."""
    return POSTS.delete(request, form, post_id)


def _slugs(categories: list[Category]) -> dict[str, str]:
    """How addresses call the categories."""
    return {category.id: category.slug or category.id for category in categories}


def _words(q: str) -> str | None:
    """What is looked for, no longer than the API takes it."""
    return q.strip()[:_LONGEST] or None
