"""Entities and access patterns as rows, for the pages and the machine-readable declaration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from itertools import zip_longest
from typing import Any, Final, Literal, get_args, get_origin
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ValidationError
from pydantic.fields import FieldInfo

from gotgan.errors import GotganError
from gotgan.generics import bare_type
from gotgan.store.attributes import Item
from gotgan.store.engine.capacity import read_units, write_units
from gotgan.store.engine.values import size_of_item
from gotgan.store.fields import Field, Prefixed
from gotgan.store.keys import FewValues, IndexKey, Key, LongKey
from gotgan.store.patterns import PatternRead
from gotgan.store.schema import Schema, schema_of
from gotgan.store.tables import KeyAttribute, Table

_MOMENT: Final = datetime(2025, 11, 6, 0, 35, 12, tzinfo=UTC)
_VALUES: Final[Mapping[Any, Any]] = {
    AwareDatetime: _MOMENT,
    Decimal: Decimal("12.50"),
    UUID: UUID(int=1),
    bool: False,
    bytes: b"bytes",
    date: _MOMENT.date(),
    datetime: _MOMENT,
    float: 0.5,
    int: 1,
}


def example_item(entity: type[BaseModel]) -> Item | None:
    """An item as the entity is stored; None where its fields need examples to be valid."""
    values = {name: _of_field(name, info) for name, info in entity.model_fields.items()}
    try:
        return schema_of(entity).item(_instance(entity, values))
    except (GotganError, TypeError, ValueError):
        return None


def _instance(entity: type[BaseModel], values: dict[str, Any]) -> BaseModel:
    """An instance of the values, without those that are not valid; what it needs it needs."""
    try:
        return entity.model_validate(values)
    except ValidationError as error:
        wrong = {each["loc"][0] for each in error.errors() if each["loc"]}
        return entity.model_validate({k: v for k, v in values.items() if k not in wrong})


def _of_field(name: str, info: FieldInfo) -> Any:
    if info.examples:
        return info.examples[0]
    if not info.is_required() and (info.default or info.default in (0, False)):
        return info.default
    return _of_type(info.annotation, name)


def _of_type(hint: Any, name: str) -> Any:
    """A value of a type; text is the name of its field."""
    bare = bare_type(hint)
    origin = get_origin(bare)
    if origin is Literal:
        return get_args(bare)[0]
    return _of_container(bare, name) if isinstance(origin, type) else _of_class(bare, name)


def _of_container(hint: Any, name: str) -> Any:
    inner = [_of_type(each, name) for each in get_args(hint) if each is not Ellipsis]
    origin = get_origin(hint)
    if issubclass(origin, Mapping):
        return {inner[0]: inner[1]}
    if issubclass(origin, AbstractSet):
        return frozenset(inner)
    return inner if issubclass(origin, Sequence) else None


def _of_class(hint: Any, name: str) -> Any:
    if hint in _VALUES:
        return _VALUES[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return {each: _of_field(each, info) for each, info in hint.model_fields.items()}
    return name


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


def describe_attributes(schema: Schema, example: Item | None) -> list[AttributeDescription]:
    """The attributes of an entity: its keys, its keys in indexes, its fields."""
    shown = example or {}
    stored = [part for part in schema.parts.values() if not part.key_only]
    fields = {
        part.attribute: AttributeDescription(
            name=part.attribute,
            type=_type(part.attribute, shown),
            field=part.name,
            template="",
            optional=part.optional,
            note="; ".join(_notes(schema, part)),
        )
        for part in stored
    }
    keys = [*_templates(schema.key, schema.table.keys, "", optional=False)]
    for key in schema.index_keys:
        optional = any(schema.parts[name].optional for name in key.fields)
        keys += _templates(key, key.index.keys, f"key of {key.index.name}", optional=optional)
        for name in sorted(key.state_attributes - {each.name for each in key.index.keys}):
            kept, note = _type(name, shown), f"kept by {key.name}"
            keys.append(AttributeDescription(name, kept, "", "", optional=True, note=note))
    return [*(row for row in keys if row.name not in fields), *fields.values()]


def acknowledged_risks(schema: Schema) -> list[Risk]:
    """What the keys of an entity acknowledge."""
    places: list[tuple[str, Key | IndexKey]] = [("its key in the table", schema.key)]
    places += [(f"its key in `{key.index.name}`", key) for key in schema.index_keys]
    what = {FewValues: "few partitions", LongKey: "it may be too long, and is refused then"}
    return [
        Risk(where, what[type(acknowledged)], acknowledged.reason)
        for where, key in places
        for acknowledged in key.acknowledged
    ]


def key_condition(read: PatternRead) -> str:
    """What a read asks of the key: ``PK = "CATEGORY#{id}" AND begins_with(SK, "POST#")``."""
    place = read.table if read.index is None else read.index
    value = f'"{read.pk}"' if place.pk.type == "S" else read.pk
    partition = f"{place.pk.name} = {value}"
    return f"{partition} AND {read.behind_pk}" if read.behind_pk else partition


def _templates(
    key: Key | IndexKey, names: tuple[KeyAttribute, ...], place: str, *, optional: bool
) -> Iterator[AttributeDescription]:
    """A row for each key attribute; what has no template is kept by the verbs of the key."""
    for attribute, template in zip_longest(names, key.templates):
        text = "" if template is None else template.text
        kept = f"{place}; kept by {key.name}" if isinstance(key, IndexKey) and not text else place
        yield AttributeDescription(attribute.name, attribute.type, "", text, optional, kept)


def _notes(schema: Schema, part: Field) -> Iterator[str]:
    derived = schema.derived.get(part.name)
    if derived is None:
        about = schema.entity.model_fields[part.name].description or ""
    else:
        about = (derived.__doc__ or "").partition("\n")[0]
    if about.rstrip("."):
        yield about.rstrip(".")
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


def _type(name: str, shown: Item) -> str:
    return next(iter(shown[name])) if name in shown else ""


@dataclass(frozen=True, slots=True)
class ItemUnits:
    """The size of an item in bytes, and what one new write and one read of it cost."""

    size: int
    read: float
    """Eventually consistent, as most reads are."""
    consistent_read: float
    write: int
    """To the table alone."""
    index_writes: Mapping[str, int]
    """To each index that the item is in, by its declared name."""

    @property
    def all_writes(self) -> int:
        """To the table and its indexes."""
        return self.write + sum(self.index_writes.values())


def item_units(table: Table, item: Item) -> ItemUnits:
    """The units of an item that is new to its table."""
    size = size_of_item(item)
    index_writes = {}
    for index in table.indexes.values():
        if all(key.name in item for key in index.keys):
            held = index.held()
            entry = {n: value for n, value in item.items() if held is None or n in held}
            index_writes[index.name] = write_units(size_of_item(entry))
    return ItemUnits(
        size=size,
        read=read_units(size, consistent=False),
        consistent_read=read_units(size, consistent=True),
        write=write_units(size),
        index_writes=index_writes,
    )
