"""Data sets of the videos: collected comments with their labels, and the results of analyses.

Comments are exported while they may be stored. After thirty days the next export deletes them from
its files too. Authors are keyed hashes, as in the database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select

from gotgan.domains.videos import results, snapshots, tables
from gotgan.domains.videos.metrics.measure import measure
from gotgan.domains.videos.metrics.morphemes import score_version
from gotgan.domains.videos.reports import VideoResult
from gotgan.exports.data_sets import Column, DataSet, ExportSpan, Partition, Row, digest
from gotgan.plain_json import to_json

if TYPE_CHECKING:
    from gotgan.clock import Clock
    from gotgan.domain import Core
    from gotgan.sql import Database

_COMMENT_COLUMNS: Final = (
    Column("video_id"),
    Column("snapshot_id"),
    Column("collected_at", "moment"),
    Column("source"),
    Column("comment_id"),
    Column("parent_id"),
    Column("author_hash"),
    Column("published_at", "moment"),
    Column("updated_at", "moment"),
    Column("likes", "integer"),
    Column("label"),
    Column("text"),
)
_RESULT_COLUMNS: Final = (
    Column("id"),
    Column("job_id"),
    Column("video_id"),
    Column("created_at", "moment"),
    Column("expires_at", "moment"),
    Column("analysis_version"),
    Column("model"),
    Column("analysis_basis", "texts"),
    Column("comment_sample_count", "integer"),
    Column("positive", "number"),
    Column("neutral", "number"),
    Column("negative", "number"),
    Column("net", "number"),
    Column("spam", "integer"),
    Column("keywords", "texts"),
    Column("topics", "texts"),
    Column("major_reactions"),
    Column("positive_points"),
    Column("weak_points"),
    Column("recommended_keywords", "texts"),
    Column("warnings", "texts"),
    Column("units", "integer"),
    Column("input_tokens", "integer"),
    Column("output_tokens", "integer"),
    Column("cost_usd", "number"),
    Column("document"),
)


def data_sets(core: Core) -> tuple[DataSet, ...]:
    """The data sets of the videos."""
    return videos_data_sets(core.database, core.clock)


def videos_data_sets(database: Database, clock: Clock) -> tuple[DataSet, ...]:
    """The same, on a database."""
    return (
        DataSet(
            "comments",
            _COMMENT_COLUMNS,
            partial(_comment_partitions, database, clock),
            forgets=True,
        ),
        DataSet("results", _RESULT_COLUMNS, partial(_result_partitions, database), forgets=True),
    )


# Comments


def _comment_partitions(database: Database, clock: Clock, span: ExportSpan) -> Iterator[Partition]:
    """The UTC days of collections that may be stored still."""
    table = tables.VIDEO_SNAPSHOTS.c
    query = select(table.snapshot_at, table.snapshot_id).order_by(table.snapshot_id)
    query = query.where(table.expires_at > clock.now(), table.comment_sample_count > 0)
    for day, ids in _by_day(database, query, span):
        version = digest([score_version(), *ids])
        yield Partition(str(day), version, partial(_comment_rows, database, clock, ids))


def _comment_rows(database: Database, clock: Clock, ids: Sequence[str]) -> Iterator[Row]:
    for snapshot_id in ids:
        with database.read() as connection:
            head = snapshots.head(connection, snapshot_id, clock.now())
            material = snapshots.load(connection, snapshot_id, clock.now())
        if head is None or material is None:  # its thirty days are over
            continue
        labels = measure(material).labels
        for each in material.comments:
            yield (
                *(head.video.video_id, snapshot_id, head.snapshot_at, head.source),
                *(each.comment_id, each.parent_id, each.author),
                *(each.published_at, each.updated_at, each.likes),
                *(labels.get(each.comment_id), each.text),
            )


# Results


def _result_partitions(database: Database, span: ExportSpan) -> Iterator[Partition]:
    """The UTC days of results, which never change."""
    table = tables.ANALYSIS_RESULTS.c
    query = select(table.created_at, table.id).order_by(table.id)
    for day, ids in _by_day(database, query, span):
        yield Partition(str(day), digest(ids), partial(_result_rows, database, ids))


def _result_rows(database: Database, ids: Sequence[str]) -> Iterator[Row]:
    for result_id in ids:
        with database.read() as connection:
            result = results.get(connection, result_id)
        if result is not None:
            yield _result_values(result)


def _result_values(result: VideoResult) -> Row:
    document, usage = result.document, result.usage
    sentiment: Mapping[str, Any] = document["sentiment"] or {}
    shares, summary = sentiment.get("shares", {}), document["summary"]
    return (
        *(result.id, result.saved_job_id, result.video_id, result.created_at, result.expires_at),
        *(result.analysis_version, result.model_name, result.analysis_basis),
        result.comment_sample_count,
        *(shares.get(label) for label in ("positive", "neutral", "negative")),
        *(sentiment.get("net"), document["spam"]),
        [each["word"] for each in document["keywords"]],
        [each["label"] for each in document["topics"]],
        *(summary[name] for name in ("majorReactions", "positivePoints", "weakPoints")),
        document["recommendedKeywords"],
        [str(each) for each in document["meta"]["warnings"]],
        *(usage.units, usage.input_tokens, usage.output_tokens, usage.cost_usd),
        to_json(document).decode(),
    )


def _by_day(database: Database, query: Any, span: ExportSpan) -> Iterator[tuple[date, list[str]]]:
    """Ids by their UTC day, of a query of times and ids."""
    days: defaultdict[date, list[str]] = defaultdict(list)
    with database.read() as connection:
        for moment, each in connection.execute(query):
            days[moment.astimezone(UTC).date()].append(each)
    return ((day, ids) for day, ids in sorted(days.items()) if day in span)
