"""What the pages of posts and of drafts have in common: how an article is shown and edited."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, Literal
from urllib.parse import quote

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.gate import Form
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import site_of
from gotgan.console.site.previews import FORMATS, preview_of
from gotgan.console.site.saving import Change, change, create
from gotgan.console.viewer import Viewer
from gotgan.domains.site.bodies import PostBody
from gotgan.domains.site.contents import render
from gotgan.domains.site.drafts import Drafts
from gotgan.domains.site.models import Category, Draft, Post
from gotgan.domains.site.posts import Posts
from gotgan.domains.site.service import Site
from gotgan.errors import ConditionFailed

__all__ = ["DRAFTS", "POSTS", "Shelf", "category_names", "user_names"]

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
    newest = {user.id: user.display_name for user in site.users.page(limit=_MOST_USERS)}
    return newest if chosen in newest else newest | user_names(site, [chosen])


def category_names(categories: Iterable[Category]) -> dict[str, str]:
    """The titles of categories by their ids."""
    return {category.id: category.title for category in categories}


@dataclass(frozen=True)
class Shelf:
    """Where articles of one kind are, and their pages."""

    kind: Literal["posts", "drafts"]

    @property
    def path(self) -> str:
        """Where the list of them is."""
        return f"/site/{self.kind}"

    def verbs(self, site: Site) -> Posts | Drafts:
        """What can be done with them."""
        return site.posts if self.kind == "posts" else site.drafts

    def address(self, article: Post | Draft) -> str:
        """Where the page of one of them is."""
        return f"{self.path}/{quote(article.id, safe='')}"

    def show(
        self, request: Request, article: Post | Draft, *, warning: str | None = None
    ) -> Response:
        """The page of an article: as it will look, and what is known about it."""
        site = site_of(request)
        return page(
            request,
            "site/article.html",
            status=200 if warning is None else 409,
            foreign_images=True,
            shelf=self,
            article=article,
            address=self.address(article),
            html=Markup(render(article.contents, article.format)),  # noqa: S704 - render cleans it
            categories=category_names(site.categories.all()),
            names=user_names(site, [article.author_id]),
            warning=warning,
        )

    def form(self, request: Request, filled: Filled) -> Response:
        """The form of an article, with how its contents look."""
        choices = _choices(request, filled)
        return page(
            request,
            "site/article_form.html",
            status=filled.status,
            foreign_images=True,
            shelf=self,
            form=filled,
            preview=preview_of(filled, Viewer.of(request).t),
            **choices,
        )

    def begin(self, request: Request, who: Viewer, category: str) -> Response:
        """The form of an article that is not there yet."""
        filled = Filled.of(PostBody, None, who.zone)
        given = {"contents_format": "markdown", "category_id": category, "author_id": _me(who)}
        return self.form(request, replace(filled, texts={**filled.texts, **given}))

    def create(self, request: Request, who: Viewer, form: Form) -> Response:
        """Write a new article."""

        def make(body: PostBody) -> Response:
            fields = {"author_id": _me(who), **body.fields()}
            _expect_author(who, fields, None)
            article = self.verbs(site_of(request)).create(**fields)
            return redirect(self.address(article), said=f"site.created.{self.kind}")

        def show(filled: Filled) -> Response:
            return self.form(request, filled)

        return create(request, form, PostBody, make=make, show=show)

    def change(self, request: Request, form: Form, article_id: str) -> Response:
        """Write what was changed in an article; one that is gone can be written anew."""
        site, who = site_of(request), Viewer.of(request)
        verbs = self.verbs(site)

        def write(fields: dict[str, Any], version: int | None) -> object:
            _expect_author(who, fields, verbs.get(article_id, consistent=True))
            return verbs.update(article_id, fields, expected=version)

        planned = Change(
            PostBody,
            read=lambda: verbs.get(article_id, consistent=True),
            write=write,
            show=lambda filled: self.form(request, filled),
            done=lambda: redirect(f"{self.path}/{quote(article_id, safe='')}", said="site.saved"),
            gone=lambda filled: self.form(request, filled),
            words={
                "category_id": category_names(site.categories.all()),
                "author_id": _authors(site, who, form.text("author_id")),
            },
        )
        return change(request, form, planned)

    def delete(self, request: Request, form: Form, article_id: str) -> Response:
        """Delete an article, unless it is another by now than the one that was looked at."""
        verbs = self.verbs(site_of(request))
        try:
            verbs.delete(article_id, expected=Filled.sent(PostBody, form).version)
        except ConditionFailed:
            current = verbs.get(article_id, consistent=True)
            return self.show(request, current, warning="site.changed_meanwhile")
        return redirect(self.path, said=f"site.deleted.{self.kind}")


POSTS: Final = Shelf("posts")
DRAFTS: Final = Shelf("drafts")


def _me(who: Viewer) -> str:
    return who.caller.user.id if who.caller else ""


def _expect_author(who: Viewer, fields: dict[str, Any], before: Post | Draft | None) -> None:
    if who.caller is not None and "author_id" in fields:
        known = None if before is None else before.author_id
        who.caller.expect_author(fields["author_id"], before=known)


def _choices(request: Request, filled: Filled) -> dict[str, Any]:
    """What can be chosen in the form; what was chosen stays, even where it is gone by now."""
    site, who = site_of(request), Viewer.of(request)
    t, author = who.t, filled.text("author_id")
    categories = category_names(site.categories.all())
    formats = {"": t("site.format.auto")} | {each: t(f"site.format.{each}") for each in FORMATS}
    return {
        "categories": _options(categories, filled.text("category_id")),
        "authors": _options(_authors(site, who, author), author),
        "formats": list(formats.items()),
    }


def _options(names: dict[str, str], chosen: str) -> list[tuple[str, str]]:
    known = names if not chosen or chosen in names else {**names, chosen: chosen}
    return list(known.items())
