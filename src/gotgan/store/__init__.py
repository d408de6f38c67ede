"""The store: DynamoDB as Python values, on the embedded engine or on AWS.

Declare tables and entities, write access patterns as functions, and hand both to a ``Store``: see
``docs/store.md``. A name is imported on first use, so that a program that uses the engine alone
does not load the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gotgan.store import writes
    from gotgan.store.batches import BatchReport, FailedPut, FailedWrite, PutNewReport
    from gotgan.store.conditions import Condition, attr, raw
    from gotgan.store.costs import Cost
    from gotgan.store.entities import Entity, entities_of
    from gotgan.store.fields import (
        Attribute,
        Epoch,
        EpochMs,
        Id,
        KeyOnly,
        MessageText,
        Prefixed,
        Timestamp,
        camel_case,
        derived,
    )
    from gotgan.store.keys import FewValues, IndexKey, Key, LongKey, Ref, collection
    from gotgan.store.lint import DeclarationWarning
    from gotgan.store.pages import Count, Page
    from gotgan.store.patterns import Pattern, pattern, patterns_of
    from gotgan.store.prices import Price, bill
    from gotgan.store.queries import Query
    from gotgan.store.reads import BatchGetResult
    from gotgan.store.store import Store
    from gotgan.store.tables import ALL, KEYS_ONLY, Index, Names, Provisioned, Table, binary, number
    from gotgan.store.updates import append, increment, remove
    from gotgan.store.writer import (
        CancellationReason,
        DeleteResult,
        PutNew,
        TransactionResult,
        WriteResult,
    )
    from gotgan.store.writes import Write

__all__ = [
    "ALL",
    "KEYS_ONLY",
    "Attribute",
    "BatchGetResult",
    "BatchReport",
    "CancellationReason",
    "Condition",
    "Cost",
    "Count",
    "DeclarationWarning",
    "DeleteResult",
    "Entity",
    "Epoch",
    "EpochMs",
    "FailedPut",
    "FailedWrite",
    "FewValues",
    "Id",
    "Index",
    "IndexKey",
    "Key",
    "KeyOnly",
    "LongKey",
    "MessageText",
    "Names",
    "Page",
    "Pattern",
    "Prefixed",
    "Price",
    "Provisioned",
    "PutNew",
    "PutNewReport",
    "Query",
    "Ref",
    "Store",
    "Table",
    "Timestamp",
    "TransactionResult",
    "Write",
    "WriteResult",
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

_NAMES = {
    "batches": "BatchReport FailedPut FailedWrite PutNewReport",
    "conditions": "Condition attr raw",
    "costs": "Cost",
    "entities": "Entity entities_of",
    "fields": (
        "Attribute Epoch EpochMs Id KeyOnly MessageText Prefixed Timestamp camel_case derived"
    ),
    "keys": "FewValues IndexKey Key LongKey Ref collection",
    "lint": "DeclarationWarning",
    "pages": "Count Page",
    "patterns": "Pattern pattern patterns_of",
    "prices": "Price bill",
    "queries": "Query",
    "reads": "BatchGetResult",
    "store": "Store",
    "tables": "ALL Index KEYS_ONLY Names Provisioned Table binary number",
    "updates": "append increment remove",
    "writer": "CancellationReason DeleteResult PutNew TransactionResult WriteResult",
    "writes": "Write",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name == "writes":
        return import_module("gotgan.store.writes")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"gotgan.store.{_MODULES[name]}"), name)
