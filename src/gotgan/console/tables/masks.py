"""Masks for secrets, and for the hashes that identify them.

An entity lists such fields as ``hidden``. One that is a part of the key is cut off there, and its
item has no page: the path would contain the key.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from gotgan.store import Table, entities_of
from gotgan.store.attributes import AttributeValue, Item
from gotgan.store.schema import Schema, schema_of

MASK: Final = "••••••"
_MASKED: Final[AttributeValue] = {"S": MASK}


@cache
def secret_attributes(table: Table) -> frozenset[str]:
    """The attributes of a table that hold a secret."""
    return frozenset(
        schema.parts[name].attribute
        for schema in _schemas(table)
        for name in _hidden_fields(schema)
        if not schema.parts[name].key_only
    )


def has_secret_key(table: Table, key: Item) -> bool:
    """Whether the key of an item is made of a secret."""
    return _secret_schema(table, key) is not None


def masked(table: Table, item: Item) -> Item:
    """An item without its secrets."""
    secret = secret_attributes(table) & item.keys()
    shown = {**item, **dict.fromkeys(secret, _MASKED)}
    schema = _secret_schema(table, item)
    if schema is not None:
        for key, template in zip(table.keys, schema.key.templates, strict=True):
            if _hidden_fields(schema) & set(template.fields):
                shown[key.name] = {"S": f"{template.start}{MASK}"}
    return shown


def _secret_schema(table: Table, key: Item) -> Schema | None:
    """The schema of an item whose key is made of a secret."""
    return next((each for each in _schemas_with_secret_keys(table) if each.matches(key)), None)


@cache
def _schemas_with_secret_keys(table: Table) -> tuple[Schema, ...]:
    """The schemas with a secret in their key, cached for the many items of a sheet."""
    schemas = _schemas(table)
    return tuple(each for each in schemas if not _hidden_fields(each).isdisjoint(each.key.fields))


def _schemas(table: Table) -> Iterator[Schema]:
    return (schema_of(entity) for entity in entities_of(table))


def _hidden_fields(schema: Schema) -> frozenset[str]:
    entity: Any = schema.entity
    named: frozenset[str] = getattr(entity, "hidden", frozenset())
    return named
