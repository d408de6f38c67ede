"""The pages of posts and drafts: their lists, one of them, the form, and the way to the public."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal
from urllib.parse import quote

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.gate import Form
from gotgan.console.given import Editor, Reader, Sent
from gotgan.console.site.filled import Fields, Filled
from gotgan.console.site.given import TheSite, site_of
from gotgan.console.site.previews import FORMATS, preview_of
from gotgan.console.site.resource import Forms, ResourceList
from gotgan.console.viewer import Viewer
from gotgan.domains.site.contents import render
from gotgan.domains.site.models import Category, SiteArticle
from gotgan.domains.site.service import Site
from gotgan.errors import ConditionFailed, NotFound
from gotgan.store import Page

__all__ = ["Shelf", "publish_draft", "read_draft", "read_post", "router", "user_names"]

router = APIRouter()
_MOST_USERS: Final = 100


def user_names(site: Site, user_ids: Iterable[str]) -> dict[str, str]:
    """The names of some users by their ids, for people to read; without those who are gone."""
    return {key: user.display_name for key, user in site.users.of(user_ids).items()}


def _authors(site: Site, who: Viewer, chosen: str) -> dict[str, str]:
    """The names of those who can be chosen as an author: who is chosen, and oneself.

    An admin can choose among the newest users too.
    """
    if not who.may("admin"):
        return user_names(site, {_me(who), chosen})
    newest = {user.id: user.display_name for user in site.users.list(limit=_MOST_USERS)}
    return newest if chosen in newest else newest | user_names(site, [chosen])


def _titles(categories: Iterable[Category]) -> dict[str, str]:
    return {category.id: category.title for category in categories}


def _begin(request: Request) -> dict[str, str]:
    category = request.query_params.get("category", "")
    author = _me(Viewer.of(request))
    return {"contents_format": "markdown", "category_id": category, "author_id": author}


def _words(request: Request, form: Form) -> dict[str, dict[str, str]]:
    site, who = site_of(request), Viewer.of(request)
    return {
        "category_id": _titles(site.categories.list()),
        "author_id": _authors(site, who, form.text("author_id")),
    }


def _me(who: Viewer) -> str:
    return who.caller.user.id if who.caller else ""


def _options(names: dict[str, str], chosen: str) -> list[tuple[str, str]]:
    known = names if not chosen or chosen in names else {**names, chosen: chosen}
    return list(known.items())


@dataclass(frozen=True)
class Shelf:
    """Where articles of one kind are, and their pages."""

    kind: Literal["posts", "drafts"]

    @property
    def path(self) -> str:
        """Where the list of them is."""
        return f"/site/{self.kind}"

    @cached_property
    def forms(self) -> Forms:
        """How they are written."""
        return Forms(
            self.kind,
            "site/article_form.html",
            values=self._choices,
            begin=_begin,
            words=_words,
            has_images=True,
            page=self.show,
        )

    def show(self, request: Request, article: SiteArticle, warning: str = "") -> Response:
        """The page of an article: as it will look, and what is known about it."""
        site = site_of(request)
        return page(
            request,
            "site/article.html",
            status=409 if warning else 200,
            foreign_images=True,
            shelf=self,
            article=article,
            address=f"{self.path}/{quote(article.id, safe='')}",
            html=Markup(render(article.contents, article.format)),  # noqa: S704 - render cleans it
            categories=_titles(site.categories.list()),
            names=user_names(site, [article.author_id]),
            warning=warning,
        )

    def _choices(self, request: Request, filled: Filled) -> dict[str, Any]:
        """What can be chosen in the form; what was chosen stays, even where it is gone by now."""
        site, who = site_of(request), Viewer.of(request)
        t, author = who.t, filled.text("author_id")
        formats = {"": t("site.format.auto")} | {each: t(f"site.format.{each}") for each in FORMATS}
        return {
            "shelf": self,
            "preview": preview_of(filled, t),
            "categories": _options(_titles(site.categories.list()), filled.text("category_id")),
            "authors": _options(_authors(site, who, author), author),
            "formats": list(formats.items()),
        }


_POSTS: Final = Shelf("posts")
_DRAFTS: Final = Shelf("drafts")


def _post_values(request: Request, found: Page[Any]) -> dict[str, Any]:
    site, category = site_of(request), request.query_params.get("category", "")
    categories = tuple(site.categories.list())
    titles = _titles(categories)
    slugs = {each.id: each.slug or each.id for each in categories}
    return {
        "categories": titles,
        "slugs": slugs,
        "options": [(slug, titles[key]) for key, slug in slugs.items()],
        "chosen": next((each for each in categories if category in {each.id, each.slug}), None),
        "names": user_names(site, (post.author_id for post in found)),
    }


def _draft_values(request: Request, found: Page[Any]) -> dict[str, Any]:
    site = site_of(request)
    names = user_names(site, (draft.author_id for draft in found))
    return {"categories": _titles(site.categories.list()), "names": names}


ResourceList("posts", values=_post_values).add_to(router)
ResourceList("drafts", values=_draft_values).add_to(router)
_POSTS.forms.add_to(router)
_DRAFTS.forms.add_to(router)


@router.get("/site/posts/{record_id}")
def read_post(request: Request, _who: Reader, site: TheSite, record_id: str) -> Response:
    """A post."""
    return _POSTS.show(request, site.posts.get(record_id, consistent=True))


@router.get("/site/drafts/{record_id}")
def read_draft(request: Request, _who: Reader, site: TheSite, record_id: str) -> Response:
    """A draft; of one that was published, the post that it has become."""
    try:
        return _DRAFTS.show(request, site.drafts.get(record_id, consistent=True))
    except NotFound:
        return redirect(_POSTS.forms.address(site.posts.get(record_id, consistent=True).id))


@router.post("/site/drafts/{record_id}/publish")
def publish_draft(
    request: Request, _who: Editor, form: Sent, site: TheSite, record_id: str
) -> Response:
    """Publish a draft, if it is still the one that was looked at."""
    version = Filled.sent(Fields.to_change("drafts"), form).version
    try:
        post = site.drafts.publish(record_id, version=version)
    except ConditionFailed:
        current = site.drafts.get(record_id, consistent=True)
        return _DRAFTS.show(request, current, "site.changed_meanwhile")
    return redirect(_POSTS.forms.address(post.id), said="site.drafts.published")
