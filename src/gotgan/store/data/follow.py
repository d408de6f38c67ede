"""Reads the changes of a table from its stream: shard by shard, parents before children."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from gotgan.errors import UsageError
from gotgan.events import emit
from gotgan.store import messages as store_messages
from gotgan.store.attributes import Item
from gotgan.store.data import messages
from gotgan.store.drivers import Driver
from gotgan.store.engine.faults import ExpiredIteratorException, TrimmedDataAccessException
from gotgan.store.outputs.live import TableWait, await_active, describe_table

_VIEW_TYPE: Final = "NEW_AND_OLD_IMAGES"
_DEFAULT_WAIT: Final = TableWait()


@dataclass(frozen=True)
class ItemChange:
    """What happened to one item; which images there are is up to the stream."""

    event: str
    at: datetime
    keys: Item
    old: Item | None
    new: Item | None
    sequence: str
    expired: bool
    """Whether time to live removed it."""

    @classmethod
    def parse(cls, record: Mapping[str, Any]) -> ItemChange:
        """Read a record of a stream."""
        change = record["dynamodb"]
        return cls(
            record["eventName"],
            change["ApproximateCreationDateTime"],
            change["Keys"],
            change.get("OldImage"),
            change.get("NewImage"),
            change["SequenceNumber"],
            (record.get("userIdentity") or {}).get("Type") == "Service",
        )


def enabled_stream(
    driver: Driver, table: str, *, enable: bool = False, patience: TableWait = _DEFAULT_WAIT
) -> str:
    """The ARN of a table's stream; ``enable`` starts one where there is none."""
    description = describe_table(driver, table)
    if description is None:
        raise UsageError(store_messages.NO_TABLE(table=table, database=driver.name))
    if not (description.get("StreamSpecification") or {}).get("StreamEnabled"):
        if not enable:
            raise UsageError(messages.NO_STREAM(table=table))
        wanted = {"StreamEnabled": True, "StreamViewType": _VIEW_TYPE}
        driver.call("UpdateTable", {"TableName": table, "StreamSpecification": wanted})
        description = await_active(driver, table, patience)
    arn: str = description["LatestStreamArn"]
    return arn


@dataclass
class _Shard:
    """A shard that is being read."""

    id: str
    iterator: str | None
    last: str | None = None
    """The number of the last record that was read."""


class StreamFollower:
    """Reads a stream on and on, from its oldest record or from now."""

    def __init__(self, driver: Driver, arn: str, *, from_start: bool = False) -> None:
        """Find the shards; with ``from_start=False`` only what happens from now on is read."""
        self._driver = driver
        self._arn = arn
        self._is_enabled = True
        self._reading: dict[str, _Shard] = {}
        self._finished: set[str] = set()
        self._childless: set[str] = set()
        for shard in self._describe():
            if from_start:
                continue
            if "EndingSequenceNumber" in shard["SequenceNumberRange"]:
                self._finished.add(shard["ShardId"])
            else:
                self._begin(shard["ShardId"], "LATEST")
        self._begin_children()

    @property
    def has_ended(self) -> bool:
        """Whether the stream was disabled and everything in it has been read."""
        return not self._reading and not self._is_enabled

    def read(self) -> list[ItemChange]:
        """The changes since the last call, at most one page of each shard."""
        if self._childless or not self._reading:
            self._begin_children()
        return [change for shard in [*self._reading.values()] for change in self._read(shard)]

    def _read(self, shard: _Shard) -> Iterator[ItemChange]:
        try:
            page = self._driver.call("GetRecords", {"ShardIterator": shard.iterator})
        except ExpiredIteratorException:  # nothing was read for 15 minutes
            kind = "AFTER_SEQUENCE_NUMBER" if shard.last else "LATEST"
            self._renew(shard, kind, lost=shard.last is None)
            return
        except TrimmedDataAccessException:
            self._renew(shard, "TRIM_HORIZON", lost=True)
            return
        for record in page["Records"]:
            change = ItemChange.parse(record)
            shard.last = change.sequence
            yield change
        shard.iterator = page.get("NextShardIterator")
        if shard.iterator is None:
            del self._reading[shard.id]
            self._finished.add(shard.id)
            self._childless.add(shard.id)

    def _renew(self, shard: _Shard, kind: str, *, lost: bool) -> None:
        if lost:
            emit("stream.records_missed", level="warning", shard=shard.id)
        try:
            shard.iterator = self._iterator(shard.id, kind, shard.last)
        except TrimmedDataAccessException:
            self._renew(shard, "TRIM_HORIZON", lost=True)

    def _begin(self, shard: str, kind: str) -> None:
        self._reading[shard] = _Shard(shard, self._iterator(shard, kind))

    def _begin_children(self) -> None:
        """Begin with the shards whose parents have been read, or are gone."""
        shards = [*self._describe()]
        known = {shard["ShardId"] for shard in shards}
        self._childless -= {shard.get("ParentShardId") for shard in shards}
        if not self._is_enabled:
            self._childless.clear()
        for shard in shards:
            name, parent = shard["ShardId"], shard.get("ParentShardId")
            if name in self._reading or name in self._finished:
                continue
            if parent not in known or parent in self._finished:
                self._begin(name, "TRIM_HORIZON")

    def _describe(self) -> Iterator[dict[str, Any]]:
        request = {"StreamArn": self._arn}
        while True:
            found = self._driver.call("DescribeStream", request)["StreamDescription"]
            self._is_enabled = found["StreamStatus"] in {"ENABLING", "ENABLED"}
            yield from found["Shards"]
            if not found.get("LastEvaluatedShardId"):
                return
            request["ExclusiveStartShardId"] = found["LastEvaluatedShardId"]

    def _iterator(self, shard: str, kind: str, number: str | None = None) -> str:
        request = {"StreamArn": self._arn, "ShardId": shard, "ShardIteratorType": kind}
        if kind == "AFTER_SEQUENCE_NUMBER" and number is not None:
            request["SequenceNumber"] = number
        iterator: str = self._driver.call("GetShardIterator", request)["ShardIterator"]
        return iterator
