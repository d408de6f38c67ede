"""Bad requests by chance: good ones with a few members that break a constraint or are gone."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from tests.oracle.cases.builders import TABLE, create, index, keys, n, put, s
from tests.oracle.scenario import Scenario, Step

__all__ = ["faulty_scenario"]

_STEPS = 20
_KEY = {"pk": s("p")}
_WORD = "WRONG"
_CONDITION = {"ComparisonOperator": _WORD, "AttributeValueList": [n(1)]}
_GOOD: Final[dict[str, dict[str, Any]]] = {
    "PutItem": {"Item": _KEY},
    "GetItem": {"Key": _KEY},
    "DeleteItem": {"Key": _KEY},
    "UpdateItem": {"Key": _KEY},
    "Query": {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": s("p")}},
    "Scan": {},
    "BatchGetItem": {"RequestItems": {TABLE: {"Keys": [_KEY]}}},
    "BatchWriteItem": {"RequestItems": {TABLE: [{"DeleteRequest": {"Key": _KEY}}]}},
}
_BATCHES: Final = frozenset({"BatchGetItem", "BatchWriteItem"})
_WRITES: Final = ("PutItem", "DeleteItem", "UpdateItem")
_PAGES: Final = ("Query", "Scan")
# What can be wrong with a member, and in which operations.
_FAULTS: Final[dict[str, tuple[tuple[Any, ...], tuple[str, ...]]]] = {
    "TableName": (("", "a;", "x" * 256, None), (*_WRITES, *_PAGES, "GetItem")),
    "Key": ((None,), ("GetItem", "DeleteItem", "UpdateItem")),
    "Item": ((None,), ("PutItem",)),
    "ReturnConsumedCapacity": ((_WORD, ""), tuple(_GOOD)),
    "ReturnItemCollectionMetrics": ((_WORD,), (*_WRITES, "BatchWriteItem")),
    "ReturnValues": ((_WORD,), _WRITES),
    "ConditionalOperator": ((_WORD,), (*_WRITES, *_PAGES)),
    "Expected": (({"a": _CONDITION},), _WRITES),
    "AttributesToGet": (([],), ("GetItem", *_PAGES)),
    "Select": ((_WORD,), _PAGES),
    "IndexName": (("a", "a;b", "x" * 256), _PAGES),
    "Limit": ((0, -1), _PAGES),
    "Segment": ((-1,), ("Scan",)),
    "TotalSegments": ((0, -5), ("Scan",)),
    "ScanFilter": (({"a": _CONDITION}, {"a": {}}), ("Scan",)),
    "RequestItems": (({}, None, {TABLE: {}}, {TABLE: []}), tuple(_BATCHES)),
}


def faulty_scenario(seed: int) -> Scenario:
    """The scenario of a seed."""
    dice = Random(seed)
    steps = tuple(_faulty(dice) for _ in range(_STEPS))
    table = create("pk:S g:S", GlobalSecondaryIndexes=[index("gsi", keys("g"))])
    return Scenario(f"faults {seed}", (table, put(_KEY)), steps)


def _faulty(dice: Random) -> Step:
    operation = dice.choice(sorted(_GOOD))
    request = dict(_GOOD[operation])
    if operation not in _BATCHES:
        request["TableName"] = TABLE
    possible = sorted(name for name, (_, found) in _FAULTS.items() if operation in found)
    chosen = dice.sample(possible, min(len(possible), dice.randint(1, 3)))
    wrong = {name: dice.choice(_FAULTS[name][0]) for name in chosen}
    request = {name: value for name, value in {**request, **wrong}.items() if value is not None}
    return Step(operation, request, ", ".join(wrong))
