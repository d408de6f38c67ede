"""Keys of entities: ``Key`` in a table, ``IndexKey`` in an index, and ``Ref``, the key of one item.

Both are declared in an entity's body and used through its class: ``Post.key(category_id="c1",
id="p1")`` is a Ref, ``Post.key.query(category_id="c1")`` a query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, Literal, Protocol, TypeVar, overload

from gotgan.errors import UsageError
from gotgan.store.attributes import Item, KeyValue, decode, encode
from gotgan.store.fields import Field
from gotgan.store.queries import TOP, Leg, Query, Sort
from gotgan.store.tables import Index, Table
from gotgan.store.templates import PARTITION_BYTES, SORT_BYTES, Slot, Template

__all__ = [
    "Acknowledged",
    "Described",
    "FewValues",
    "IndexKey",
    "IndexKeyOf",
    "Key",
    "KeyOf",
    "LongKey",
    "Ref",
    "Templated",
    "collection",
    "describe",
    "dumped",
    "leg",
    "taken",
]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")
V = TypeVar("V")


@dataclass(frozen=True)
class FewValues:
    """Acknowledges that a partition key has few values, and says why that is all right."""

    reason: str


@dataclass(frozen=True)
class LongKey:
    """Acknowledges that a key can pass its limit and is then refused, and says why."""

    reason: str


Acknowledged = FewValues | LongKey


class Described(Protocol):
    """What keys need to know of their entity."""

    table: Table
    parts: Mapping[str, Field]
    """Fields and derived attributes, by their names in Python."""
    key: Key


class _Origin(Protocol):
    """What keys need to know of where an instance was read."""

    @property
    def item(self) -> Item:
        """The attributes that were read."""


def describe(entity: type[Any]) -> Described:
    """The description of an entity."""
    described: Described = entity.__schema__
    return described


@dataclass(frozen=True)
class Ref(Generic[T_co]):
    """The key of one item, whether or not the item is there."""

    entity: type[T_co]
    pk: KeyValue
    sk: KeyValue | None = None

    @property
    def table(self) -> Table:
        """The table that the item would be in."""
        return describe(self.entity).table

    @property
    def item(self) -> Item:
        """The key as DynamoDB takes it."""
        table = self.table
        key = {table.pk.name: encode(self.pk)}
        if table.sk is not None:
            key[table.sk.name] = encode(self.sk)
        return key

    def __str__(self) -> str:
        keys = [self.pk] if self.sk is None else [self.pk, self.sk]
        return f"{self.entity.__name__} {' / '.join(map(str, keys))}"


class Templated:
    """What keys in tables and in indexes have in common: templates of fields."""

    pk: Template
    sk: Template | None
    acknowledged: tuple[Acknowledged, ...]

    @cached_property
    def templates(self) -> tuple[Template, ...]:
        """The partition key's, and the sort key's where there is one."""
        return (self.pk,) if self.sk is None else (self.pk, self.sk)

    @cached_property
    def fields(self) -> frozenset[str]:
        """The fields that the key is made of."""
        return frozenset(name for template in self.templates for name in template.fields)


class Key(Templated):
    """The key of an entity in its table, as templates of its fields."""

    def __init__(
        self,
        pk: str,
        sk: str | None = None,
        *,
        long: Literal["refuse", "sha256"] = "refuse",
        acknowledge: Iterable[Acknowledged] = (),
    ) -> None:
        """``long`` says what becomes of a sort key whose last part would pass 1,024 bytes."""
        self.pk = Template.parse(pk, limit=PARTITION_BYTES)
        self.sk = None if sk is None else Template.parse(sk, hashes=long == "sha256")
        self.acknowledged = tuple(acknowledge)

    @overload
    def __get__(self, instance: None, owner: type[T]) -> KeyOf[T]: ...
    @overload
    def __get__(self, instance: T, owner: type[T]) -> Ref[T]: ...
    def __get__(self, instance: T | None, owner: type[T]) -> KeyOf[T] | Ref[T]:
        """Of a class: what makes refs and queries. Of an instance: its own ref."""
        if instance is None:
            return KeyOf(owner, self)
        read: _Origin | None = getattr(instance, "origin", None)
        if read is not None and read.item:  # every index holds the key, if not what it is made of
            return Ref(owner, *(decode(read.item[key.name]) for key in describe(owner).table.keys))
        values = {name: getattr(instance, name) for name in self.fields}
        return self.ref(owner, dumped(owner, values))

    def ref(self, entity: type[T], stored: Mapping[str, Any]) -> Ref[T]:
        """The ref that values in their stored form give."""
        sk = None if self.sk is None else _settled(self.sk, stored)
        return Ref(entity, _settled(self.pk, stored), sk)


@dataclass(frozen=True)
class KeyOf(Generic[T]):
    """An entity's key, ready to be filled in."""

    entity: type[T]
    declared: Key

    def __call__(self, **parts: Any) -> Ref[T]:
        """The ref with these parts."""
        _expect(self.entity, parts, needed=self.declared.fields, allowed=self.declared.fields)
        return self.declared.ref(self.entity, taken(self.entity, parts))

    def query(self, **parts: Any) -> Query[T]:
        """All items with these parts: those of the partition key, and of the sort key from left."""
        return Query((leg(self.entity, None, self.declared, parts),))


class IndexKey(Templated):
    """The key of an entity in an index, as templates of its fields.

    Where a field that it needs is None, the item stays out of the index.
    """

    def __init__(
        self,
        index: Index,
        pk: str,
        sk: str | None = None,
        *,
        acknowledge: Iterable[Acknowledged] = (),
    ) -> None:
        self.index = index
        self.pk = Template.parse(pk, limit=PARTITION_BYTES)
        self.sk = None if sk is None else Template.parse(sk, limit=SORT_BYTES)
        self.acknowledged = tuple(acknowledge)
        self.name = ""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.name = name

    @property
    def kept(self) -> frozenset[str]:
        """Attributes that no field gives, and that only this key's own verbs may change."""
        return frozenset()

    def attributes(self, stored: Mapping[str, Any]) -> dict[str, KeyValue | None]:
        """The index's key attributes for values in their stored form; None is left out."""
        names = [key.name for key in self.index.keys]
        if any(stored[name] is None for name in self.fields):
            return dict.fromkeys(names)
        rendered = [template.render(stored) for template in self.templates]
        return dict(zip(names, rendered, strict=True))

    def fresh(self) -> dict[str, KeyValue]:
        """What the kept attributes of a new item are."""
        return {}

    def complaints(self, parts: Mapping[str, Field]) -> Iterator[str]:
        """What else is wrong with the declaration, given the entity's fields."""
        del parts
        yield from ()

    def __get__(self, instance: object, owner: type[T]) -> IndexKeyOf[T]:
        """What makes queries of the index."""
        return IndexKeyOf(owner, self)


@dataclass(frozen=True)
class IndexKeyOf(Generic[T]):
    """An entity's key in an index, ready to be filled in."""

    entity: type[T]
    declared: IndexKey

    def query(self, **parts: Any) -> Query[T]:
        """All items with these parts: those of the partition key, and of the sort key from left."""
        return Query((leg(self.entity, self.declared.index, self.declared, parts),))


@overload
def collection(first: type[T], /, **parts: Any) -> Query[T]: ...
@overload
def collection(first: type[T], second: type[U], /, **parts: Any) -> Query[T | U]: ...
@overload
def collection(
    first: type[T], second: type[U], third: type[V], /, **parts: Any
) -> Query[T | U | V]: ...
@overload
def collection(first: type[T], /, *others: type[T], **parts: Any) -> Query[T]: ...
def collection(first: type[Any], /, *others: type[Any], **parts: Any) -> Query[Any]:
    """Everything of these kinds in one partition, which the first kind's parts name.

    The items come in the order of their sort keys.
    """
    shared = leg(first, None, describe(first).key, parts, whole_partition=True)
    for other in others:
        if describe(other).key.pk.read(shared.pk) is None:
            raise UsageError(
                f"{other.__name__} is never in the partition {shared.pk!r} of {first.__name__}; "
                "join two queries with +"
            )
    return Query((replace(shared, entities=(first, *others)),))


def leg(
    entity: type[Any],
    index: Index | None,
    declared: Templated,
    parts: Mapping[str, Any],
    *,
    whole_partition: bool = False,
) -> Leg:
    """The part of a partition that these parts leave open."""
    allowed = frozenset(declared.pk.fields) if whole_partition else declared.fields
    _expect(entity, parts, needed=frozenset(declared.pk.fields), allowed=allowed)
    stored = taken(entity, parts)
    pk = _settled(declared.pk, stored)
    table = describe(entity).table
    if declared.sk is None or whole_partition:
        return Leg(table, index, (entity,), pk)
    slot = declared.sk.open_slot(stored)
    _expect_from_left(entity, declared.sk, slot, parts)
    if slot is None:
        return Leg(table, index, (entity,), pk, sort=Sort("=", _settled(declared.sk, stored)))
    span = _Span(declared.sk, slot, describe(entity).parts[slot.field], declared.sk.prefix(stored))
    sort = Sort("begins_with", span.start) if span.start else None
    return Leg(table, index, (entity,), pk, span, sort)


@dataclass(frozen=True)
class _Span:
    """The sort keys of a template whose first parts are filled in."""

    template: Template
    slot: Slot
    field: Field
    start: str

    def first(self, value: Any) -> KeyValue:
        stored = self.field.dump(self.field.take(value))
        if self.template.is_one_field:
            return _settled(self.template, {self.slot.field: stored})
        return self.start + self.template.part(self.slot, stored)

    def last(self, value: Any) -> KeyValue:
        first = self.first(value)
        # What follows the value sorts behind it, and has the value all the same.
        return first + self.slot.stop + TOP if isinstance(first, str) and self.slot.stop else first


def _expect_from_left(
    entity: type[Any], template: Template, first_open: Slot | None, parts: Mapping[str, Any]
) -> None:
    """A part behind an open one would not narrow anything."""
    given = [slot.field for slot in template.slots if slot.field in parts]
    if first_open is not None and given != list(template.fields[: len(given)]):
        raise UsageError(
            f"the sort key {template.text!r} of {entity.__name__} is filled in from the left; "
            f"give {first_open.field} too, or filter by {given[-1]}"
        )


def taken(entity: type[Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """Values that somebody gave, checked, in their stored form."""
    fields = describe(entity).parts
    return {name: fields[name].dump(fields[name].take(value)) for name, value in parts.items()}


def dumped(entity: type[Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """Values in their stored form."""
    fields = describe(entity).parts
    return {name: fields[name].dump(value) for name, value in parts.items()}


def _settled(template: Template, stored: Mapping[str, Any]) -> KeyValue:
    key = template.render(stored)
    if key is None:
        missing = [name for name in template.fields if stored[name] is None]
        raise UsageError(f"{' and '.join(missing)} must not be None in the key {template.text!r}")
    return key


def _expect(
    entity: type[Any],
    parts: Mapping[str, Any],
    *,
    needed: frozenset[str],
    allowed: frozenset[str],
) -> None:
    missing, surplus = sorted(needed - set(parts)), sorted(set(parts) - allowed)
    if missing or surplus:
        told = [*(f"{name} missing" for name in missing), *(f"{name} unknown" for name in surplus)]
        wrong = ", ".join(told)
        raise UsageError(
            f"a key of {entity.__name__} takes {', '.join(sorted(allowed)) or 'nothing'}: {wrong}"
        )
