"""Whatever is edited on either side, however often it is copied: the newer one is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.clock import FixedClock
from gotgan.domains.site.migration import Options, Sources, migrate, verify
from gotgan.errors import NotFound
from gotgan.store import Store
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.site_state import everything, posts_of, settled

POSTS = 6
STEPS = st.sampled_from(["old edit", "old move", "new edit", "new move", "new delete", "migrate"])


@given(seed=st.integers(0, 10**6), count=st.integers(0, 40))
@settings(max_examples=12, deadline=None)
def test_copying_twice_is_copying_once(seed: int, count: int) -> None:
    with Store.in_memory() as store:
        sources = old_tables.tables(store, old_tables.make(seed, count=count))
        migrate(store, sources)
        before = everything(store)
        again = migrate(store, sources)
        assert everything(store) == before
        assert again.total("skipped") == again.rows
        assert verify(store, sources).passed


@dataclass
class _World:
    """Both sides, and what a reader must find."""

    store: Store
    clock: FixedClock
    sources: Sources
    options: Options
    site: old_tables.OldSite
    there: dict[str, tuple[str, str] | None] = field(default_factory=dict)
    """Title and category as they are here; None where the post was deleted."""
    here_at: dict[str, datetime] = field(default_factory=dict)
    """When that was decided: an edit here, or the origin's own moment."""

    def migrate(self) -> None:
        migrate(self.store, self.sources, self.options)
        for row in self.site.posts:
            old_id, at = row["postId"], datetime.fromisoformat(row["updatedAt"])
            if old_id not in self.here_at or (self.there[old_id] and at > self.here_at[old_id]):
                self.there[old_id] = (row["title"], self._home(row["category"]))
                self.here_at[old_id] = at.replace(microsecond=0)

    def _home(self, word: str) -> str:
        for kind in self.site.categories:
            if word in {kind["slug"], kind["name"], kind["categoryId"]}:
                return str(kind["categoryId"])
        return "orphans"

    def old_edit(self, row: old_tables.Row, **changes: Any) -> None:
        row |= {**changes, "updatedAt": self.clock.now().isoformat()}
        old_tables.put(self.store, "posts", row)

    def new_edit(self, row: old_tables.Row, **changes: Any) -> None:
        old_id = row["postId"]
        if self.there.get(old_id) is None:
            return
        changed: Any = changes
        post = posts_of(self.store).update(old_id, changed, version=None)
        self.there[old_id] = (post.title, post.category_id)
        self.here_at[old_id] = self.clock.now()

    def new_delete(self, row: old_tables.Row) -> None:
        if self.there.get(row["postId"]) is not None:
            posts_of(self.store).delete(row["postId"])
            self.there[row["postId"]] = None

    def check(self) -> None:
        posts = posts_of(self.store)
        for old_id, wanted in self.there.items():
            try:
                post = posts.get(old_id)
            except NotFound:
                assert wanted is None
            else:
                assert (post.title, post.category_id) == wanted
                assert posts.get(post.id) == post
        kept = sum(wanted is not None for wanted in self.there.values())
        assert sum(item.get("Type") == "Post" for item in everything(self.store).values()) == kept


def _take(world: _World, step: str, chance: Random) -> None:
    world.clock.advance(timedelta(seconds=chance.randrange(1, 100)))
    row = chance.choice(world.site.posts)
    title = f"{step} {chance.random()}"
    home = chance.choice(world.site.categories)
    if step == "migrate":
        world.migrate()
    elif step == "old edit":
        world.old_edit(row, title=title)
    elif step == "old move":
        world.old_edit(row, category=home[chance.choice(["slug", "name", "categoryId"])])
    elif step == "new edit":
        world.new_edit(row, title=title)
    elif step == "new move":
        world.new_edit(row, category_id=home["categoryId"])
    else:
        world.new_delete(row)


@given(steps=st.lists(STEPS, max_size=25), seed=st.integers(0, 10**6), keeps=st.booleans())
@settings(max_examples=25, deadline=None)
def test_the_newer_one_is_never_lost(steps: list[str], seed: int, keeps: bool) -> None:
    chance, clock = Random(seed), FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
    site = old_tables.make(seed, count=POSTS)
    with Store.in_memory(clock=clock) as store, TemporaryDirectory() as folder:
        options = Options(folder=Path(folder) if keeps else None)
        world = _World(store, clock, old_tables.tables(store, site), options, site)
        world.migrate()
        for step in [*steps, "migrate"]:
            _take(world, step, chance)
        world.check()
        migrate(store, world.sources, options)
        world.check()
        assert verify(store, world.sources, options).passed


def test_the_end_is_the_same_however_the_rows_were_ordered() -> None:
    ends = []
    for seed in range(3):
        site = old_tables.make(1, count=50)
        for kind in old_tables.KEYS:
            Random(seed).shuffle(site.of(kind))
        with Store.in_memory() as store, TemporaryDirectory() as folder:
            words = {
                kind: str(old_tables.write_lines(Path(folder) / f"{kind}.jsonl", site.of(kind)))
                for kind in old_tables.KEYS
            }
            migrate(store, Sources.named(store, **words))
            ends.append(settled(store))
    assert ends[0] == ends[1] == ends[2]
