"""Following a key: what the values of an item lead to, in the same table or in another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from gotgan.console.tables.masks import has_secret_key
from gotgan.console.tables.places import item_path, siblings, table_path
from gotgan.errors import BadKeyPart, UsageError
from gotgan.store import Entity, Table, entities_of
from gotgan.store.attributes import AttributeValue, Item, decode
from gotgan.store.data.readable import readable
from gotgan.store.schema import Schema, schema_of
from gotgan.store.tables import Index

__all__ = ["Link", "entity_of", "follow"]

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ID: Final = "id"


@dataclass(frozen=True)
class Link:
    """Somewhere that a value leads to."""

    kind: Literal["partition", "index", "item"]
    name: str
    """The table, the index or the entity that is there."""
    path: str


def entity_of(table: Table, item: Item) -> type[Entity] | None:
    """The entity that an item is; None where nobody declared such items."""
    return next((each for each in entities_of(table) if schema_of(each).matches(item)), None)


def follow(table: Table, item: Item) -> dict[str, list[Link]]:
    """The links of an item, by the attributes whose values they follow."""
    found: dict[str, list[Link]] = {}
    if has_secret_key(table, item):
        return found
    for attribute, link in (*_own(table, item), *_related(table, item)):
        found.setdefault(attribute, []).append(link)
    return found


def _own(table: Table, item: Item) -> Iterator[tuple[str, Link]]:
    """Within the table: the item's partition, and its place in each index."""
    if table.sk is not None:
        partition = table_path(table, pk=_text(item[table.pk.name]))
        yield table.pk.name, Link("partition", table.name, partition)
    for index in table.indexes.values():
        if all(key.name in item for key in index.keys):
            yield from _in_index(table, index, item)


def _in_index(table: Table, index: Index, item: Item) -> Iterator[tuple[str, Link]]:
    partition = {"index": index.name, "pk": _text(item[index.pk.name])}
    yield index.pk.name, Link("index", index.name, table_path(table, **partition))
    if index.sk is not None:
        exact = {**partition, "op": "=", "sk": _text(item[index.sk.name])}
        yield index.sk.name, Link("index", index.name, table_path(table, **exact))


def _related(table: Table, item: Item) -> Iterator[tuple[str, Link]]:
    """Items of the same domain whose keys are made of fields that this one has too."""
    own = entity_of(table, item)
    if own is None:
        return
    schema = schema_of(own)
    values = _stored(schema, item)
    others = [entity for each in siblings(table) for entity in entities_of(each)]
    for entity in others:
        fields = {} if entity is own else _fields_for(entity, values)
        if fields:
            yield from _link(schema, entity, fields, values)


def _link(
    schema: Schema, entity: type[Entity], fields: Mapping[str, str], values: Mapping[str, Any]
) -> Iterator[tuple[str, Link]]:
    target = schema_of(entity)
    try:
        ref = target.key.ref(entity, {name: values[ours] for name, ours in fields.items()})
    except (BadKeyPart, UsageError):
        return  # a value that no key of that kind can have
    link = Link("item", entity.__name__, item_path(target.table, ref.item))
    yield _attribute(schema, list(fields.values())[-1]), link


def _fields_for(entity: type[Entity], values: Mapping[str, Any]) -> dict[str, str]:
    """Which of our fields fill in the key of another entity; none where one is lacking.

    A field of the same name does, and for a key that is an ``id`` and nothing else one that is
    called after the entity: ``category_id`` for that of a ``Category``.
    """
    templates = schema_of(entity).key.templates
    wanted = [name for template in templates for name in template.fields]
    if wanted == [_ID]:
        named = f"{_HUMP.sub('_', entity.__name__).lower()}_{_ID}"
        return {_ID: named} if values.get(named) is not None else {}
    has_all = all(values.get(name) is not None for name in wanted)
    return {name: name for name in wanted} if has_all else {}


def _stored(schema: Schema, item: Item) -> dict[str, Any]:
    """The fields that an item tells, in their stored form."""
    told: dict[str, Any] = {}
    for key, template in zip(schema.table.keys, schema.key.templates, strict=True):
        told |= template.read(item[key.name].get("S")) or {}
    for name, part in schema.parts.items():
        if not part.key_only and part.attribute in item:
            told[name] = decode(item[part.attribute])
    return told


def _attribute(schema: Schema, field: str) -> str:
    """Where a field is seen in an item: its attribute, or the key that holds it."""
    part = schema.parts[field]
    if not part.key_only:
        return part.attribute
    pairs = zip(schema.table.keys, schema.key.templates, strict=True)
    return next(key.name for key, template in pairs if field in template.fields)


def _text(value: AttributeValue) -> str:
    return str(readable({"value": value})["value"])
