"""Answers without what may differ: names of the machine, times, ids, and free orders."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Any

from tests.oracle.scenario import ANY_ORDER, Step
from tests.oracle.wire import Answer

__all__ = ["normalised"]

# Named by the machine or by the clock, or newer than most of the peers.
_OF_THE_MACHINE = frozenset(
    {
        "ArchivalSummary",
        "Backfilling",
        "CreationDateTime",
        "GlobalTableWitnesses",
        "IndexArn",
        "IndexSizeBytes",
        "ItemCount",
        "LastDecreaseDateTime",
        "LastIncreaseDateTime",
        "LastUpdateDateTime",
        "LastUpdateToPayPerRequestDateTime",
        "LatestStreamArn",
        "LatestStreamLabel",
        "NumberOfDecreasesToday",
        "OnDemandThroughput",
        "TableArn",
        "TableId",
        "TableSizeBytes",
        "TableThroughputModeSummary",
        "WarmThroughput",
    }
)


def normalised(step: Step, answer: Answer) -> dict[str, Any]:
    """The part of an answer that two implementations must agree on."""
    if not answer.ok:
        return _refusal(answer.body)
    return {name: _member(name, value, step) for name, value in answer.body.items()}


def _refusal(body: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    if "Item" in body:
        kept["Item"] = _item(body["Item"])
    if "CancellationReasons" in body:
        kept["CancellationReasons"] = [_reason(reason) for reason in body["CancellationReasons"]]
    return kept


def _reason(reason: dict[str, Any]) -> dict[str, Any]:
    kept = {"Code": reason.get("Code")}
    return {**kept, "Item": _item(reason["Item"])} if "Item" in reason else kept


def _member(name: str, value: Any, step: Step) -> Any:
    if name == "Items":
        return _items(value, step)
    rule = _MEMBERS.get(name)
    if rule is not None:
        return rule(value)
    if name == "LastEvaluatedKey":
        return _last_key(value, step)
    return value


def _last_key(key: dict[str, Any], step: Step) -> Any:
    # Partitions come in an order of each implementation's own.
    return sorted(key) if step.operation == "Scan" else _item(key)


def _items(items: list[Any], step: Step) -> Any:
    plain = [_item(item) for item in items]
    if step.operation == "Scan" and "Limit" in step.payload and not step.follow:
        return f"{len(plain)} items"
    if step.operation == "Scan" or step.order == ANY_ORDER:
        return sorted(plain, key=_text)
    if step.order:
        return sorted(plain, key=lambda item: (_rank(plain, step.order, item), _text(item)))
    return plain


def _rank(items: list[Any], attribute: str, item: Any) -> int:
    """Where the item's value of the attribute comes first: neighbours with one value are ties."""
    value = item.get(attribute)
    return next(place for place, other in enumerate(items) if other.get(attribute) == value)


def _item(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    return {name: _value(value) for name, value in item.items()}


def _value(value: Any) -> Any:
    if not isinstance(value, dict) or len(value) != 1:
        return value
    ((kind, content),) = value.items()
    if kind == "M":
        return {kind: _item(content)}
    if kind == "L":
        return {kind: [_value(element) for element in content]}
    if kind in ("SS", "BS"):
        return {kind: sorted(content)}
    if kind == "NS":
        return {kind: sorted(content, key=_number)}
    return value


def _number(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        return Decimal(0)


def _description(table: Any) -> Any:
    if isinstance(table, dict):
        kept = ((name, _description(value)) for name, value in table.items())
        return {name: value for name, value in kept if name not in _OF_THE_MACHINE and value != []}
    if isinstance(table, list):
        return sorted((_description(one) for one in table), key=_text)
    return table


def _capacity(capacity: Any) -> Any:
    if isinstance(capacity, list):
        return sorted(capacity, key=_text)
    return capacity


def _metrics(metrics: Any) -> Any:
    if isinstance(metrics, dict):
        return {
            name: "a range" if name == "SizeEstimateRangeGB" else _metrics(value)
            for name, value in metrics.items()
        }
    if isinstance(metrics, list):
        return [_metrics(one) for one in metrics]
    return metrics


def _responses(responses: Any) -> Any:
    if isinstance(responses, dict):
        return {
            table: sorted((_item(item) for item in items), key=_text)
            for table, items in responses.items()
        }
    return [_response(one) for one in responses]


def _response(response: dict[str, Any]) -> dict[str, Any]:
    """One answer of a transaction, or of a PartiQL batch, where an error has a message."""
    kept = dict(response)
    if "Item" in kept:
        kept["Item"] = _item(kept["Item"])
    if "Error" in kept:
        kept["Error"] = _reason(kept["Error"])
    return kept


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


_MEMBERS: dict[str, Callable[[Any], Any]] = {
    "Attributes": _item,
    "ConsumedCapacity": _capacity,
    "Item": _item,
    "NextToken": lambda _token: "a token",
    "ItemCollectionMetrics": _metrics,
    "Responses": _responses,
    "Table": _description,
    "TableDescription": _description,
}
