"""Comments and results as data sets."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

from gotgan.clock import FixedClock
from gotgan.domains.videos import results, snapshots
from gotgan.domains.videos.exports import videos_data_sets
from gotgan.exports import DataSet, ExportSpan, Partition
from gotgan.sql import Database
from tests.unit.domains.videos.made import VIDEO, a_job, a_material, a_result

OTHER = "bcdefghijkl"
ALL_DAYS = ExportSpan()


def data_set(database: Database, clock: FixedClock, name: str) -> DataSet:
    return next(each for each in videos_data_sets(database, clock) if each.name == name)


def partitions(
    database: Database, clock: FixedClock, name: str, span: ExportSpan = ALL_DAYS
) -> list[Partition]:
    return [*data_set(database, clock, name).partitions(span)]


def rows(database: Database, clock: FixedClock, name: str) -> list[dict[str, Any]]:
    columns = [each.name for each in data_set(database, clock, name).columns]
    return [
        dict(zip(columns, row, strict=True))
        for partition in partitions(database, clock, name)
        for row in partition.rows()
    ]


def collect(database: Database, clock: FixedClock, video: str = VIDEO) -> str:
    with database.begin() as connection:
        return snapshots.save(connection, a_material(video), clock.now())


def test_comments_are_exported_with_labels_and_keyed_authors(
    database: Database, clock: FixedClock
) -> None:
    snapshot = collect(database, clock)
    first, second, third = rows(database, clock, "comments")
    assert first == {
        "video_id": VIDEO,
        "snapshot_id": snapshot,
        "collected_at": clock.now(),
        "source": "youtube",
        "comment_id": "c0",
        "parent_id": None,
        "author_hash": "f" * 32,
        "published_at": first["published_at"],
        "updated_at": first["updated_at"],
        "likes": 0,
        "label": "positive",
        "text": "정말 재밌어요 ㅋㅋ",
    }
    assert (second["label"], third["likes"]) == ("negative", 2)


def test_comments_leave_the_export_after_thirty_days(database: Database, clock: FixedClock) -> None:
    collect(database, clock)
    [before] = partitions(database, clock, "comments")
    clock.advance(timedelta(minutes=1))
    collect(database, clock, OTHER)
    [both] = partitions(database, clock, "comments")
    assert before.value == both.value
    clock.advance(snapshots.RETENTION - timedelta(minutes=1))
    [after] = partitions(database, clock, "comments")
    assert len({before.version, both.version, after.version}) == 3
    assert {row["video_id"] for row in rows(database, clock, "comments")} == {OTHER}
    assert [*before.rows()] == []  # an export that started before the end of the thirty days
    clock.advance(timedelta(minutes=1))
    assert partitions(database, clock, "comments") == []
    assert data_set(database, clock, "comments").forgets


def test_results_are_exported_by_the_day_they_were_made(
    database: Database, clock: FixedClock
) -> None:
    made = [a_result(a_job(), now, job_id=f"job{day}") for day, now in _days(clock, 2)]
    with database.begin() as connection:
        for each in made:
            results.add(connection, each)
    found = partitions(database, clock, "results")
    days = [str(each.created_at.date()) for each in made]
    assert [each.value for each in found] == days
    only = ExportSpan(since=date.fromisoformat(days[1]))
    assert [each.value for each in partitions(database, clock, "results", only)] == days[1:]
    row = rows(database, clock, "results")[0]
    assert (row["id"], row["video_id"], row["units"]) == (made[0].id, VIDEO, 12)
    assert (row["net"], row["keywords"], row["analysis_basis"]) == (None, [], ("title",))
    assert json.loads(row["document"])["meta"]["analysisVersion"] == "v1"


def _days(clock: FixedClock, count: int) -> list[tuple[int, Any]]:
    return [(number, clock.now() + timedelta(days=number)) for number in range(count)]


def test_nothing_is_exported_before_a_video_is_collected(
    database: Database, clock: FixedClock
) -> None:
    assert partitions(database, clock, "comments") == []
    assert partitions(database, clock, "results") == []
