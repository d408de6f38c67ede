"""The pages of users and tokens: roles, and secrets that are shown once."""

from __future__ import annotations

import re

import pytest

from gotgan.app import App
from gotgan.domains.site.service import Site
from gotgan.errors import NotFound, Unauthenticated
from tests.unit.console.sheets import Browser


def _text(page: str) -> str:
    found = re.search(r'id="token-text">([^<]+)<', page)
    assert found is not None
    return found[1]


def test_users_are_listed_for_the_staff(viewer: Browser) -> None:
    page = viewer.open("/site/people")
    assert "Edda" in page
    assert "/site/people/new" not in page
    assert "Edda" in viewer.client.get("/site/users.csv").text


def test_a_user_is_made_and_changed(site: Site, admin: Browser) -> None:
    admin.open("/site/people/new")
    page = admin.send("/people/new", display_name="Nora", role="viewer", id="n")
    assert "Create a token now" in page
    admin.send("/people/n", role="editor")
    assert site.users.get("n", consistent=True).role == "editor"


def test_an_id_that_is_taken_is_told_at_its_field(admin: Browser) -> None:
    admin.open("/site/people/new")
    page = admin.send("/people/new", display_name="Nora", id="e")
    assert 'id="id-error"' in page
    assert " e " in page.partition('id="id-error"')[2].partition("</p>")[0]


def test_nobody_makes_their_own_role_smaller(site: Site, admin: Browser) -> None:
    admin.open("/site/people/a")
    page = admin.send("/people/a", role="viewer")
    assert "ask another admin" in page.lower()
    assert site.users.get("a", consistent=True).role == "admin"


def test_nobody_deletes_their_own_account(site: Site, admin: Browser) -> None:
    admin.open("/site/people/a")
    page = admin.send("/delete")
    assert admin.answer.status_code == 409
    assert "ask another admin" in page.lower()
    assert 'aria-invalid="true"' not in page
    assert site.users.get("a", consistent=True).role == "admin"


def test_a_user_is_deleted(site: Site, admin: Browser) -> None:
    admin.open("/site/people/e")
    assert "The user was deleted." in admin.send("/delete")
    with pytest.raises(NotFound):
        site.users.get("e", consistent=True)


def test_a_token_is_shown_once_and_kept_nowhere(app: App, admin: Browser) -> None:
    admin.open("/site/people/e")
    page = admin.send("/tokens", note="build server", role="viewer", expires_in_days="30")
    text = _text(page)
    caller = app.site.tokens.authenticate(text)
    assert caller.token is not None
    assert (caller.user.id, caller.role, caller.token.note) == ("e", "viewer", "build server")
    assert admin.answer.headers["cache-control"] == "no-store"
    assert text not in str(admin.answer.url)
    secret = text.rpartition(".")[2]
    for path in ("/site/people/e", "/site/tokens", "/site/tokens.csv"):
        assert secret not in admin.open(path)
        assert caller.token.secret_hash not in admin.page


def test_a_token_may_have_no_end(app: App, admin: Browser) -> None:
    admin.open("/site/people/e")
    text = _text(admin.send("/tokens", role="editor", expires_in_days=""))
    token = app.site.tokens.authenticate(text).token
    assert token is not None
    assert token.expires_at is None


def test_a_wrong_life_is_told_at_its_field(site: Site, admin: Browser) -> None:
    admin.open("/site/people/e")
    page = admin.send("/tokens", note="mine", expires_in_days="5000")
    assert "Use a whole number of days from 1 to 3,650." in page
    assert admin.sheet("/tokens").fields["note"] == "mine"
    assert not site.tokens.for_user("e")


def test_the_role_of_a_token_never_exceeds_that_of_its_user(site: Site, admin: Browser) -> None:
    page = admin.open("/site/people/v")
    assert '<option value="admin"' not in page.partition('id="token-role"')[2].partition("</")[0]
    assert "role cannot exceed" in admin.send("/tokens", role="admin")
    assert not site.tokens.for_user("v")


def test_a_token_is_revoked(app: App, admin: Browser) -> None:
    issued = app.site.tokens.create(user_id="e", role="viewer")
    admin.open("/site/people/e")
    page = admin.send(f"/tokens/{issued.token.id}/revoke")
    assert "Revoked" in page
    with pytest.raises(Unauthenticated):
        app.site.tokens.authenticate(issued.text)


def test_sessions_are_told_from_tokens(app: App, admin: Browser) -> None:
    app.site.tokens.create(user_id="e", role="viewer", note="build server")
    page = admin.open("/site/tokens")
    assert page.count("console session") == 1
    assert "this session" in page
    assert "build server" in page


def test_only_admins_see_tokens(app: App, editor: Browser) -> None:
    issued = app.site.tokens.create(user_id="e", role="viewer")
    assert issued.token.id not in editor.open("/site/people/e")
    editor.open("/site/tokens")
    assert editor.answer.status_code == 403
    assert 'href="/site/tokens"' not in editor.page
