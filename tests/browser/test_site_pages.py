"""The site's pages as people use them: two browsers, a phone, two languages, and no complaint."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from gotgan.app import App
from tests.browser.axe import Axe
from tests.browser.conftest import OpenPage
from tests.browser.looking import wrong_with
from tests.browser.watching import sign_in
from tests.unit.domains.site.records import caller

PHONE = {"width": 360, "height": 740}


@dataclass(frozen=True)
class Shop:
    """What there is to look at: the ids of one record of each kind."""

    post: str
    draft: str
    banner: str
    inquiry: str
    mail: str

    @property
    def paths(self) -> list[str]:
        """Every page of the site."""
        return [
            "/site/posts",
            "/site/posts?q=words",
            "/site/posts/new",
            f"/site/posts/{self.post}",
            f"/site/posts/{self.post}/edit",
            "/site/drafts",
            f"/site/drafts/{self.draft}",
            "/site/categories",
            "/site/categories/new",
            "/site/categories/c001/edit",
            "/site/banners",
            "/site/banners/new",
            f"/site/banners/{self.banner}/edit",
            "/site/inquiries",
            "/site/inquiries?status=done",
            f"/site/inquiries/{self.inquiry}",
            "/site/mails",
            f"/site/mails/{self.mail}",
            "/site/company",
            "/site/people",
            "/site/people/new",
            "/site/people/u001",
            "/site/tokens",
        ]


@pytest.fixture(scope="module")
def shop(app: App) -> Shop:
    """A site with something on every page."""
    site = app.site
    site.categories.create(id="c001", title="회사 소식", slug="news", order=1)
    words: dict[str, Any] = {"category_id": "c001", "author_id": "u002"}
    words["contents"] = "# Words\n\n| a |\n| - |\n"
    inquiry = site.inquiries.receive(
        name="홍길동", email="h@example.com", subject="협업 문의", message="Hi", address="10.0.0.1"
    )
    site.inquiries.reply(inquiry.id, "곧 연락드리겠습니다.", by=caller("u002"))
    banner = site.banners.create(title="새 프로젝트", img_uri="/static/favicon.svg", btn1_text="Go")
    return Shop(
        post=site.posts.create(title="사업 보고서", **words).id,
        draft=site.drafts.create(title="작성 중", **words).id,
        banner=banner.id,
        inquiry=inquiry.id,
        mail=site.mails.waiting()[0].id,
    )


def _button(page: Page, name: str) -> None:
    page.get_by_role("main").get_by_role("button", name=name, exact=True).click()


@pytest.mark.usefixtures("shop")
def test_a_post_is_written_with_a_preview(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    page = watched.page
    sign_in(watched, app, "u002", "/site/posts")
    page.get_by_role("link", name="New post").click()
    page.get_by_label("Title").fill("Written by hand")
    page.get_by_label("Contents", exact=True).fill("It is *almost* done.\n\n<script>x</script>")
    preview = page.get_by_role("region", name="Preview")
    expect(preview.locator("em")).to_have_text("almost")
    expect(preview.locator("script")).to_have_count(0)
    _button(page, "Publish")
    expect(page.get_by_role("status")).to_have_text("The post was published.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Written by hand")


@pytest.mark.usefixtures("shop")
def test_enter_in_the_title_makes_nothing_public(open_page: OpenPage, app: App) -> None:
    watched = open_page()
    sign_in(watched, app, "u002", "/site/posts/new")
    page = watched.page
    page.get_by_label("Contents", exact=True).fill("Not done yet.")
    page.get_by_label("Title").fill("Too early")
    page.get_by_label("Title").press("Enter")
    expect(page.get_by_role("status")).to_have_text("The draft was saved.")
    assert all(post.title != "Too early" for post in app.site.posts.list())


@pytest.mark.usefixtures("shop")
def test_two_people_at_one_post_lose_nothing(open_page: OpenPage, app: App, axe: Axe) -> None:
    post = app.site.posts.create(
        category_id="c001", author_id="u002", title="Shared", contents="one\ntwo\nthree"
    )
    mine, theirs = open_page(), open_page()
    for watched, user in [(mine, "u002"), (theirs, "u001")]:
        sign_in(watched, app, user, f"/site/posts/{post.id}/edit")
    theirs.page.get_by_label("Contents", exact=True).fill("one\n2\nthree")
    _button(theirs.page, "Save")
    mine.page.get_by_label("Contents", exact=True).fill("one\ndeux\nthree")
    _button(mine.page, "Save")
    page = mine.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Another user saved this first")
    expect(page.locator("del")).to_have_text("2")
    expect(page.locator("ins")).to_have_text("deux")
    assert axe.violations(page) == []
    mine.is_expected("409")
    _button(page, "Overwrite with my version")
    expect(page.get_by_role("status")).to_have_text("Saved.")
    expect(page.locator("article")).to_contain_text("deux")
    assert app.site.posts.get(post.id, consistent=True).version == 3


@pytest.mark.usefixtures("shop")
def test_a_draft_is_published(open_page: OpenPage, app: App) -> None:
    draft = app.site.drafts.create(
        category_id="c001", author_id="u002", title="Ready now", contents="x"
    )
    watched = open_page()
    sign_in(watched, app, "u002", f"/site/drafts/{draft.id}")
    page = watched.page
    page.get_by_text("Publish", exact=True).first.click()
    _button(page, "Publish")
    expect(page.get_by_role("status")).to_have_text("The draft was published as a post.")
    expect(page).to_have_url(re.compile(r"/site/posts/"))


def test_an_inquiry_is_answered_and_closed(open_page: OpenPage, app: App, shop: Shop) -> None:
    watched = open_page()
    sign_in(watched, app, "u002", "/site/inquiries")
    page = watched.page
    page.get_by_role("link", name="협업 문의").click()
    page.get_by_label("Reply", exact=True).fill("We called you.")
    _button(page, "Send reply")
    expect(page.get_by_role("status")).to_contain_text("its mail is queued")
    expect(page.get_by_role("main")).to_contain_text("We called you.")
    _button(page, "Done")
    expect(page.get_by_role("button", name="Done")).to_have_attribute("aria-pressed", "true")
    assert app.site.inquiries.get(shop.inquiry, consistent=True).status == "done"


@pytest.mark.usefixtures("shop")
def test_a_token_is_seen_once(open_page: OpenPage, app: App, axe: Axe) -> None:
    watched = open_page()
    sign_in(watched, app, "u001", "/site/people/u003")
    page = watched.page
    page.get_by_label("Purpose").fill("reader")
    _button(page, "Create token")
    text = page.locator("#token-text").inner_text()
    assert app.site.tokens.authenticate(text).user.id == "u003"
    assert axe.violations(page) == []
    page.get_by_role("link", name="I have copied it").click()
    expect(page.get_by_role("cell", name="reader")).to_be_visible()
    expect(page.locator("#token-text")).to_have_count(0)


def test_a_banner_is_seen_before_it_is_saved(open_page: OpenPage, app: App, shop: Shop) -> None:
    watched = open_page()
    sign_in(watched, app, "u002", f"/site/banners/{shop.banner}/edit")
    page = watched.page
    page.get_by_label("Title").fill("Better words")
    page.get_by_label("Title").blur()
    preview = page.get_by_role("region", name="Preview")
    expect(preview.locator("strong")).to_have_text("Better words")
    assert app.site.banners.get(shop.banner).title == "새 프로젝트"


def test_no_page_has_a_barrier_or_is_wider_than_its_window(
    open_page: OpenPage, app: App, axe: Axe, shop: Shop
) -> None:
    assert wrong_with(open_page, app, axe, shop.paths) == {}


@pytest.mark.usefixtures("shop")
def test_everything_can_be_written_without_scripts(open_page: OpenPage, app: App) -> None:
    watched = open_page(java_script_enabled=False)
    sign_in(watched, app, "u002", "/site/posts/new")
    page = watched.page
    page.get_by_label("Title").fill("Without scripts")
    page.get_by_label("Contents", exact=True).fill("It is **plain**.")
    _button(page, "Preview")
    expect(page.get_by_role("region", name="Preview").locator("strong")).to_have_text("plain")
    expect(page.get_by_label("Title")).to_have_value("Without scripts")
    _button(page, "Save as draft")
    expect(page.get_by_role("status")).to_have_text("The draft was saved.")


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize("locale", ["en", "ko"])
def test_the_mails_fit_a_desk(open_page: OpenPage, app: App, locale: str) -> None:
    long = app.site.inquiries.receive(
        name="홍길동",
        email="hong.gildong.with.a.long.name@subdomain.of.example-company.com",
        subject="A question about the delivery of an order that was placed three weeks ago",
        message="Hi",
        address="10.0.0.2",
    )
    app.site.inquiries.reply(long.id, "Soon.", by=caller("u002"))
    watched = open_page(locale=locale, viewport={"width": 1280, "height": 740})
    sign_in(watched, app, "u001")
    for path in ("/site/mails", "/site/mails?show=waiting"):
        watched.page.goto(path)
        table = watched.page.locator("#mails-list .table")
        expect(table).to_contain_text("hong.gildong")
        assert table.evaluate("table => table.scrollWidth - table.clientWidth") == 0, path
