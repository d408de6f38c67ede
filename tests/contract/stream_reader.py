"""Reading a table's stream in tests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .shapes import plain
from .tables import Table

__all__ = ["VIEW_TYPES", "StreamReader", "stream_of"]

VIEW_TYPES = ("KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES")


@dataclass(frozen=True)
class StreamReader:
    """One stream, read from its only shard."""

    streams: Any
    arn: str

    def describe(self) -> dict[str, Any]:
        """The stream's description."""
        answer: dict[str, Any] = self.streams.describe_stream(StreamArn=self.arn)
        return answer["StreamDescription"]  # type: ignore[no-any-return]

    @property
    def shard(self) -> str:
        """The shard's id."""
        (shard,) = self.describe()["Shards"]
        return str(shard["ShardId"])

    def iterator(
        self, kind: str = "TRIM_HORIZON", number: str | None = None, **members: Any
    ) -> str:
        """An iterator that begins at a place of the shard."""
        if number is not None:
            members["SequenceNumber"] = number
        answer = self.streams.get_shard_iterator(
            StreamArn=self.arn, ShardId=self.shard, ShardIteratorType=kind, **members
        )
        return str(answer["ShardIterator"])

    def pages(self, iterator: str | None = None, **members: Any) -> Iterator[dict[str, Any]]:
        """The answers of GetRecords, until one has no records or the shard is at its end."""
        following: str | None = iterator or self.iterator()
        while following is not None:
            page = self.streams.get_records(ShardIterator=following, **members)
            yield page
            following = page.get("NextShardIterator") if page["Records"] else None

    def records(self, iterator: str | None = None, **members: Any) -> list[dict[str, Any]]:
        """All records from an iterator on; without one, from the oldest."""
        return [record for page in self.pages(iterator, **members) for record in page["Records"]]

    def changes(self) -> list[tuple[Any, ...]]:
        """The name of each event, the keys, and the images that it shows, as plain values."""
        return [
            (
                record["eventName"],
                *(
                    plain(record["dynamodb"][part]) if part in record["dynamodb"] else None
                    for part in ("Keys", "OldImage", "NewImage")
                ),
            )
            for record in self.records()
        ]


def stream_of(table: Table, streams: Any) -> StreamReader:
    """The newest stream of a table."""
    return StreamReader(streams, table.describe_table()["Table"]["LatestStreamArn"])
