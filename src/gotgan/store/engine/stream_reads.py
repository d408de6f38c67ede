"""The API of DynamoDB Streams: ListStreams, DescribeStream, GetShardIterator, GetRecords.

A stream is one shard. It is open while the stream is enabled. A place in it is the number of a
record; an iterator has that number, and when it was made.
"""

from __future__ import annotations

import re
import sqlite3
import uuid
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

import orjson

from gotgan.store.engine.catalog import Context
from gotgan.store.engine.faults import (
    ExpiredIteratorException,
    ResourceNotFoundException,
    TrimmedDataAccessException,
    ValidationException,
)
from gotgan.store.engine.requests import ARN_PREFIX, table_name
from gotgan.store.engine.shapes import MAX_LISTED_STREAMS, MAX_RECORDS
from gotgan.store.engine.streams import (
    RETENTION_S,
    EngineStream,
    first_sequence,
    last_sequence,
    retained_streams,
    sequence_at,
)
from gotgan.store.engine.values import load_item, size_of_item

T = TypeVar("T")

MAX_RECORDS_BYTES: Final = 1 << 20
ITERATOR_LIFETIME_S: Final = 15 * 60
_FIRST_TEXT: Final = 10**20  # AWS's have at least 21 digits; all of ours have as many
_OLDEST: Final = 0  # before the first record: wherever the records begin when it is used
_STREAM_ARN: Final = re.compile(
    r"arn:[^:]+:dynamodb:[^:]*:[^:]*:table/([a-zA-Z0-9_.-]+)/stream/([^/|]+)"
)
_REGION: Final = ARN_PREFIX.split(":")[3]
_EVENT_NAMESPACE: Final = uuid.UUID("0e7f7a35-9d1c-4a86-8a0f-5c2f0d6a4b19")
_TTL_IDENTITY: Final = {"PrincipalId": "dynamodb.amazonaws.com", "Type": "Service"}
_SHOWS_OLD: Final = frozenset({"OLD_IMAGE", "NEW_AND_OLD_IMAGES"})
_SHOWS_NEW: Final = frozenset({"NEW_IMAGE", "NEW_AND_OLD_IMAGES"})


def list_streams(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """List the streams of one table or of all, disabled ones too."""
    limit = request.get("Limit", MAX_LISTED_STREAMS)
    name = table_name(request) if "TableName" in request else None
    start = request.get("ExclusiveStartStreamArn")
    after = ("", "") if start is None else _parse_arn(start)
    found = [
        stream
        for stream in _read(context, retained_streams)
        if name in (None, stream.table_name) and (stream.table_name, stream.label) > after
    ]
    answer: dict[str, Any] = {
        "Streams": [
            {
                "StreamArn": stream.arn,
                "TableName": stream.table_name,
                "StreamLabel": stream.label,
            }
            for stream in found[:limit]
        ]
    }
    if len(found) > limit:
        answer["LastEvaluatedStreamArn"] = found[limit - 1].arn
    return answer


def describe_stream(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Describe a stream and its shard."""
    arn = request["StreamArn"]
    start = request.get("ExclusiveStartShardId")

    def work(connection: sqlite3.Connection, now: float) -> dict[str, Any]:
        stream = _find(connection, arn, now)
        shards = [_describe_shard(connection, stream)]
        if request.get("ShardFilter"):
            shards = []  # it asks for the children of a shard, and there are none
        elif start is not None:
            shards = [shard for shard in shards if shard["ShardId"] > start]
        return _describe(stream, shards)

    return {"StreamDescription": _read(context, work)}


def _describe(stream: EngineStream, shards: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "StreamArn": stream.arn,
        "StreamLabel": stream.label,
        "StreamStatus": "ENABLED" if stream.disabled is None else "DISABLED",
        "StreamViewType": stream.view_type,
        "CreationRequestDateTime": datetime.fromtimestamp(stream.created, UTC),
        "TableName": stream.table_name,
        "KeySchema": [
            {"AttributeName": name, "KeyType": kind}
            for name, kind in zip(stream.key_names, ("HASH", "RANGE"), strict=False)
        ],
        "Shards": shards,
    }


def _describe_shard(connection: sqlite3.Connection, stream: EngineStream) -> dict[str, Any]:
    numbers = {"StartingSequenceNumber": _sequence_text(1)}
    if stream.disabled is not None:
        last = last_sequence(connection, stream.records)
        numbers["EndingSequenceNumber"] = _sequence_text(max(last, 1))
    return {"ShardId": _shard_id(stream), "SequenceNumberRange": numbers}


def get_shard_iterator(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Return an iterator that begins at a place of a shard."""
    arn, shard, kind = request["StreamArn"], request["ShardId"], request["ShardIteratorType"]
    given = request.get("SequenceNumber")
    by_number = kind.endswith("_SEQUENCE_NUMBER")
    number = _parse_sequence(given) if by_number else 0
    moment = _read_moment(request.get("Timestamp")) if kind == "AT_TIMESTAMP" else 0.0

    def work(connection: sqlite3.Connection, now: float) -> dict[str, Any]:
        stream = _find(connection, arn, now)
        if shard != _shard_id(stream):
            raise ResourceNotFoundException("Requested resource not found: Shard does not exist")
        following = last_sequence(connection, stream.records) + 1
        match kind:
            case "TRIM_HORIZON":
                place = _OLDEST
            case "LATEST":
                place = following
            case "AT_TIMESTAMP":
                place = _place_at(connection, stream, moment, now)
            case "AT_SEQUENCE_NUMBER":
                place = number
            case _:
                place = number + 1
        if by_number and not 1 <= place <= following:
            raise ValidationException(f"Invalid SequenceNumber: {given}")
        _check_retained(place, first_sequence(connection, stream, now))
        return {"ShardIterator": _Iterator(stream.number, place, now).to_text(stream.arn)}

    return _read(context, work)


def _place_at(
    connection: sqlite3.Connection, stream: EngineStream, moment: float, now: float
) -> int:
    """Return the place of the first record at or after a moment, or behind the last record."""
    if moment > now:
        raise ValidationException("Timestamp is in the future")
    if moment <= now - RETENTION_S:
        return _OLDEST
    return sequence_at(connection, stream, moment)


def get_records(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Return the records from an iterator's place on, and the iterator behind them."""
    limit, text = request.get("Limit", MAX_RECORDS), request["ShardIterator"]
    iterator = _Iterator.parse(text)
    arn = text.partition("|")[0]

    def work(connection: sqlite3.Connection, now: float) -> dict[str, Any]:
        stream = _find(connection, arn, now)
        if stream.number != iterator.stream:
            raise ResourceNotFoundException("Invalid ShardId in ShardIterator")
        if iterator.made + ITERATOR_LIFETIME_S <= now:
            raise ExpiredIteratorException(
                "The shard iterator has expired: it can be used for 15 minutes. Get a new one."
            )
        if iterator.place > last_sequence(connection, stream.records) + 1:
            raise _invalid_iterator()
        first = first_sequence(connection, stream, now)
        _check_retained(iterator.place, first)
        records, place = _read_records(context, connection, stream, iterator.place or first, limit)
        answer: dict[str, Any] = {"Records": records}
        ended = stream.disabled is not None and place > last_sequence(connection, stream.records)
        if not ended:
            following = _Iterator(stream.number, place, now)
            answer["NextShardIterator"] = following.to_text(stream.arn)
        return answer

    return _read(context, work)


def _read_records(
    context: Context, connection: sqlite3.Connection, stream: EngineStream, place: int, limit: int
) -> tuple[list[dict[str, Any]], int]:
    """Return records from a place on, at most a megabyte of them, and the place behind them."""
    records: list[dict[str, Any]] = []
    size = 0
    rows = connection.execute(
        "SELECT sequence, created, event, expired, old_size, old, new_size, new"
        f" FROM {stream.records} WHERE sequence >= ? ORDER BY sequence LIMIT ?",
        (place, limit),
    )
    for row in rows:
        record = _record(context, stream, row)
        size += record["dynamodb"]["SizeBytes"]
        if records and size > MAX_RECORDS_BYTES:
            break
        records.append(record)
        place = row[0] + 1
    return records, place


def _record(context: Context, stream: EngineStream, row: tuple[Any, ...]) -> dict[str, Any]:
    sequence, created, event, expired, old_size, old, new_size, new = row
    item = load_item(old if new is None else new)
    keys = {name: item[name] for name in stream.key_names}
    size = size_of_item(keys)
    change: dict[str, Any] = {
        "ApproximateCreationDateTime": datetime.fromtimestamp(int(created), UTC),
        "Keys": keys,
    }
    if new is not None and stream.view_type in _SHOWS_NEW:
        change["NewImage"] = context.load(new)
        size += new_size
    if old is not None and stream.view_type in _SHOWS_OLD:
        change["OldImage"] = context.load(old)
        size += old_size
    record: dict[str, Any] = {
        "eventID": uuid.uuid5(_EVENT_NAMESPACE, f"{stream.arn}/{sequence}").hex,
        "eventName": event,
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": _REGION,
        "dynamodb": change
        | {
            "SequenceNumber": _sequence_text(sequence),
            "SizeBytes": size,
            "StreamViewType": stream.view_type,
        },
    }
    if expired:
        record["userIdentity"] = dict(_TTL_IDENTITY)
    return record


@dataclass(frozen=True, slots=True)
class _Iterator:
    """A place in a stream's shard, and the moment at which it was asked for."""

    stream: int
    place: int
    made: float

    def to_text(self, arn: str) -> str:
        """Return the iterator as a program gets it."""
        content = orjson.dumps([self.stream, self.place, self.made])
        return f"{arn}|1|{b64encode(content).decode('ascii')}"

    @classmethod
    def parse(cls, text: str) -> _Iterator:
        """Read what ``to_text`` wrote."""
        try:
            arn, _, content = text.split("|")
            stream, place, made = orjson.loads(b64decode(content, validate=True))
            _parse_arn(arn)
            return cls(int(stream), int(place), float(made))
        except (ValueError, TypeError, ValidationException) as error:
            raise _invalid_iterator() from error


def _invalid_iterator() -> ValidationException:
    return ValidationException("Invalid ShardIterator")


def _read(context: Context, work: Callable[[sqlite3.Connection, float], T]) -> T:
    """Read from one snapshot of the file."""
    now = context.clock.now().timestamp()
    return context.database.read(lambda connection: work(connection, now), begin=True)


def _find(connection: sqlite3.Connection, arn: str, now: float) -> EngineStream:
    name, label = _parse_arn(arn)
    for stream in retained_streams(connection, now):
        if (stream.table_name, stream.label) == (name, label):
            return stream
    raise ResourceNotFoundException(f"Requested resource not found: Stream: {arn} not found")


def _parse_arn(arn: str) -> tuple[str, str]:
    match = _STREAM_ARN.fullmatch(arn)
    if match is None:
        raise ValidationException("Invalid StreamArn")
    return match[1], match[2]


def _check_retained(place: int, first: int) -> None:
    if place != _OLDEST and place < first:
        raise TrimmedDataAccessException("The data you are trying to access has been trimmed")


def _shard_id(stream: EngineStream) -> str:
    return f"shardId-{int(stream.created * 1000):020d}-{stream.number:08x}"


def _sequence_text(number: int) -> str:
    """Return a sequence number as AWS writes it: digits whose order as text is that in time."""
    return str(_FIRST_TEXT + number)


def _read_moment(given: datetime | float | None) -> float:
    if given is None:
        raise ValidationException("An iterator of type AT_TIMESTAMP needs Timestamp")
    return given.timestamp() if isinstance(given, datetime) else given


def _parse_sequence(text: str | None) -> int:
    if text is None:
        raise ValidationException("An iterator at or after a sequence number needs SequenceNumber")
    if not (text.isascii() and text.isdigit()):
        raise ValidationException(f"Invalid SequenceNumber: {text}")
    return int(text) - _FIRST_TEXT
