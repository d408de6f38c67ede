"""The pages of banners: as they look, with the time that they have left."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from gotgan.app import App
from gotgan.console.site.records import time_left
from gotgan.console.texts import text
from gotgan.domains.site.service import Site
from tests.unit.console.sheets import Browser

NOW = datetime(2100, 1, 1, tzinfo=UTC)


def test_a_banner_is_shown_as_it_looks(app: App, site: Site, viewer: Browser) -> None:
    until = app.clock.now() + timedelta(days=2, hours=5)
    site.banners.create(
        title="Sale", img_uri="https://cdn.example.com/a.png", btn1_text="Look", expires_at=until
    )
    page = viewer.open("/site/banners")
    assert '<img src="https://cdn.example.com/a.png"' in page
    assert "<span>Look</span>" in page
    assert "2 days left" in page
    assert "https:" in viewer.answer.headers["content-security-policy"].partition("img-src")[2]
    assert "Sale" in viewer.client.get("/site/banners.csv").text


def test_a_banner_is_made_changed_and_deleted(site: Site, editor: Browser) -> None:
    editor.open("/site/banners/new")
    editor.send("/banners/new", title="Sale", img_uri="/a.png", desc="All must go")
    (banner,) = site.banners.list()
    editor.open(f"/site/banners/{banner.id}/edit")
    editor.send("/edit", desc="", btn2_text="Ask")
    changed = site.banners.get(banner.id, consistent=True)
    assert (changed.desc, changed.btn2_text, changed.img_uri) == (None, "Ask", "/a.png")
    editor.open(f"/site/banners/{banner.id}/edit")
    assert "The banner was deleted." in editor.send("/delete")
    assert not site.banners.list().items


def test_a_button_leads_to_its_link(site: Site, editor: Browser) -> None:
    editor.open("/site/banners/new")
    words = {"btn1_text": "Look", "btn1_link": "/posts", "btn2_text": "Ask"}
    page = editor.send("/banners/new", title="Sale", img_uri="/a.png", **words)
    (banner,) = site.banners.list()
    assert (banner.btn1_link, banner.btn2_link) == ("/posts", None)
    assert '<a href="/posts">Look</a>' in page
    assert "<span>Ask</span>" in page
    assert "/posts" in editor.client.get("/site/banners.csv").text
    editor.open(f"/site/banners/{banner.id}/edit")
    page = editor.send("/edit", btn2_link="javascript:x")
    assert "Use an address that begins with https:// or with one /." in page
    assert 'href="javascript' not in page
    assert site.banners.get(banner.id, consistent=True).btn2_link is None


def test_a_preview_shows_what_is_not_saved_yet(site: Site, editor: Browser) -> None:
    editor.open("/site/banners/new")
    page = editor.send("/banners/new", title="Soon", img_uri="/b.png", show="preview")
    assert "<strong>Soon</strong>" in page
    sent = {**editor.sheet("/banners/new").fields, "title": "Sooner", "img_uri": "javascript:x"}
    headers = {"HX-Request": "true", "HX-Target": "banner-preview"}
    answer = editor.client.post("/site/banners/preview", data=sent, headers=headers).text
    assert answer.lstrip().startswith('<div id="banner-preview"')
    assert "<strong>Sooner</strong>" in answer
    assert "<img" not in answer
    assert not site.banners.list().items


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=2, hours=23), "2 days left"),
        (timedelta(days=1), "1 day left"),
        (timedelta(hours=1, minutes=59), "1 hour left"),
        (timedelta(minutes=2), "2 minutes left"),
        (timedelta(seconds=59), "Ends within a minute"),
        (timedelta(seconds=-1), "Ends within a minute"),
    ],
)
def test_the_time_left_is_in_its_largest_unit(left: timedelta, words: str) -> None:
    def t(key: str, **values: object) -> str:
        return text("en", key, **values)

    assert time_left(NOW + left, NOW, t) == words


def test_what_does_not_end_has_no_time_left() -> None:
    assert time_left(None, NOW, str) is None


def test_a_picture_that_pages_cannot_load_is_refused(site: Site, editor: Browser) -> None:
    editor.open("/site/banners/new")
    for address in ("http://cdn.example.com/a.png", "//cdn.example.com/a.png"):
        page = editor.send("/banners/new", title="Sale", img_uri=address)
        assert editor.answer.status_code == 422
        assert "Use an address that begins with https:// or with one /." in page
        assert "<img src=" not in page.partition("<main")[2]
    assert not site.banners.list().items


def test_a_picture_of_old_that_pages_cannot_load_is_named(site: Site, viewer: Browser) -> None:
    site.banners.create(title="Sale", img_uri="http://cdn.example.com/a.png")
    page = viewer.open("/site/banners")
    assert "This picture cannot be shown" in page
    assert "<img src=" not in page.partition("<main")[2]
