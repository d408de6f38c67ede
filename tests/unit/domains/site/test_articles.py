"""Articles and their pointers: written together, moved together, gone together, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import articles
from gotgan.domains.site.models import Draft, Post
from gotgan.domains.site.service import Site
from gotgan.errors import NotFound, VersionConflict
from gotgan.store import Store
from tests.unit.domains.site.conftest import MORNING
from tests.unit.domains.site.meddling import Killed, Meddling
from tests.unit.domains.site.records import a_draft, a_post, items, pointers

TRANSACTION = "TransactWriteItems"
Make = Callable[..., Post | Draft]
BOTH = pytest.mark.parametrize("make", [a_post, a_draft], ids=["post", "draft"])


def kind_of(site: Site, make: Make) -> Any:
    return site.posts if make is a_post else site.drafts


def old_post(site: Site, store: Store, **fields: Any) -> Post:
    """A post with an id of the old tables, as a migration leaves it."""
    post = Post(
        id="p001",
        legacy_id="old-1",
        category_id="c001",
        author_id="u001",
        title="t",
        contents="c",
        created_at=MORNING,
        **fields,
    )
    articles.add_article(store, post)
    return site.posts.get("p001")


@BOTH
def test_an_article_comes_with_a_pointer_that_says_where_it_is(
    site: Site, store: Store, make: Make
) -> None:
    article = make(site)
    kind = make.__name__.removeprefix("a_")
    assert pointers(store) == {
        article.id: {
            "PK": f"POST#{article.id}",
            "SK": "METADATA",
            "id": article.id,
            "categoryId": "c001",
            "kind": kind,
        }
    }
    assert kind_of(site, make).get(article.id) == article


@BOTH
def test_an_article_for_a_category_that_is_not_there_leaves_nothing(
    site: Site, store: Store, make: Make
) -> None:
    before = items(store)
    with pytest.raises(NotFound, match=r"no category with this ID\. Create it first"):
        make(site, "nowhere")
    assert items(store) == before


@BOTH
def test_a_move_to_a_category_that_is_not_there_leaves_everything(
    site: Site, store: Store, make: Make
) -> None:
    article = make(site)
    before = items(store)
    with pytest.raises(NotFound, match="no category"):
        kind_of(site, make).update(article.id, {"category_id": "nowhere"}, version=1)
    assert items(store) == before


@BOTH
def test_a_move_takes_the_article_its_pointers_and_what_we_do_not_know(
    site: Site, store: Store, make: Make
) -> None:
    article = make(site)
    _scribble(store, article, colour="red")
    kind = kind_of(site, make)
    moved = kind.update(article.id, {"category_id": "c002", "title": "New"}, version=1)
    assert (moved.category_id, moved.title, moved.version) == ("c002", "New", 2)
    assert kind.get(article.id) == moved
    keys = [key for key in items(store) if key[1].endswith(article.id)]
    assert keys == [("CATEGORY#c002", article.key.sk)]
    assert items(store)[keys[0]]["colour"] == "red"


@BOTH
@pytest.mark.parametrize("more", [{}, {"expires_at": MORNING + timedelta(days=1)}])
def test_a_change_that_names_the_same_category_is_no_move(
    site: Site, store: Store, make: Make, more: dict[str, Any]
) -> None:
    article, kind = make(site), kind_of(site, make)
    guard = items(store)["CATEGORY_GUARD#c001", "METADATA"]
    changed = kind.update(article.id, {"category_id": "c001", "title": "New", **more}, version=1)
    assert (changed.title, changed.category_id, changed.version) == ("New", "c001", 2)
    assert items(store)["CATEGORY_GUARD#c001", "METADATA"] == guard


def test_all_ids_of_a_moved_post_lead_to_it(site: Site, store: Store, clock: FixedClock) -> None:
    draft = Draft(
        id="d001",
        legacy_id="old-1",
        category_id="c001",
        author_id="u001",
        title="t",
        contents="c",
        created_at=MORNING,
    )
    articles.add_article(store, draft)
    clock.advance(timedelta(hours=1))
    post = site.drafts.publish("d001")
    moved = site.posts.update("old-1", {"category_id": "c002"}, version=None)
    assert set(pointers(store)) == {post.id, "d001", "old-1"}
    for asked in (post.id, "d001", "old-1"):
        assert site.posts.get(asked, consistent=True) == moved
        assert pointers(store)[asked]["id"] == post.id


@BOTH
def test_of_two_moves_at_once_one_wins_and_the_other_hears_both_versions(
    site: Site, store: Store, meddling: Meddling, make: Make
) -> None:
    site.categories.create(id="c003", title="Third")
    article, kind = make(site), kind_of(site, make)
    meddling.before(
        TRANSACTION, lambda: kind.update(article.id, {"category_id": "c003"}, version=1)
    )
    with pytest.raises(VersionConflict, match="version 2, but the change is for version 1") as lost:
        kind.update(article.id, {"category_id": "c002"}, version=1)
    assert lost.value.current == kind.get(article.id)
    assert kind.get(article.id).category_id == "c003"
    assert [key for key in items(store) if key[1].endswith(article.id)] == [
        ("CATEGORY#c003", article.key.sk)
    ]
    assert ("CATEGORY_GUARD#c002", "METADATA") not in items(store)


@BOTH
def test_a_change_of_an_article_that_moves_away_meanwhile_is_a_lost_update(
    site: Site, meddling: Meddling, make: Make
) -> None:
    article, kind = make(site), kind_of(site, make)
    meddling.before("UpdateItem", lambda: _move_away(kind, article.id))
    with pytest.raises(VersionConflict) as lost:
        kind.update(article.id, {"title": "New"}, version=1)
    assert lost.value.current == kind.get(article.id)
    assert kind.get(article.id).title == article.title


@BOTH
def test_a_delete_of_an_article_that_moves_away_meanwhile_leaves_its_pointers(
    site: Site, meddling: Meddling, make: Make
) -> None:
    article, kind = make(site), kind_of(site, make)
    meddling.before(TRANSACTION, lambda: _move_away(kind, article.id))
    with pytest.raises(VersionConflict):
        kind.delete(article.id)
    assert kind.get(article.id).category_id == "c002"
    kind.delete(article.id)
    with pytest.raises(NotFound):
        kind.get(article.id)


@BOTH
@pytest.mark.parametrize("change", [{"title": "New"}, {"category_id": "c002"}])
def test_a_change_of_an_article_that_is_deleted_meanwhile_finds_nothing(
    site: Site, store: Store, meddling: Meddling, make: Make, change: dict[str, Any]
) -> None:
    article, kind = make(site), kind_of(site, make)
    operation = TRANSACTION if "category_id" in change else "UpdateItem"
    meddling.before(operation, lambda: kind.delete(article.id))
    with pytest.raises(NotFound):
        kind.update(article.id, change, version=1)
    assert [key for key in items(store) if article.id in "".join(key)] == []


@BOTH
def test_an_old_version_is_refused_with_the_current_one_at_hand(site: Site, make: Make) -> None:
    article, kind = make(site), kind_of(site, make)
    newer = kind.update(article.id, {"title": "New"}, version=1)
    acts: list[Callable[[], object]] = [
        lambda: kind.update(article.id, {"title": "Newer"}, version=1),
        lambda: kind.update(article.id, {"category_id": "c002"}, version=1),
        lambda: kind.delete(article.id, version=1),
    ]
    for act in acts:
        with pytest.raises(VersionConflict) as lost:
            act()
        assert lost.value.current == newer
    assert kind.get(article.id) == newer


@BOTH
def test_a_change_that_another_one_overtakes_is_a_lost_update(
    site: Site, meddling: Meddling, make: Make
) -> None:
    article, kind = make(site), kind_of(site, make)
    meddling.before("UpdateItem", lambda: kind.update(article.id, {"title": "First"}, version=1))
    with pytest.raises(VersionConflict):
        kind.update(article.id, {"title": "Second"}, version=1)
    assert (kind.get(article.id).title, kind.get(article.id).version) == ("First", 2)


@BOTH
def test_a_deleted_article_leaves_neither_item_nor_pointer(
    site: Site, store: Store, make: Make
) -> None:
    before = set(items(store)) | {("CATEGORY_GUARD#c001", "METADATA")}
    kind_of(site, make).delete(make(site).id)
    assert set(items(store)) == before


def test_the_pointer_of_an_old_id_stays_and_says_when_its_post_was_deleted(
    site: Site, store: Store, clock: FixedClock
) -> None:
    old_post(site, store)
    clock.advance(timedelta(hours=1))
    site.posts.delete("old-1")
    assert pointers(store)["old-1"]["deletedAt"] == "2025-11-10T10:00:00Z"
    assert "p001" not in pointers(store)
    for asked in ("old-1", "p001"):
        with pytest.raises(NotFound):
            site.posts.get(asked)


def test_the_pointer_of_an_old_id_outlives_a_notice_that_ends(
    site: Site, store: Store, clock: FixedClock
) -> None:
    """Else a migration would bring the notice back."""
    old_post(site, store, expires_at=MORNING + timedelta(days=1))
    told = pointers(store)
    assert (told["p001"]["expiresAt"], "expiresAt" in told["old-1"]) == (1762851600, False)
    clock.advance(timedelta(days=2))
    with pytest.raises(NotFound):
        site.posts.get("old-1")


@BOTH
def test_the_pointers_of_a_notice_end_with_it_and_follow_its_end(
    site: Site, store: Store, clock: FixedClock, make: Make
) -> None:
    article = make(site, expires_at=MORNING + timedelta(days=1))
    kind = kind_of(site, make)
    assert pointers(store)[article.id]["expiresAt"] == 1762851600
    later = kind.update(article.id, {"expires_at": MORNING + timedelta(days=2)}, version=1)
    assert (later.version, pointers(store)[article.id]["expiresAt"]) == (2, 1762938000)
    clock.advance(timedelta(days=1, hours=1))
    assert kind.get(article.id) == later
    never = kind.update(article.id, {"expires_at": None, "category_id": "c002"}, version=2)
    assert "expiresAt" not in pointers(store)[article.id]
    clock.advance(timedelta(days=9))
    assert kind.get(article.id) == never


@BOTH
def test_an_article_whose_time_is_over_is_gone_at_once(
    site: Site, clock: FixedClock, make: Make
) -> None:
    article, kind = make(site, expires_at=MORNING + timedelta(hours=1)), kind_of(site, make)
    clock.advance(timedelta(hours=1))
    assert kind.list().items == ()
    acts: list[Callable[[], object]] = [
        lambda: kind.get(article.id),
        lambda: kind.update(article.id, {"title": "t"}, version=None),
        lambda: kind.delete(article.id),
    ]
    for act in acts:
        with pytest.raises(NotFound):
            act()


def test_a_post_is_no_draft_and_a_draft_no_post(site: Site) -> None:
    with pytest.raises(NotFound, match="no draft"):
        site.drafts.get(a_post(site).id)
    with pytest.raises(NotFound, match="no post"):
        site.posts.get(a_draft(site).id)


VERBS: dict[str, Callable[[Any, str], object]] = {
    "move": lambda kind, asked: kind.update(asked, {"category_id": "c002"}, version=None),
    "delete": lambda kind, asked: kind.delete(asked),
}


@BOTH
@pytest.mark.parametrize("verb", VERBS)
def test_a_program_that_ends_in_the_middle_has_done_all_or_nothing(
    site: Site, store: Store, meddling: Meddling, make: Make, verb: str
) -> None:
    article, kind = make(site), kind_of(site, make)
    before = items(store)

    def die() -> None:
        raise Killed

    meddling.before(TRANSACTION, die)
    with pytest.raises(Killed):
        VERBS[verb](kind, article.id)
    assert items(store) == before
    meddling.dies_after(TRANSACTION)
    with pytest.raises(Killed):
        VERBS[verb](kind, article.id)
    if verb == "delete":
        with pytest.raises(NotFound):
            kind.get(article.id)
        assert pointers(store) == {}
    else:
        assert kind.get(article.id).category_id == "c002"


def _move_away(kind: Any, asked: str) -> None:
    kind.update(asked, {"category_id": "c002"}, version=None)


def _scribble(store: Store, article: Post | Draft, **texts: str) -> None:
    for name, text in texts.items():
        request = {
            "TableName": "FMWebAppTable",
            "Key": article.key.item,
            "UpdateExpression": f"SET {name} = :v",
            "ExpressionAttributeValues": {":v": {"S": text}},
        }
        store.calls.driver.call("UpdateItem", request)
