"""What a change of fields comes to in attributes, index keys and derived values, and its guards.

An index key or derived attribute that follows from several fields goes stale when two writers
change two of them at once, each knowing only the old value of the other. So whoever changes one
input writes what follows, on the condition that the other inputs, and what followed from them, are
as they were read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from gotgan.errors import NotRead, StaleIndexKey, UsageError
from gotgan.store.attributes import AttributeValue, encode
from gotgan.store.changes import Append, Increment, RemoveAttribute, UpdateBuilder
from gotgan.store.keys import IndexKey, Ref
from gotgan.store.schema import Origin, Schema
from gotgan.store.scopes import ScopeOf

__all__ = ["Counting", "patched", "refuse_unread_version", "updated", "upserted"]

Counting = Literal["guard", "count", "leave"]


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
        if self.key is None:
            part = schema.parts[self.name]
            value = stored[self.name]
            return {part.attribute: None if value is None else encode(value)}
        return schema.index_attributes(self.key, stored)


def updated(
    schema: Schema,
    instance: Any,
    changes: Mapping[str, Any],
    *,
    version: Counting = "guard",
    others: Mapping[str, Any] | None = None,
) -> UpdateBuilder:
    """The change that brings an item that was read to new values.

    What is named is written, whatever was read; a ``model_copy`` of what was read brings its
    differences along. ``version`` says whether the change counts: on the condition that there was
    no other since, in any case, or not at all. ``others`` are attributes beyond the declaration.
    """
    values, operators = _sorted_out(schema, changes)
    before = _as_read(schema, instance)
    was = _Before(schema, _stored(schema, before), instance.origin)
    after = _stored(schema, schema.remade({**_known(schema, instance), **values}))
    copied = {name for name in schema.fields if name in after and was.differs(name, after[name])}
    touched = (copied | set(values)) - {schema.version} - set(operators)
    change = UpdateBuilder(ScopeOf((schema,)))
    for name in sorted(touched):
        change.put(schema.attribute(name), _value(after[name]))
    for attribute, value in schema.encode_others(others or {}).items():
        change.put(attribute, value)
    for follower in _followers(schema):
        if follower.inputs & touched:
            _refuse_unread(before, follower)
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
    computed = follower.attributes(schema, was.stored)
    for attribute, value in follower.attributes(schema, after).items():
        old = was.attribute(attribute, computed[attribute])
        if old != value:
            change.put(attribute, value)
        change.expect(attribute, old)
    for name in sorted((follower.inputs - touched) & set(schema.fields)):
        change.expect(schema.attribute(name), was.field(name))


def patched(schema: Schema, ref: Ref[Any], changes: Mapping[str, Any]) -> UpdateBuilder:
    """The change of some fields of an item that was not read; what its key says is known."""
    values, operators = _sorted_out(schema, changes)
    change = UpdateBuilder(ScopeOf((schema,)))
    known = {**schema.in_key(ref.item), **values}
    stored = _stored(schema, schema.remade(known))
    for name in values:
        change.put(schema.attribute(name), _value(stored[name]))
    for follower in _followers(schema):
        if not follower.inputs & set(values):
            continue
        _refuse_unknown(schema, follower, set(known))
        for attribute, value in follower.attributes(schema, stored).items():
            change.put(attribute, value)
    _operate(schema, change, operators)
    if schema.version is not None and not change.is_empty:
        _count_up(schema, change, None)
    return change


def upserted(schema: Schema, ref: Ref[Any], changes: Mapping[str, Any]) -> UpdateBuilder:
    """The change of some fields of an item that may not be there: then they must be enough."""
    if schema.version is not None or schema.index_keys or schema.derived:
        raise UsageError(
            f"{schema.entity.__name__} has a version, an index key or a derived attribute, which "
            "an item that is made in passing would lack; put_new it, and update it"
        )
    if not changes:
        raise UsageError("an upsert changes something; say what, or put_new the item")
    told = schema.in_key(ref.item)
    given = set(changes) | set(told)
    required = {name for name, info in schema.entity.model_fields.items() if info.is_required()}
    if required - given:
        raise UsageError(
            f"where there is no {schema.entity.__name__} one is made, and it would lack "
            f"{', '.join(sorted(required - given))}; give that too"
        )
    change = patched(schema, ref, changes)
    stored = _stored(schema, schema.remade(told))
    for name in told:
        if not schema.fields[name].key_only:  # an item holds what its key tells, as others do
            change.put(schema.attribute(name), _value(stored[name]))
    return change


@dataclass(frozen=True)
class _Before:
    """What is stored as far as we know: as it was read, or as the instance says."""

    schema: Schema
    stored: Mapping[str, Any]
    origin: Origin | None

    def differs(self, name: str, value: Any) -> bool:
        """Whether a field had another value, or was not read."""
        return name not in self.stored or bool(self.stored[name] != value)

    def field(self, name: str) -> AttributeValue | None:
        """The stored value of a field."""
        return self.attribute(self.schema.attribute(name), _value(self.stored.get(name)))

    def attribute(self, name: str, computed: AttributeValue | None) -> AttributeValue | None:
        """The stored value of an attribute; the computed one where it was not read."""
        if self.origin is not None and self.origin.knows(name):
            return self.origin.item.get(name)
        return computed


def _followers(schema: Schema) -> list[_Follower]:
    derived = [
        _Follower(name, schema.behind(each.inputs), None) for name, each in schema.derived.items()
    ]
    keys = [_Follower(key.name, schema.behind(key.fields), key) for key in schema.index_keys]
    return [*derived, *keys]


def _sorted_out(
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
            raise UsageError(f"{name} counts the changes by itself; leave it out")
    operators = {
        n: v for n, v in changes.items() if isinstance(v, Increment | Append | RemoveAttribute)
    }
    values = {name: value for name, value in changes.items() if name not in operators}
    for name in [name for name, value in operators.items() if isinstance(value, RemoveAttribute)]:
        del operators[name]
        values[name] = None
    for name in [name for name, value in values.items() if value is None]:
        if not schema.fields[name].optional:
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
            _refuse_no_number(schema, name)
            change.add(attribute, operator.amount, _start(schema, name))
        else:
            added = schema.remade({name: list(operator.values)})
            change.appends[attribute] = encode(list(schema.fields[name].dump(getattr(added, name))))


def _start(schema: Schema, name: str) -> Any:
    """What an item counts from that does not say: what is read from it."""
    default = schema.entity.model_fields[name].default
    return default if isinstance(default, int | Decimal) else 0


def _refuse_no_number(schema: Schema, name: str) -> None:
    if schema.fields[name].key_type != "N":
        raise UsageError(f"{name} of {schema.entity.__name__} is no number to add to")


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


def _as_read(schema: Schema, instance: Any) -> Any:
    """What was read, however the instance differs from it by now."""
    origin = instance.origin
    return instance if origin is None else schema.load(origin.item, origin.held)


def _known(schema: Schema, instance: Any) -> dict[str, Any]:
    missing = frozenset() if instance.origin is None else instance.origin.missing
    return {name: getattr(instance, name) for name in schema.fields if name not in missing}


def _stored(schema: Schema, instance: Any) -> dict[str, Any]:
    """Stored forms of all that is known; what follows from unread fields is left out."""
    stored: dict[str, Any] = {}
    for name, part in schema.parts.items():
        try:
            stored[name] = part.dump(getattr(instance, name))
        except NotRead:
            continue
    return stored


def _value(stored: Any) -> AttributeValue | None:
    is_empty_set = isinstance(stored, set | frozenset) and not stored
    return None if stored is None or is_empty_set else encode(stored)


def _refuse_unread(instance: Any, follower: _Follower) -> None:
    missing = frozenset() if instance.origin is None else instance.origin.missing
    if follower.inputs & missing:
        raise NotRead(
            f"{follower.name} follows from {', '.join(sorted(follower.inputs & missing))}, which "
            "was not read; read the item whole and update that"
        )


def _refuse_unknown(schema: Schema, follower: _Follower, given: set[str]) -> None:
    lacking = sorted(follower.inputs - given)
    if lacking:
        what = "derived attribute" if follower.key is None else "index key"
        raise StaleIndexKey(
            f"the {what} {follower.name} of {schema.entity.__name__} follows from "
            f"{', '.join(lacking)} too; read the item and update it, or give all of them"
        )
