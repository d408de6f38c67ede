"""Editors, other runs and a failing database, in the middle of a migration."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import patterns
from gotgan.domains.site.migration import Options, Sources, migrate, verify
from gotgan.domains.site.migration.references import ORPHANS
from gotgan.domains.site.migration.state import lock_target
from gotgan.domains.site.resources import Categories
from gotgan.errors import StoreError, StoreUnreachable, UsageError
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.attributes import Item
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.site_state import everything, posts_of, settled

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gotgan.domains.site.migration.sources.BATCH_ROWS", 100)


@dataclass
class Meddling:
    """The embedded engine, with somebody who acts right before a call, if it is about posts."""

    engine: Engine
    before: dict[str, Callable[[], None]] = field(default_factory=dict)
    transactions: list[list[Item]] = field(default_factory=list)
    """What was put together."""
    about: str = "POST#"
    deaf_to: str = "nothing"
    """Keys with this in them are never read."""
    name = "embedded"
    parallel = 1

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        if operation == "BatchGetItem" and self.deaf_to in str(request):
            return {"Responses": {}, "UnprocessedKeys": request["RequestItems"]}
        if operation in self.before and self.about in str(request):
            self.before.pop(operation)()
        if operation == "TransactWriteItems":
            actions = request["TransactItems"]
            self.transactions.append([each["Put"]["Item"] for each in actions if "Put" in each])
        return self.engine.execute(operation, request)

    def close(self) -> None:
        self.engine.close()


@contextmanager
def meddled() -> Iterator[tuple[Store, Meddling, Store]]:
    """A store, who meddles with it, and the same store without anybody."""
    clock = FixedClock(NOW)
    driver = Meddling(Engine(None, clock=clock))
    patient = RetryingDriver(driver, sleep=lambda _: None)
    with Store(patient, secret=Secret("s" * 32), clock=clock) as store:
        quiet = Store(Embedded(driver.engine), secret=Secret("s" * 32), clock=clock)
        yield store, driver, quiet


@pytest.mark.parametrize("moves", [False, True])
def test_an_edit_between_the_look_and_the_write_is_not_overwritten(moves: bool) -> None:
    site = old_tables.make(count=10)
    with meddled() as (store, driver, quiet):
        sources = old_tables.tables(store, site)
        migrate(store, sources)
        changes = {"title": "newer", "updatedAt": (NOW - timedelta(hours=1)).isoformat()}
        for row in site.posts:
            new_home = {"category": "no-such-category"} if moves else {}
            old_tables.put(store, "posts", {**row, **changes, **new_home})
        edited = site.posts[4]["postId"]

        def edit() -> None:
            posts_of(quiet).update(edited, {"title": "edited"}, version=None)

        driver.before["TransactWriteItems"] = edit
        report = migrate(store, sources)
        titles = {row["postId"]: posts_of(store).get(row["postId"]).title for row in site.posts}
        assert titles.pop(edited) == "edited"
        assert set(titles.values()) == {"newer"}
        assert report.tally.kinds["posts"].updated == 9
        assert report.tally.kinds["posts"].failed == 0


def test_a_run_that_another_one_overtakes_copies_nothing_twice_and_no_edit_is_lost() -> None:
    site = old_tables.make(count=40)
    edited = site.posts[20]["postId"]
    with meddled() as (store, driver, quiet):
        sources = old_tables.tables(store, site)

        def overtake() -> None:
            _run(quiet)
            posts_of(quiet).update(edited, {"title": "edited"}, version=None)

        driver.before["TransactWriteItems"] = overtake
        report = migrate(store, sources)
        assert report.total("failed") == 0
        with Store.in_memory(clock=store.clock) as alone:
            migrate(alone, old_tables.tables(alone, site))
            posts_of(alone).update(edited, {"title": "edited"}, version=None)
            assert settled(store) == settled(alone)


def _run(store: Store) -> None:
    words = dict(old_tables.NAMES)
    migrate(store, Sources.named(store, **words))


def test_a_post_is_written_together_with_its_pointers() -> None:
    with meddled() as (store, driver, _):
        migrate(store, old_tables.tables(store, old_tables.make(count=80)))
        posts = 0
        for items in driver.transactions:
            keys = {item["PK"]["S"] for item in items}
            for post in (item for item in items if item.get("Type") == {"S": "Post"}):
                assert {f"POST#{post[name]['S']}" for name in ("id", "legacyId")} <= keys
                posts += 1
        assert posts == 80


def test_posts_of_a_category_that_is_deleted_meanwhile_become_orphans() -> None:
    site = old_tables.make(count=6, category_count=2)
    for number, row in enumerate(site.posts):
        row["category"] = f"kind-{number % 2}"
    doomed = site.categories[1]["categoryId"]
    with meddled() as (store, driver, quiet):
        sources = old_tables.tables(store, site)
        migrate(store, Sources.named(store, categories="fm_categories"))

        def delete() -> None:
            Categories(quiet).delete(doomed)

        driver.before["TransactWriteItems"] = delete
        report = migrate(store, sources)
        homes = [posts_of(store).get(row["postId"]).category_id for row in site.posts]
        assert homes == [site.categories[0]["categoryId"], ORPHANS] * 3
        assert report.total("failed") == 0


def test_a_slug_that_is_taken_meanwhile_gives_way() -> None:
    site = old_tables.make(count=1, category_count=2)
    with meddled() as (store, driver, quiet):
        sources = old_tables.tables(store, site)
        driver.about = "SLUG#"

        def take() -> None:
            Categories(quiet).create(id="mine", title="mine", slug="kind-0")

        driver.before["TransactWriteItems"] = take
        assert migrate(store, sources).is_good
        assert Categories(store).get("kind-0").id == "mine"
        assert Categories(store).get(site.categories[0]["categoryId"]).slug == "kind-0-2"


def test_a_post_that_is_deleted_meanwhile_stays_deleted() -> None:
    site = old_tables.make(count=3)
    with meddled() as (store, driver, quiet):
        sources = old_tables.tables(store, site)
        migrate(store, sources)
        row = {**site.posts[0], "updatedAt": (NOW + timedelta(hours=1)).isoformat()}
        old_tables.put(store, "posts", row)
        driver.before["TransactWriteItems"] = lambda: posts_of(quiet).delete(row["postId"])
        assert migrate(store, sources).tally.kinds["posts"].deleted_here == 1
        assert patterns.post_pointer(row["postId"]).pk in {key[0] for key in everything(store)}


@pytest.mark.parametrize("operation", ["BatchGetItem", "TransactWriteItems"])
def test_a_run_that_the_database_stops_goes_on_where_it_was(tmp_path: Path, operation: str) -> None:
    site = old_tables.make(count=300)
    options = Options(folder=tmp_path)
    with meddled() as (store, driver, _):
        sources = old_tables.tables(store, site)

        def fail(_step: object) -> None:
            driver.before[operation] = _unplug

        with pytest.raises(StoreError, match="plug"):
            migrate(store, sources, options, fail)
        report = migrate(store, sources, options)
        assert report.resumed > 0
        assert report.rows == 300 + 4 + 2 + 75
        assert verify(store, sources, options).passed


def test_categories_that_cannot_be_read_make_no_orphans() -> None:
    site = old_tables.make(count=5)
    with meddled() as (store, driver, _):
        sources = old_tables.tables(store, site)
        migrate(store, Sources.named(store, categories="fm_categories"))
        renamed = {**site.categories[0], "slug": "renamed"}
        old_tables.put(store, "categories", renamed)
        post = {**site.posts[0], "category": "renamed", "updatedAt": NOW.isoformat()}
        old_tables.put(store, "posts", post)
        options = Options(since=NOW, verify=False)
        driver.deaf_to = renamed["categoryId"]
        with pytest.raises(StoreUnreachable):
            migrate(store, sources, options)
        driver.deaf_to = "nothing"
        assert migrate(store, sources, options).total("copied") == 1
        assert posts_of(store).get(post["postId"]).category_id == renamed["categoryId"]
        assert store.get(patterns.category(ORPHANS)) is None


def test_copies_that_cannot_be_read_are_not_taken_for_gone(tmp_path: Path) -> None:
    site = old_tables.make(count=5)
    gone = site.contact[0]["inquiryId"]
    with meddled() as (store, driver, _):
        sources = old_tables.tables(store, site)
        migrate(store, sources, Options(tmp_path))
        old_tables.remove(store, "contact", gone)
        driver.deaf_to = gone
        with pytest.raises(StoreUnreachable):
            migrate(store, sources, Options(tmp_path))
        driver.deaf_to = "nothing"
        assert migrate(store, sources, Options(tmp_path)).total("deleted_at_origin") == 1


def _unplug() -> None:
    raise StoreError("the plug was pulled")


def test_a_second_migration_to_the_same_table_is_refused(store: Store, options: Options) -> None:
    sources = old_tables.tables(store, old_tables.make(count=250))
    refused: list[str] = []

    def begin_another(_step: object) -> None:
        with pytest.raises(UsageError, match="running in another process") as failure:
            migrate(store, sources, options)
        refused.append(str(failure.value))

    migrate(store, sources, options, begin_another)
    assert refused
    assert options.folder is not None
    with lock_target(options.folder, "another table"):
        migrate(store, sources, options)


def test_a_run_from_other_sources_begins_at_the_beginning(store: Store, options: Options) -> None:
    site = old_tables.make(count=250)
    sources = old_tables.tables(store, site)

    def stop(_step: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        migrate(store, sources, options, stop)
    assert options.folder is not None
    lines = old_tables.write_lines(options.folder.parent / "posts.jsonl", site.posts)
    other = Sources.named(store, posts=str(lines), categories="fm_categories")
    assert migrate(store, other, options).resumed == 0
    assert migrate(store, sources, options).resumed > 0


def test_a_file_that_was_changed_is_read_from_the_beginning(store: Store, options: Options) -> None:
    site = old_tables.make(count=250)
    assert options.folder is not None
    lines = old_tables.write_lines(options.folder.parent / "posts.jsonl", site.posts)

    def stop(_step: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        migrate(store, Sources.named(store, posts=str(lines)), options, stop)
    old_tables.write_lines(lines, [*site.posts, {**site.posts[0], "postId": "one-more"}])
    report = migrate(store, Sources.named(store, posts=str(lines)), options)
    assert (report.resumed, report.rows) == (0, 251)
