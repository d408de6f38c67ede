"""A day is published from its page: by editors, once, and without a script."""

from __future__ import annotations

from gotgan.app import App
from tests.unit.console.conftest import Enter
from tests.unit.console.day.filling import TODAY, category
from tests.unit.console.news.filling import stored
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import csrf

ACTION = f"{TODAY}/publish"


def test_an_editor_publishes_the_day_and_sees_its_post(app: App, editor: Browser) -> None:
    where = category(app)
    stored(app, "Apples fall")
    editor.open(TODAY)
    page = editor.send(ACTION)
    assert editor.path.startswith("/site/posts/")
    assert "The day was published as this post." in page
    assert "Apples fall" in page
    assert [post.category_id for post in app.site.posts.list().items] == [where]


def test_the_day_of_the_zone_that_is_shown_is_published(app: App, editor: Browser) -> None:
    category(app)
    stored(app, "Apples fall")
    editor.open(f"{TODAY}?zone=ny")
    assert "(뉴욕)" in editor.send(ACTION)


def test_the_category_is_chosen(app: App, editor: Browser) -> None:
    category(app, "First")
    chosen = category(app, "Second")
    stored(app, "Apples fall")
    editor.open(TODAY)
    editor.send(ACTION, category=chosen)
    assert [post.category_id for post in app.site.posts.list().items] == [chosen]


def test_publishing_again_changes_the_one_post_or_leaves_it(app: App, editor: Browser) -> None:
    category(app)
    stored(app, "Pears rise")
    editor.open(TODAY)
    editor.send(ACTION)
    editor.open(TODAY)
    assert "its post is up to date" in editor.send(ACTION)
    stored(app, "Apples fall")
    editor.open(TODAY)
    assert "The post of the day was updated" in editor.send(ACTION)
    assert len(app.site.posts.list().items) == 1


def test_the_day_leads_to_the_post_it_is_published_as(
    app: App, editor: Browser, viewer: Browser
) -> None:
    category(app)
    stored(app, "Apples fall")
    editor.open(TODAY)
    editor.send(ACTION)
    [post] = app.site.posts.list().items
    assert f'href="/site/posts/{post.id}"' in viewer.open(TODAY)
    assert "Publish again" in editor.open(TODAY)


def test_a_day_on_which_nothing_happened_is_refused_in_words(app: App, editor: Browser) -> None:
    category(app)
    editor.open(TODAY)
    assert "nothing was collected on that day in Seoul. Choose another" in editor.send(ACTION)
    assert editor.answer.status_code == 409
    assert len(app.site.posts.list().items) == 0


def test_a_viewer_is_not_offered_it_and_is_refused(app: App, viewer: Browser) -> None:
    category(app)
    assert ACTION not in viewer.open(TODAY)
    refused = viewer.client.post(ACTION, data={"csrf": csrf(viewer.client), "category": "x"})
    assert refused.status_code == 403
    assert len(app.site.posts.list().items) == 0


def test_a_form_of_another_session_and_a_stranger_are_refused(
    app: App, editor: Browser, enter: Enter
) -> None:
    where = category(app)
    sent = {"csrf": "0" * 64, "category": where}
    assert editor.client.post(ACTION, data=sent).status_code == 403
    assert enter("").client.post(ACTION, data=sent).status_code == 401
    assert len(app.site.posts.list().items) == 0


def test_a_form_of_another_site_is_refused(app: App, editor: Browser) -> None:
    sent = {"csrf": csrf(editor.client), "category": category(app)}
    elsewhere = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    assert editor.client.post(ACTION, data=sent, headers=elsewhere).status_code == 403


def test_without_a_category_it_says_how_to_make_one(editor: Browser) -> None:
    page = editor.open(TODAY)
    assert "A post needs a category, and none exists yet." in page
    assert 'href="/site/categories/new"' in page
    assert ACTION not in page


def test_a_category_that_there_is_not_is_refused_with_those_there_are(
    app: App, editor: Browser
) -> None:
    category(app)
    sent = {"csrf": csrf(editor.client), "zone": "kst", "category": "nowhere"}
    answer = editor.client.post(ACTION, data=sent)
    assert answer.status_code == 404
    assert "There is no category &#39;nowhere&#39;. Categories: days" in answer.text
