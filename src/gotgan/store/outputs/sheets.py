"""Entities and access patterns as rows, for the pages and the machine-readable declaration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from gotgan.store.attributes import Item
from gotgan.store.derivation import Derived
from gotgan.store.fields import Field, Prefixed
from gotgan.store.keys import Acknowledged, FewValues, IndexKey, Key
from gotgan.store.schema import Schema
from gotgan.store.tables import KeyAttribute
from gotgan.store.tracing import Read

__all__ = ["AttributeDescription", "Risk", "attributes_of", "key_condition", "risks_of"]


@dataclass(frozen=True, slots=True)
class AttributeDescription:
    """One attribute of an entity's items."""

    name: str
    type: str
    """As DynamoDB writes it; empty where no example shows it."""
    field: str
    """The field that it is in Python; empty where it is none."""
    template: str
    """What it is made of, for key attributes that are no field."""
    optional: bool
    note: str


@dataclass(frozen=True, slots=True)
class Risk:
    """Something that a declaration knowingly does, and why."""

    where: str
    what: str
    reason: str


def attributes_of(schema: Schema, example: Item | None) -> list[AttributeDescription]:
    """The attributes of an entity: its keys, its keys in indexes, its fields."""
    shown = example or {}
    stored = [part for part in schema.parts.values() if not part.key_only]
    fields = {part.attribute: _field_row(schema, part, shown) for part in stored}
    keys = [row for row in _key_rows(schema, shown) if row.name not in fields]
    return [*keys, *fields.values()]


def risks_of(schema: Schema) -> list[Risk]:
    """What the keys of an entity acknowledge."""
    places: list[tuple[str, Key | IndexKey]] = [("its key in the table", schema.key)]
    places += [(f"its key in `{key.index.name}`", key) for key in schema.index_keys]
    return [
        Risk(where, _what(acknowledged), acknowledged.reason)
        for where, key in places
        for acknowledged in key.acknowledged
    ]


def key_condition(read: Read) -> str:
    """What a read asks of the key: ``PK = "CATEGORY#{id}" AND begins_with(SK, "POST#")``."""
    place = read.table if read.index is None else read.index
    value = f'"{read.pk}"' if place.pk.type == "S" else read.pk
    partition = f"{place.pk.name} = {value}"
    return f"{partition} AND {read.sort}" if read.sort else partition


def _what(acknowledged: Acknowledged) -> str:
    few = isinstance(acknowledged, FewValues)
    return "few partitions" if few else "it may be too long, and is refused then"


def _key_rows(schema: Schema, shown: Item) -> Iterator[AttributeDescription]:
    yield from _templates(schema.key, schema.table.keys, "", optional=False)
    for key in schema.index_keys:
        optional = any(schema.parts[name].optional for name in key.fields)
        place = f"key of {key.index.name}"
        yield from _templates(key, key.index.keys, place, optional=optional)
        for name in sorted(key.kept - {each.name for each in key.index.keys}):
            note = f"kept by {key.name}"
            yield AttributeDescription(name, _type(name, shown), "", "", optional=True, note=note)


def _templates(
    key: Key | IndexKey, names: tuple[KeyAttribute, ...], place: str, *, optional: bool
) -> Iterator[AttributeDescription]:
    """A row for each key attribute; what has no template is kept by the verbs of the key."""
    for attribute, template in zip_longest(names, key.templates):
        text = "" if template is None else template.text
        kept = f"{place}; kept by {key.name}" if isinstance(key, IndexKey) and not text else place
        yield AttributeDescription(attribute.name, attribute.type, "", text, optional, kept)


def _field_row(schema: Schema, part: Field, shown: Item) -> AttributeDescription:
    return AttributeDescription(
        name=part.attribute,
        type=_type(part.attribute, shown),
        field=part.name,
        template="",
        optional=part.optional,
        note="; ".join(_notes(schema, part)),
    )


def _notes(schema: Schema, part: Field) -> Iterator[str]:
    derived = schema.derived.get(part.name)
    about = _about(schema, part, derived)
    if about:
        yield about
    if derived is not None:
        yield f"derived from {', '.join(derived.inputs)}" if derived.inputs else "derived"
    if isinstance(part.form, Prefixed):
        yield f"stored behind {part.form.prefix}"
    if part.attribute == schema.table.ttl:
        yield "the item expires then"
    if part.name == schema.version:
        yield "counts the changes"
    if part.attribute in {each.name for each in schema.table.keys}:
        yield "key of the table"
    for key in schema.index_keys:
        if part.attribute in {each.name for each in key.index.keys}:
            yield f"key of {key.index.name}"


def _about(schema: Schema, part: Field, derived: Derived[object] | None) -> str:
    if derived is not None:
        return (derived.__doc__ or "").partition("\n")[0].rstrip(".")
    return (schema.entity.model_fields[part.name].description or "").rstrip(".")


def _type(name: str, shown: Item) -> str:
    return next(iter(shown[name])) if name in shown else ""
