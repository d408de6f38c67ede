"""Keys of entities: ``Key`` in a table, ``IndexKey`` in an index, and ``Ref`` of one item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from gotgan.errors import UsageError
from gotgan.store.attributes import Item, KeyValue, decode, encode
from gotgan.store.fields import Field
from gotgan.store.queries import LAST_CHAR, Leg, Query, SortCondition
from gotgan.store.tables import Index, Table
from gotgan.store.templates import PARTITION_BYTES, SORT_BYTES, KeyTemplate, Slot, part_text

if TYPE_CHECKING:
    from gotgan.store.schema import Schema

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


Acknowledgement = FewValues | LongKey


def description_of(entity: type[Any]) -> Schema:
    """The description of an entity."""
    described: Schema = entity.__schema__
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
        return description_of(self.entity).table

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


class TemplateKey:
    """What keys in tables and in indexes have in common: templates of fields."""

    pk: KeyTemplate
    sk: KeyTemplate | None
    more_pk: tuple[KeyTemplate, ...] = ()
    more_sk: tuple[KeyTemplate, ...] = ()
    acknowledged: tuple[Acknowledgement, ...]

    @cached_property
    def partition(self) -> tuple[KeyTemplate, ...]:
        """The templates of the partition key, one for each of its attributes."""
        return (self.pk, *self.more_pk)

    @cached_property
    def sort(self) -> tuple[KeyTemplate, ...]:
        """The templates of the sort key; none where it has no sort key."""
        return () if self.sk is None else (self.sk, *self.more_sk)

    @cached_property
    def templates(self) -> tuple[KeyTemplate, ...]:
        """All templates, those of the partition key first."""
        return (*self.partition, *self.sort)

    @cached_property
    def partition_fields(self) -> frozenset[str]:
        """The fields that the partition key is made of."""
        return frozenset(name for template in self.partition for name in template.fields)

    @cached_property
    def sort_fields(self) -> list[str]:
        """The fields that the sort key is made of, from the left."""
        return [name for template in self.sort for name in template.fields]

    @cached_property
    def fields(self) -> frozenset[str]:
        """The fields that the key is made of."""
        return frozenset(name for template in self.templates for name in template.fields)


class Key(TemplateKey):
    """The key of an entity in its table, as templates of its fields."""

    def __init__(
        self,
        pk: str,
        sk: str | None = None,
        *,
        long: Literal["refuse", "sha256"] = "refuse",
        acknowledge: Iterable[Acknowledgement] = (),
    ) -> None:
        """``long`` says what becomes of a sort key whose last part would pass 1,024 bytes."""
        self.pk = KeyTemplate.parse(pk, limit=PARTITION_BYTES)
        self.sk = None if sk is None else KeyTemplate.parse(sk, hashes=long == "sha256")
        self.acknowledged = tuple(acknowledge)

    @overload
    def __get__(self, instance: None, owner: type[T]) -> BoundKey[T]: ...
    @overload
    def __get__(self, instance: T, owner: type[T]) -> Ref[T]: ...
    def __get__(self, instance: T | None, owner: type[T]) -> BoundKey[T] | Ref[T]:
        """Of a class: what makes refs and queries. Of an instance: its own ref."""
        if instance is None:
            return BoundKey(owner, self)
        read = getattr(instance, "origin", None)
        if read is not None and read.item:  # every index holds the key, if not what it is made of
            return Ref(
                owner, *(decode(read.item[key.name]) for key in description_of(owner).table.keys)
            )
        fields = description_of(owner).parts
        stored = {name: fields[name].dump(getattr(instance, name)) for name in self.fields}
        return self.ref(owner, stored)

    def ref(self, entity: type[T], stored: Mapping[str, Any]) -> Ref[T]:
        """The ref that values in their stored form give."""
        sk = None if self.sk is None else _rendered_key(self.sk, stored)
        return Ref(entity, _rendered_key(self.pk, stored), sk)


@dataclass(frozen=True)
class BoundKey(Generic[T]):
    """An entity's key, ready to be filled in."""

    entity: type[T]
    declared: Key

    def __call__(self, **parts: Any) -> Ref[T]:
        """The ref with these parts."""
        _expect(self.entity, parts, needed=self.declared.fields, allowed=self.declared.fields)
        return self.declared.ref(self.entity, checked_parts(self.entity, parts))

    def query(self, **parts: Any) -> Query[T]:
        """All items with these parts: those of the partition key, and of the sort key from left."""
        return Query((build_leg(self.entity, None, self.declared, parts),))


class IndexKey(TemplateKey):
    """The key of an entity in an index; an item without a field that it needs stays out."""

    def __init__(
        self,
        index: Index,
        pk: str | tuple[str, ...],
        sk: str | tuple[str, ...] | None = None,
        *,
        acknowledge: Iterable[Acknowledgement] = (),
    ) -> None:
        """Where a part of the index's key has several attributes, give a template for each."""
        self.index = index
        self.pk, *more_pk = _parsed(pk, PARTITION_BYTES)
        sort = [] if sk is None else _parsed(sk, SORT_BYTES)
        self.sk = sort[0] if sort else None
        self.more_pk, self.more_sk = tuple(more_pk), tuple(sort[1:])
        self.acknowledged = tuple(acknowledge)
        self.name = ""

    def __set_name__(self, owner: type[Any], name: str) -> None:
        self.name = name

    @property
    def state_attributes(self) -> frozenset[str]:
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

    def __get__(self, instance: object, owner: type[T]) -> BoundIndexKey[T]:
        """What makes queries of the index."""
        return BoundIndexKey(owner, self)


@dataclass(frozen=True)
class BoundIndexKey(Generic[T]):
    """An entity's key in an index, ready to be filled in."""

    entity: type[T]
    declared: IndexKey

    def query(self, **parts: Any) -> Query[T]:
        """All items with these parts: those of the partition key, and of the sort key from left."""
        return Query((build_leg(self.entity, self.declared.index, self.declared, parts),))


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
    """Everything of these kinds in one partition, sorted; the first kind's parts name it."""
    shared = build_leg(first, None, description_of(first).key, parts, whole_partition=True)
    for other in others:
        if description_of(other).key.pk.read(shared.pk) is None:
            raise UsageError(
                f"{other.__name__} is never in the partition {shared.pk!r} of {first.__name__}; "
                "join two queries with +"
            )
    return Query((replace(shared, entities=(first, *others)),))


def build_leg(
    entity: type[Any],
    index: Index | None,
    declared: TemplateKey,
    parts: Mapping[str, Any],
    *,
    whole_partition: bool = False,
) -> Leg:
    """The part of a partition that these parts leave open."""
    needed = declared.partition_fields
    _expect(entity, parts, needed=needed, allowed=needed if whole_partition else declared.fields)
    stored = checked_parts(entity, parts)
    pk = _rendered_key(declared.pk, stored)
    fixed = [_rendered_key(template, stored) for template in declared.more_pk]
    table = description_of(entity).table
    if not declared.sort or whole_partition:
        return Leg(table, index, (entity,), pk, fixed=tuple(fixed))
    order = declared.sort_fields
    given = [name for name in order if name in parts]
    if given != order[: len(given)]:
        keys = " and ".join(repr(template.text) for template in declared.sort)
        raise UsageError(
            f"the sort key {keys} of {entity.__name__} is filled in from the left; "
            f"give {next(name for name in order if name not in parts)} too, "
            f"or filter by {given[-1]}"
        )
    for template in declared.sort:
        slot = next((slot for slot in template.slots if slot.field not in stored), None)
        if slot is not None:
            part = description_of(entity).parts[slot.field]
            span = SortKeySpan(template, slot, part, template.prefix(stored))
            start = SortCondition("begins_with", span.start) if span.start else None
            return Leg(table, index, (entity,), pk, span, start, fixed=tuple(fixed))
        fixed.append(_rendered_key(template, stored))
    sort = SortCondition("=", fixed.pop())
    return Leg(table, index, (entity,), pk, sort=sort, fixed=tuple(fixed))


def _parsed(texts: str | tuple[str, ...], limit: int) -> list[KeyTemplate]:
    """The templates of one part of an index's key."""
    given = (texts,) if isinstance(texts, str) else texts
    return [KeyTemplate.parse(text, limit=limit) for text in given]


@dataclass(frozen=True)
class SortKeySpan:
    """The sort keys of a template whose first parts are filled in."""

    template: KeyTemplate
    slot: Slot
    field: Field
    start: str
    """What all of them begin with."""

    def first(self, value: Any) -> KeyValue:
        """Where the sort keys with this value behind the start begin."""
        stored = self.field.dump(self.field.take(value))
        if self.template.is_one_field:
            return _rendered_key(self.template, {self.slot.field: stored})
        return self.start + part_text(self.slot, stored)

    def last(self, value: Any) -> KeyValue:
        """Where the sort keys with this value behind the start end."""
        first = self.first(value)
        # What follows the value sorts behind it, and has the value all the same.
        return (
            first + self.slot.stop + LAST_CHAR
            if isinstance(first, str) and self.slot.stop
            else first
        )


def checked_parts(entity: type[Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """Values that a caller gave, checked, in their stored form."""
    fields = description_of(entity).parts
    return {name: fields[name].dump(fields[name].take(value)) for name, value in parts.items()}


def _rendered_key(template: KeyTemplate, stored: Mapping[str, Any]) -> KeyValue:
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
        wrong = [*(f"{name} missing" for name in missing), *(f"{name} unknown" for name in surplus)]
        raise UsageError(
            f"a key of {entity.__name__} takes {', '.join(sorted(allowed)) or 'nothing'}: "
            f"{', '.join(wrong)}"
        )
