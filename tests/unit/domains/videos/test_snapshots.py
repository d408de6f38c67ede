from __future__ import annotations

from datetime import timedelta

from gotgan.clock import FixedClock
from gotgan.domains.videos import messages, snapshots
from gotgan.domains.videos.models import Comment, Material, Video
from gotgan.messages import render
from gotgan.sql import Database
from tests.unit.domains.videos.made import VIDEO, a_material


def save(database: Database, material: Material, clock: FixedClock) -> str:
    with database.begin() as connection:
        return snapshots.save(connection, material, clock.now())


def test_what_was_collected_comes_back_as_it_was(database: Database, clock: FixedClock) -> None:
    material = a_material(problem="failed", warnings=("some pages did not come",))
    snapshot_id = save(database, material, clock)
    with database.read() as connection:
        assert snapshots.load(connection, snapshot_id, clock.now()) == material
        head = snapshots.head(connection, snapshot_id, clock.now())
    assert head is not None
    assert (head.video, head.comment_sample_count) == (material.video, 3)
    assert head.expires_at == clock.now() + timedelta(days=30)


def test_a_warning_is_kept_as_a_message(database: Database, clock: FixedClock) -> None:
    snapshot_id = save(database, a_material(warnings=(messages.NO_CHANNEL(),)), clock)
    with database.read() as connection:
        material = snapshots.load(connection, snapshot_id, clock.now())
    assert material is not None
    assert [render(each, "ko") for each in material.warnings] == [
        "YouTube에서 채널 정보를 받지 못했습니다."
    ]


def test_what_is_hidden_stays_unknown(database: Database, clock: FixedClock) -> None:
    material = Material(Video(VIDEO, "t"), sampling="all")
    snapshot_id = save(database, material, clock)
    with database.read() as connection:
        assert snapshots.load(connection, snapshot_id, clock.now()) == material


def test_text_that_a_database_cannot_hold_is_kept_as_far_as_it_can(
    database: Database, clock: FixedClock
) -> None:
    odd = Comment("c1", "a\0b\ud800c \U0001f600")
    snapshot_id = save(database, a_material(comments=(odd,)), clock)
    with database.read() as connection:
        quoted = snapshots.comments_by_id(connection, snapshot_id, ["c1", "c2"])
    assert {name: each.text for name, each in quoted.items()} == {"c1": "ab?c \U0001f600"}


def test_the_latest_collection_counts_and_the_latest_of_a_source(
    database: Database, clock: FixedClock
) -> None:
    first = save(database, a_material(source="import"), clock)
    clock.advance(timedelta(hours=1))
    second = save(database, a_material(), clock)
    with database.read() as connection:
        latest = snapshots.latest(connection, VIDEO, clock.now())
        imported = snapshots.latest(connection, VIDEO, clock.now(), source="import")
        assert snapshots.latest(connection, "xxxxxxxxxxx", clock.now()) is None
    assert latest is not None
    assert imported is not None
    assert (latest.snapshot_id, imported.snapshot_id) == (second, first)


def test_after_thirty_days_all_of_it_is_forgotten(database: Database, clock: FixedClock) -> None:
    old = save(database, a_material(), clock)
    clock.advance(timedelta(days=29))
    new = save(database, a_material(), clock)
    clock.advance(timedelta(days=1))
    with database.begin() as connection:
        assert snapshots.purge(connection, clock.now(), 100) == 1
        assert snapshots.load(connection, old, clock.now()) is None
        assert snapshots.comments_by_id(connection, old, ["c0"]) == {}
        assert snapshots.channel(connection, old) is None
        assert snapshots.load(connection, new, clock.now()) == a_material()


def test_what_is_over_is_not_given_before_it_is_purged(
    database: Database, clock: FixedClock
) -> None:
    save(database, a_material(), clock)
    clock.advance(timedelta(days=30))
    with database.read() as connection:
        assert snapshots.latest(connection, VIDEO, clock.now()) is None


def test_all_of_one_video_can_be_forgotten(database: Database, clock: FixedClock) -> None:
    gone = [save(database, a_material(), clock) for _ in range(2)]
    kept = save(database, a_material("lmnopqrstuv"), clock)
    with database.begin() as connection:
        assert snapshots.delete_video(connection, VIDEO) == 2
        assert [snapshots.load(connection, each, clock.now()) for each in gone] == [None, None]
        assert snapshots.comments_by_id(connection, gone[0], ["c0"]) == {}
        assert snapshots.load(connection, kept, clock.now()) is not None
