"""The pages of categories: the list by their order, and the form."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Editor, Reader, Sent
from gotgan.console.site.filled import Filled
from gotgan.console.site.given import TheSite, site_of
from gotgan.console.site.listing import elsewhere, file_of
from gotgan.console.site.saving import Change, change, create, removed
from gotgan.domains.site.bodies import CategoryBody, CategoryNew
from gotgan.domains.site.models import Category

__all__ = [
    "begin_category",
    "categories_file",
    "change_category",
    "create_category",
    "delete_category",
    "edit_category",
    "list_categories",
    "router",
]

router = APIRouter()
_LIST: Final = "/site/categories"


@router.get("/site/categories")
def list_categories(request: Request, _who: Reader, site: TheSite) -> Response:
    """The categories, by their order."""
    return page(
        request,
        "site/categories.html",
        categories=site.categories.all(),
        elsewhere=elsewhere("categories"),
    )


@router.get("/site/categories.csv")
def categories_file(_who: Reader, site: TheSite) -> Response:
    """The categories as a file."""
    return file_of("categories", Category, site.categories.all())


@router.get("/site/categories/new")
def begin_category(request: Request, who: Editor) -> Response:
    """The form of a new category."""
    return _form(request, Filled.of(CategoryNew, None, who.zone), None)


@router.post("/site/categories/new")
def create_category(request: Request, _who: Editor, form: Sent) -> Response:
    """Make a category."""

    def make(body: CategoryNew) -> Response:
        site_of(request).categories.create(category_id=body.id, **body.fields())
        return redirect(_LIST, said="site.categories.created")

    def show(filled: Filled) -> Response:
        return _form(request, filled, None)

    return create(request, form, CategoryNew, make=make, show=show)


@router.get("/site/categories/{category_id}/edit")
def edit_category(request: Request, who: Editor, site: TheSite, category_id: str) -> Response:
    """The form of a category."""
    category = site.categories.get(category_id, consistent=True)
    return _form(request, Filled.of(CategoryBody, category, who.zone), category_id)


@router.post("/site/categories/{category_id}/edit")
def change_category(request: Request, _who: Editor, form: Sent, category_id: str) -> Response:
    """Change a category."""
    verbs = site_of(request).categories
    planned = Change(
        CategoryBody,
        read=lambda: verbs.get(category_id, consistent=True),
        write=lambda fields, version: verbs.update(category_id, fields, expected=version),
        show=lambda filled: _form(request, filled, category_id),
        done=lambda: redirect(_LIST, said="site.saved"),
        gone=lambda filled: _form(request, replace(filled, body=CategoryNew), None),
    )
    return change(request, form, planned)


@router.post("/site/categories/{category_id}/delete")
def delete_category(request: Request, _who: Editor, form: Sent, category_id: str) -> Response:
    """Delete a category that has no posts."""
    verbs = site_of(request).categories

    def delete(version: int | None) -> Response:
        verbs.delete(category_id, expected=version)
        return redirect(_LIST, said="site.categories.deleted")

    def show(filled: Filled) -> Response:
        return _form(request, filled, category_id)

    category = verbs.get(category_id, consistent=True)
    return removed(request, form, CategoryBody, category, delete=delete, show=show)


def _form(request: Request, filled: Filled, category_id: str | None) -> Response:
    return page(
        request,
        "site/category_form.html",
        status=filled.status,
        form=filled,
        category_id=category_id,
    )
