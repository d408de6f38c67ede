"""Which members each operation's request has, and what kind of JSON value each of them is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from gotgan.errors import UsageError
from gotgan.store.engine.faults import SerializationException, ValidationException

__all__ = ["LEGACY", "REQUESTS", "check_known", "check_types"]

_EXPRESSION = "ExpressionAttributeNames ExpressionAttributeValues"
_CAPACITY = "ReturnConsumedCapacity"
_CONDITION = (
    f"ConditionExpression {_EXPRESSION} {_CAPACITY} ReturnItemCollectionMetrics ReturnValues"
    " ReturnValuesOnConditionCheckFailure"
)
_READ = (
    f"TableName IndexName Select Limit ConsistentRead ExclusiveStartKey FilterExpression"
    f" ProjectionExpression {_EXPRESSION} {_CAPACITY}"
)
_TABLE = (
    "TableName AttributeDefinitions BillingMode ProvisionedThroughput StreamSpecification"
    " SSESpecification TableClass DeletionProtectionEnabled OnDemandThroughput WarmThroughput"
)

# Replaced by expressions long ago; AWS still takes them, we say so rather than ignore them.
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

REQUESTS: Final[dict[str, frozenset[str]]] = {
    operation: frozenset(members.split())
    for operation, members in {
        "BatchGetItem": f"RequestItems {_CAPACITY}",
        "BatchWriteItem": f"RequestItems {_CAPACITY} ReturnItemCollectionMetrics",
        "CreateTable": f"{_TABLE} KeySchema LocalSecondaryIndexes GlobalSecondaryIndexes Tags"
        " ResourcePolicy",
        "DeleteItem": f"TableName Key {_CONDITION}",
        "DeleteTable": "TableName",
        "DescribeTable": "TableName",
        "DescribeTimeToLive": "TableName",
        "GetItem": "TableName Key ConsistentRead ProjectionExpression ExpressionAttributeNames"
        f" {_CAPACITY}",
        "ListTables": "ExclusiveStartTableName Limit",
        "PutItem": f"TableName Item {_CONDITION}",
        "Query": f"{_READ} KeyConditionExpression ScanIndexForward",
        "Scan": f"{_READ} Segment TotalSegments",
        "TransactGetItems": f"TransactItems {_CAPACITY}",
        "TransactWriteItems": f"TransactItems {_CAPACITY} ReturnItemCollectionMetrics"
        " ClientRequestToken",
        "UpdateItem": f"TableName Key UpdateExpression {_CONDITION}",
        "UpdateTable": f"{_TABLE} GlobalSecondaryIndexUpdates ReplicaUpdates",
        "UpdateTimeToLive": "TableName TimeToLiveSpecification",
    }.items()
}

_TEXT = (
    "TableName IndexName Select ConditionExpression FilterExpression KeyConditionExpression"
    " ProjectionExpression UpdateExpression ReturnConsumedCapacity ReturnItemCollectionMetrics"
    " ReturnValues ReturnValuesOnConditionCheckFailure ExclusiveStartTableName BillingMode"
    " TableClass ClientRequestToken"
)
_MAPS = (
    "Item Key ExpressionAttributeNames ExpressionAttributeValues ExclusiveStartKey RequestItems"
    " ProvisionedThroughput StreamSpecification SSESpecification TimeToLiveSpecification"
    " OnDemandThroughput WarmThroughput"
)
_LISTS = (
    "AttributeDefinitions KeySchema LocalSecondaryIndexes GlobalSecondaryIndexes"
    " GlobalSecondaryIndexUpdates TransactItems Tags ReplicaUpdates"
)
_TYPES: Final[dict[str, type | tuple[type, ...]]] = {
    **dict.fromkeys(_TEXT.split(), str),
    **dict.fromkeys(_MAPS.split(), Mapping),
    **dict.fromkeys(_LISTS.split(), (list, tuple)),
    **dict.fromkeys(("Limit", "Segment", "TotalSegments"), int),
    **dict.fromkeys(("ConsistentRead", "ScanIndexForward", "DeletionProtectionEnabled"), bool),
}


def check_types(request: Mapping[str, Any]) -> None:
    """Refuse members that hold another kind of value than the API's model says."""
    if not LEGACY.isdisjoint(request):
        named = ", ".join(sorted(LEGACY & request.keys()))
        raise ValidationException(f"{named}: legacy parameters are not taken; use expressions")
    for member, content in request.items():
        expected = _TYPES.get(member)
        if expected is not None and not isinstance(content, expected):
            raise SerializationException(
                f"{member} cannot hold a value of type {type(content).__name__}",
            )


def check_known(operation: str, request: Mapping[str, Any]) -> None:
    """Refuse members that the operation does not have, as boto3 does: a typing slip is no wish."""
    known = REQUESTS[operation]
    if not request.keys() <= known:
        unknown = ", ".join(sorted(request.keys() - known - LEGACY))
        if unknown:
            raise UsageError(
                f"{operation} has no parameter {unknown}. It has: {', '.join(sorted(known))}.",
            )
