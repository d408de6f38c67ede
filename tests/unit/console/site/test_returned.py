"""Forms that come back: nothing typed is lost, the eye is led, and every way out is open."""

from __future__ import annotations

import re

import pytest

from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser
from tests.unit.domains.site.records import caller

GONE = "Another user deleted this in the meantime."
GUARDED = 'data-guard="changed"'


def test_a_banner_that_was_deleted_meanwhile_can_be_made_anew(site: Site, editor: Browser) -> None:
    site.banners.create(id="b1", title="Old", img_uri="/b.png")
    editor.open("/site/banners/b1/edit")
    site.banners.delete("b1")
    page = editor.send("/edit", desc="not lost")
    assert editor.answer.status_code == 409
    assert GONE in page
    editor.send("/banners/new")
    (again,) = site.banners.list()
    assert (again.title, again.desc) == ("Old", "not lost")


def test_a_category_that_was_deleted_meanwhile_can_be_made_anew(
    site: Site, editor: Browser
) -> None:
    editor.open("/site/categories/c2/edit")
    site.categories.delete("c2")
    page = editor.send("/edit", desc="not lost")
    assert editor.answer.status_code == 409
    assert GONE in page
    assert "This category is not there any more." not in page
    editor.send("/categories/new")
    again = next(each for each in site.categories.list() if each.id != "c1")
    assert (again.title, again.slug, again.desc) == ("Notices", "notices", "not lost")


@pytest.mark.parametrize("pressed", [{}, {"show": "form"}], ids=["saved", "edited on"])
def test_a_user_who_was_deleted_meanwhile_can_be_made_anew(
    site: Site, admin: Browser, pressed: dict[str, str]
) -> None:
    admin.open("/site/people/e")
    site.users.delete("e", version=None, by=caller("a"))
    page = admin.send("/people/e", display_name="Not lost", **pressed)
    assert admin.answer.status_code == 409
    assert GONE in page
    assert admin.sheet("/people/new").fields["display_name"] == "Not lost"


def test_the_first_field_that_is_wrong_has_the_cursor(editor: Browser) -> None:
    editor.open("/site/categories/new")
    page = editor.send("/categories/new", title="Fine", slug="No Spaces", order="-1")
    assert re.findall(r'id="(\w+)"[^>]* autofocus', page) == ["slug"]
    assert page.count('aria-invalid="true"') == 2


def test_a_form_in_order_moves_no_cursor(editor: Browser) -> None:
    assert "autofocus" not in editor.open("/site/categories/new")


def test_a_form_that_came_back_is_guarded_at_once(site: Site, editor: Browser) -> None:
    for path, action in [("/site/posts/new", "/posts/new"), ("/site/banners/new", "/banners/new")]:
        assert GUARDED not in editor.open(path)
        assert GUARDED in editor.send(action, title="")
    site.posts.create(category_id="c1", author_id="e", title="x", contents="y")
    editor.open("/site/categories/c1/edit")
    assert GUARDED not in editor.send("/delete")


def _switch_language(browser: Browser) -> None:
    browser.send("/preferences", language="ko")
    assert browser.answer.status_code == 200
    assert '<html lang="ko"' in browser.page


def test_the_display_can_be_changed_on_a_form_that_came_back(editor: Browser) -> None:
    editor.open("/site/categories/new")
    editor.send("/categories/new", title="")
    assert editor.answer.status_code == 422
    _switch_language(editor)
    assert editor.path == "/site/categories/new"


def test_the_display_can_be_changed_where_a_token_is_shown(admin: Browser) -> None:
    admin.open("/site/people/e")
    assert 'id="token-text"' in admin.send("/tokens", note="reader")
    _switch_language(admin)
    assert admin.path == "/site/people/e"


def test_the_display_can_be_changed_where_a_deletion_was_refused(
    site: Site, editor: Browser
) -> None:
    site.posts.create(category_id="c1", author_id="e", title="x", contents="y")
    editor.open("/site/categories/c1/edit")
    editor.send("/delete")
    assert editor.answer.status_code == 409
    _switch_language(editor)
    assert editor.path == "/site/categories"


def test_a_text_field_is_not_forgotten_by_the_browser(editor: Browser) -> None:
    form = editor.open("/site/posts/new").partition('action="/site/posts/new"')[2]
    assert "autocomplete" not in form


def test_enter_in_a_new_post_saves_a_draft(editor: Browser) -> None:
    form = editor.open("/site/posts/new").partition('action="/site/posts/new"')[2]
    assert re.findall(r"<button[^>]*>", form)[0].endswith('formaction="/site/drafts/new">')
