"""Writes as values: each has what to write and its conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Generic, Literal, TypeVar

from gotgan.errors import ConditionFailed, ItemMissing, StoreError, UsageError, VersionConflict
from gotgan.store import messages, updates
from gotgan.store.attributes import Item, decode, encode, same_value
from gotgan.store.conditions import Condition, Expression, raw
from gotgan.store.entities import Entity
from gotgan.store.keys import Ref
from gotgan.store.schema import EntityScope, Schema, schema_of

E = TypeVar("E", bound=Entity)
F = TypeVar("F", bound=Entity)
T = TypeVar("T")

Action = Literal["Put", "Update", "Delete", "ConditionCheck"]


@dataclass(frozen=True)
class Write(Generic[T]):
    """One write of one item."""

    verb: str
    action: Action
    ref: Ref[T]
    body: dict[str, Any]
    """The members of the request, but for the table's name."""
    is_done: Callable[[Item | None], bool]
    """Whether an item is as this write leaves it: so a write whose answer was lost is known."""
    refusal: Callable[[T | None], StoreError]
    """What a condition that does not hold means, given the item as it is."""
    repeatable: bool = True
    is_empty: bool = False
    """Whether there is nothing to do."""
    is_contested: bool = False
    """Whether a condition of the caller's decides who may: then two that want the same differ."""

    @property
    def item(self) -> Item | None:
        """The whole item that is put."""
        item: Item | None = self.body.get("Item")
        return item


def put_new(instance: E, *, others: Mapping[str, Any] | None = None) -> Write[E]:
    """Write an item unless it exists; ``others`` are undeclared attributes."""
    schema = schema_of(type(instance))
    refuse_partial(instance, "put_new")
    absent = raw(schema.table.pk.name).missing()
    item = schema.item(schema.checked(instance))
    foreign = schema.encode_others(others or {})
    item |= {name: value for name, value in foreign.items() if value is not None}
    return _put(
        "put_new",
        instance,
        item,
        absent,
        lambda now: ConditionFailed(f"{instance.key} is there already; the first one is kept", now),
    )


def put(instance: E, *, only_if: Condition | None = None) -> Write[E]:
    """Write a whole item over whatever is there.

    An instance that was read, or a ``model_copy`` of one, goes back to the item that it was read
    from: what its entity does not know stays there as it is, and it is refused if the item is gone
    or its version or its place in a lifecycle has moved since. One that was made, and that has a
    version or a lifecycle, is refused if there is an item, because it would reset them.
    """
    schema = schema_of(type(instance))
    refuse_partial(instance, "put")
    if instance.origin is not None:
        change = _rewrite(schema, schema.checked(instance))
        change.guards += _guards(schema, instance)
        return _change("put", instance.key, schema, change, only_if, instance)
    has_state = schema.version is not None or schema.state_attributes
    absent = raw(schema.table.pk.name).missing() if has_state else None
    item = schema.item(schema.checked(instance))
    write = _put(
        "put",
        instance,
        item,
        _conjunction(absent, only_if),
        lambda now: _refusal(schema, instance, now),
    )
    return replace(write, is_contested=only_if is not None)


def update(
    instance: E,
    /,
    *,
    only_if: Condition | None = None,
    others: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Write[E]:
    """Change some fields of an item that was read; None removes one.

    Every index key and derived attribute that follows from them is written too, on the condition
    that nothing it was computed from has changed in the meantime. ``others`` are attributes that
    the entity does not declare.
    """
    schema = schema_of(type(instance))
    change = updates.update_change(schema, instance, changes, others=others)
    return _change("update", instance.key, schema, change, only_if, instance)


def patch(ref: Ref[E], /, *, only_if: Condition | None = None, **changes: Any) -> Write[E]:
    """Change some fields of an item by its key alone.

    It is refused where an index key or a derived attribute follows from a field that is changed
    and from one that is not given: that takes an ``update`` of the item as read.
    """
    schema = schema_of(ref.entity)
    return _change("patch", ref, schema, updates.patch_change(schema, ref, changes), only_if, None)


def upsert(ref: Ref[E], /, *, only_if: Condition | None = None, **changes: Any) -> Write[E]:
    """Change some fields of an item by its key alone, and make the item where there is none.

    For counters and their like: what is given, and the defaults, must be enough for a new item.
    """
    schema = schema_of(ref.entity)
    change = updates.upsert_change(schema, ref, changes)
    return _change("upsert", ref, schema, change, only_if, None, exists=False)


def delete(target: E | Ref[E], *, only_if: Condition | None = None) -> Write[E]:
    """Remove an item; one that was read only if its version and its lifecycles have not moved.

    One that is gone already is no error, unless ``only_if`` asks for something of it.
    """
    ref: Ref[E] = target if isinstance(target, Ref) else target.key
    schema = schema_of(ref.entity)
    instance = None if isinstance(target, Ref) else target
    guard = None if instance is None else _conjunction(*_guards(schema, instance))
    if guard is not None:
        guard = raw(schema.table.pk.name).missing() | guard
    return _delete(ref, _conjunction(guard, only_if), instance, is_contested=only_if is not None)


def move(instance: E, /, to: type[F] | None = None, **changes: Any) -> list[Write[Any]]:
    """Give an item another key, or make it another kind: two writes for one transaction.

    What its entity does not know goes along, and nothing happens if the item was changed since it
    was read.
    """
    refuse_partial(instance, "move")
    old, new = schema_of(type(instance)), schema_of(to or type(instance))
    known = {name: getattr(instance, name) for name in old.fields if name in new.fields}
    version = new.version if new.version is not None and new.version in known else None
    counted = {} if version is None else {version: known[version] + 1}
    moved = put_new(new.build({**known, **counted, **changes}))
    item = {} if instance.origin is None else instance.origin.item
    foreign = {
        k: v for k, v in item.items() if k not in old.owned | old.state_attributes | new.owned
    }
    unchanged = _conjunction(*(_unchanged_condition(name, item) for name in item))
    gone = _delete(instance.key, unchanged, instance, is_contested=True)
    return [gone, replace(moved, body={**moved.body, "Item": {**foreign, **(moved.item or {})}})]


def check(ref: Ref[E], condition: Condition | None = None) -> Write[E]:
    """Write nothing, but let a transaction fail unless this holds: that the item is there."""
    schema = schema_of(ref.entity)
    wanted = raw(schema.table.pk.name).exists() if condition is None else condition
    return Write(
        verb="check",
        action="ConditionCheck",
        ref=ref,
        body={"Key": ref.item, **_conditional(schema, wanted)},
        is_done=lambda _: False,
        refusal=lambda current: _refusal(schema, None, current),
    )


def _delete(
    ref: Ref[E], condition: Condition | None, instance: E | None, *, is_contested: bool
) -> Write[E]:
    schema = schema_of(ref.entity)
    return Write(
        verb="delete",
        action="Delete",
        ref=ref,
        body={"Key": ref.item, **_conditional(schema, condition)},
        is_done=lambda item: item is None,
        refusal=lambda current: _refusal(schema, instance, current),
        is_contested=is_contested,
    )


def _put(
    verb: str,
    instance: E,
    item: Item,
    condition: Condition | None,
    refusal: Callable[[E | None], StoreError],
) -> Write[E]:
    schema = schema_of(type(instance))
    return Write(
        verb=verb,
        action="Put",
        ref=instance.key,
        body={"Item": item, **_conditional(schema, condition)},
        is_done=lambda there: there is not None and same_value({"M": there}, {"M": item}),
        refusal=refusal,
    )


def _change(
    verb: str,
    ref: Ref[E],
    schema: Schema,
    change: updates.UpdateBuilder,
    only_if: Condition | None,
    instance: E | None,
    *,
    exists: bool = True,
) -> Write[E]:
    if only_if is not None:
        change.guards.append(only_if)
    there = schema.table.pk.name if exists else None
    return Write(
        verb=verb,
        action="Update",
        ref=ref,
        body={"Key": ref.item, **change.body(there)},
        is_done=change.is_done,
        refusal=lambda current: _refusal(schema, instance, current),
        repeatable=not (change.adds or change.appends),
        is_empty=change.is_empty,
        is_contested=only_if is not None,
    )


def _conditional(schema: Schema, condition: Condition | None) -> dict[str, Any]:
    if condition is None:
        return {}
    expression = Expression(EntityScope((schema,)))
    return {"ConditionExpression": condition.write(expression), **expression.members()}


def _guards(schema: Schema, instance: Any) -> list[Condition]:
    """What a write of something that was read must not run over."""
    if instance.origin is None:
        return []
    known = [name for name in sorted(schema.state_attributes) if instance.origin.knows(name)]
    kept = [_unchanged_condition(name, instance.origin.item) for name in known]
    if schema.version is None:
        return kept
    attribute = schema.attribute(schema.version)
    updates.refuse_unread_version(instance.origin, attribute)
    return [_unchanged_condition(attribute, instance.origin.item), *kept]


def _conjunction(*conditions: Condition | None) -> Condition | None:
    given = [condition for condition in conditions if condition is not None]
    return reduce(Condition.__and__, given) if given else None


def _rewrite(schema: Schema, instance: Any) -> updates.UpdateBuilder:
    """The change that replaces every attribute of the entity and increments the version."""
    item = schema.item(instance)
    if schema.version is not None:
        read = schema.load(instance.origin.item)
        item[schema.attribute(schema.version)] = encode(getattr(read, schema.version) + 1)
    change = updates.UpdateBuilder(EntityScope((schema,)))
    for name in sorted(schema.owned - schema.state_attributes - instance.key.item.keys()):
        change.put(name, item.get(name))
    return change


def _unchanged_condition(name: str, item: Item) -> Condition:
    return raw(name) == decode(item[name]) if name in item else raw(name).missing()


def refuse_partial(instance: Any, verb: str) -> None:
    """Refuse to write a whole item of which only a part is known."""
    if instance.origin is not None and instance.origin.held is not None:
        raise UsageError(
            f"this {type(instance).__name__} was read from an index or a projection, and a {verb} "
            "would lose what that left out; read it whole first, with .whole() or by its key"
        )


def _refusal(schema: Schema, instance: Any, current: Any) -> StoreError:
    """The reason why a condition did not hold, as far as the item tells."""
    kind = schema.entity.__name__
    if current is None:
        return ItemMissing(messages.ITEM_MISSING(kind=kind))
    if instance is not None and instance.origin is not None and schema.version is not None:
        mine, theirs = getattr(instance, schema.version), getattr(current, schema.version)
        if mine != theirs:
            return VersionConflict(
                messages.VERSION_CONFLICT(key=current.key, theirs=theirs, mine=mine), current
            )
    return ConditionFailed(messages.CONDITION_FAILED(key=current.key), current)
