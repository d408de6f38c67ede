"""The pages of posts and drafts: lists, articles, forms, previews and publication."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal
from urllib.parse import quote

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.session import Editor, Form, Reader, SentForm, Viewer
from gotgan.console.site.forms import FormFields, RecordForm, UnreadableField, parse_contents
from gotgan.console.site.resource import CurrentSite, ResourceForms, ResourceList, site_of
from gotgan.domains.site.content import Format, detect_format, render
from gotgan.domains.site.models import Category, SiteArticle
from gotgan.domains.site.service import Site
from gotgan.errors import ConditionFailed, NotFound
from gotgan.store import Page

router = APIRouter()
FORMATS: Final[tuple[Format, ...]] = ("markdown", "text", "tiptap")
_MAX_USERS: Final = 100

# Previews


@dataclass(frozen=True)
class Preview:
    """Contents as HTML, or why they cannot be shown."""

    html: Markup
    problem: str | None = None


@router.post("/site/preview")
def preview_contents(request: Request, who: Editor, form: SentForm) -> Response:
    """The preview of contents."""
    shown = _preview_of(RecordForm.sent(FormFields.to_change("posts"), form), who.t)
    return page(request, "site/preview.html", foreign_images=True, preview=shown)


@router.post("/site/banners/preview")
def preview_banner(request: Request, who: Editor, form: SentForm) -> Response:  # noqa: ARG001 - a role
    """The preview of a banner."""
    filled = RecordForm.sent(FormFields.to_change("banners"), form)
    return page(request, "site/banner_preview.html", foreign_images=True, form=filled)


def _preview_of(filled: RecordForm, t: Callable[..., str]) -> Preview:
    text, chosen = filled.text("contents"), filled.text("contents_format")
    form = next((each for each in FORMATS if each == chosen), None)
    try:
        contents = parse_contents(text, chosen)
    except UnreadableField as problem:
        return Preview(Markup(), problem.sentence(t))
    return Preview(Markup(render(contents, form or detect_format(contents))))  # noqa: S704 - render cleans it


# Names


def user_names(site: Site, user_ids: Iterable[str]) -> dict[str, str]:
    """The names of users by id, without those who were deleted."""
    return {key: user.display_name for key, user in site.users.get_many(user_ids).items()}


def _author_names(site: Site, who: Viewer, chosen: str) -> dict[str, str]:
    """The authors to choose from: the present one and oneself; for admins the newest users."""
    if not who.may("admin"):
        return user_names(site, {_user_id(who), chosen})
    newest = {user.id: user.display_name for user in site.users.list(limit=_MAX_USERS)}
    return newest if chosen in newest else newest | user_names(site, [chosen])


def _category_titles(categories: Iterable[Category]) -> dict[str, str]:
    return {category.id: category.title for category in categories}


def _value_names(request: Request, form: Form) -> dict[str, dict[str, str]]:
    site, who = site_of(request), Viewer.of(request)
    return {
        "category_id": _category_titles(site.categories.list()),
        "author_id": _author_names(site, who, form.text("author_id")),
    }


def _new_article(request: Request) -> dict[str, str]:
    category, author = request.query_params.get("category", ""), _user_id(Viewer.of(request))
    return {"contents_format": "markdown", "category_id": category, "author_id": author}


def _user_id(who: Viewer) -> str:
    return who.caller.user.id if who.caller else ""


def _select_options(names: dict[str, str], chosen: str) -> list[tuple[str, str]]:
    """The options of a field, with the present value even if it was deleted."""
    known = names if not chosen or chosen in names else {**names, chosen: chosen}
    return list(known.items())


# Pages


@dataclass(frozen=True)
class Shelf:
    """The pages of posts or of drafts."""

    kind: Literal["posts", "drafts"]

    @property
    def path(self) -> str:
        """The path of the list."""
        return f"/site/{self.kind}"

    @cached_property
    def forms(self) -> ResourceForms:
        """The forms."""
        return ResourceForms(
            self.kind,
            "site/article_form.html",
            values=self._choices,
            begin=_new_article,
            words=_value_names,
            has_images=True,
            page=self.show,
        )

    def show(self, request: Request, article: SiteArticle, warning: str = "") -> Response:
        """The page of an article."""
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
            categories=_category_titles(site.categories.list()),
            names=user_names(site, [article.author_id]),
            warning=warning,
        )

    def _choices(self, request: Request, filled: RecordForm) -> dict[str, Any]:
        site, who = site_of(request), Viewer.of(request)
        author, category = filled.text("author_id"), filled.text("category_id")
        return {
            "shelf": self,
            "preview": _preview_of(filled, who.t),
            "categories": _select_options(_category_titles(site.categories.list()), category),
            "authors": _select_options(_author_names(site, who, author), author),
            "formats": who.options("site.format", FORMATS, "site.format.auto"),
        }


_POSTS: Final = Shelf("posts")
_DRAFTS: Final = Shelf("drafts")


def _post_values(request: Request, found: Page[Any]) -> dict[str, Any]:
    site, category = site_of(request), request.query_params.get("category", "")
    categories = tuple(site.categories.list())
    titles = _category_titles(categories)
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
    return {"categories": _category_titles(site.categories.list()), "names": names}


ResourceList("posts", values=_post_values).add_to(router)
ResourceList("drafts", values=_draft_values).add_to(router)
_POSTS.forms.add_to(router)
_DRAFTS.forms.add_to(router)


@router.get("/site/posts/{record_id}")
def read_post(request: Request, _who: Reader, site: CurrentSite, record_id: str) -> Response:
    """A post."""
    return _POSTS.show(request, site.posts.get(record_id, consistent=True))


@router.get("/site/drafts/{record_id}")
def read_draft(request: Request, _who: Reader, site: CurrentSite, record_id: str) -> Response:
    """A draft, or the post that it has become."""
    try:
        return _DRAFTS.show(request, site.drafts.get(record_id, consistent=True))
    except NotFound:
        return redirect(_POSTS.forms.address(site.posts.get(record_id, consistent=True).id))


@router.post("/site/drafts/{record_id}/publish")
def publish_draft(
    request: Request, _who: Editor, form: SentForm, site: CurrentSite, record_id: str
) -> Response:
    """Publish a draft, unless it was changed since it was shown."""
    version = RecordForm.sent(FormFields.to_change("drafts"), form).version
    try:
        post = site.drafts.publish(record_id, version=version)
    except ConditionFailed:
        current = site.drafts.get(record_id, consistent=True)
        return _DRAFTS.show(request, current, "site.changed_meanwhile")
    return redirect(_POSTS.forms.address(post.id), notice="site.drafts.published")
