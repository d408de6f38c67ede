"""What is in the tables in truth, and changes to it behind the store's back."""

from __future__ import annotations

from typing import Any

from gotgan.store import Entity, Index, Ref, Store, Table
from gotgan.store.attributes import Item, decode_item, encode

__all__ = ["everything", "in_index", "scribble", "stored"]


def stored(store: Store, ref: Ref[Any]) -> dict[str, Any] | None:
    """An item as it is stored, as Python values."""
    request = {**_table(store, ref.table), "Key": ref.item, "ConsistentRead": True}
    item = store.calls.driver.call("GetItem", request).get("Item")
    return None if item is None else decode_item(item)


def scribble(store: Store, target: Entity | Ref[Any], **attributes: Any) -> None:
    """Write attributes that no entity knows, or what no entity would write."""
    ref: Ref[Any] = target if isinstance(target, Ref) else target.key
    marks = {f"#n{number}": name for number, name in enumerate(attributes)}
    values = {f":v{number}": encode(value) for number, value in enumerate(attributes.values())}
    sets = ", ".join(f"{mark} = :v{number}" for number, mark in enumerate(marks))
    request = {
        **_table(store, ref.table),
        "Key": ref.item,
        "UpdateExpression": f"SET {sets}",
        "ExpressionAttributeNames": marks,
        "ExpressionAttributeValues": values,
    }
    store.calls.driver.call("UpdateItem", request)


def everything(store: Store, table: Table) -> list[Item]:
    """Every item of a table."""
    return _scanned(store, _table(store, table))


def in_index(store: Store, index: Index) -> list[dict[str, Any]]:
    """Every item of an index, as Python values."""
    request = {**_table(store, index.table), "IndexName": store.calls.names.of(index)}
    return [decode_item(item) for item in _scanned(store, request)]


def _table(store: Store, table: Table) -> dict[str, Any]:
    return {"TableName": store.calls.names.of(table)}


def _scanned(store: Store, request: dict[str, Any]) -> list[Item]:
    found: list[Item] = []
    start: dict[str, Any] = {}
    while True:
        answer = store.calls.driver.call("Scan", {**request, **start})
        found += answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return found
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
