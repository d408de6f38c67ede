"""The verification in the end of a run: it tells losses from what the origin did meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import patterns
from gotgan.domains.site.migration import (
    MigrationProgress,
    MigrationReport,
    Options,
    Sources,
    migrate,
    retire,
)
from gotgan.domains.site.migration.report import KindCheck, Verification
from gotgan.errors import MigrationError
from gotgan.store import Store
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.old_tables import OldSite
from tests.unit.domains.site.migration.site_state import posts_of


@pytest.fixture
def site() -> OldSite:
    return old_tables.make(6, count=10)


@pytest.fixture
def sources(store: Store, site: OldSite) -> Sources:
    return old_tables.tables(store, site)


def _found(report: MigrationReport) -> Verification:
    assert report.verification is not None
    return report.verification


def _posts(report: MigrationReport) -> KindCheck:
    return _found(report).kinds["Post"]


def _between(act: Callable[[], None]) -> Callable[[MigrationProgress], None]:
    """Act once, when all posts were copied and before anything is verified."""
    waiting = [act]

    def on_step(step: MigrationProgress) -> None:
        if step.kind == "contact" and waiting:
            waiting.pop()()

    return on_step


def _change(store: Store, row: old_tables.Row) -> None:
    later = (store.clock.now() + timedelta(hours=1)).isoformat()
    old_tables.put(store, "posts", {**row, "title": "newer", "updatedAt": later})


def test_a_run_ends_with_a_verification(store: Store, sources: Sources, options: Options) -> None:
    for _ in range(2):
        report = migrate(store, sources, options)
        assert (report.is_good, _found(report).passed, _posts(report).equal) == (True, True, 10)
        assert report.cost.reads > 0
        assert _found(report).cost.reads > 0
        assert _found(report).cost.writes == 0


def test_a_run_does_not_verify_where_nobody_wants_that_or_nothing_was_written(
    store: Store, sources: Sources, options: Options
) -> None:
    for silent in (replace(options, dry_run=True), replace(options, verify=False)):
        report = migrate(store, sources, silent)
        assert (report.verification, report.last_verified, report.is_good) == (None, None, True)


def test_what_the_origin_changed_meanwhile_is_told_and_no_loss(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    def change() -> None:
        _change(store, site.posts[0])
        old_tables.put(store, "posts", {**site.posts[1], "postId": "new"})

    report = migrate(store, sources, options, _between(change))
    assert report.is_good
    assert not _found(report).passed
    assert report.last_verified is None
    assert (_posts(report).newer_at_origin, _posts(report).missing) == (2, 0)
    listed = _found(report).trouble["newer_at_origin"].examples
    assert sorted(listed) == sorted([site.posts[0]["postId"], "new: it came after it was read"])
    assert _found(migrate(store, sources, options)).passed


def test_a_loss_is_told_beside_what_the_origin_changed_meanwhile(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    def change_and_lose() -> None:
        _change(store, site.posts[0])
        store.delete(posts_of(store).get(site.posts[1]["postId"]).key)

    report = migrate(store, sources, options, _between(change_and_lose))
    assert not report.is_good
    assert (_posts(report).newer_at_origin, _posts(report).missing) == (1, 1)
    assert _found(report).trouble["missing"].examples == [site.posts[1]["postId"]]


def test_a_copy_that_fell_behind_its_row_is_a_loss(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    def turn_back() -> None:
        key = {"TableName": "FMWebAppTable", "Key": patterns.inquiry(inquiry["inquiryId"]).item}
        value = {":at": {"S": "2001-01-01T00:00:00Z"}}
        change = {"UpdateExpression": "SET UpdatedAt = :at", "ExpressionAttributeValues": value}
        store.calls.driver.call("UpdateItem", key | change)

    inquiry = site.contact[0]
    report = migrate(store, sources, options, _between(turn_back))
    assert not report.is_good
    assert "not brought over" in _found(report).trouble["different"].examples[0]


def test_a_conflict_is_told_and_no_loss_but_keeps_the_old_tables(
    store: Store, clock: FixedClock, sources: Sources, options: Options, site: OldSite
) -> None:
    migrate(store, sources, options)
    clock.advance(timedelta(hours=1))
    row = site.posts[0]
    now = store.clock.now().isoformat()
    old_tables.put(store, "posts", {**row, "title": "theirs", "updatedAt": now})
    posts_of(store).update(row["postId"], {"title": "ours"}, version=None)
    report = migrate(store, sources, options)
    assert report.is_good
    assert _found(report).trouble["conflicting"].examples == [f"{row['postId']}: title"]
    with pytest.raises(MigrationError, match="1 conflicting"):
        retire(store, sources, options)
    clock.advance(timedelta(hours=1))
    posts_of(store).update(row["postId"], {"title": "settled"}, version=None)
    assert retire(store, sources, options).passed


def test_what_since_left_alone_is_set_aside_until_the_old_tables_shall_go(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    recent = replace(options, since=store.clock.now())
    _change(store, site.posts[0])
    report = migrate(store, sources, recent)
    assert report.is_good
    assert (_posts(report).equal, _posts(report).set_aside) == (1, 9)
    with pytest.raises(MigrationError, match="missing"):
        retire(store, sources, recent)


def test_a_copy_of_an_earlier_run_is_not_set_aside_when_it_was_lost(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    migrate(store, sources, options)
    store.delete(posts_of(store).get(site.posts[1]["postId"]).key)
    report = migrate(store, sources, replace(options, since=store.clock.now()))
    assert not report.is_good
    assert (_posts(report).missing, _posts(report).set_aside) == (1, 0)
