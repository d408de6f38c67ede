"""The pages of drafts: kept from the public until they are published."""

from __future__ import annotations

from gotgan.domains.site.models import Draft
from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser


def _draft(site: Site) -> Draft:
    return site.drafts.create(category_id="c1", author_id="e", title="Soon", contents="# Words")


def test_a_draft_is_listed_for_the_staff(site: Site, viewer: Browser) -> None:
    _draft(site)
    assert "Soon" in viewer.open("/site/drafts")
    assert "Soon" in viewer.client.get("/site/drafts.csv").text
    assert "Soon" not in viewer.open("/site/posts")


def test_a_draft_is_written_and_changed(site: Site, editor: Browser) -> None:
    editor.open("/site/drafts/new")
    editor.send("/drafts/new", title="First", contents="x")
    (draft,) = site.drafts.list()
    editor.open(f"/site/drafts/{draft.id}/edit")
    editor.send("/edit", title="Second")
    assert site.drafts.get(draft.id, consistent=True).title == "Second"


def test_a_post_in_the_making_is_kept_as_a_draft(site: Site, editor: Browser) -> None:
    page = editor.open("/site/posts/new")
    assert 'formaction="/site/drafts/new"' in page
    sent = {**editor.sheet("/posts/new").fields, "title": "Later", "contents": "x"}
    editor.client.post("/site/drafts/new", data=sent)
    assert [draft.title for draft in site.drafts.list()] == ["Later"]
    assert not site.posts.list().items


def test_a_draft_is_published(site: Site, editor: Browser) -> None:
    draft = _draft(site)
    editor.open(f"/site/drafts/{draft.id}")
    page = editor.send("/publish")
    assert "The draft was published as a post." in page
    (post,) = site.posts.list()
    assert post.draft_id == draft.id
    assert editor.path == f"/site/posts/{post.id}"


def test_the_page_of_a_published_draft_leads_to_the_post(site: Site, viewer: Browser) -> None:
    post = site.drafts.publish(_draft(site).id)
    viewer.open(f"/site/drafts/{post.draft_id}")
    assert viewer.path == f"/site/posts/{post.id}"


def test_a_draft_that_changed_meanwhile_is_not_published(site: Site, editor: Browser) -> None:
    draft = _draft(site)
    editor.open(f"/site/drafts/{draft.id}")
    site.drafts.update(draft.id, {"title": "Not yet"}, version=1)
    page = editor.send("/publish")
    assert editor.answer.status_code == 409
    assert "Not yet" in page
    assert not site.posts.list().items


def test_a_draft_is_deleted(site: Site, editor: Browser) -> None:
    draft = _draft(site)
    editor.open(f"/site/drafts/{draft.id}")
    assert "The draft was deleted." in editor.send("/delete")
    assert not site.drafts.list().items
