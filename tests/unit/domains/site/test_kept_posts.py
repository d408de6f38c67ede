"""A post that is kept as somebody wants it: written once, changed where it must, found else."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.posts import KeptPost
from gotgan.domains.site.service import Site
from gotgan.errors import NotFound, VersionConflict
from gotgan.settings import Settings
from gotgan.store import Store
from tests.durability.crowd import at_once
from tests.unit.domains.site.conftest import MORNING, SECRET
from tests.unit.domains.site.meddling import Killed, Meddling
from tests.unit.domains.site.records import pointers

POST = "019a5488-2580-7000-a4d8-e056c9d2763c"
TRANSACTION = "TransactWriteItems"


def kept(site: Site, **changes: Any) -> KeptPost:
    fields = {"category_id": "c001", "author_id": "gotgan", "title": "A day", "contents": "Words."}
    return site.keep_post(POST, **{**fields, **changes})


def test_it_is_written_once_and_found_from_then_on(site: Site, store: Store) -> None:
    first, again = kept(site), kept(site)
    assert (first.outcome, again.outcome) == ("new", "duplicate")
    assert first.post == again.post == site.posts.get(POST)
    assert (first.post.created_at, first.post.version) == (MORNING, 1)
    assert list(pointers(store)) == [POST]


def test_to_find_it_writes_nothing(site: Site, meddling: Meddling) -> None:
    kept(site)
    before = len(meddling.seen)
    kept(site)
    assert meddling.seen[before:] == ["GetItem", "GetItem"]


def test_other_words_change_it_and_its_category_moves_it(site: Site) -> None:
    kept(site)
    changed = kept(site, contents="Other words.")
    moved = kept(site, contents="Other words.", category_id="c002")
    assert (changed.outcome, moved.outcome) == ("changed", "changed")
    assert site.posts.list(category="c001").items == ()
    assert site.posts.list(category="c002").items == (moved.post,)
    assert (moved.post.contents, moved.post.version) == ("Other words.", 3)
    assert moved.post.created_at == MORNING


def test_what_nobody_asked_for_stays_as_it_is(site: Site) -> None:
    kept(site)
    site.posts.update(POST, {"thumbnail_url": "https://example.com/a.png"}, version=1)
    assert kept(site).outcome == "duplicate"
    assert kept(site, title="B").post.thumbnail_url == "https://example.com/a.png"


def test_one_that_was_deleted_is_written_anew(site: Site) -> None:
    kept(site)
    site.posts.delete(POST)
    assert kept(site).outcome == "new"


def test_a_category_that_is_not_there_is_refused(site: Site) -> None:
    with pytest.raises(NotFound, match="Create it first"):
        kept(site, category_id="nowhere")
    kept(site)
    with pytest.raises(NotFound, match="Create it first"):
        kept(site, category_id="nowhere")
    assert site.posts.get(POST).category_id == "c001"


def test_of_all_who_want_it_at_once_one_writes_it(clock: FixedClock) -> None:
    with Store.in_memory(clock=clock) as store:
        site = Site(store, Settings(given_secret=SECRET))
        site.prepare()
        site.categories.create(id="c001", title="Days")
        outcomes = [each.outcome for each in at_once([partial(kept, site)] * 8)]
        assert sorted(outcomes) == ["duplicate"] * 7 + ["new"]
        assert len(site.posts.list().items) == 1


def test_who_comes_between_is_found(site: Site, meddling: Meddling) -> None:
    meddling.before(TRANSACTION, lambda: kept(site))
    assert kept(site).outcome == "duplicate"
    assert site.posts.get(POST).version == 1


def test_a_change_that_somebody_comes_before_is_made_upon_theirs(
    site: Site, meddling: Meddling
) -> None:
    kept(site)
    meddling.before("UpdateItem", lambda: kept(site, title="Theirs"))
    told = kept(site, contents="Ours.")
    assert (told.outcome, told.post.title, told.post.contents) == ("changed", "A day", "Ours.")
    assert told.post.version == 3


def test_one_that_is_moved_meanwhile_is_moved_back(site: Site, meddling: Meddling) -> None:
    kept(site)
    meddling.before("UpdateItem", lambda: kept(site, category_id="c002"))
    assert kept(site, contents="Ours.").post.category_id == "c001"
    assert len(site.posts.list().items) == 1


def test_who_is_always_too_late_is_told_so(site: Site, meddling: Meddling) -> None:
    kept(site)
    for number in range(5):
        meddling.before(TRANSACTION, partial(_meddle, site, number))
    with pytest.raises(VersionConflict):
        kept(site, category_id="c002")
    assert site.posts.get(POST).category_id == "c001"


def _meddle(site: Site, number: int) -> None:
    site.posts.update(POST, {"thumbnail_url": f"https://example.com/{number}"}, version=None)


def test_one_who_dies_after_the_write_leaves_a_whole_post(site: Site, meddling: Meddling) -> None:
    meddling.dies_after(TRANSACTION)
    with pytest.raises(Killed):
        kept(site)
    assert kept(site).outcome == "duplicate"
