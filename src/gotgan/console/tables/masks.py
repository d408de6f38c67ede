"""What nobody is shown: secrets, and the hashes by which they are known again.

An entity names such fields as ``hidden``. One that is a part of the key is cut off there, and its
item has no address: it would tell the key.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from gotgan.store import Table, entities_of
from gotgan.store.attributes import AttributeValue, Item
from gotgan.store.schema import Schema, schema_of

__all__ = ["MASK", "has_secret_key", "masked", "secret_attributes"]

MASK: Final = "••••••"


@cache
def secret_attributes(table: Table) -> frozenset[str]:
    """The attributes of a table that hold a secret."""
    return frozenset(
        schema.parts[name].attribute
        for schema in _schemas(table)
        for name in _hidden(schema)
        if not schema.parts[name].key_only
    )


def has_secret_key(table: Table, key: Item) -> bool:
    """Whether the key of an item is made of a secret."""
    return _keyed_by_secret(table, key) is not None


def masked(table: Table, item: Item) -> Item:
    """An item without its secrets."""
    secret = secret_attributes(table) & item.keys()
    shown = {**item, **dict.fromkeys(secret, _MASKED)}
    schema = _keyed_by_secret(table, item)
    return shown if schema is None else {**shown, **_masked_key(table, schema)}


def _masked_key(table: Table, schema: Schema) -> Item:
    pairs = zip(table.keys, schema.key.templates, strict=True)
    return {
        key.name: {"S": f"{template.start}{MASK}"}
        for key, template in pairs
        if _hidden(schema) & set(template.fields)
    }


def _keyed_by_secret(table: Table, key: Item) -> Schema | None:
    """What an item is, if its key is made of a secret."""
    return next((each for each in _with_secret_keys(table) if each.matches(key)), None)


@cache
def _with_secret_keys(table: Table) -> tuple[Schema, ...]:
    """What has a secret in its key; a sheet asks for every item of it."""
    schemas = _schemas(table)
    return tuple(each for each in schemas if not _hidden(each).isdisjoint(each.key.fields))


def _schemas(table: Table) -> Iterator[Schema]:
    return (schema_of(entity) for entity in entities_of(table))


def _hidden(schema: Schema) -> frozenset[str]:
    entity: Any = schema.entity
    named: frozenset[str] = getattr(entity, "hidden", frozenset())
    return named


_MASKED: Final[AttributeValue] = {"S": MASK}
