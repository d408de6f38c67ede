"""A day as a post of the site: one, however often and by whomever it is published."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import partial

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.day.markdown import AUTHOR
from gotgan.day.service import Days, day_post_id
from gotgan.errors import Conflict, DatabaseUnavailable, NotFound, UsageError
from gotgan.settings import Settings
from tests.durability.crowd import at_once
from tests.unit.day.made import DAY, NOW, services, store_story, ticked

YESTERDAY = DAY - timedelta(days=1)


def test_a_day_becomes_a_post_in_a_category_by_its_slug_or_its_id(app: App) -> None:
    store_story(app)
    kept = app.day.publish(DAY, category="days", zone="kst")
    post = app.site.posts.get(kept.id)
    assert (kept.outcome, post.category_id, post.author_id) == ("new", "c001", AUTHOR)
    assert (post.title, post.format) == ("2025년 11월 6일 목요일 일일 요약(서울)", "markdown")
    assert "[Story 1](https://finance.yahoo.com/" in str(post.contents)
    assert app.day.publish(DAY, category="c001", zone="kst").outcome == "duplicate"


def test_days_and_notices_are_in_the_language_of_the_site(clock: FixedClock) -> None:
    with App.in_memory(clock=clock, settings=Settings(site_language="en")) as app:
        app.site.categories.create(id="c001", title="Days", slug="days")
        store_story(app)
        post = app.site.posts.get(app.day.publish(DAY, category="days", zone="kst").id)
        inquiry = {"name": "Kim", "email": "kim@example.com", "subject": "Hello", "message": "Hi"}
        app.site.inquiries.receive(**inquiry, address="10.0.0.1")
        [notice] = app.site.mails.list().items
    assert post.title == "Thursday, 6 November 2025 (Seoul)"
    assert notice.subject == "[Inquiry] Hello"


def test_without_a_date_it_is_today(app: App) -> None:
    store_story(app)
    assert app.day.publish(zone="ny", category="days").id == day_post_id(DAY, "ny")


def test_it_is_written_once_however_often_it_is_published(app: App, clock: FixedClock) -> None:
    store_story(app, at=NOW - timedelta(days=1))
    first = app.day.publish(YESTERDAY, category="days", zone="kst")
    clock.advance(timedelta(days=3))
    again = app.day.publish(YESTERDAY, category="days", zone="kst")
    assert again == replace(first, outcome="duplicate")
    assert len(app.site.posts.list().items) == 1


def test_a_day_that_brought_more_since_is_changed(app: App, clock: FixedClock) -> None:
    store_story(app, 2)
    app.day.publish(DAY, category="days", zone="kst")
    clock.advance(timedelta(minutes=1))
    store_story(app)
    kept = app.day.publish(DAY, category="days", zone="kst")
    post = app.site.posts.get(kept.id)
    assert (kept.outcome, kept.version, post.version) == ("changed", 2, 2)
    assert "Story 1" in str(post.contents)
    assert post.created_at == NOW


def test_into_another_category_it_is_moved(app: App) -> None:
    store_story(app)
    app.day.publish(DAY, category="days", zone="kst")
    assert app.day.publish(DAY, category="other", zone="kst").outcome == "changed"
    assert len(app.site.posts.list(category="days").items) == 0
    assert len(app.site.posts.list(category="other").items) == 1


def test_the_days_of_two_zones_are_two_posts_that_do_not_change_each_other(app: App) -> None:
    store_story(app)
    seoul, new_york = (app.day.publish(DAY, category="days", zone=zone) for zone in ("kst", "ny"))
    assert seoul.id != new_york.id
    again = [app.day.publish(DAY, category="days", zone=zone) for zone in ("kst", "ny", "kst")]
    assert [each.outcome for each in again] == ["duplicate"] * 3


def test_of_all_who_publish_it_at_once_one_writes_it(app: App) -> None:
    store_story(app)
    told = at_once([partial(app.day.publish, DAY, category="days", zone="kst")] * 4)
    assert sorted(kept.outcome for kept in told) == ["duplicate"] * 3 + ["new"]
    assert len(app.site.posts.list().items) == 1


def test_days_stand_in_their_category_by_their_dates(app: App) -> None:
    for number, day in enumerate((YESTERDAY, DAY, date(2025, 11, 1))):
        store_story(app, number, at=NOW - (DAY - day))
        app.day.publish(day, category="days", zone="kst")
    titles = [post.title.partition("일 ")[0] for post in app.site.posts.list(category="days")]
    assert titles == ["2025년 11월 6", "2025년 11월 5", "2025년 11월 1"]


def test_a_category_that_is_not_there_is_told_with_those_that_are(app: App) -> None:
    with pytest.raises(NotFound, match=r"no category 'nowhere'\. Categories: days, other"):
        app.day.publish(DAY, category="nowhere", zone="kst")
    assert app.site.posts.list().items == ()


def test_a_day_that_has_not_come_is_not_published(app: App) -> None:
    with pytest.raises(UsageError, match="is in the future"):
        app.day.publish(DAY + timedelta(days=1), category="days", zone="kst")


def test_a_day_on_which_nothing_happened_is_not_published(app: App) -> None:
    store_story(app)
    with pytest.raises(Conflict, match="2025-11-05 was not published: nothing was collected"):
        app.day.publish(YESTERDAY, category="days", zone="kst")
    assert app.site.posts.list().items == ()


def test_a_day_on_which_a_job_was_run_is_published(app: App) -> None:
    ticked(app)
    assert app.day.publish(DAY, category="days", zone="kst").outcome == "new"


@pytest.mark.parametrize("part", ["failures", "coming"])
def test_a_page_that_cannot_tell_what_follows_is_not_published(
    app: App, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    store_story(app)
    monkeypatch.setattr(f"gotgan.day.reader.sort_{part}", _cannot)
    with pytest.raises(Conflict, match=f"its part {part} could not be read"):
        app.day.publish(DAY, category="days", zone="kst")


def _cannot(_: object) -> None:
    raise KeyError("innards")


def test_a_page_that_lacks_a_part_is_not_published_over_a_whole_one(app: App) -> None:
    store_story(app)
    before = app.day.publish(DAY, category="days", zone="kst")
    post = app.site.posts.get(before.id)

    def market() -> None:
        raise DatabaseUnavailable("it does not answer")

    lame = Days(app.store, services(app, market=market), lambda _span, _now: ())
    with pytest.raises(Conflict, match=r"its part market could not be read\. it does not answer"):
        lame.publish(DAY, category="days", zone="kst")
    assert app.site.posts.get(before.id) == post
