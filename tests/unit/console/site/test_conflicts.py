"""Two people at one form: nothing of either is lost, and each sees what the other did."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.domains.site.models import Post
from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser


@pytest.fixture
def post(site: Site) -> Post:
    return site.posts.create(
        category_id="c1", author_id="e", title="Report", contents="one\ntwo\nthree"
    )


def _clash(site: Site, editor: Browser, post: Post, **theirs: Any) -> str:
    """Open the form, let somebody else save, and save too."""
    changes: Any = theirs
    editor.open(f"/site/posts/{post.id}/edit")
    site.posts.update(post.id, changes, version=post.version)
    return editor.send("/edit", contents="one\r\nTWO <b>\r\nthree")


def test_a_clash_shows_both_line_by_line(site: Site, editor: Browser, post: Post) -> None:
    page = _clash(site, editor, post, contents="one\n2\nthree")
    assert editor.answer.status_code == 409
    assert '<del class="diff-old">2</del>' in page
    assert '<ins class="diff-new">TWO &lt;b&gt;</ins>' in page
    assert "both of you changed it" in page
    assert site.posts.get(post.id, consistent=True).contents == "one\n2\nthree"


def test_mine_is_kept_over_theirs(site: Site, editor: Browser, post: Post) -> None:
    _clash(site, editor, post, contents="one\n2\nthree")
    assert "Saved." in editor.send("/edit")
    saved = site.posts.get(post.id, consistent=True)
    assert (saved.contents, saved.version) == ("one\nTWO <b>\nthree", 3)


def test_a_third_change_is_seen_again(site: Site, editor: Browser, post: Post) -> None:
    _clash(site, editor, post, contents="one\n2\nthree")
    site.posts.update(post.id, {"contents": "a third"}, version=2)
    page = editor.send("/edit")
    assert editor.answer.status_code == 409
    assert '<del class="diff-old">a third</del>' in page
    assert site.posts.get(post.id, consistent=True).contents == "a third"


def test_what_only_they_changed_is_not_undone(site: Site, editor: Browser, post: Post) -> None:
    page = _clash(site, editor, post, title="Their title", category_id="c2")
    assert "Save both changes" in page
    assert '<ins class="diff-new">Notices</ins>' in page
    editor.send("/edit")
    saved = site.posts.get(post.id, consistent=True)
    assert (saved.title, saved.category_id) == ("Their title", "c2")
    assert saved.contents == "one\nTWO <b>\nthree"


def test_theirs_is_taken_by_opening_the_form_anew(site: Site, editor: Browser, post: Post) -> None:
    page = _clash(site, editor, post, contents="theirs")
    path = f"/site/posts/{post.id}/edit"
    assert f'<a class="button" href="{path}">Discard my version</a>' in page
    editor.open(path)
    assert editor.sheet("/edit").fields["contents"] == "theirs"


def test_mine_can_be_edited_on(site: Site, editor: Browser, post: Post) -> None:
    _clash(site, editor, post, contents="theirs")
    editor.send("/edit", show="form")
    assert editor.sheet("/edit").fields["contents"] == "one\r\nTWO <b>\r\nthree"
    editor.send("/edit", contents="both of it")
    assert site.posts.get(post.id, consistent=True).contents == "both of it"


def test_what_was_deleted_meanwhile_can_be_written_anew(
    site: Site, editor: Browser, post: Post
) -> None:
    editor.open(f"/site/posts/{post.id}/edit")
    site.posts.delete(post.id)
    page = editor.send("/edit", contents="not lost")
    assert "Another user deleted this in the meantime." in page
    editor.send("/posts/new")
    (again,) = site.posts.list()
    assert (again.title, again.contents) == ("Report", "not lost")
    assert again.id != post.id


@pytest.mark.parametrize("version", ["", "-1", "1.0", "9" * 5000])
def test_a_form_without_a_version_is_for_no_version(
    site: Site, editor: Browser, post: Post, version: str
) -> None:
    editor.open(f"/site/posts/{post.id}/edit")
    editor.send("/edit", version=version, title="Blind")
    assert editor.answer.status_code == 409
    assert site.posts.get(post.id, consistent=True).title == "Report"


def test_every_kind_of_record_shows_its_clash(site: Site, admin: Browser) -> None:
    site.banners.create(id="b1", title="Old", img_uri="/b.png")
    site.company.replace({"name": "Old"})
    clashing = [
        ("/site/categories/c1/edit", "/edit", {"title": "Mine"}),
        ("/site/banners/b1/edit", "/edit", {"title": "Mine"}),
        ("/site/company", "/company", {"name": "Mine"}),
        ("/site/people/e", "/people/e", {"display_name": "Mine"}),
    ]
    for path, action, mine in clashing:
        admin.open(path)
        version = str(int(admin.sheet(action).fields["version"]) - 1)
        page = admin.send(action, version=version, **mine)
        assert admin.answer.status_code == 409
        assert '<ins class="diff-new">Mine</ins>' in page


def test_the_first_to_write_the_company_wins(site: Site, admin: Browser) -> None:
    admin.open("/site/company")
    site.company.replace({"name": "Theirs"})
    page = admin.send("/company", name="Mine")
    assert admin.answer.status_code == 409
    assert '<del class="diff-old">Theirs</del>' in page
