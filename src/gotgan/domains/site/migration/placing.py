"""The writes of a migration: each is refused where the table is not as it was found."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from operator import and_
from typing import Any

from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import Post
from gotgan.errors import ConditionFailed, StoreError
from gotgan.store import Condition, Ref, Write, raw
from gotgan.store.attributes import Item, decode, same
from gotgan.store.conditions import Expression
from gotgan.store.schema import schema_of
from gotgan.store.scopes import ScopeOf

__all__ = ["over", "place", "put", "repoint", "take_away"]

_VERB = "migrate"


def place(ref: Ref[Any], item: Item) -> Write[Any]:
    """Put an item where none is."""
    return _put(ref, item, _absent(SITE.pk.name))


def put(ref: Ref[Any], item: Item) -> Write[Any]:
    """Put an item over whatever is there."""
    return _put(ref, item, {})


def over(ref: Ref[Any], item: Item, found: Item) -> Write[Any]:
    """Put an item over the one that was found, if nobody has changed it since."""
    return _put(ref, item, _members(_unchanged(found)))


def repoint(ref: Ref[Any], pointer: Item, found: Item | None) -> Write[Any]:
    """Put a pointer where none is, or over the one that was found if it still is what it was."""
    if found is None:
        return place(ref, pointer)
    names = {*found, *pointer, "deletedAt"} - ref.item.keys()
    return _put(ref, pointer, _members(reduce(and_, _as_found(found, sorted(names)))))


def take_away(ref: Ref[Any], found: Item) -> Write[Any]:
    """Remove the item that was found, if nobody has changed it since."""
    body = {"Key": ref.item, **_members(_unchanged(found))}
    return Write(_VERB, "Delete", ref, body, lambda item: item is None, _refusal)


def _put(ref: Ref[Any], item: Item, members: dict[str, Any]) -> Write[Any]:
    body = {"Item": item, **members}
    return Write(_VERB, "Put", ref, body, lambda there: _is(there, item), _refusal)


def _is(there: Item | None, item: Item) -> bool:
    return there is not None and same({"M": there}, {"M": item})


def _unchanged(found: Item) -> Condition:
    """Every change counts the version up, and every edit moves the moment."""
    return reduce(and_, _as_found(found, ("version", "UpdatedAt")))


def _as_found(found: Item, names: Iterable[str]) -> Iterable[Condition]:
    for name in names:
        yield raw(name) == decode(found[name]) if name in found else raw(name).missing()


def _members(condition: Condition) -> dict[str, Any]:
    expression = Expression(ScopeOf((schema_of(Post),)))
    return {"ConditionExpression": condition.write(expression), **expression.members()}


@cache
def _absent(key: str) -> dict[str, Any]:
    return _members(raw(key).missing())


def _refusal(current: Any) -> StoreError:
    return ConditionFailed("it was changed in the meantime; it is looked at again", current)
