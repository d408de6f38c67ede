"""What each operation's request looks like in the JSON protocol: every member, down to the last.

Members that the engine does not act on stand here too: it is the engine's to say so, and a
condition in the older notation must not get lost on the way to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gotgan.store.engine.faults import UnknownOperationException, ValidationException
from gotgan.store.engine.wire import (
    Reader,
    Structure,
    anything,
    attribute_value,
    boolean,
    integer,
    list_of,
    map_of,
    text,
)

__all__ = ["OPERATIONS", "read_request"]


def read_request(operation: str, body: Any) -> dict[str, Any]:
    """Check a request's JSON against the operation's shape; return it as the engine takes it."""
    reader = OPERATIONS.get(operation)
    if reader is None:
        raise UnknownOperationException(f"There is no operation {operation} here")
    try:
        return reader(body)
    except RecursionError as error:
        raise ValidationException("Nesting Levels have exceeded supported limits") from error


_ITEM: Final = map_of(attribute_value)
_TEXTS: Final = list_of(text)
_NAMES: Final = map_of(text)

_THROUGHPUT: Final = Structure({"ReadCapacityUnits": integer, "WriteCapacityUnits": integer})
_ON_DEMAND: Final = Structure({"MaxReadRequestUnits": integer, "MaxWriteRequestUnits": integer})
_WARM: Final = Structure({"ReadUnitsPerSecond": integer, "WriteUnitsPerSecond": integer})
_ATTRIBUTES: Final = list_of(Structure({"AttributeName": text, "AttributeType": text}))
_KEY_SCHEMA: Final = list_of(Structure({"AttributeName": text, "KeyType": text}))
_PROJECTION: Final = Structure({"ProjectionType": text, "NonKeyAttributes": _TEXTS})
_STREAM: Final = Structure({"StreamEnabled": boolean, "StreamViewType": text})
_ENCRYPTION: Final = Structure({"Enabled": boolean, "SSEType": text, "KMSMasterKeyId": text})
_TAGS: Final = list_of(Structure({"Key": text, "Value": text}))
_TIME_TO_LIVE: Final = Structure({"Enabled": boolean, "AttributeName": text})

_LOCAL_INDEX: Final[Mapping[str, Reader]] = {
    "IndexName": text,
    "KeySchema": _KEY_SCHEMA,
    "Projection": _PROJECTION,
}
_GLOBAL_INDEX: Final[Mapping[str, Reader]] = {
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
_TABLE: Final[Mapping[str, Reader]] = {
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
_COMPARISONS: Final = map_of(
    Structure(
        {
            "Value": attribute_value,
            "Exists": boolean,
            "ComparisonOperator": text,
            "AttributeValueList": list_of(attribute_value),
        },
    ),
)
_LEGACY_UPDATES: Final = map_of(Structure({"Value": attribute_value, "Action": text}))

_CAPACITY: Final[Mapping[str, Reader]] = {"ReturnConsumedCapacity": text}
_CONDITION: Final[Mapping[str, Reader]] = {
    "ConditionExpression": text,
    "ExpressionAttributeNames": _NAMES,
    "ExpressionAttributeValues": _ITEM,
    "ReturnValuesOnConditionCheckFailure": text,
}
_WRITE: Final[Mapping[str, Reader]] = {
    **_CONDITION,
    **_CAPACITY,
    "TableName": text,
    "ReturnValues": text,
    "ReturnItemCollectionMetrics": text,
    "Expected": _COMPARISONS,
    "ConditionalOperator": text,
}
_PICK: Final[Mapping[str, Reader]] = {
    "ExpressionAttributeNames": _NAMES,
    "ProjectionExpression": text,
    "AttributesToGet": _TEXTS,
    "ConsistentRead": boolean,
}
_PAGE: Final[Mapping[str, Reader]] = {
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
_ACTION: Final[Mapping[str, Reader]] = {**_CONDITION, "TableName": text}
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

OPERATIONS: Final[Mapping[str, Structure]] = {
    "CreateTable": Structure(
        {
            **_TABLE,
            "KeySchema": _KEY_SCHEMA,
            "LocalSecondaryIndexes": list_of(Structure(_LOCAL_INDEX)),
            "GlobalSecondaryIndexes": list_of(Structure(_GLOBAL_INDEX)),
            "Tags": _TAGS,
            "ResourcePolicy": text,
        },
    ),
    "UpdateTable": Structure(
        {
            **_TABLE,
            "GlobalSecondaryIndexUpdates": list_of(_INDEX_CHANGE),
            "ReplicaUpdates": list_of(anything),
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
        {**_CAPACITY, "RequestItems": map_of(Structure({**_PICK, "Keys": list_of(_ITEM)}))},
    ),
    "BatchWriteItem": Structure(
        {
            **_CAPACITY,
            "RequestItems": map_of(list_of(_BATCH_WRITE)),
            "ReturnItemCollectionMetrics": text,
        },
    ),
    "TransactGetItems": Structure({**_CAPACITY, "TransactItems": list_of(_TRANSACT_GET)}),
    "TransactWriteItems": Structure(
        {
            **_CAPACITY,
            "TransactItems": list_of(_TRANSACT_WRITE),
            "ClientRequestToken": text,
            "ReturnItemCollectionMetrics": text,
        },
    ),
}
