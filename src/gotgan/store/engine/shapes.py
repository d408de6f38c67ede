"""The shape of each operation's request: its members, with AWS's constraints on them.

The members of a request stand in the order in which AWS reports their broken constraints, where
that is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from gotgan.store.engine.members import (
    ListOf,
    MapOf,
    Member,
    Scalar,
    Structure,
    at_least,
    at_most,
    attribute_value,
    boolean,
    integer,
    longer,
    matching,
    moment,
    one_of,
    shorter,
    text,
    utf8_length,
    with_constraints,
)

MIN_NAME_BYTES: Final = 3
MAX_NAME_BYTES: Final = 255
MAX_BATCH_GETS: Final = 100
MAX_BATCH_WRITES: Final = 25
MAX_ACTIONS: Final = 100
MAX_BATCH_STATEMENTS: Final = 25
MAX_TABLE_NAMES: Final = 100
MAX_LISTED_STREAMS: Final = 100
MAX_RECORDS: Final = 1000
MAX_PROJECTED_ATTRIBUTES: Final = 100
MAX_PROJECTED_BY_AN_INDEX: Final = 20
TABLE_ARN: Final = r"arn:[^:]+:dynamodb:[^:]*:[^:]*:table/([a-zA-Z0-9_.-]+)"
_NAME: Final = r"[a-zA-Z0-9_.-]+"
_NO_NAME: Final = f"|{TABLE_ARN}"  # AWS says of an empty name only that it is too short
_MAX_ATTRIBUTES_TO_GET: Final = 255
_MAX_SEGMENTS: Final = 1_000_000
_MAX_TOKEN_CHARS: Final = 36
_MAX_STATEMENT_CHARS: Final = 8192


def _structure(**members: Member) -> Structure:
    return Structure(members)


def _verbatim(structure: Structure, *names: str) -> Structure:
    """Return a structure of which AWS reports some members under their own names."""
    return replace(structure, verbatim=frozenset(names))


_ITEM: Final = MapOf(attribute_value)
_REQUIRED_ITEM: Final = with_constraints(_ITEM, required=True)
_UNREAD: Final = ListOf(Scalar(lambda value: value, object, ""))
_TEXTS: Final = ListOf(text)
_NAMES: Final = MapOf(text)

_SHORT_NAME: Final = shorter(MAX_NAME_BYTES)
_TABLE_NAME: Final = with_constraints(
    text, matching(_NAME, also=_NO_NAME), longer(1), _SHORT_NAME, required=True
)
_TABLE_NAMES: Final = (
    _SHORT_NAME,
    longer(MIN_NAME_BYTES),
    matching(_NAME, also=TABLE_ARN),
)
_MANAGED_TABLE: Final = with_constraints(text, matching(_NAME, also=TABLE_ARN))
_NEW_NAME: Final = (matching(_NAME), longer(MIN_NAME_BYTES), _SHORT_NAME)
_INDEX_NAME: Final = with_constraints(text, *_NEW_NAME, required=True)
_KEY_NAME: Final = with_constraints(
    text, longer(1), shorter(MAX_NAME_BYTES, utf8_length), required=True
)
_UNITS: Final = with_constraints(integer, at_least(1), required=True)

_THROUGHPUT: Final = _structure(WriteCapacityUnits=_UNITS, ReadCapacityUnits=_UNITS)
_ON_DEMAND: Final = _structure(MaxReadRequestUnits=integer, MaxWriteRequestUnits=integer)
_WARM: Final = _structure(ReadUnitsPerSecond=integer, WriteUnitsPerSecond=integer)
_KEY_SCHEMA: Final = with_constraints(
    ListOf(
        _structure(
            AttributeName=_KEY_NAME,
            KeyType=with_constraints(text, one_of("HASH", "RANGE"), required=True),
        )
    ),
    longer(1),
    required=True,
)
_PROJECTION: Final = with_constraints(
    _structure(
        ProjectionType=with_constraints(text, one_of("ALL", "INCLUDE", "KEYS_ONLY")),
        NonKeyAttributes=with_constraints(
            ListOf(_KEY_NAME), longer(1), shorter(MAX_PROJECTED_BY_AN_INDEX)
        ),
    ),
    required=True,
)

_LOCAL_INDEX: Final[Mapping[str, Member]] = {
    "IndexName": _INDEX_NAME,
    "KeySchema": _KEY_SCHEMA,
    "Projection": _PROJECTION,
}
_GLOBAL_INDEX: Final = _structure(
    **_LOCAL_INDEX,
    ProvisionedThroughput=_THROUGHPUT,
    OnDemandThroughput=_ON_DEMAND,
    WarmThroughput=_WARM,
)
_INDEX_UPDATE: Final = _structure(
    IndexName=_INDEX_NAME,
    ProvisionedThroughput=_THROUGHPUT,
    OnDemandThroughput=_ON_DEMAND,
    WarmThroughput=_WARM,
)
_INDEX_CHANGE: Final = _structure(
    Update=_INDEX_UPDATE, Create=_GLOBAL_INDEX, Delete=_structure(IndexName=_INDEX_NAME)
)
_DEFINITIONS: Final = ListOf(
    _structure(
        AttributeName=_KEY_NAME,
        AttributeType=with_constraints(text, one_of("B", "N", "S"), required=True),
    )
)
_BILLING_MODE: Final = with_constraints(text, one_of("PROVISIONED", "PAY_PER_REQUEST"))
_TABLE: Final[Mapping[str, Member]] = {
    "OnDemandThroughput": _ON_DEMAND,
    "WarmThroughput": _WARM,
    "StreamSpecification": _structure(
        StreamEnabled=with_constraints(boolean, required=True),
        StreamViewType=with_constraints(
            text, one_of("NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES", "KEYS_ONLY")
        ),
    ),
    "SSESpecification": _structure(Enabled=boolean, SSEType=text, KMSMasterKeyId=text),
    "TableClass": text,
    "DeletionProtectionEnabled": boolean,
}

_OPERATOR: Final = with_constraints(
    text,
    one_of(
        *("IN", "NULL", "BETWEEN", "LT", "NOT_CONTAINS", "EQ", "GT"),
        *("NOT_NULL", "NE", "LE", "BEGINS_WITH", "GE", "CONTAINS"),
    ),
)
_EXPECTED: Final = MapOf(
    _structure(
        AttributeValueList=ListOf(attribute_value),
        ComparisonOperator=_OPERATOR,
        Exists=boolean,
        Value=attribute_value,
    )
)
_COMPARISONS: Final = MapOf(
    _structure(
        AttributeValueList=ListOf(attribute_value),
        ComparisonOperator=with_constraints(_OPERATOR, *_OPERATOR.constraints, required=True),
    )
)

_TAGS: Final = ListOf(_structure(Key=text, Value=text))
_CAPACITY: Final[Mapping[str, Member]] = {
    "ReturnConsumedCapacity": with_constraints(text, one_of("INDEXES", "TOTAL", "NONE"))
}
_METRICS: Final[Mapping[str, Member]] = {
    "ReturnItemCollectionMetrics": with_constraints(text, one_of("SIZE", "NONE"))
}
_RETURN_VALUES: Final[Mapping[str, Member]] = {
    "ReturnValues": with_constraints(
        text, one_of("ALL_NEW", "UPDATED_OLD", "ALL_OLD", "NONE", "UPDATED_NEW")
    )
}
_JOIN: Final = with_constraints(text, one_of("OR", "AND"))
_CONDITION: Final[Mapping[str, Member]] = {
    "ExpressionAttributeValues": _ITEM,
    "ExpressionAttributeNames": _NAMES,
    "ReturnValuesOnConditionCheckFailure": with_constraints(text, one_of("ALL_OLD", "NONE")),
    "ConditionExpression": text,
}
_WRITE: Final[Mapping[str, Member]] = {
    "ConditionalOperator": _JOIN,
    "Expected": _EXPECTED,
    **_CONDITION,
}
_ATTRIBUTES: Final[Mapping[str, Member]] = {
    "AttributesToGet": with_constraints(_TEXTS, longer(1), shorter(_MAX_ATTRIBUTES_TO_GET))
}
_READ: Final[Mapping[str, Member]] = {
    "ExpressionAttributeNames": _NAMES,
    "ProjectionExpression": text,
    "ConsistentRead": boolean,
}
_PAGE: Final[Mapping[str, Member]] = {
    "Select": with_constraints(
        text,
        one_of("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES"),
    ),
    "IndexName": with_constraints(text, *_NEW_NAME),
}
_FILTERED: Final[Mapping[str, Member]] = {
    **_READ,
    "ExclusiveStartKey": _ITEM,
    "FilterExpression": text,
    "ExpressionAttributeValues": _ITEM,
}
_LIMIT: Final = with_constraints(integer, at_least(1))
_BATCH_WRITE: Final = _structure(
    DeleteRequest=_structure(Key=_REQUIRED_ITEM), PutRequest=_structure(Item=_REQUIRED_ITEM)
)
_TABLE_AND_CONDITION: Final[Mapping[str, Member]] = {"TableName": _TABLE_NAME, **_CONDITION}
_ACTIONS: Final = (longer(1), shorter(MAX_ACTIONS))
_TOKEN: Final = with_constraints(text, longer(1), shorter(_MAX_TOKEN_CHARS))
_TRANSACT_WRITE: Final = _structure(
    Put=_structure(**_TABLE_AND_CONDITION, Item=_REQUIRED_ITEM),
    Update=_structure(
        **_TABLE_AND_CONDITION,
        Key=_REQUIRED_ITEM,
        UpdateExpression=with_constraints(text, required=True),
    ),
    Delete=_structure(**_TABLE_AND_CONDITION, Key=_REQUIRED_ITEM),
    ConditionCheck=_structure(
        **{
            **_TABLE_AND_CONDITION,
            "ConditionExpression": with_constraints(text, required=True),
            "Key": _REQUIRED_ITEM,
        }
    ),
)
_TRANSACT_GET: Final = _structure(
    Get=with_constraints(
        _structure(
            TableName=_TABLE_NAME,
            Key=_REQUIRED_ITEM,
            ProjectionExpression=text,
            ExpressionAttributeNames=_NAMES,
        ),
        required=True,
    )
)
_STATEMENT: Final[Mapping[str, Member]] = {
    "Statement": with_constraints(text, longer(1), shorter(_MAX_STATEMENT_CHARS), required=True),
    "Parameters": with_constraints(ListOf(attribute_value), longer(1)),
    "ReturnValuesOnConditionCheckFailure": with_constraints(text, one_of("ALL_OLD", "NONE")),
}

_LIMIT_OF_STREAMS: Final = with_constraints(integer, at_least(1), at_most(MAX_LISTED_STREAMS))
_STREAM_SHAPES: Final[Mapping[str, Structure]] = {
    "ListStreams": _structure(
        TableName=text, Limit=_LIMIT_OF_STREAMS, ExclusiveStartStreamArn=text
    ),
    "DescribeStream": _structure(
        StreamArn=with_constraints(text, required=True),
        Limit=_LIMIT_OF_STREAMS,
        ExclusiveStartShardId=text,
        ShardFilter=_structure(Type=with_constraints(text, one_of("CHILD_SHARDS")), ShardId=text),
    ),
    "GetShardIterator": _structure(
        StreamArn=with_constraints(text, required=True),
        ShardId=with_constraints(text, longer(28), shorter(65), required=True),
        ShardIteratorType=with_constraints(
            text,
            one_of(
                *("AFTER_SEQUENCE_NUMBER", "LATEST", "AT_TIMESTAMP"),
                *("AT_SEQUENCE_NUMBER", "TRIM_HORIZON"),
            ),
            required=True,
        ),
        SequenceNumber=with_constraints(text, longer(21), shorter(40)),
        Timestamp=moment,
    ),
    "GetRecords": _structure(
        ShardIterator=with_constraints(text, longer(1), shorter(2048), required=True),
        Limit=with_constraints(integer, at_least(1), at_most(MAX_RECORDS)),
    ),
}
STREAM_OPERATIONS: Final = frozenset(_STREAM_SHAPES)
"""The operations of DynamoDB Streams, which is a separate service for AWS's clients."""

SHAPES: Final[Mapping[str, Structure]] = {
    **_STREAM_SHAPES,
    "CreateTable": _structure(
        AttributeDefinitions=with_constraints(_DEFINITIONS, required=True),
        TableName=with_constraints(text, *_NEW_NAME, required=True),
        BillingMode=_BILLING_MODE,
        ProvisionedThroughput=_THROUGHPUT,
        KeySchema=_KEY_SCHEMA,
        LocalSecondaryIndexes=ListOf(Structure(_LOCAL_INDEX)),
        GlobalSecondaryIndexes=ListOf(_GLOBAL_INDEX),
        **_TABLE,
        VectorIndexes=_UNREAD,
        Tags=_TAGS,
        ResourcePolicy=text,
    ),
    "UpdateTable": _structure(
        TableName=_MANAGED_TABLE,
        ProvisionedThroughput=_THROUGHPUT,
        BillingMode=_BILLING_MODE,
        GlobalSecondaryIndexUpdates=ListOf(_INDEX_CHANGE),
        AttributeDefinitions=_DEFINITIONS,
        **_TABLE,
        ReplicaUpdates=_UNREAD,
        VectorIndexUpdates=_UNREAD,
    ),
    "DeleteTable": _structure(TableName=_MANAGED_TABLE),
    "DescribeTable": _structure(TableName=_MANAGED_TABLE),
    "DescribeContinuousBackups": _structure(TableName=_MANAGED_TABLE),
    "DescribeEndpoints": _structure(),
    "DescribeLimits": _structure(),
    "TagResource": _structure(ResourceArn=text, Tags=_TAGS),
    "UntagResource": _structure(ResourceArn=text, TagKeys=_TEXTS),
    "ListTagsOfResource": _structure(ResourceArn=text, NextToken=text),
    "ListTables": _structure(
        Limit=with_constraints(integer, at_least(1), at_most(MAX_TABLE_NAMES)),
        ExclusiveStartTableName=with_constraints(text, *_NEW_NAME),
    ),
    "UpdateTimeToLive": _structure(
        TableName=_MANAGED_TABLE,
        TimeToLiveSpecification=with_constraints(
            _structure(AttributeName=_KEY_NAME, Enabled=with_constraints(boolean, required=True)),
            required=True,
        ),
    ),
    "DescribeTimeToLive": _structure(TableName=_MANAGED_TABLE),
    "PutItem": _structure(
        **_CAPACITY,
        **_RETURN_VALUES,
        TableName=_TABLE_NAME,
        Item=_REQUIRED_ITEM,
        **_WRITE,
        **_METRICS,
    ),
    "GetItem": _structure(
        **_CAPACITY, **_ATTRIBUTES, TableName=_TABLE_NAME, Key=_REQUIRED_ITEM, **_READ
    ),
    "UpdateItem": _structure(
        **_CAPACITY,
        TableName=_TABLE_NAME,
        **_METRICS,
        **_RETURN_VALUES,
        Key=_REQUIRED_ITEM,
        **_WRITE,
        AttributeUpdates=MapOf(
            _structure(
                Action=with_constraints(text, one_of("ADD", "PUT", "DELETE")), Value=attribute_value
            )
        ),
        UpdateExpression=text,
    ),
    "DeleteItem": _structure(
        **_CAPACITY,
        TableName=_TABLE_NAME,
        **_RETURN_VALUES,
        **_METRICS,
        Key=_REQUIRED_ITEM,
        **_WRITE,
    ),
    "Query": _verbatim(
        _structure(
            **_PAGE,
            **_CAPACITY,
            QueryFilter=_COMPARISONS,
            TableName=_TABLE_NAME,
            ConditionalOperator=_JOIN,
            **_ATTRIBUTES,
            Limit=_LIMIT,
            KeyConditions=_COMPARISONS,
            **_FILTERED,
            KeyConditionExpression=text,
            ScanIndexForward=boolean,
        ),
        "Limit",
    ),
    "Scan": _structure(
        **_PAGE,
        TotalSegments=with_constraints(integer, at_least(1), at_most(_MAX_SEGMENTS)),
        **_CAPACITY,
        TableName=_TABLE_NAME,
        ConditionalOperator=_JOIN,
        ScanFilter=_COMPARISONS,
        Segment=with_constraints(integer, at_least(0), at_most(_MAX_SEGMENTS - 1)),
        Limit=_LIMIT,
        **_ATTRIBUTES,
        **_FILTERED,
    ),
    "BatchGetItem": _verbatim(
        _structure(
            **_CAPACITY,
            RequestItems=MapOf(
                _structure(
                    Keys=with_constraints(
                        ListOf(_ITEM), longer(1), shorter(MAX_BATCH_GETS), required=True
                    ),
                    **_ATTRIBUTES,
                    **_READ,
                ),
                constraints=(longer(1),),
                required=True,
                names=_TABLE_NAMES,
            ),
        ),
        "RequestItems",
    ),
    "BatchWriteItem": _structure(
        **_CAPACITY,
        **_METRICS,
        RequestItems=MapOf(
            ListOf(_BATCH_WRITE),
            constraints=(longer(1),),
            required=True,
            names=_TABLE_NAMES,
            values=(shorter(MAX_BATCH_WRITES), longer(1)),
        ),
    ),
    "TransactGetItems": _structure(
        **_CAPACITY, TransactItems=with_constraints(ListOf(_TRANSACT_GET), *_ACTIONS, required=True)
    ),
    "ExecuteStatement": _structure(
        **_STATEMENT, **_CAPACITY, ConsistentRead=boolean, NextToken=text, Limit=_LIMIT
    ),
    "BatchExecuteStatement": _structure(
        **_CAPACITY,
        Statements=with_constraints(
            ListOf(_structure(**_STATEMENT, ConsistentRead=boolean)),
            *(longer(1), shorter(MAX_BATCH_STATEMENTS)),
            required=True,
        ),
    ),
    "ExecuteTransaction": _structure(
        **_CAPACITY,
        ClientRequestToken=_TOKEN,
        TransactStatements=with_constraints(
            ListOf(Structure(_STATEMENT)), *_ACTIONS, required=True
        ),
    ),
    "TransactWriteItems": _structure(
        **_CAPACITY,
        **_METRICS,
        ClientRequestToken=_TOKEN,
        TransactItems=with_constraints(ListOf(_TRANSACT_WRITE), *_ACTIONS, required=True),
    ),
}
