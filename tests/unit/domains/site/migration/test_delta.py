from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from gotgan.clock import FixedClock, utc_iso
from gotgan.domains.site import patterns
from gotgan.domains.site.migration import Options, Sources, messages, migrate
from gotgan.domains.site.migration.references import ORPHANS
from gotgan.domains.site.migration.report import RowCounts
from gotgan.domains.site.migration.rows import parse_text_moment
from gotgan.domains.site.models import Post
from gotgan.domains.site.resources import Categories
from gotgan.errors import NotFound
from gotgan.store import Store
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.old_tables import OldSite, put, remove
from tests.unit.domains.site.migration.site_state import everything, posts_of, settled


@pytest.fixture
def site() -> OldSite:
    return old_tables.make(7, count=12)


@pytest.fixture
def sources(store: Store, site: OldSite, options: Options) -> Sources:
    """Old tables that were copied once, an hour ago."""
    sources = old_tables.tables(store, site)
    migrate(store, sources, options)
    clock = store.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(hours=1))
    return sources


@pytest.fixture
def row(site: OldSite) -> old_tables.Row:
    return site.posts[0]


def _counts(store: Store, sources: Sources, options: Options, kind: str = "posts") -> RowCounts:
    return migrate(store, sources, options).tally.kinds[kind]


def _later(store: Store, seconds: float = 0) -> str:
    return (store.clock.now() + timedelta(seconds=seconds)).isoformat()


def _post(store: Store, row: old_tables.Row) -> Post:
    return posts_of(store).get(row["postId"], consistent=True)


def test_a_second_run_changes_nothing(store: Store, sources: Sources, options: Options) -> None:
    before = everything(store)
    report = migrate(store, sources, options)
    assert report.total("skipped") == report.rows
    assert report.cost.writes == 0
    assert everything(store) == before


def test_what_is_newer_at_the_origin_is_updated_and_its_version_counts_up(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    before = _post(store, row)
    put(store, "posts", {**row, "title": "newer", "updatedAt": _later(store)})
    assert _counts(store, sources, options).updated == 1
    after = _post(store, row)
    assert (after.title, after.version) == ("newer", before.version + 1)
    assert (after.id, after.created_at) == (before.id, before.created_at)


def test_what_the_origin_does_not_know_stays_when_a_post_is_updated(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    until = store.clock.now() + timedelta(days=9)
    posts_of(store).update(row["postId"], {"expires_at": until}, version=None)
    ref = _post(store, row).key
    key = {"Key": ref.item, "TableName": "FMWebAppTable"}
    value = {":v": {"S": "added here"}}
    change = {"UpdateExpression": "SET extra = :v", "ExpressionAttributeValues": value}
    store.calls.driver.call("UpdateItem", key | change)
    put(store, "posts", {**row, "title": "newer", "updatedAt": _later(store, 5)})
    migrate(store, sources, options)
    after = _post(store, row)
    assert (after.title, after.expires_at) == ("newer", until)
    assert after.origin is not None
    assert after.origin.item["extra"] == {"S": "added here"}


def test_what_was_removed_at_the_origin_is_removed_here(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    put(store, "posts", {**row, "thumbnailUrl": "x", "updatedAt": _later(store)})
    migrate(store, sources, options)
    assert _post(store, row).thumbnail_url == "x"
    short = {name: value for name, value in row.items() if name != "thumbnailUrl"}
    put(store, "posts", {**short, "updatedAt": _later(store, 9)})
    migrate(store, sources, options)
    assert _post(store, row).thumbnail_url is None


def test_what_is_newer_here_stays(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    posts_of(store).update(row["postId"], {"title": "edited"}, version=None)
    counts = _counts(store, sources, options)
    assert (counts.skipped, counts.conflicting) == (12, 0)
    assert _post(store, row).title == "edited"


def test_a_row_that_was_changed_on_both_sides_is_conflicting_until_the_origin_is_newer(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    posts_of(store).update(row["postId"], {"title": "edited"}, version=None)
    put(store, "posts", {**row, "title": "older", "updatedAt": _later(store, -60)})
    for _ in range(2):
        report = migrate(store, sources, options)
        assert report.tally.kinds["posts"].conflicting == 1
        assert report.tally.lists["conflicting"].examples == [f"posts {row['postId']}"]
        assert _post(store, row).title == "edited"
    put(store, "posts", {**row, "title": "newest", "updatedAt": _later(store, 60)})
    report = migrate(store, sources, options)
    assert report.tally.kinds["posts"].updated == 1
    assert _post(store, row).title == "newest"
    assert messages.EDIT_REPLACED() in report.tally.decisions


def test_a_change_within_the_second_that_was_copied_is_not_missed(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    whole = row["updatedAt"][:19]
    put(store, "posts", {**row, "title": "a", "updatedAt": f"{whole}.999998+00:00"})
    assert _counts(store, sources, options).updated == 1
    put(store, "posts", {**row, "title": "b", "updatedAt": f"{whole}.999999+00:00"})
    assert _counts(store, sources, options).updated == 1
    assert _post(store, row).title == "b"


def test_an_edit_here_in_the_second_of_the_origin_is_never_overwritten(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    put(store, "posts", {**row, "title": "theirs", "updatedAt": _later(store)})
    posts_of(store).update(row["postId"], {"title": "ours"}, version=None)
    assert _counts(store, sources, options).conflicting == 1
    assert _post(store, row).title == "ours"


def test_a_post_that_was_deleted_here_is_not_brought_back(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    posts_of(store).delete(row["postId"])
    put(store, "posts", {**row, "title": "newer", "updatedAt": _later(store, 60)})
    for state in (options, Options()):  # with what an earlier run knew, and without
        report = migrate(store, sources, state)
        assert report.tally.lists["deleted_here"].examples == [f"posts {row['postId']}"]
        with pytest.raises(NotFound):
            _post(store, row)


def test_a_post_that_was_moved_here_stays_where_it_is(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    row, home = site.posts[0], site.categories[0]["categoryId"]
    first_home = _post(store, row).category_id
    assert first_home != home
    posts_of(store).update(row["postId"], {"category_id": home}, version=None)
    assert _counts(store, sources, options).skipped == 12
    assert _post(store, row).category_id == home
    put(store, "posts", {**row, "updatedAt": _later(store, 60)})
    migrate(store, sources, options)
    assert _post(store, row).category_id == first_home


@pytest.mark.parametrize(
    "changes",
    [
        {"category": "kind-3"},
        {"createdAt": old_tables.stamp(5.5)},
        {"category": "kind-3", "createdAt": old_tables.stamp(5.5)},
    ],
)
def test_a_post_keeps_its_id_and_leaves_no_copy_behind_whatever_changes_at_the_origin(
    store: Store,
    sources: Sources,
    options: Options,
    row: old_tables.Row,
    changes: dict[str, str],
) -> None:
    before = _post(store, row)
    put(store, "posts", {**row, **changes, "updatedAt": _later(store)})
    report = migrate(store, sources, options)
    assert report.tally.kinds["posts"].updated == 1
    assert report.verification is not None
    assert report.verification.passed
    after = _post(store, row)
    assert after.id == before.id
    assert posts_of(store).get(before.id) == after
    moment = parse_text_moment({**row, **changes}["createdAt"])
    assert moment is not None
    assert after.created_at == moment.replace(microsecond=0)
    assert after.version == before.version + 1
    items = [each for each in everything(store).values() if each.get("Type") == "Post"]
    assert len(items) == 12
    pointers = [key for key in everything(store) if key[0].startswith("POST#")]
    assert len(pointers) == 24


def test_an_orphan_goes_home_when_its_category_comes(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    orphan = next(each for each in site.posts if each["category"] == "no-such-category")
    assert _post(store, orphan).category_id == ORPHANS
    late = {**site.categories[0], "categoryId": "late", "slug": "no-such-category"}
    put(store, "categories", late)
    report = migrate(store, sources, options)
    assert report.total("orphaned") == 0
    assert _post(store, orphan).category_id == "late"


def test_a_category_keeps_its_slug_and_its_posts_still_find_it_by_the_new_one(
    store: Store, sources: Sources, options: Options, site: OldSite, row: old_tables.Row
) -> None:
    old = site.categories[0]
    put(store, "categories", {**old, "name": "새", "slug": "renamed", "updatedAt": _later(store)})
    put(store, "posts", {**row, "category": "renamed", "updatedAt": _later(store)})
    migrate(store, sources, options)
    category = Categories(store).get(old["categoryId"])
    assert (category.title, category.slug) == ("새", old["slug"])
    assert _post(store, row).category_id == category.id


def test_what_the_origin_has_no_more_is_listed_and_stays(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    gone = {
        "posts": site.posts[1]["postId"],
        "categories": site.categories[3]["categoryId"],
        "contact": site.contact[2]["inquiryId"],
    }
    for kind, old_id in gone.items():
        remove(store, kind, old_id)
    before = everything(store)
    report = migrate(store, sources, options)
    assert report.total("deleted_at_origin") == 3
    listed = report.tally.lists["deleted_at_origin"].examples
    assert sorted(listed) == sorted(f"{kind} {old_id}" for kind, old_id in gone.items())
    now = everything(store)
    assert all(now[key] == before[key] for key in before if key[1] == "METADATA")
    assert migrate(store, sources, Options()).tally.kinds["posts"].deleted_at_origin == 1


def test_since_copies_only_what_was_changed_from_then_on(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    one, other = site.posts[:2]
    put(store, "posts", {**one, "title": "one", "updatedAt": _later(store, 10)})
    put(store, "posts", {**other, "title": "other", "updatedAt": _later(store, 20)})
    since = store.clock.now() + timedelta(seconds=20)
    report = migrate(store, sources, replace(options, since=since))
    assert (report.total("updated"), report.total("deleted_at_origin")) == (1, 0)
    assert (_post(store, one).title, _post(store, other).title) == (one["title"], "other")


def test_a_row_that_comes_twice_counts_once_and_the_newer_one_wins(
    store: Store, options: Options, site: OldSite
) -> None:
    assert options.folder is not None
    first, second = site.posts[0], {**site.posts[0], "title": "b", "updatedAt": _later(store)}
    lines = old_tables.write_lines(options.folder.parent / "posts.jsonl", [first, second, first])
    sources = Sources.named(store, posts=str(lines))
    counts = _counts(store, sources, options)
    assert (counts.copied, counts.updated, counts.skipped) == (1, 1, 1)
    assert _post(store, first).title == "b"


def test_pointers_that_somebody_removed_are_written_anew(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    before = settled(store)
    post = _post(store, row)
    for asked in (post.id, row["postId"]):
        store.delete(patterns.post_pointer(asked))
        report = migrate(store, sources, options)
        assert report.total("failed") == 0
        assert settled(store) == before


def test_moments_are_compared_in_whole_seconds() -> None:
    moment = parse_text_moment("2025-11-24T05:00:00.9+00:00")
    assert moment is not None
    assert utc_iso(moment) == "2025-11-24T05:00:00Z"
