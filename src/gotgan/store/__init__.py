"""The store: DynamoDB as Python values, on the embedded engine or on AWS.

Declare tables and entities, write access patterns as functions, and hand both to a ``Store``:
``docs/store.md`` tells how. A name is imported when it is first asked for, so that whoever uses the
engine alone does not load the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gotgan.store import writes
    from gotgan.store.batches import Batched, Undone
    from gotgan.store.bill import bill
    from gotgan.store.changes import append, increment, remove
    from gotgan.store.conditions import Condition, attr, raw
    from gotgan.store.costs import Cost
    from gotgan.store.derivation import derived
    from gotgan.store.entities import Entity, entities_of
    from gotgan.store.fields import (
        Attribute,
        Epoch,
        EpochMs,
        Id,
        KeyOnly,
        Prefixed,
        Timestamp,
        camel_case,
    )
    from gotgan.store.getting import Found
    from gotgan.store.keys import FewValues, IndexKey, Key, LongKey, Ref, collection
    from gotgan.store.lint import DeclarationWarning
    from gotgan.store.patterns import Pattern, pattern, patterns_of
    from gotgan.store.prices import Price
    from gotgan.store.put_new import Failed, PutNewReport
    from gotgan.store.queries import Query
    from gotgan.store.reading import Count, Page
    from gotgan.store.store import Store
    from gotgan.store.tables import ALL, KEYS_ONLY, Index, Names, Provisioned, Table, binary, number
    from gotgan.store.transactions import Committed, Reason
    from gotgan.store.writes import Write
    from gotgan.store.writing import PutNew, Removed, Written

__all__ = [
    "ALL",
    "KEYS_ONLY",
    "Attribute",
    "Batched",
    "Committed",
    "Condition",
    "Cost",
    "Count",
    "DeclarationWarning",
    "Entity",
    "Epoch",
    "EpochMs",
    "Failed",
    "FewValues",
    "Found",
    "Id",
    "Index",
    "IndexKey",
    "Key",
    "KeyOnly",
    "LongKey",
    "Names",
    "Page",
    "Pattern",
    "Prefixed",
    "Price",
    "Provisioned",
    "PutNew",
    "PutNewReport",
    "Query",
    "Reason",
    "Ref",
    "Removed",
    "Store",
    "Table",
    "Timestamp",
    "Undone",
    "Write",
    "Written",
    "append",
    "attr",
    "bill",
    "binary",
    "camel_case",
    "collection",
    "derived",
    "entities_of",
    "increment",
    "number",
    "pattern",
    "patterns_of",
    "raw",
    "remove",
    "writes",
]

_HOMES = {
    "Batched": "gotgan.store.batches",
    "bill": "gotgan.store.bill",
    "Undone": "gotgan.store.batches",
    "append": "gotgan.store.changes",
    "increment": "gotgan.store.changes",
    "remove": "gotgan.store.changes",
    "Condition": "gotgan.store.conditions",
    "attr": "gotgan.store.conditions",
    "raw": "gotgan.store.conditions",
    "Cost": "gotgan.store.costs",
    "derived": "gotgan.store.derivation",
    "Entity": "gotgan.store.entities",
    "entities_of": "gotgan.store.entities",
    "Attribute": "gotgan.store.fields",
    "Epoch": "gotgan.store.fields",
    "EpochMs": "gotgan.store.fields",
    "Id": "gotgan.store.fields",
    "KeyOnly": "gotgan.store.fields",
    "Prefixed": "gotgan.store.fields",
    "Timestamp": "gotgan.store.fields",
    "camel_case": "gotgan.store.fields",
    "Found": "gotgan.store.getting",
    "FewValues": "gotgan.store.keys",
    "IndexKey": "gotgan.store.keys",
    "Key": "gotgan.store.keys",
    "LongKey": "gotgan.store.keys",
    "Ref": "gotgan.store.keys",
    "collection": "gotgan.store.keys",
    "DeclarationWarning": "gotgan.store.lint",
    "Pattern": "gotgan.store.patterns",
    "pattern": "gotgan.store.patterns",
    "patterns_of": "gotgan.store.patterns",
    "Failed": "gotgan.store.put_new",
    "Price": "gotgan.store.prices",
    "PutNewReport": "gotgan.store.put_new",
    "Query": "gotgan.store.queries",
    "Count": "gotgan.store.reading",
    "Page": "gotgan.store.reading",
    "Store": "gotgan.store.store",
    "ALL": "gotgan.store.tables",
    "Index": "gotgan.store.tables",
    "KEYS_ONLY": "gotgan.store.tables",
    "Names": "gotgan.store.tables",
    "Provisioned": "gotgan.store.tables",
    "Table": "gotgan.store.tables",
    "binary": "gotgan.store.tables",
    "number": "gotgan.store.tables",
    "Committed": "gotgan.store.transactions",
    "Reason": "gotgan.store.transactions",
    "Write": "gotgan.store.writes",
    "PutNew": "gotgan.store.writing",
    "Removed": "gotgan.store.writing",
    "Written": "gotgan.store.writing",
}


def __getattr__(name: str) -> Any:
    if name == "writes":
        return import_module("gotgan.store.writes")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
