"""Following a table's changes: on the engine, over HTTP, and across AWS's shards."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.errors import UsageError
from gotgan.store.data.follow import ItemChange, StreamFollower, enabled_stream
from gotgan.store.drivers import Driver
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Client, Engine
from gotgan.store.engine.faults import ExpiredIteratorException, TrimmedDataAccessException
from gotgan.store.engine.http import background_server
from tests.contract.shapes import item
from tests.contract.tables import Table, create_table

NOON = datetime(2025, 6, 1, 12, tzinfo=UTC)


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOON)


@pytest.fixture
def engine(clock: FixedClock) -> Iterator[Engine]:
    with Engine(None, clock=clock) as engine:
        yield engine


@pytest.fixture
def table(engine: Engine) -> Table:
    return create_table(Client(engine))


@pytest.fixture(params=["embedded", "over HTTP"])
def driver(
    request: pytest.FixtureRequest, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Driver]:
    if request.param == "embedded":
        yield Embedded(engine)
        return
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    with background_server(engine) as url:
        aws = Aws(url, "eu-west-1")
        yield aws
        aws.close()


def _seen(changes: list[ItemChange]) -> list[tuple[str, str]]:
    return [(change.event, change.keys["pk"]["S"]) for change in changes]


def test_a_table_without_a_stream_is_refused_or_gets_one(driver: Driver, table: Table) -> None:
    with pytest.raises(UsageError, match="has no stream"):
        enabled_stream(driver, table.name)
    arn = enabled_stream(driver, table.name, enable=True)
    assert arn == table.describe_table()["Table"]["LatestStreamArn"]
    assert enabled_stream(driver, table.name, enable=True) == arn
    with pytest.raises(UsageError, match="There is no table nothing"):
        enabled_stream(driver, "nothing", enable=True)


def test_changes_are_read_from_the_start_or_from_now(driver: Driver, table: Table) -> None:
    arn = enabled_stream(driver, table.name, enable=True)
    table.put(pk="a", n=1)
    later, whole = StreamFollower(driver, arn), StreamFollower(driver, arn, from_start=True)
    table.put(pk="a", n=2)
    table.delete_item(Key=item(pk="a"))
    assert _seen(later.read()) == [("MODIFY", "a"), ("REMOVE", "a")]
    changes = whole.read()
    assert _seen(changes) == [("INSERT", "a"), ("MODIFY", "a"), ("REMOVE", "a")]
    assert changes[1].old == item(pk="a", n=1)
    assert changes[1].new == item(pk="a", n=2)
    assert {change.at for change in changes} == {NOON}
    assert not whole.has_ended
    assert whole.read() == []


def test_it_ends_with_the_stream(driver: Driver, table: Table) -> None:
    follower = StreamFollower(driver, enabled_stream(driver, table.name, enable=True))
    table.put(pk="a")
    table.update_table(StreamSpecification={"StreamEnabled": False})
    seen: list[ItemChange] = []
    while not follower.has_ended:
        seen += follower.read()
    assert _seen(seen) == [("INSERT", "a")]


def test_it_goes_on_after_a_long_pause(driver: Driver, table: Table, clock: FixedClock) -> None:
    follower = StreamFollower(driver, enabled_stream(driver, table.name, enable=True))
    table.put(pk="a")
    assert _seen(follower.read()) == [("INSERT", "a")]
    table.put(pk="b")
    clock.advance(timedelta(minutes=20))
    assert _seen([*follower.read(), *follower.read()]) == [("INSERT", "b")]


def test_it_goes_on_with_what_is_left_after_more_than_a_day(
    driver: Driver, table: Table, clock: FixedClock
) -> None:
    follower = StreamFollower(driver, enabled_stream(driver, table.name, enable=True))
    table.put(pk="a")
    follower.read()
    table.put(pk="gone")
    clock.advance(timedelta(hours=25))
    table.put(pk="kept")
    assert _seen([*follower.read(), *follower.read()]) == [("INSERT", "kept")]


class ShardedStream:
    """A stream with shards as AWS has them, whose records a test adds one by one."""

    name = "sharded"
    parallel = 1

    def __init__(self) -> None:
        self.parents: dict[str, str | None] = {}
        self.records: dict[str, list[str]] = {}
        self.closed: set[str] = set()
        self.enabled = True
        self.faults: list[Exception] = []

    def open(self, shard: str, parent: str | None = None) -> None:
        """Add a shard; its parent is closed."""
        self.parents[shard] = parent
        self.records[shard] = []
        if parent is not None:
            self.closed.add(parent)

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Answer as DynamoDB Streams does, with one shard to a page."""
        if operation == "DescribeStream":
            return {"StreamDescription": self._describe(request.get("ExclusiveStartShardId"))}
        if operation == "GetShardIterator":
            shard = request["ShardId"]
            match request["ShardIteratorType"]:
                case "LATEST":
                    place = len(self.records[shard])
                case "TRIM_HORIZON":
                    place = 0
                case _:
                    place = int(request["SequenceNumber"]) + 1
            return {"ShardIterator": f"{shard} {place}"}
        if self.faults:
            raise self.faults.pop()
        shard, _, place = request["ShardIterator"].partition(" ")
        keys = self.records[shard][int(place) :][:2]
        records = [_record(int(place) + n, key) for n, key in enumerate(keys)]
        following = int(place) + len(keys)
        if shard in self.closed and following == len(self.records[shard]):
            return {"Records": records}
        return {"Records": records, "NextShardIterator": f"{shard} {following}"}

    def _describe(self, start: str | None) -> dict[str, Any]:
        names = sorted(self.parents)
        name = next(name for name in names if start is None or name > start)
        numbers = {"StartingSequenceNumber": "0"}
        if name in self.closed:
            numbers["EndingSequenceNumber"] = str(len(self.records[name]))
        shard: dict[str, Any] = {"ShardId": name, "SequenceNumberRange": numbers}
        if parent := self.parents[name]:
            shard["ParentShardId"] = parent
        status = "ENABLED" if self.enabled else "DISABLED"
        description: dict[str, Any] = {"Shards": [shard], "StreamStatus": status}
        if name != names[-1]:
            description["LastEvaluatedShardId"] = name
        return description

    def close(self) -> None:
        """Hold nothing open."""


def _record(number: int, key: str) -> dict[str, Any]:
    change = {
        "ApproximateCreationDateTime": NOON,
        "Keys": {"pk": {"S": key}},
        "SequenceNumber": str(number),
    }
    return {"eventName": "INSERT", "dynamodb": change}


def _read_all(follower: StreamFollower, rounds: int = 10) -> list[str]:
    return [
        change.keys["pk"]["S"]
        for _ in range(rounds)
        if not follower.has_ended
        for change in follower.read()
    ]


@pytest.fixture
def sharded() -> ShardedStream:
    """A shard with two children, one of which has a child."""
    stream = ShardedStream()
    stream.open("s3")
    stream.open("s1", parent="s3")  # names do not tell which is older
    stream.open("s2", parent="s3")
    stream.open("s4", parent="s1")
    for shard in ("s3", "s1", "s2", "s4"):
        stream.records[shard] = [f"{shard} {n}" for n in range(3)]
    return stream


def test_parents_are_read_before_their_children(sharded: ShardedStream) -> None:
    read = _read_all(StreamFollower(sharded, "arn", from_start=True))
    assert sorted(read) == sorted(key for keys in sharded.records.values() for key in keys)
    for before, after in (("s3", "s1"), ("s3", "s2"), ("s1", "s4")):
        assert read.index(f"{before} 2") < read.index(f"{after} 0")


def test_from_now_on_the_open_shards_are_read(sharded: ShardedStream) -> None:
    follower = StreamFollower(sharded, "arn")
    sharded.records["s2"].append("new in s2")
    sharded.records["s4"].append("new in s4")
    assert _read_all(follower) == ["new in s2", "new in s4"]


def test_a_shard_that_is_divided_is_followed(sharded: ShardedStream) -> None:
    follower = StreamFollower(sharded, "arn")
    follower.read()
    sharded.records["s4"].append("last of s4")
    sharded.open("s5", parent="s4")
    sharded.open("s6", parent="s4")
    sharded.records["s5"].append("first of s5")
    sharded.records["s6"].append("first of s6")
    assert _read_all(follower) == ["last of s4", "first of s5", "first of s6"]


def test_a_child_that_is_listed_late_is_found(sharded: ShardedStream) -> None:
    follower = StreamFollower(sharded, "arn")
    sharded.closed |= {"s2", "s4"}
    assert _read_all(follower) == []
    assert not follower.has_ended
    sharded.open("s7", parent="s4")
    sharded.records["s7"].append("late")
    assert _read_all(follower) == ["late"]
    sharded.closed.add("s7")
    sharded.enabled = False
    assert _read_all(follower) == []
    assert follower.has_ended


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (ExpiredIteratorException("expired"), ["two"]),
        (TrimmedDataAccessException("trimmed"), ["one", "two"]),
    ],
)
def test_an_iterator_that_cannot_be_used_is_replaced(fault: Exception, expected: list[str]) -> None:
    stream = ShardedStream()
    stream.open("s1")
    follower = StreamFollower(stream, "arn")
    stream.records["s1"].append("one")
    assert _read_all(follower) == ["one"]
    stream.records["s1"].append("two")
    stream.faults.append(fault)
    assert _read_all(follower) == expected
