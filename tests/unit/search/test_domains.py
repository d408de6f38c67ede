"""What each domain offers to the search, read by the whole app; and when it is gone again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from sqlalchemy import insert, update

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.market.keys import STOCKS
from gotgan.domains.news import search as news_search
from gotgan.domains.news.models import NewsBody, Story
from gotgan.domains.shops import search as shops_search
from gotgan.domains.shops.registration import Registration
from gotgan.domains.shops.tables import PRODUCTS
from tests.unit.console.videos.filling import FIRST, imported
from tests.unit.search.conftest import NOW

MINUTE = timedelta(minutes=1)


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves."""
    return FixedClock(NOW)


@pytest.fixture
def app(clock: FixedClock) -> Iterator[App]:
    """Gotgan in memory."""
    with App.in_memory(clock=clock) as app:
        yield app


def _found(app: App, words: str) -> list[tuple[str, str]]:
    app.search.refresh()
    return [(each.kind, each.id) for each in app.search.find(words).items]


def _story(title: str, number: int = 1) -> Story:
    return Story(title, f"https://example.com/{number:06}.html", ("NVDA",))


def _with_text(app: App, pk: str, text: str) -> None:
    item = app.news.find(pk)
    body = NewsBody(
        pk=pk, url=item.url, state="DONE", outcome="ok", changed_at=app.clock.now(), text=text
    )
    app.store.put(body)


def test_news_are_found_by_title_ticker_and_text(app: App, clock: FixedClock) -> None:
    [old] = app.news.upload([_story("Chips are scarce")]).new
    assert _found(app, "chips") == [("story", old.pk)]
    assert _found(app, "nvda") == [("story", old.pk)]
    clock.advance(5 * MINUTE)
    [new] = app.news.upload([_story("Chips are plenty", 2)]).new
    assert _found(app, "chips") == [("story", new.pk), ("story", old.pk)]
    clock.advance(MINUTE)
    _with_text(app, old.pk, "The foundry in Pyeongtaek was closed.")
    assert _found(app, "pyeongtaek") == [("story", old.pk)]


def test_news_are_read_once(app: App, clock: FixedClock) -> None:
    [item] = app.news.upload([_story("Chips")]).new
    _with_text(app, item.pk, "Text")
    _found(app, "chips")
    clock.advance(10 * MINUTE)
    _found(app, "chips")
    before = app.store.total().reads
    mark = app.news.search_documents(None).mark
    assert app.store.total().reads > before
    batch = app.news.search_documents(mark)
    while not batch.is_last:
        batch = app.news.search_documents(batch.mark)
    before = app.store.total().reads
    assert app.news.search_documents(batch.mark).documents == []
    assert app.store.total().reads - before <= 1


def test_news_of_a_long_break_are_read_in_parts(
    app: App, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(news_search, "_BATCH_SIZE", 2)
    app.news.upload([_story(f"Chips {number}", number) for number in range(5)])
    assert len(_found(app, "chips")) == 5
    for number in range(5, 9):
        clock.advance(timedelta(days=20))
        app.news.upload([_story(f"Chips {number}", number)])
    assert len(_found(app, "chips")) == 9


def test_posts_drafts_and_inquiries_are_found_until_they_are_gone(
    app: App, clock: FixedClock
) -> None:
    site = app.site
    category = site.categories.create(title="Notices")
    draft = site.drafts.create(
        title="Opening hours",
        contents="# From **nine**",
        category_id=category.id,
        author_id=site.users.owner().id,
    )
    inquiry = site.inquiries.receive(
        name="홍길동", email="hong@example.com", subject="Hours?", message="언제", address="::1"
    )
    assert set(_found(app, "hours")) == {("draft", draft.id), ("inquiry", inquiry.id)}
    assert _found(app, "hong@example.com") == [("inquiry", inquiry.id)]
    assert _found(app, "nine") == [("draft", draft.id)]
    post = site.drafts.publish(draft.id)
    clock.advance(MINUTE)
    assert _found(app, "opening") == [("post", post.id)]
    site.posts.update(post.id, {"title": "Closing hours"})
    clock.advance(MINUTE)
    assert _found(app, "opening") == []
    site.posts.delete(post.id)
    clock.advance(MINUTE)
    assert _found(app, "hours") == [("inquiry", inquiry.id)]


def test_a_notice_is_found_until_it_expires(app: App, clock: FixedClock) -> None:
    site = app.site
    category = site.categories.create(title="Notices")
    site.posts.create(
        title="Opening",
        contents="x",
        category_id=category.id,
        author_id=site.users.owner().id,
        expires_at=NOW + timedelta(hours=1),
    )
    assert len(_found(app, "opening")) == 1
    clock.advance(timedelta(hours=1))
    assert app.search.find("opening").items == ()


def test_videos_are_found_with_their_comments_until_these_are_purged(
    app: App, clock: FixedClock
) -> None:
    imported(app)
    app.search.refresh()
    kinds = {each.kind for each in app.search.find("비빔국수").items}
    assert "comment" in kinds
    assert _found(app, FIRST) == [("video", FIRST)]
    clock.advance(timedelta(days=31))
    assert _found(app, "비빔국수") == []
    assert _found(app, FIRST) == [("video", FIRST)]
    app.videos.delete(FIRST)
    clock.advance(MINUTE)
    assert _found(app, FIRST) == []


def test_shares_are_found_by_parts_of_their_names(app: App) -> None:
    def listed(ticker: str, name: str, day: date) -> None:
        row = {"ticker": ticker, "name": name, "market": "KOSPI"}
        with app.database.begin() as connection:
            connection.execute(insert(STOCKS).values(**row, first_seen=day, last_seen=day))

    listed("005930", "삼성전자", date(2026, 11, 16))
    assert _found(app, "삼성") == [("share", "005930")]
    listed("000001", "삼성옛날", date(1999, 1, 4))
    assert len(_found(app, "삼성")) == 2
    with app.database.begin() as connection:
        connection.execute(update(STOCKS).values(name="하이닉스", last_seen=date(2026, 11, 17)))
    assert _found(app, "삼성") == []


def test_shops_and_products_are_found(
    app: App, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shops_search, "PAGE_SIZE", 2)
    monkeypatch.setattr(shops_search, "_BATCH_SIZE", 2)
    shops = [Registration(f"antik-{number}.shop.test", "DE") for number in range(5)]
    app.shops.add(entries=shops)
    assert _found(app, "antik-3") == [("shop", "antik-3.shop.test")]
    assert len(_found(app, "shop.test")) == 5
    product = {"title": "Empire chair", "folded": "empire chair", "amount": 1.0, "listed_at": NOW}
    with app.database.begin() as connection:
        for number in range(3):
            place = {"domain": "antik-3.shop.test", "digest": str(number)}
            url = f"https://antik-3.shop.test/chairs/{number}"
            connection.execute(insert(PRODUCTS).values(**product, **place, url=url))
    assert {kind for kind, _ in _found(app, "empire")} == {"product"}
    assert len(app.search.find("chair").items) == 3
    app.shops.remove("antik-3.shop.test")
    clock.advance(MINUTE)
    assert _found(app, "antik-3") == []
    assert _found(app, "empire") == []
