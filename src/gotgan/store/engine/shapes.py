"""What each operation's request looks like: every member, down to the last.

Members that the engine does not act on stand here too: it is the engine's to say so, and a
condition in the older notation must not get lost on the way to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gotgan.errors import UsageError
from gotgan.store.engine.faults import UnknownOperationException, ValidationException
from gotgan.store.engine.members import (
    ListOf,
    MapOf,
    Member,
    Structure,
    anything,
    attribute_value,
    boolean,
    integer,
    text,
)

__all__ = ["LEGACY", "SHAPES", "check_request", "read_request", "refuse_legacy"]

# Replaced by expressions long ago. AWS still takes them; here they are refused, never ignored.
LEGACY: Final = frozenset(
    {
        "AttributeUpdates",
        "AttributesToGet",
        "ConditionalOperator",
        "Expected",
        "KeyConditions",
        "QueryFilter",
        "ScanFilter",
    },
)


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
    """Check a request that was made in Python: a typing slip is no wish, as with boto3."""
    wrong = SHAPES[operation].check(request)
    if wrong:
        raise UsageError(operation + wrong)


def refuse_legacy(request: Mapping[str, Any]) -> None:
    """Refuse a request in the notation from before expressions."""
    if not LEGACY.isdisjoint(request):
        named = ", ".join(sorted(LEGACY & request.keys()))
        raise ValidationException(f"{named}: legacy parameters are not taken; use expressions")


_ITEM: Final = MapOf(attribute_value)
_TEXTS: Final = ListOf(text)
_NAMES: Final = MapOf(text)

_THROUGHPUT: Final = Structure({"ReadCapacityUnits": integer, "WriteCapacityUnits": integer})
_ON_DEMAND: Final = Structure({"MaxReadRequestUnits": integer, "MaxWriteRequestUnits": integer})
_WARM: Final = Structure({"ReadUnitsPerSecond": integer, "WriteUnitsPerSecond": integer})
_ATTRIBUTES: Final = ListOf(Structure({"AttributeName": text, "AttributeType": text}))
_KEY_SCHEMA: Final = ListOf(Structure({"AttributeName": text, "KeyType": text}))
_PROJECTION: Final = Structure({"ProjectionType": text, "NonKeyAttributes": _TEXTS})
_STREAM: Final = Structure({"StreamEnabled": boolean, "StreamViewType": text})
_ENCRYPTION: Final = Structure({"Enabled": boolean, "SSEType": text, "KMSMasterKeyId": text})
_TAGS: Final = ListOf(Structure({"Key": text, "Value": text}))
_TIME_TO_LIVE: Final = Structure({"Enabled": boolean, "AttributeName": text})

_LOCAL_INDEX: Final[Mapping[str, Member]] = {
    "IndexName": text,
    "KeySchema": _KEY_SCHEMA,
    "Projection": _PROJECTION,
}
_GLOBAL_INDEX: Final[Mapping[str, Member]] = {
    **_LOCAL_INDEX,
    "ProvisionedThroughput": _THROUGHPUT,
    "OnDemandThroughput": _ON_DEMAND,
    "WarmThroughput": _WARM,
}
_INDEX_CHANGE: Final = Structure(
    {
        "Create": Structure(_GLOBAL_INDEX),
        "Update": Structure(_GLOBAL_INDEX),
        "Delete": Structure({"IndexName": text}),
    },
)
_TABLE: Final[Mapping[str, Member]] = {
    "TableName": text,
    "AttributeDefinitions": _ATTRIBUTES,
    "BillingMode": text,
    "ProvisionedThroughput": _THROUGHPUT,
    "OnDemandThroughput": _ON_DEMAND,
    "WarmThroughput": _WARM,
    "StreamSpecification": _STREAM,
    "SSESpecification": _ENCRYPTION,
    "TableClass": text,
    "DeletionProtectionEnabled": boolean,
}

# The notation from before expressions.
_COMPARISONS: Final = MapOf(
    Structure(
        {
            "Value": attribute_value,
            "Exists": boolean,
            "ComparisonOperator": text,
            "AttributeValueList": ListOf(attribute_value),
        },
    ),
)
_LEGACY_UPDATES: Final = MapOf(Structure({"Value": attribute_value, "Action": text}))

_CAPACITY: Final[Mapping[str, Member]] = {"ReturnConsumedCapacity": text}
_CONDITION: Final[Mapping[str, Member]] = {
    "ConditionExpression": text,
    "ExpressionAttributeNames": _NAMES,
    "ExpressionAttributeValues": _ITEM,
    "ReturnValuesOnConditionCheckFailure": text,
}
_WRITE: Final[Mapping[str, Member]] = {
    **_CONDITION,
    **_CAPACITY,
    "TableName": text,
    "ReturnValues": text,
    "ReturnItemCollectionMetrics": text,
    "Expected": _COMPARISONS,
    "ConditionalOperator": text,
}
_PICK: Final[Mapping[str, Member]] = {
    "ExpressionAttributeNames": _NAMES,
    "ProjectionExpression": text,
    "AttributesToGet": _TEXTS,
    "ConsistentRead": boolean,
}
_PAGE: Final[Mapping[str, Member]] = {
    **_PICK,
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
_BATCH_WRITE: Final = Structure(
    {"PutRequest": Structure({"Item": _ITEM}), "DeleteRequest": Structure({"Key": _ITEM})},
)
_ACTION: Final[Mapping[str, Member]] = {**_CONDITION, "TableName": text}
_TRANSACT_WRITE: Final = Structure(
    {
        "ConditionCheck": Structure({**_ACTION, "Key": _ITEM}),
        "Put": Structure({**_ACTION, "Item": _ITEM}),
        "Update": Structure({**_ACTION, "Key": _ITEM, "UpdateExpression": text}),
        "Delete": Structure({**_ACTION, "Key": _ITEM}),
    },
)
_TRANSACT_GET: Final = Structure(
    {
        "Get": Structure(
            {
                "TableName": text,
                "Key": _ITEM,
                "ProjectionExpression": text,
                "ExpressionAttributeNames": _NAMES,
            },
        ),
    },
)

SHAPES: Final[Mapping[str, Structure]] = {
    "CreateTable": Structure(
        {
            **_TABLE,
            "KeySchema": _KEY_SCHEMA,
            "LocalSecondaryIndexes": ListOf(Structure(_LOCAL_INDEX)),
            "GlobalSecondaryIndexes": ListOf(Structure(_GLOBAL_INDEX)),
            "Tags": _TAGS,
            "ResourcePolicy": text,
        },
    ),
    "UpdateTable": Structure(
        {
            **_TABLE,
            "GlobalSecondaryIndexUpdates": ListOf(_INDEX_CHANGE),
            "ReplicaUpdates": ListOf(anything),
        },
    ),
    "DeleteTable": Structure({"TableName": text}),
    "DescribeTable": Structure({"TableName": text}),
    "ListTables": Structure({"ExclusiveStartTableName": text, "Limit": integer}),
    "UpdateTimeToLive": Structure(
        {"TableName": text, "TimeToLiveSpecification": _TIME_TO_LIVE},
    ),
    "DescribeTimeToLive": Structure({"TableName": text}),
    "PutItem": Structure({**_WRITE, "Item": _ITEM}),
    "GetItem": Structure({**_PICK, **_CAPACITY, "TableName": text, "Key": _ITEM}),
    "UpdateItem": Structure(
        {
            **_WRITE,
            "Key": _ITEM,
            "UpdateExpression": text,
            "AttributeUpdates": _LEGACY_UPDATES,
        },
    ),
    "DeleteItem": Structure({**_WRITE, "Key": _ITEM}),
    "Query": Structure(
        {
            **_PAGE,
            "KeyConditionExpression": text,
            "ScanIndexForward": boolean,
            "KeyConditions": _COMPARISONS,
            "QueryFilter": _COMPARISONS,
        },
    ),
    "Scan": Structure(
        {
            **_PAGE,
            "Segment": integer,
            "TotalSegments": integer,
            "ScanFilter": _COMPARISONS,
        },
    ),
    "BatchGetItem": Structure(
        {**_CAPACITY, "RequestItems": MapOf(Structure({**_PICK, "Keys": ListOf(_ITEM)}))},
    ),
    "BatchWriteItem": Structure(
        {
            **_CAPACITY,
            "RequestItems": MapOf(ListOf(_BATCH_WRITE)),
            "ReturnItemCollectionMetrics": text,
        },
    ),
    "TransactGetItems": Structure({**_CAPACITY, "TransactItems": ListOf(_TRANSACT_GET)}),
    "TransactWriteItems": Structure(
        {
            **_CAPACITY,
            "TransactItems": ListOf(_TRANSACT_WRITE),
            "ClientRequestToken": text,
            "ReturnItemCollectionMetrics": text,
        },
    ),
}
