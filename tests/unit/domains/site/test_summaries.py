"""What a day brought on the site."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from gotgan.clock import FixedClock
from gotgan.domains.site.service import Site
from gotgan.domains.site.summary import MAX_POSTS
from gotgan.store import Store
from tests.unit.domains.site.records import a_post, put_raw

DAY = date(2025, 11, 10)


def test_a_day_without_anything_is_empty(site: Site) -> None:
    day = site.summary(DAY, "utc")
    assert (day.posts, day.is_cut, day.inquiries, day.mails_waiting) == ((), False, 0, 0)


def test_posts_of_the_day_are_told_the_newest_first(site: Site, clock: FixedClock) -> None:
    first = a_post(site, title="First")
    clock.advance(timedelta(hours=1))
    a_post(site, title="Second")
    assert [post.title for post in site.summary(DAY, "utc").posts] == ["Second", "First"]
    assert site.summary(DAY, "utc").posts[1].id == first.id


def test_a_day_begins_and_ends_with_the_zones_midnight(site: Site, clock: FixedClock) -> None:
    for moment in (
        datetime(2025, 11, 10, 14, 59, 59, tzinfo=UTC),
        datetime(2025, 11, 10, 15, tzinfo=UTC),
        datetime(2025, 11, 11, 14, 59, 59, tzinfo=UTC),
        datetime(2025, 11, 11, 15, tzinfo=UTC),
    ):
        clock.advance(moment - clock.now())
        a_post(site, title=f"{moment:%d %H:%M}")
    told = [post.title for post in site.summary(date(2025, 11, 11), "kst").posts]
    assert told == ["11 14:59", "10 15:00"]
    assert len(site.summary(date(2025, 11, 10), "utc").posts) == 2


def test_no_more_than_fifty_posts_are_told(site: Site) -> None:
    for number in range(MAX_POSTS + 1):
        a_post(site, title=f"{number}")
    day = site.summary(DAY, "utc")
    assert (len(day.posts), day.is_cut) == (MAX_POSTS, True)


def test_messages_and_mails_are_counted(site: Site, clock: FixedClock) -> None:
    site.company.replace({"name": "곳간", "email": "desk@example.com"})
    form = {"name": "Hong", "email": "h@example.com", "subject": "Hello", "message": "Hi."}
    site.inquiries.receive(**form, address="192.0.2.1")
    day = site.summary(DAY, "utc")
    assert day.inquiries == 1
    assert day.mails_waiting == site.mails.count_waiting() > 0
    clock.advance(timedelta(days=1))
    assert site.summary(date(2025, 11, 11), "utc").inquiries == 0


def test_a_post_that_somebody_spoilt_is_left_out(site: Site, store: Store) -> None:
    texts = {"PK": "CATEGORY#c001", "SK": "POST#zzz", "Type": "Post", "id": "zzz"}
    stamped = {**texts, "CreatedAt": "2025-11-10T09:00:00Z", "UpdatedAt": "never"}
    put_raw(store, {name: {"S": value} for name, value in stamped.items()})
    a_post(site, title="Whole")
    assert [each.title for each in site.summary(DAY, "utc").posts] == ["Whole"]
