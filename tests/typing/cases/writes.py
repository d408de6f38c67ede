"""What checkers make of writes: what comes back is what went in."""

from __future__ import annotations

from typing import assert_type

from gotgan.domains.news.models import NewsItem
from gotgan.domains.site.models import Post
from gotgan.domains.site.patterns import post
from gotgan.store import (
    BatchReport,
    DeleteResult,
    FailedPut,
    PutNew,
    PutNewReport,
    Store,
    TransactionResult,
    Write,
    WriteResult,
    attr,
    increment,
    writes,
)


def a_put_if_absent_says_what_is_stored(store: Store, item: NewsItem) -> None:
    put = store.put_new(item)
    assert_type(put, PutNew[NewsItem])
    assert_type(put.item, NewsItem)
    assert_type(put.new, bool)


def many_puts_if_absent_are_reported(store: Store, items: list[NewsItem]) -> None:
    report = store.put_new_all(items)
    assert_type(report, PutNewReport[NewsItem])
    assert_type(report.new, list[NewsItem])
    assert_type(report.duplicates, list[NewsItem])
    assert_type(report.failed, list[FailedPut[NewsItem]])
    assert_type(report.failed[0].item, NewsItem)


def a_change_gives_the_entity_as_it_is_now(store: Store, a_post: Post) -> None:
    assert_type(store.put(a_post), WriteResult[Post])
    assert_type(store.update(a_post, title="x"), WriteResult[Post])
    assert_type(store.update(a_post, title="x").item.title, str)
    assert_type(store.patch(post("c1", "p1"), title="x"), WriteResult[Post])
    assert_type(store.patch(post("c1", "p1"), only_if=attr("title") == "y", title="x").item, Post)


def whatever_names_an_item_can_be_deleted(store: Store, a_post: Post) -> None:
    assert_type(store.delete(a_post), DeleteResult)
    assert_type(store.delete(post("c1", "p1")), DeleteResult)


def writes_are_values(store: Store, a_post: Post) -> None:
    assert_type(writes.put_new(a_post), Write[Post])
    assert_type(writes.patch(post("c1", "p1"), version=increment()), Write[Post])
    assert_type(
        store.transact([writes.put_new(a_post), writes.check(post("c", "p"))]), TransactionResult
    )
    assert_type(store.put_all([a_post]), BatchReport)
    assert_type(store.delete_all([post("c1", "p1")]), BatchReport)


def the_fields_and_derived_attributes_have_their_own_types(item: NewsItem) -> None:
    assert_type(item.tickers, tuple[str, ...])
    assert_type(item.uploaded_at_utc_ms, int)
    assert_type(item.tz_est_is_dst, bool)
