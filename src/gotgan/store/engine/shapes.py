"""The shape of each operation's request: its members, down to the attribute values.

``read`` takes what JSON gave, refuses another JSON type with ``SerializationException`` in AWS's
words, and decodes base64; the tree was parsed for this request alone, so it is changed in place.
``check`` looks at what a caller in this process gives and returns what is wrong with it, the place
first; it does not look into attribute values, which are checked when they are cleaned.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from gotgan.errors import UsageError
from gotgan.store.engine.faults import (
    SerializationException,
    UnknownOperationException,
    ValidationException,
)

_TRUE: Final = frozenset({"true", "1", "yes"})
_FALSE: Final = frozenset({"false", "0", "no"})
_INT64_RANGE: Final = 1 << 63
_BASE64_GROUP: Final = 4


def read_request(operation: str, body: Any) -> dict[str, Any]:
    """Check a request's JSON against the operation's shape; return it as the engine takes it."""
    shape = SHAPES.get(operation)
    if shape is None:
        raise UnknownOperationException(f"There is no operation {operation} here")
    try:
        return shape.read(body)
    except RecursionError as error:
        raise ValidationException("Nesting Levels have exceeded supported limits") from error


def check_request(operation: str, request: Mapping[str, Any]) -> None:
    """Check a request made in Python; unknown and mistyped parameters are refused, as by boto3."""
    if wrong := SHAPES[operation].check(request):
        raise UsageError(operation + wrong)


class Member(Protocol):
    """One kind of member."""

    def read(self, value: Any) -> Any:
        """Return what the engine takes for what JSON gave."""

    def check(self, value: Any) -> str | None:
        """Return what is wrong with a Python value; None where nothing is."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """A member that holds one value."""

    read: Callable[[Any], Any]
    python: type
    name: str

    def check(self, value: Any) -> str | None:
        """Refuse another type; True is not a number here."""
        fits = isinstance(value, self.python) and isinstance(value, bool) == (self.python is bool)
        return None if fits else _type_error(self.name, value)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of one kind of member."""

    element: Member

    def read(self, value: Any) -> list[Any]:
        """Read every element."""
        if type(value) is not list:
            raise _unexpected(value, "", "Unexpected field type")
        value[:] = [self.element.read(member) for member in value]
        return value

    def check(self, value: Any) -> str | None:
        """Refuse what is not a list, and what an element refuses."""
        if not isinstance(value, list | tuple):
            return _type_error("a list", value)
        for number, member in enumerate(value):
            if wrong := self.element.check(member):
                return f"[{number}]{wrong}"
        return None


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map from any name to one kind of member."""

    element: Member

    def read(self, value: Any) -> dict[str, Any]:
        """Read every member."""
        if type(value) is not dict:
            raise _unexpected(value, "Unrecognized collection type", "Unexpected field type")
        for name, member in value.items():
            value[name] = self.element.read(member)
        return value

    def check(self, value: Any) -> str | None:
        """Refuse what is not a map, and what a member refuses."""
        if type(value) is not dict and not isinstance(value, Mapping):
            return _type_error("a map", value)
        if self.element is attribute_value:
            return None
        for name, member in value.items():
            if wrong := self.element.check(member):
                return f".{name}{wrong}"
        return None


@dataclass(frozen=True, slots=True)
class Structure:
    """A map with known names; over JSON, unknown names and null count as absent."""

    members: Mapping[str, Member]

    def read(self, value: Any) -> dict[str, Any]:
        """Read the members that AWS knows."""
        if type(value) is not dict:
            raise _not_a_structure(value)
        known = self.members
        return {
            name: member.read(content)
            for name, content in value.items()
            if content is not None and (member := known.get(name)) is not None
        }

    def check(self, value: Any) -> str | None:
        """Refuse what is not a map, an unknown name, and what a member refuses."""
        if type(value) is not dict and not isinstance(value, Mapping):
            return _type_error("a map", value)
        for name, content in value.items():
            member = self.members.get(name)
            if member is None:
                return f" has no parameter {name}. It has: {', '.join(sorted(self.members))}."
            if wrong := member.check(content):
                return f".{name}{wrong}"
        return None


class _AttributeValue:
    """``{"S": "x"}`` and its nine siblings; the engine checks that there is exactly one."""

    def read(self, value: Any) -> dict[str, Any]:
        if type(value) is not dict:
            raise _not_a_structure(value)
        for kind, content in value.items():
            # Most values by far are strings and numbers, and both are text.
            if kind in {"S", "N"} and type(content) is str:
                continue
            member = _VALUE_MEMBERS.get(kind)
            if member is not None and content is not None:
                value[kind] = member.read(content)
        return value

    def check(self, value: Any) -> None:
        """Leave it to the engine, which looks at every attribute value once."""


def _read_text(value: Any) -> str:
    if type(value) is not str:
        raise _wrong_scalar(value, "String")
    return value


def _read_integer(value: Any) -> int:
    """Read a whole number; a fraction is cut off, as AWS does."""
    if type(value) is not int and type(value) is not float:
        raise _wrong_scalar(value, "Integer")
    if not -_INT64_RANGE <= value < _INT64_RANGE:
        raise SerializationException("Numeric value out of range of integer")
    return int(value)


def _read_boolean(value: Any) -> bool:
    """Read true or false; AWS also takes a few words for them."""
    if type(value) is bool:
        return value
    if type(value) is not str:
        raise _wrong_scalar(value, "Boolean")
    word = value.lower()
    if word not in _TRUE and word not in _FALSE:
        raise SerializationException("Unexpected token received from parser")
    return word in _TRUE


def _read_blob(value: Any) -> bytes:
    """Read bytes from canonical base64."""
    if type(value) is not str:
        raise _unexpected(
            value,
            "Unrecognized collection type class java.nio.ByteBuffer",
            "only base-64-encoded strings are convertible to bytes",
        )
    if len(value) % _BASE64_GROUP:
        raise SerializationException(
            f"Base64 encoded length is expected a multiple of 4 bytes but found: {len(value)}"
        )
    try:
        data = b64decode(value, validate=True)
    except ValueError as error:
        raise SerializationException("Invalid Base64 character detected") from error
    if b64encode(data).decode("ascii") != value:
        raise SerializationException("Invalid last non-pad Base64 character dectected")
    return data


def _type_error(wanted: str, value: Any) -> str:
    return f" must be {wanted}, not {type(value).__name__}."


def _not_a_structure(value: Any) -> SerializationException:
    collection = "Unrecognized collection type"
    return _unexpected(value, collection, "Unexpected value type in payload")


def _wrong_scalar(value: Any, wanted: str) -> SerializationException:
    if isinstance(value, bool):
        found = "TRUE_VALUE" if value else "FALSE_VALUE"
    elif isinstance(value, str):
        found = "STRING_VALUE"
    elif value is None:
        found = "NULL_VALUE"
    else:
        found = "DECIMAL_VALUE" if isinstance(value, float) and value % 1 else "NUMBER_VALUE"
    collection = f"Unrecognized collection type class java.lang.{wanted}"
    return _unexpected(value, collection, f"{found} cannot be converted to {wanted}")


def _unexpected(value: Any, for_list: str, for_scalar: str) -> SerializationException:
    """Word a wrong JSON type as AWS's parser does."""
    if isinstance(value, dict):
        return SerializationException("Start of structure or map found where not expected")
    return SerializationException(for_list if isinstance(value, list) else for_scalar)


attribute_value: Final = _AttributeValue()
blob: Final = Scalar(_read_blob, bytes, "bytes")
boolean: Final = Scalar(_read_boolean, bool, "True or False")
integer: Final = Scalar(_read_integer, int, "a whole number")
text: Final = Scalar(_read_text, str, "a string")

_VALUE_MEMBERS: Final[dict[str, Member]] = {
    "S": text,
    "N": text,
    "B": blob,
    "SS": ListOf(text),
    "NS": ListOf(text),
    "BS": ListOf(blob),
    "M": MapOf(attribute_value),
    "L": ListOf(attribute_value),
    "BOOL": boolean,
    "NULL": boolean,
}


def _structure(**members: Member) -> Structure:
    return Structure(members)


_ITEM: Final = MapOf(attribute_value)
_TEXTS: Final = ListOf(text)
_NAMES: Final = MapOf(text)

_THROUGHPUT: Final = _structure(ReadCapacityUnits=integer, WriteCapacityUnits=integer)
_ON_DEMAND: Final = _structure(MaxReadRequestUnits=integer, MaxWriteRequestUnits=integer)
_WARM: Final = _structure(ReadUnitsPerSecond=integer, WriteUnitsPerSecond=integer)
_KEY_SCHEMA: Final = ListOf(_structure(AttributeName=text, KeyType=text))
_PROJECTION: Final = _structure(ProjectionType=text, NonKeyAttributes=_TEXTS)

_LOCAL_INDEX: Final[Mapping[str, Member]] = {
    "IndexName": text,
    "KeySchema": _KEY_SCHEMA,
    "Projection": _PROJECTION,
}
_GLOBAL_INDEX: Final = _structure(
    **_LOCAL_INDEX,
    ProvisionedThroughput=_THROUGHPUT,
    OnDemandThroughput=_ON_DEMAND,
    WarmThroughput=_WARM,
)
_INDEX_CHANGE: Final = _structure(
    Create=_GLOBAL_INDEX, Update=_GLOBAL_INDEX, Delete=_structure(IndexName=text)
)
_TABLE: Final[Mapping[str, Member]] = {
    "TableName": text,
    "AttributeDefinitions": ListOf(_structure(AttributeName=text, AttributeType=text)),
    "BillingMode": text,
    "ProvisionedThroughput": _THROUGHPUT,
    "OnDemandThroughput": _ON_DEMAND,
    "WarmThroughput": _WARM,
    "StreamSpecification": _structure(StreamEnabled=boolean, StreamViewType=text),
    "SSESpecification": _structure(Enabled=boolean, SSEType=text, KMSMasterKeyId=text),
    "TableClass": text,
    "DeletionProtectionEnabled": boolean,
}

_COMPARISONS: Final = MapOf(
    _structure(
        Value=attribute_value,
        Exists=boolean,
        ComparisonOperator=text,
        AttributeValueList=ListOf(attribute_value),
    )
)

_TAGS: Final = ListOf(_structure(Key=text, Value=text))
_CAPACITY: Final[Mapping[str, Member]] = {"ReturnConsumedCapacity": text}
_CONDITION: Final[Mapping[str, Member]] = {
    "ConditionExpression": text,
    "ExpressionAttributeNames": _NAMES,
    "ExpressionAttributeValues": _ITEM,
    "ReturnValuesOnConditionCheckFailure": text,
    "TableName": text,
}
_WRITE: Final[Mapping[str, Member]] = {
    **_CONDITION,
    **_CAPACITY,
    "ReturnValues": text,
    "ReturnItemCollectionMetrics": text,
    "Expected": _COMPARISONS,
    "ConditionalOperator": text,
}
_READ: Final[Mapping[str, Member]] = {
    "ExpressionAttributeNames": _NAMES,
    "ProjectionExpression": text,
    "AttributesToGet": _TEXTS,
    "ConsistentRead": boolean,
}
_PAGE: Final[Mapping[str, Member]] = {
    **_READ,
    **_CAPACITY,
    "TableName": text,
    "IndexName": text,
    "Select": text,
    "Limit": integer,
    "ExclusiveStartKey": _ITEM,
    "FilterExpression": text,
    "ExpressionAttributeValues": _ITEM,
    "ConditionalOperator": text,
}
_BATCH_WRITE: Final = _structure(
    PutRequest=_structure(Item=_ITEM), DeleteRequest=_structure(Key=_ITEM)
)
_TRANSACT_WRITE: Final = _structure(
    ConditionCheck=_structure(**_CONDITION, Key=_ITEM),
    Put=_structure(**_CONDITION, Item=_ITEM),
    Update=_structure(**_CONDITION, Key=_ITEM, UpdateExpression=text),
    Delete=_structure(**_CONDITION, Key=_ITEM),
)
_TRANSACT_GET: Final = _structure(
    Get=_structure(
        TableName=text, Key=_ITEM, ProjectionExpression=text, ExpressionAttributeNames=_NAMES
    )
)
_STATEMENT: Final[Mapping[str, Member]] = {
    "Statement": text,
    "Parameters": ListOf(attribute_value),
    "ReturnValuesOnConditionCheckFailure": text,
}

_STREAM_SHAPES: Final[Mapping[str, Structure]] = {
    "ListStreams": _structure(TableName=text, Limit=integer, ExclusiveStartStreamArn=text),
    "DescribeStream": _structure(
        StreamArn=text,
        Limit=integer,
        ExclusiveStartShardId=text,
        ShardFilter=_structure(Type=text, ShardId=text),
    ),
    "GetShardIterator": _structure(
        StreamArn=text, ShardId=text, ShardIteratorType=text, SequenceNumber=text
    ),
    "GetRecords": _structure(ShardIterator=text, Limit=integer),
}
STREAM_OPERATIONS: Final = frozenset(_STREAM_SHAPES)
"""The operations of DynamoDB Streams, which is a separate service for AWS's clients."""

SHAPES: Final[Mapping[str, Structure]] = {
    **_STREAM_SHAPES,
    "CreateTable": _structure(
        **_TABLE,
        KeySchema=_KEY_SCHEMA,
        LocalSecondaryIndexes=ListOf(Structure(_LOCAL_INDEX)),
        GlobalSecondaryIndexes=ListOf(_GLOBAL_INDEX),
        Tags=_TAGS,
        ResourcePolicy=text,
    ),
    "UpdateTable": _structure(
        **_TABLE,
        GlobalSecondaryIndexUpdates=ListOf(_INDEX_CHANGE),
        ReplicaUpdates=ListOf(Scalar(lambda value: value, object, "")),
    ),
    "DeleteTable": _structure(TableName=text),
    "DescribeTable": _structure(TableName=text),
    "DescribeContinuousBackups": _structure(TableName=text),
    "DescribeEndpoints": _structure(),
    "DescribeLimits": _structure(),
    "TagResource": _structure(ResourceArn=text, Tags=_TAGS),
    "UntagResource": _structure(ResourceArn=text, TagKeys=_TEXTS),
    "ListTagsOfResource": _structure(ResourceArn=text, NextToken=text),
    "ListTables": _structure(ExclusiveStartTableName=text, Limit=integer),
    "UpdateTimeToLive": _structure(
        TableName=text, TimeToLiveSpecification=_structure(Enabled=boolean, AttributeName=text)
    ),
    "DescribeTimeToLive": _structure(TableName=text),
    "PutItem": _structure(**_WRITE, Item=_ITEM),
    "GetItem": _structure(**_READ, **_CAPACITY, TableName=text, Key=_ITEM),
    "UpdateItem": _structure(
        **_WRITE,
        Key=_ITEM,
        UpdateExpression=text,
        AttributeUpdates=MapOf(_structure(Value=attribute_value, Action=text)),
    ),
    "DeleteItem": _structure(**_WRITE, Key=_ITEM),
    "Query": _structure(
        **_PAGE,
        KeyConditionExpression=text,
        ScanIndexForward=boolean,
        KeyConditions=_COMPARISONS,
        QueryFilter=_COMPARISONS,
    ),
    "Scan": _structure(**_PAGE, Segment=integer, TotalSegments=integer, ScanFilter=_COMPARISONS),
    "BatchGetItem": _structure(
        **_CAPACITY, RequestItems=MapOf(_structure(**_READ, Keys=ListOf(_ITEM)))
    ),
    "BatchWriteItem": _structure(
        **_CAPACITY, RequestItems=MapOf(ListOf(_BATCH_WRITE)), ReturnItemCollectionMetrics=text
    ),
    "ExecuteStatement": _structure(
        **_STATEMENT, **_CAPACITY, ConsistentRead=boolean, NextToken=text, Limit=integer
    ),
    "BatchExecuteStatement": _structure(
        **_CAPACITY, Statements=ListOf(_structure(**_STATEMENT, ConsistentRead=boolean))
    ),
    "ExecuteTransaction": _structure(
        **_CAPACITY, TransactStatements=ListOf(Structure(_STATEMENT)), ClientRequestToken=text
    ),
    "TransactGetItems": _structure(**_CAPACITY, TransactItems=ListOf(_TRANSACT_GET)),
    "TransactWriteItems": _structure(
        **_CAPACITY,
        TransactItems=ListOf(_TRANSACT_WRITE),
        ClientRequestToken=text,
        ReturnItemCollectionMetrics=text,
    ),
}
