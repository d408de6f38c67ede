"""Streams over time: expiry, trimming, timestamps, expired iterators, and restarts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.store.engine import Client, Engine, StreamsClient, connect
from gotgan.store.engine.faults import (
    ExpiredIteratorException,
    ResourceNotFoundException,
    TrimmedDataAccessException,
    ValidationException,
)
from gotgan.store.engine.streams import RETENTION_S
from tests.contract.shapes import item
from tests.contract.stream_reader import StreamReader, stream_of
from tests.contract.tables import Table, create_table

ENABLED: dict[str, Any] = {
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
}
DISABLED: dict[str, Any] = {"StreamSpecification": {"StreamEnabled": False}}
NOON = datetime(2025, 6, 1, 12, tzinfo=UTC)
RETENTION = timedelta(seconds=RETENTION_S)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def engine(clock: FixedClock) -> Iterator[Engine]:
    with Engine(None, clock=clock) as engine:
        yield engine


@pytest.fixture
def table(engine: Engine) -> Table:
    return create_table(Client(engine), **ENABLED)


@pytest.fixture
def stream(engine: Engine, table: Table) -> StreamReader:
    return stream_of(table, StreamsClient(engine))


def _keys(stream: StreamReader) -> list[str]:
    return [keys["pk"] for _, keys, *_ in stream.changes()]


def _tables(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}


def test_a_record_names_the_service_that_expired_an_item(
    engine: Engine, table: Table, stream: StreamReader
) -> None:
    expiry = {"AttributeName": "expires", "Enabled": True}
    table.update_time_to_live(TimeToLiveSpecification=expiry)
    past = int(NOON.timestamp()) - 10
    for key in ("a", "b"):
        table.put(pk=key, expires=past)
    table.delete_item(Key=item(pk="a"))
    assert engine.sweep() == 1
    *_, by_request, by_service = stream.records()
    assert (by_request["eventName"], by_service["eventName"]) == ("REMOVE", "REMOVE")
    assert "userIdentity" not in by_request
    assert by_service["userIdentity"] == {
        "Type": "Service",
        "PrincipalId": "dynamodb.amazonaws.com",
    }
    assert by_service["dynamodb"]["OldImage"] == item(pk="b", expires=past)


def test_a_record_has_the_time_of_its_write(
    clock: FixedClock, table: Table, stream: StreamReader
) -> None:
    clock.advance(timedelta(minutes=5, milliseconds=700))
    table.put(pk="a")
    (record,) = stream.records()
    moment = record["dynamodb"]["ApproximateCreationDateTime"]
    assert moment == NOON + timedelta(minutes=5)


def test_records_are_hidden_after_24_hours_and_removed_by_the_sweep(
    tmp_path: Path, clock: FixedClock
) -> None:
    path = tmp_path / "store.db"
    with Engine(path, clock=clock) as engine:
        table = create_table(Client(engine), **ENABLED)
        stream = stream_of(table, StreamsClient(engine))
        for n in range(3):
            table.put(pk=f"old {n}")
        clock.advance(timedelta(hours=1))
        table.put(pk="young")
        clock.advance(RETENTION - timedelta(hours=1))
        assert _keys(stream) == ["young"]
        assert _stored(path) == 4
        engine.sweep()
        assert _stored(path) == 1
        assert _keys(stream) == ["young"]
        clock.advance(timedelta(hours=1))
        engine.sweep()
        assert (_keys(stream), _stored(path)) == ([], 0)
        table.put(pk="next")
        (record,) = stream.records()
    assert record["dynamodb"]["SequenceNumber"].endswith("005")


def _stored(path: Path) -> int:
    (name,) = (name for name in _tables(path) if name.startswith("s") and name[1:].isdigit())
    with closing(sqlite3.connect(path)) as connection:
        count: int = connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0]
    return count


def test_more_records_than_a_batch_are_trimmed(tmp_path: Path, clock: FixedClock) -> None:
    path = tmp_path / "store.db"
    with Engine(path, clock=clock, synchronous="normal") as engine:
        table = create_table(Client(engine), **ENABLED)
        table.fill({"pk": f"k{n}"} for n in range(2100))
        clock.advance(RETENTION)
        table.put(pk="young")
        engine.sweep()
        assert _stored(path) == 1


def test_a_place_whose_records_are_gone_is_refused(
    clock: FixedClock, table: Table, stream: StreamReader
) -> None:
    for n in range(2):
        table.put(pk=f"k{n}")
    first, second = (each["dynamodb"]["SequenceNumber"] for each in stream.records())
    clock.advance(RETENTION - timedelta(minutes=1))
    table.put(pk="young")
    iterator = stream.iterator("AT_SEQUENCE_NUMBER", first)
    from_oldest = stream.iterator("TRIM_HORIZON")
    clock.advance(timedelta(minutes=1))
    for kind, number in (
        ("AT_SEQUENCE_NUMBER", first),
        ("AT_SEQUENCE_NUMBER", second),
        ("AFTER_SEQUENCE_NUMBER", first),
    ):
        with pytest.raises(TrimmedDataAccessException):
            stream.iterator(kind, number)
    with pytest.raises(TrimmedDataAccessException):
        stream.records(iterator)
    for place in (from_oldest, stream.iterator("AFTER_SEQUENCE_NUMBER", second)):
        (record,) = stream.records(place)
        assert record["dynamodb"]["Keys"] == item(pk="young")


def test_a_timestamp_selects_the_first_record_at_or_after_it(
    clock: FixedClock, table: Table, stream: StreamReader
) -> None:
    for key in ("a", "b", "c"):
        table.put(pk=key)
        clock.advance(timedelta(milliseconds=480))
    second = NOON + timedelta(milliseconds=480)
    for moment, keys in (
        (NOON, ["a", "b", "c"]),
        (NOON + timedelta(milliseconds=1), ["b", "c"]),
        (second, ["b", "c"]),
        (second.timestamp(), ["b", "c"]),
        (second + timedelta(milliseconds=1), ["c"]),
        (clock.now(), []),
    ):
        records = stream.records(stream.iterator("AT_TIMESTAMP", Timestamp=moment))
        assert [record["dynamodb"]["Keys"]["pk"]["S"] for record in records] == keys
    with pytest.raises(ValidationException):
        stream.iterator("AT_TIMESTAMP", Timestamp=clock.now() + timedelta(milliseconds=1))


def test_a_timestamp_before_the_oldest_record_selects_that_record(
    clock: FixedClock, table: Table, stream: StreamReader
) -> None:
    table.put(pk="old")
    clock.advance(RETENTION)
    table.put(pk="young")
    (record,) = stream.records(stream.iterator("AT_TIMESTAMP", Timestamp=NOON))
    assert record["dynamodb"]["Keys"] == item(pk="young")


def test_an_iterator_is_valid_for_15_minutes(
    clock: FixedClock, table: Table, stream: StreamReader
) -> None:
    table.put(pk="a")
    iterator = stream.iterator()
    clock.advance(timedelta(minutes=15) - timedelta(seconds=1))
    (page, _) = stream.pages(iterator)
    clock.advance(timedelta(seconds=1))
    with pytest.raises(ExpiredIteratorException):
        stream.records(iterator)
    assert stream.records(page["NextShardIterator"]) == []


def test_a_place_behind_the_end_is_refused(table: Table, stream: StreamReader) -> None:
    table.put(pk="a")
    (record,) = stream.records()
    number = str(int(record["dynamodb"]["SequenceNumber"]) + 1)
    assert stream.records(stream.iterator("AT_SEQUENCE_NUMBER", number)) == []
    with pytest.raises(ValidationException):
        stream.iterator("AFTER_SEQUENCE_NUMBER", number)


@pytest.mark.parametrize("ends", ["disabled", "deleted"])
def test_a_stream_that_ended_is_kept_for_24_hours(
    tmp_path: Path, clock: FixedClock, ends: str
) -> None:
    path = tmp_path / "store.db"
    with Engine(path, clock=clock) as engine:
        table = create_table(Client(engine), **ENABLED)
        streams = StreamsClient(engine)
        stream = stream_of(table, streams)
        clock.advance(timedelta(hours=1))
        table.put(pk="a")
        if ends == "disabled":
            table.update_table(**DISABLED)
        else:
            table.delete_table()
        clock.advance(RETENTION - timedelta(seconds=1))
        engine.sweep()
        assert _keys(stream) == ["a"]
        clock.advance(timedelta(seconds=1))
        with pytest.raises(ResourceNotFoundException):
            stream.describe()
        assert streams.list_streams()["Streams"] == []
        engine.sweep()
        assert not [name for name in _tables(path) if name[0] == "s" and name[1:].isdigit()]
        if ends == "disabled":
            assert table.describe_table()["Table"]["LatestStreamArn"] == stream.arn
            table.update_table(**ENABLED)
            table.put(pk="b")
            assert _keys(stream_of(table, streams)) == ["b"]


def test_streams_that_begin_at_the_same_moment_have_labels_of_their_own(
    engine: Engine, table: Table, stream: StreamReader
) -> None:
    table.update_table(**DISABLED)
    table.update_table(**ENABLED)
    assert stream_of(table, StreamsClient(engine)).arn != stream.arn
    assert stream.describe()["StreamLabel"] == "2025-06-01T12:00:00.000"


def test_sequence_numbers_and_iterators_survive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with connect(path) as client:
        table = create_table(client, **ENABLED)
        stream = stream_of(table, StreamsClient(client.engine))
        table.put(pk="a")
        *_, page = stream.pages()
        before = stream.records()
    with connect(path) as client:
        Table(client, table.name).put(pk="b")
        again = StreamReader(StreamsClient(client.engine), stream.arn)
        (record,) = again.records(page["NextShardIterator"])
        assert record["dynamodb"]["Keys"] == item(pk="b")
        assert again.records()[:1] == before
    assert record["dynamodb"]["SequenceNumber"] > before[0]["dynamodb"]["SequenceNumber"]


def test_a_batch_of_the_engine_makes_records_or_none(
    engine: Engine, table: Table, stream: StreamReader
) -> None:
    def fail() -> None:
        with engine.batch():
            table.put(pk="a")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert stream.records() == []
    with engine.batch():
        table.put(pk="b")
        table.put(pk="c")
    assert _keys(stream) == ["b", "c"]


def test_a_file_of_the_first_format_gets_streams(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with connect(path) as client:
        create_table(client, name="goods").put(pk="a")
    with closing(sqlite3.connect(path)) as connection:  # as format 1 had it
        connection.execute("DROP TABLE streams")
        connection.execute("UPDATE catalog SET definition = json_remove(definition, '$.stream')")
        connection.execute("PRAGMA user_version=1")
        connection.commit()
    with connect(path) as client:
        table = Table(client, "goods")
        assert table.get(pk="a") == {"pk": "a"}
        table.update_table(**ENABLED)
        table.put(pk="b")
        assert _keys(stream_of(table, StreamsClient(client.engine))) == ["b"]


def test_a_table_without_a_stream_has_no_triggers(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with connect(path) as client:
        table = create_table(client, **ENABLED)
        create_table(client)
        assert _trigger_count(path) == 3
        table.update_table(**DISABLED)
        assert _trigger_count(path) == 0


def _trigger_count(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        sql = "SELECT count(*) FROM sqlite_master WHERE type='trigger'"
        count: int = connection.execute(sql).fetchone()[0]
    return count
