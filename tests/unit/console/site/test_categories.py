"""The pages of categories: in their order, with slugs that stay."""

from __future__ import annotations

from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser


def test_categories_are_shown_by_their_order(site: Site, viewer: Browser) -> None:
    site.categories.create(title="First of all", order=0)
    page = viewer.open("/site/categories").partition("<main")[2]
    places = [page.index(title) for title in ("First of all", "News", "Notices")]
    assert places == sorted(places)
    assert "/site/posts?category=news" in page
    assert "First of all" in viewer.client.get("/site/categories.csv").text


def test_a_category_is_made(site: Site, editor: Browser) -> None:
    editor.open("/site/categories/new")
    page = editor.send("/categories/new", title="Jobs", slug="jobs", order="3", id="c9")
    assert "The category was created." in page
    made = site.categories.get("c9")
    assert (made.title, made.slug, made.order, made.desc) == ("Jobs", "jobs", 3, None)


def test_wrong_words_are_told_at_their_fields(editor: Browser) -> None:
    editor.open("/site/categories/new")
    page = editor.send("/categories/new", title="", slug="No Spaces", order="-1", id="ü")
    assert "Fill this in." in page
    assert "Use lower-case letters and digits" in page
    assert "Use a whole number from 0 to 1,000,000." in page
    assert "Use letters, digits, - and _ only." in page
    assert editor.sheet("/categories/new").fields["slug"] == "No Spaces"


def test_a_slug_or_an_id_that_is_taken_is_told_at_its_field(editor: Browser) -> None:
    editor.open("/site/categories/new")
    assert "nother category has the slug" in _error(
        editor.send("/categories/new", title="x", slug="news"), "slug"
    )
    assert " c1 " in _error(editor.send("/categories/new", slug="other", id="c1"), "id")


def test_a_category_is_changed_and_keeps_its_slug(site: Site, editor: Browser) -> None:
    page = editor.open("/site/categories/c1/edit")
    assert "It cannot be changed, because addresses use it." in page
    editor.send("/edit", title="The news", order="")
    changed = site.categories.get("c1", consistent=True)
    assert (changed.title, changed.slug, changed.order) == ("The news", "news", None)


def test_a_category_with_posts_is_not_deleted(site: Site, editor: Browser) -> None:
    site.posts.create(category_id="c1", author_id="e", title="x", contents="y")
    editor.open("/site/categories/c1/edit")
    page = editor.send("/delete")
    assert editor.answer.status_code == 409
    assert "this category has posts or drafts" in page.lower()
    assert site.categories.get("c1").title == "News"


def test_an_empty_category_is_deleted(site: Site, editor: Browser) -> None:
    editor.open("/site/categories/c2/edit")
    assert "The category was deleted." in editor.send("/delete")
    assert [each.id for each in site.categories.list()] == ["c1"]


def test_a_category_that_changed_meanwhile_is_not_deleted(site: Site, editor: Browser) -> None:
    editor.open("/site/categories/c2/edit")
    site.categories.update("c2", {"title": "Mended"}, version=1)
    page = editor.send("/delete")
    assert editor.answer.status_code == 409
    assert "Mended" in page


def _error(page: str, name: str) -> str:
    """The error at a field."""
    return page.partition(f'id="{name}-error"')[2].partition("</p>")[0]
