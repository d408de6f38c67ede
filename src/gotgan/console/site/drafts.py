"""The pages of drafts: the list, one of them, the form, and the way to the public."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Editor, Reader, Sent
from gotgan.console.listing import A_CALL, every
from gotgan.console.site.articles import DRAFTS, POSTS, category_names, user_names
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import TheSite
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.domains.site.bodies import PostBody
from gotgan.domains.site.models import Draft
from gotgan.errors import ConditionFailed, NotFound

__all__ = [
    "begin_draft",
    "change_draft",
    "create_draft",
    "delete_draft",
    "drafts_file",
    "edit_draft",
    "list_drafts",
    "publish_draft",
    "read_draft",
    "router",
]

router = APIRouter()


@router.get("/site/drafts")
def list_drafts(
    request: Request, _who: Reader, site: TheSite, cursor: str | None = None
) -> Response:
    """The drafts, newest first."""
    found = site.drafts.page(cursor=cursor)
    return page(
        request,
        "site/drafts.html",
        found=found,
        categories=category_names(site.categories.all()),
        names=user_names(site, (draft.author_id for draft in found)),
        cursor=cursor,
        elsewhere=elsewhere("drafts"),
    )


@router.get("/site/drafts.csv")
def drafts_file(_who: Reader, site: TheSite) -> Response:
    """The drafts as a file."""
    found = every(lambda cursor: site.drafts.page(limit=A_CALL, cursor=cursor))
    return file_of("drafts", Draft, found)


@router.get("/site/drafts/new")
def begin_draft(request: Request, who: Editor, category: str = "") -> Response:
    """The form of a new draft."""
    return DRAFTS.begin(request, who, category)


@router.post("/site/drafts/new")
def create_draft(request: Request, who: Editor, form: Sent) -> Response:
    """Write a draft, which only the staff sees."""
    return DRAFTS.create(request, who, form)


@router.get("/site/drafts/{draft_id}")
def read_draft(request: Request, _who: Reader, site: TheSite, draft_id: str) -> Response:
    """A draft; of one that was published, the post that it has become."""
    try:
        return DRAFTS.show(request, site.drafts.get(draft_id, consistent=True))
    except NotFound:
        return redirect(POSTS.address(site.posts.get(draft_id, consistent=True)))


@router.get("/site/drafts/{draft_id}/edit")
def edit_draft(request: Request, who: Editor, site: TheSite, draft_id: str) -> Response:
    """The form of a draft."""
    draft = site.drafts.get(draft_id, consistent=True)
    return DRAFTS.form(request, Filled.of(PostBody, draft, who.zone))


@router.post("/site/drafts/{draft_id}/edit")
def change_draft(request: Request, _who: Editor, form: Sent, draft_id: str) -> Response:
    """Change a draft; another category moves it there."""
    return DRAFTS.change(request, form, draft_id)


@router.post("/site/drafts/{draft_id}/publish")
def publish_draft(
    request: Request, _who: Editor, form: Sent, site: TheSite, draft_id: str
) -> Response:
    """Make a draft a post, if it is still the one that was looked at."""
    expected = Filled.sent(PostBody, form).version
    try:
        post = site.drafts.publish(draft_id, expected=expected)
    except ConditionFailed:
        current = site.drafts.get(draft_id, consistent=True)
        return DRAFTS.show(request, current, warning="site.changed_meanwhile")
    return redirect(POSTS.address(post), said="site.drafts.published")


@router.post("/site/drafts/{draft_id}/delete")
def delete_draft(request: Request, _who: Editor, form: Sent, draft_id: str) -> Response:
    """Delete a draft."""
    return DRAFTS.delete(request, form, draft_id)
