"""Updates: which attributes, index keys and derived values a change of fields writes.

An index key or derived attribute that follows from several fields goes stale when two writers
change two of them at once, each knowing only the old value of the other. So a writer that changes
one input writes what follows, on the condition that the other inputs, and what followed from them,
are as they were read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

from gotgan.errors import NotRead, StaleIndexKey, UsageError
from gotgan.store.attributes import AttributeValue, Item, encode, same_value
from gotgan.store.conditions import Condition, Expression
from gotgan.store.keys import IndexKey, Ref
from gotgan.store.schema import EntityScope, Origin, Schema, attribute_value


@dataclass(frozen=True)
class Increment:
    """Add to a number, whatever it is; a missing one counts as the field's default, or as 0."""

    amount: int | Decimal


@dataclass(frozen=True)
class Append:
    """Add to the end of a list; a missing one counts as empty."""

    values: tuple[Any, ...]


@dataclass(frozen=True)
class RemoveAttribute:
    """Take the attribute away."""


def increment(amount: int | Decimal = 1) -> Increment:
    """In ``patch`` and ``update``: add to a number, whatever it is."""
    return Increment(amount)


def append(*values: Any) -> Append:
    """In ``patch`` and ``update``: add to the end of a list."""
    return Append(values)


def remove() -> RemoveAttribute:
    """In ``patch`` and ``update``: take an attribute away."""
    return RemoveAttribute()


@dataclass
class UpdateBuilder:
    """Collects the parts of an UpdateItem request."""

    scope: EntityScope
    sets: Item = field(default_factory=dict)
    removes: list[str] = field(default_factory=list)
    adds: dict[str, tuple[AttributeValue, AttributeValue]] = field(default_factory=dict)
    """What is added, and to what where there is nothing yet."""
    appends: Item = field(default_factory=dict)
    guards: list[Condition] = field(default_factory=list)
    expected: list[tuple[str, AttributeValue | None]] = field(default_factory=list)
    """Attributes that must still have a value, or must still be missing."""

    def put(self, attribute: str, value: AttributeValue | None) -> None:
        """Set an attribute, or remove it."""
        if value is None:
            self.removes.append(attribute)
        else:
            self.sets[attribute] = value

    def add(self, attribute: str, amount: int | Decimal, start: int | Decimal = 0) -> None:
        """Add to a number, counted by the database."""
        self.adds[attribute] = encode(amount), encode(start)

    def expect(self, attribute: str, value: AttributeValue | None) -> None:
        """Only if an attribute still has this value, or is still missing."""
        if (attribute, value) not in self.expected:
            self.expected.append((attribute, value))

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write and nothing to ask."""
        return not (self.sets or self.removes or self.adds or self.appends or self.guards)

    def body(self, exists: str | None) -> dict[str, Any]:
        """The members of the request; ``exists`` is an attribute that the item must have."""
        into = Expression(self.scope)
        request: dict[str, Any] = {}
        if clauses := " ".join(self._clauses(into)):
            request["UpdateExpression"] = clauses
        if conditions := " AND ".join(self._conditions(into, exists)):
            request["ConditionExpression"] = conditions
        return {**request, **into.members()}

    def is_done(self, item: Item | None) -> bool:
        """Whether an item is as the change would leave it."""
        if item is None or not item.keys().isdisjoint(self.removes):
            return False
        return all(name in item and same_value(item[name], self.sets[name]) for name in self.sets)

    def _clauses(self, into: Expression) -> list[str]:
        sets = [f"{into.name(name)} = {into.value(value)}" for name, value in self.sets.items()]
        for name, values in self.appends.items():
            place = into.name(name)
            now = f"if_not_exists({place}, {into.value(encode([]))})"
            sets.append(f"{place} = list_append({now}, {into.value(values)})")
        for name, (amount, start) in self.adds.items():
            place = into.name(name)
            now = f"if_not_exists({place}, {into.value(start)})"
            sets.append(f"{place} = {now} + {into.value(amount)}")
        clauses = {"SET": sets, "REMOVE": [into.name(name) for name in self.removes]}
        return [f"{word} {', '.join(parts)}" for word, parts in clauses.items() if parts]

    def _conditions(self, into: Expression, exists: str | None) -> list[str]:
        conditions = [] if exists is None else [f"attribute_exists({into.name(exists)})"]
        conditions += [
            f"attribute_not_exists({into.name(name)})"
            if value is None
            else f"{into.name(name)} = {into.value(value)}"
            for name, value in self.expected
        ]
        return [*conditions, *(guard.write(into) for guard in self.guards)]


VersionMode = Literal["guard", "count", "leave"]
"""Whether a change counts: if there was no other since, always, or never."""


@dataclass(frozen=True)
class _Follower:
    """Something that is computed from fields: a derived attribute or an index key."""

    name: str
    inputs: frozenset[str]
    key: IndexKey | None

    def attributes(
        self, schema: Schema, stored: Mapping[str, Any]
    ) -> dict[str, AttributeValue | None]:
        """What is stored of it, by attribute; None where it is left out."""
        if self.key is not None:
            return schema.index_attributes(self.key, stored)
        value = stored[self.name]
        return {schema.attribute(self.name): None if value is None else encode(value)}


def update_change(
    schema: Schema,
    instance: Any,
    changes: Mapping[str, Any],
    *,
    version: VersionMode = "guard",
    others: Mapping[str, Any] | None = None,
) -> UpdateBuilder:
    """The change to new values of an item that was read, with the differences of a model_copy."""
    values, operators = _split_changes(schema, changes)
    origin = instance.origin
    before = instance if origin is None else schema.load(origin.item, origin.held)
    was = _Before(schema, _stored_forms(schema, before), before.origin)
    unread = frozenset() if origin is None else origin.missing
    known = {name: getattr(instance, name) for name in schema.fields if name not in unread}
    after = _stored_forms(schema, schema.build({**known, **values}, partial=True))
    copied = {
        name
        for name in schema.fields.keys() & after.keys()
        if name not in was.stored or was.stored[name] != after[name]
    }
    touched = (copied | set(values)) - {schema.version} - set(operators)
    change = UpdateBuilder(EntityScope((schema,)))
    for name in sorted(touched):
        change.put(schema.attribute(name), attribute_value(after[name]))
    for attribute, value in schema.encode_others(others or {}).items():
        change.put(attribute, value)
    for follower in _followers(schema):
        if follower.inputs & touched:
            _follow(change, follower, was, after, touched)
    _operate(schema, change, operators)
    if schema.version is not None and version != "leave" and not change.is_empty:
        _count_up(schema, change, was if version == "guard" else None)
    return change


def _follow(
    change: UpdateBuilder,
    follower: _Follower,
    was: _Before,
    after: Mapping[str, Any],
    touched: set[str],
) -> None:
    """Write what follows from the fields, if nothing that it follows from has changed."""
    schema = was.schema
    unread = follower.inputs & (frozenset() if was.origin is None else was.origin.missing)
    if unread:
        raise NotRead(
            f"{follower.name} follows from {', '.join(sorted(unread))}, which was not read; read "
            "the item whole and update that"
        )
    computed = follower.attributes(schema, was.stored)
    for attribute, value in follower.attributes(schema, after).items():
        old = was.attribute(attribute, computed[attribute])
        if old != value:
            change.put(attribute, value)
        change.expect(attribute, old)
    for name in sorted((follower.inputs - touched) & set(schema.fields)):
        change.expect(schema.attribute(name), was.field(name))


def patch_change(schema: Schema, ref: Ref[Any], changes: Mapping[str, Any]) -> UpdateBuilder:
    """The change of some fields of an item that was not read; what its key says is known."""
    values, operators = _split_changes(schema, changes)
    change = UpdateBuilder(EntityScope((schema,)))
    known = {**schema.in_key(ref.item), **values}
    stored = _stored_forms(schema, schema.build(known, partial=True))
    for name in values:
        change.put(schema.attribute(name), attribute_value(stored[name]))
    for follower in _followers(schema):
        if not follower.inputs & set(values):
            continue
        unknown = sorted(follower.inputs - set(known))
        if unknown:
            what = "derived attribute" if follower.key is None else "index key"
            raise StaleIndexKey(
                f"the {what} {follower.name} of {schema.entity.__name__} follows from "
                f"{', '.join(unknown)} too; read the item and update it, or give all of them"
            )
        for attribute, value in follower.attributes(schema, stored).items():
            change.put(attribute, value)
    _operate(schema, change, operators)
    if schema.version is not None and not change.is_empty:
        _count_up(schema, change, None)
    return change


def upsert_change(schema: Schema, ref: Ref[Any], changes: Mapping[str, Any]) -> UpdateBuilder:
    """The change of some fields of an item that may not be there: then they must be enough."""
    if schema.version is not None or schema.index_keys or schema.derived:
        raise UsageError(
            f"{schema.entity.__name__} has a version, an index key or a derived attribute, which "
            "an item that is made in passing would lack; put_new it, and update it"
        )
    if not changes:
        raise UsageError("an upsert changes something; say what, or put_new the item")
    in_key = schema.in_key(ref.item)
    required = {name for name, info in schema.entity.model_fields.items() if info.is_required()}
    lacking = sorted(required - set(changes) - set(in_key))
    if lacking:
        raise UsageError(
            f"where there is no {schema.entity.__name__} one is made, and it would lack "
            f"{', '.join(lacking)}; give that too"
        )
    change = patch_change(schema, ref, changes)
    stored = _stored_forms(schema, schema.build(in_key, partial=True))
    for name in in_key:
        if not schema.fields[name].key_only:  # an item holds what its key tells, as others do
            change.put(schema.attribute(name), attribute_value(stored[name]))
    return change


@dataclass(frozen=True)
class _Before:
    """What is stored as far as we know: as it was read, or as the instance says."""

    schema: Schema
    stored: Mapping[str, Any]
    origin: Origin | None

    def field(self, name: str) -> AttributeValue | None:
        return self.attribute(self.schema.attribute(name), attribute_value(self.stored.get(name)))

    def attribute(self, name: str, computed: AttributeValue | None) -> AttributeValue | None:
        """The stored value of an attribute; the computed one where it was not read."""
        if self.origin is not None and self.origin.knows(name):
            return self.origin.item.get(name)
        return computed


def _followers(schema: Schema) -> list[_Follower]:
    derived = [
        _Follower(name, schema.behind(each.inputs), None) for name, each in schema.derived.items()
    ]
    keys = [
        _Follower(key.name, schema.behind(key.fields), key)
        for key in schema.index_keys
        if schema.writes(key)
    ]
    return [*derived, *keys]


def _split_changes(
    schema: Schema, changes: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """New values apart from operators, all of fields that may be changed."""
    for name in changes:
        if name not in schema.fields:
            raise UsageError(
                f"{schema.entity.__name__} has no field {name!r} to change; "
                f"there are {', '.join(schema.fields)}"
            )
        if name in schema.behind(schema.key.fields):
            raise UsageError(
                f"{name} is part of the key of {schema.entity.__name__} and cannot be changed; "
                "move the item: store.transact(writes.move(item, ...))"
            )
        if name == schema.version:
            raise UsageError(f"{name} counts the changes automatically; leave it out")
    operators = {n: v for n, v in changes.items() if isinstance(v, Increment | Append)}
    values = {
        name: None if isinstance(value, RemoveAttribute) else value
        for name, value in changes.items()
        if name not in operators
    }
    for name, value in values.items():
        if value is None and not schema.fields[name].optional:
            raise UsageError(f"{name} of {schema.entity.__name__} cannot be removed: it is needed")
    return values, operators


def _operate(schema: Schema, change: UpdateBuilder, operators: Mapping[str, Any]) -> None:
    for follower in _followers(schema):
        for name in follower.inputs & set(operators):
            raise StaleIndexKey(
                f"{follower.name} follows from {name}, whose new value only the database will "
                "know; read the item and update it with a value"
            )
    for name, operator in operators.items():
        attribute = schema.attribute(name)
        if isinstance(operator, Increment):
            if schema.fields[name].key_type != "N":
                raise UsageError(f"{name} of {schema.entity.__name__} is no number to add to")
            change.add(attribute, operator.amount, _start(schema, name))
        else:
            added = schema.build({name: list(operator.values)}, partial=True)
            change.appends[attribute] = encode(list(schema.fields[name].dump(getattr(added, name))))


def _start(schema: Schema, name: str) -> Any:
    """What an item counts from that does not say: what is read from it."""
    default = schema.entity.model_fields[name].default
    return default if isinstance(default, int | Decimal) else 0


def _count_up(schema: Schema, change: UpdateBuilder, was: _Before | None) -> None:
    """Count a change; on the condition that there was none since, where we know the last one."""
    name = schema.version or ""
    attribute = schema.attribute(name)
    if was is None:
        change.add(attribute, 1, _start(schema, name))
        return
    refuse_unread_version(was.origin, attribute)
    change.expect(attribute, was.field(name))
    change.put(attribute, encode(was.stored[name] + 1))


def refuse_unread_version(origin: Origin | None, attribute: str) -> None:
    """Refuse to guard a version that is not known."""
    if origin is not None and not origin.knows(attribute):
        raise NotRead(
            "the version was left out by the index or the projection that this was read from; "
            "read the item whole, with .whole() or by its key"
        )


def _stored_forms(schema: Schema, instance: Any) -> dict[str, Any]:
    """Stored forms of all that is known; what follows from unread fields is left out."""
    stored: dict[str, Any] = {}
    for name, part in schema.parts.items():
        try:
            stored[name] = part.dump(getattr(instance, name))
        except NotRead:
            continue
    return stored
