"""The pages of posts: found, read, written, previewed and deleted, without any script."""

from __future__ import annotations

import csv
import io
from datetime import timedelta
from typing import Any

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.site import articles
from gotgan.domains.site.models import Post
from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser

DOCUMENT = {"type": "doc", "content": [{"type": "paragraph"}]}


def _write(site: Site, title: str = "Hello", **fields: Any) -> Post:
    known = {"category_id": "c1", "author_id": "e", "contents": "# Words", **fields}
    return site.posts.create(title=title, **known)


def test_the_list_shows_the_posts_of_all_categories(site: Site, viewer: Browser) -> None:
    _write(site, "In the news")
    _write(site, "A notice", category_id="c2")
    page = viewer.open("/site/posts")
    assert "In the news" in page
    assert "A notice" in page
    assert "Edda" in page


def test_authors_are_named_and_chosen_among_any_number_of_users(
    site: Site, clock: FixedClock, editor: Browser
) -> None:
    post = _write(site)
    clock.advance(timedelta(seconds=1))
    for number in range(101):
        site.users.create(id=f"u{number}", display_name="N", role="viewer")
    edit = f"/site/posts/{post.id}/edit"
    for path in ("/site/posts", f"/site/posts/{post.id}", edit):
        assert ">Edda<" in editor.open(path).partition("<main")[2]
    assert editor.sheet(edit).fields["author_id"] == "e"


def test_an_author_that_nobody_can_be_is_refused_in_the_form(site: Site, editor: Browser) -> None:
    post = _write(site)
    editor.open(f"/site/posts/{post.id}/edit")
    editor.send("/edit", author_id="a#b")
    assert editor.answer.status_code == 422
    assert 'name="author_id"' in editor.page


@pytest.mark.parametrize("kind", ["posts", "drafts"])
def test_an_editor_cannot_name_another_author(
    site: Site, editor: Browser, admin: Browser, kind: str
) -> None:
    editor.open(f"/site/{kind}/new?category=c1")
    assert 'value="a"' not in editor.page.partition('name="author_id"')[2].partition("</select>")[0]
    page = editor.send(f"/{kind}/new", title="Fresh", contents="x", author_id="a")
    assert "can name another author" in page
    assert editor.answer.status_code == 422
    verbs = site.posts if kind == "posts" else site.drafts
    assert not list(verbs.list())
    article = verbs.create(category_id="c1", author_id="a", title="Mine", contents="x")
    editor.open(f"/site/{kind}/{article.id}/edit")
    editor.send("/edit", title="Yours", author_id="v")
    assert editor.answer.status_code == 422
    editor.open(f"/site/{kind}/{article.id}/edit")
    editor.send("/edit", title="Ours")
    changed = verbs.get(article.id)
    assert (changed.title, changed.author_id) == ("Ours", "a")
    admin.open(f"/site/{kind}/{article.id}/edit")
    admin.send("/edit", author_id="e")
    assert verbs.get(article.id).author_id == "e"


@pytest.mark.parametrize("name", ["c2", "notices"])
def test_a_category_is_chosen_by_its_id_or_its_slug(site: Site, viewer: Browser, name: str) -> None:
    _write(site, "In the news")
    _write(site, "A notice", category_id="c2")
    page = viewer.open(f"/site/posts?category={name}")
    assert "In the news" not in page
    assert "A notice" in page
    assert f"/v1/posts?category={name}" in page
    assert f"gotgan site posts list --category {name}" in page
    assert '<option value="notices" selected>' in page


def test_a_category_that_is_not_there_is_no_page(viewer: Browser) -> None:
    viewer.open("/site/posts?category=nowhere")
    assert viewer.answer.status_code == 404


def test_a_search_says_what_it_read(site: Site, viewer: Browser) -> None:
    _write(site, "Apples")
    _write(site, "Pears", contents="no fruit of the other kind")
    page = viewer.open("/site/posts?q=fruit+kind")
    assert "Pears" in page
    assert "Apples" not in page
    assert "to find the 1 on this page, 2 records were read. On DynamoDB" in page


def test_the_next_page_has_the_rest(app: App, site: Site, viewer: Browser) -> None:
    clock: Any = app.clock
    for number in range(21):
        clock.advance(timedelta(seconds=1))
        _write(site, f"Number {number};")
    assert "Number 0;" not in viewer.open("/site/posts?category=news")
    following = viewer.page.partition('rel="next"')[0].rpartition('href="')[2].partition('"')[0]
    page = viewer.open(following.replace("&amp;", "&"))
    assert "Number 0;" in page
    assert "Number 20;" not in page


def test_the_file_has_the_same_posts(site: Site, viewer: Browser) -> None:
    _write(site, "In the news")
    _write(site, '=HYPERLINK("x")', category_id="c2", contents=DOCUMENT)
    answer = viewer.client.get("/site/posts.csv?category=notices")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    (row,) = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert row["title"] == '\'=HYPERLINK("x")'
    assert '"type":"doc"' in row["contents"]


def test_an_empty_site_says_what_to_do_first(site: Site, editor: Browser) -> None:
    assert "No posts yet" in editor.open("/site/posts")
    site.categories.delete("c1")
    site.categories.delete("c2")
    assert 'href="/site/categories/new"' in editor.open("/site/posts")


def test_a_post_is_written(site: Site, editor: Browser) -> None:
    editor.open("/site/posts/new?category=c2")
    page = editor.send("/posts/new", title="Fresh", contents="**strong**\r\nwords")
    assert "The post was published." in page
    assert "<strong>strong</strong>" in page
    (post,) = site.posts.list()
    assert (post.category_id, post.author_id, post.contents) == ("c2", "e", "**strong**\nwords")
    assert editor.path == f"/site/posts/{post.id}"


def test_what_is_wrong_is_said_at_its_field_and_nothing_typed_is_lost(
    site: Site, editor: Browser
) -> None:
    editor.open("/site/posts/new")
    page = editor.send("/posts/new", title="x" * 201, contents="mine", thumbnail_url="ftp://x")
    assert editor.answer.status_code == 422
    assert "Use at most 200 characters." in page
    assert "Use an address that begins with https:// or with one /." in page
    assert editor.sheet("/posts/new").fields["contents"] == "mine"
    assert not site.posts.list().items


def test_an_end_in_the_past_is_refused(editor: Browser) -> None:
    editor.open("/site/posts/new")
    page = editor.send("/posts/new", title="x", contents="y", expires_at="2100-01-01T11:59")
    assert "This time is in the past" in page


def test_an_end_is_in_the_zone_that_the_form_had(site: Site, editor: Browser) -> None:
    editor.client.cookies["gotgan_zone"] = "seoul"
    editor.open("/site/posts/new")
    editor.client.cookies["gotgan_zone"] = "utc"
    editor.send("/posts/new", title="x", contents="y", expires_at="2100-06-01T09:00")
    (post,) = site.posts.list()
    assert post.expires_at is not None
    assert post.expires_at.isoformat() == "2100-06-01T00:00:00+00:00"
    editor.client.cookies["gotgan_zone"] = "seoul"
    editor.open(f"/site/posts/{post.id}/edit")
    assert editor.sheet("/edit").fields["expires_at"] == "2100-06-01T09:00"


def test_a_preview_needs_no_script(site: Site, editor: Browser) -> None:
    editor.open("/site/posts/new")
    page = editor.send("/posts/new", contents="*soon*", show="preview")
    assert "<em>soon</em>" in page
    assert editor.sheet("/posts/new").fields["contents"] == "*soon*"
    assert not site.posts.list().items


def test_a_script_is_given_the_preview_alone(editor: Browser) -> None:
    editor.open("/site/posts/new")
    sent = {**editor.sheet("/posts/new").fields, "contents": "*soon* <script>alert(1)</script>"}
    headers = {"HX-Request": "true", "HX-Target": "article-preview"}
    answer = editor.client.post("/site/preview", data=sent, headers=headers)
    assert answer.text.lstrip().startswith('<div id="article-preview"')
    assert "<em>soon</em>" in answer.text
    assert "<script>" not in answer.text


def test_broken_json_is_told_where_it_breaks(editor: Browser) -> None:
    editor.open("/site/posts/new")
    fields = {"title": "x", "contents": '{"type":\n"doc",}', "contents_format": "tiptap"}
    assert "check line 2" in editor.send("/posts/new", **fields)
    assert "check line 2" in editor.send("/posts/new", show="preview")


def test_a_document_is_edited_as_json(site: Site, editor: Browser) -> None:
    post = _write(site, contents=DOCUMENT)
    editor.open(f"/site/posts/{post.id}/edit")
    typed = editor.sheet("/edit").fields["contents"].replace("paragraph", "horizontalRule")
    editor.send("/edit", contents=typed)
    assert site.posts.get(post.id).contents == {
        "type": "doc",
        "content": [{"type": "horizontalRule"}],
    }


def test_what_was_not_touched_is_not_written(app: App, site: Site, editor: Browser) -> None:
    until = app.clock.now() + timedelta(days=1, seconds=59)
    post = _write(site, contents="one\r\ntwo", expires_at=until, thumbnail_url="/old.png")
    editor.open(f"/site/posts/{post.id}/edit")
    editor.send("/edit", title="Another title", thumbnail_url="")
    changed = site.posts.get(post.id, consistent=True)
    assert (changed.title, changed.thumbnail_url) == ("Another title", None)
    assert (changed.contents, changed.expires_at) == ("one\r\ntwo", until)


def test_a_form_that_changes_nothing_writes_nothing(site: Site, editor: Browser) -> None:
    post = _write(site)
    editor.open(f"/site/posts/{post.id}/edit")
    editor.send("/edit")
    assert editor.path == f"/site/posts/{post.id}"
    assert site.posts.get(post.id, consistent=True).version == 1


def test_a_required_field_cannot_be_cleared(site: Site, editor: Browser) -> None:
    post = _write(site)
    editor.open(f"/site/posts/{post.id}/edit")
    assert "Fill this in." in editor.send("/edit", title=" ")
    assert site.posts.get(post.id, consistent=True).title == "Hello"


def test_another_category_moves_the_post(site: Site, editor: Browser) -> None:
    post = _write(site)
    editor.open(f"/site/posts/{post.id}/edit")
    editor.send("/edit", category_id="c2")
    assert [each.id for each in site.posts.list(category="c2")] == [post.id]
    assert not site.posts.list(category="c1").items


def test_a_category_that_vanished_is_told_at_its_field(site: Site, editor: Browser) -> None:
    editor.open("/site/posts/new?category=c2")
    site.categories.delete("c2")
    page = editor.send("/posts/new", title="x", contents="kept")
    assert "there is no category with this id" in page.lower()
    assert editor.sheet("/posts/new").fields["contents"] == "kept"


def test_the_page_of_a_post_tells_all_about_it(app: App, site: Site, viewer: Browser) -> None:
    post = _write(site, contents="<img src=x onerror=alert(1)>")
    old = post.model_copy(update={"id": f"{post.id}-2", "legacy_id": "old-7"})
    articles.add_article(app.store, old)
    page = viewer.open("/site/posts/old-7")
    assert old.id in page
    assert "old-7" in page
    assert "<img src=x" not in page
    assert "https:" in viewer.answer.headers["content-security-policy"].partition("img-src")[2]


def test_a_post_is_deleted(site: Site, editor: Browser) -> None:
    post = _write(site)
    editor.open(f"/site/posts/{post.id}")
    assert "The post was deleted." in editor.send("/delete")
    assert not site.posts.list().items


def test_a_post_that_changed_meanwhile_is_not_deleted(site: Site, editor: Browser) -> None:
    post = _write(site)
    editor.open(f"/site/posts/{post.id}")
    site.posts.update(post.id, {"title": "Mended"}, version=1)
    page = editor.send("/delete")
    assert editor.answer.status_code == 409
    assert "Another user changed this in the meantime" in page
    assert "Mended" in page


def test_a_viewer_is_offered_nothing_that_writes(site: Site, viewer: Browser) -> None:
    post = _write(site)
    for path in ("/site/posts", f"/site/posts/{post.id}"):
        page = viewer.open(path)
        assert "/posts/new" not in page
        assert "/edit" not in page
        assert "/delete" not in page
