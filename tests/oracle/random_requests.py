"""Scenarios by chance: a table, and a few dozen requests on it. A seed is a scenario for ever."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from tests.oracle.cases.builders import TABLE, create, index, keys
from tests.oracle.random_expressions import Drawn, condition, projection, update
from tests.oracle.random_values import attributes, key_value
from tests.oracle.scenario import ANY_ORDER, EXACT_ORDER, Scenario, Step

__all__ = ["random_scenario"]

_STEPS = 30
_RETURNS = ("NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW")


@dataclass(frozen=True)
class _Shape:
    """The keys of a drawn table: names and types; ``g`` and ``l`` are keys of its indexes."""

    hash_type: str
    range_type: str | None

    @property
    def types(self) -> dict[str, str]:
        own = {"pk": self.hash_type, "g": "S", "l": "N"}
        return own if self.range_type is None else {**own, "sk": self.range_type}

    @property
    def range_key(self) -> str | None:
        return None if self.range_type is None else "sk"

    def key(self, dice: Random) -> dict[str, Any]:
        names = ("pk",) if self.range_type is None else ("pk", "sk")
        return {name: key_value(dice, self.types[name]) for name in names}

    def item(self, dice: Random) -> dict[str, Any]:
        indexed = {name: key_value(dice, self.types[name]) for name in "gl" if dice.random() < 0.7}
        return {**self.key(dice), **indexed, **attributes(dice)}


def random_scenario(seed: int) -> Scenario:
    """The scenario of a seed."""
    dice = Random(seed)
    shape = _Shape(dice.choice("SNB"), dice.choice(("S", "N", "B", None)))
    steps = [_put(dice, shape) for _ in range(10)]
    steps += [dice.choice(_KINDS)(dice, shape) for _ in range(_STEPS)]
    asked = (*steps, *_everything(shape))
    return Scenario(f"random {seed}", (_table(shape),), asked, chain=True)


def _table(shape: _Shape) -> Step:
    definitions = " ".join(f"{name}:{kind}" for name, kind in shape.types.items())
    globals_ = [index("gsi", keys("g", "l")), index("part", keys("l"), "INCLUDE", "a")]
    locals_ = {"LocalSecondaryIndexes": [index("lsi", keys("pk", "l"), "KEYS_ONLY")]}
    members = locals_ if shape.range_key else {}
    return create(definitions, shape.range_key, GlobalSecondaryIndexes=globals_, **members)


def _everything(shape: _Shape) -> list[Step]:
    names = ("gsi", "part", "lsi") if shape.range_key else ("gsi", "part")
    whole = Step("Scan", {"TableName": TABLE}, "everything", follow=True)
    indexes = (
        Step("Scan", {"TableName": TABLE, "IndexName": name}, f"all of {name}", follow=True)
        for name in names
    )
    return [whole, *indexes]


def _conditional(dice: Random, drawn: Drawn) -> dict[str, Any]:
    members: dict[str, Any] = {}
    if dice.random() < 0.4:
        members["ConditionExpression"] = condition(drawn)
        if dice.random() < 0.5:
            members["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return members


def _step(operation: str, **members: Any) -> Step:
    return Step(operation, {"TableName": TABLE, **members})


def _put(dice: Random, shape: _Shape) -> Step:
    drawn = Drawn(dice)
    members = _conditional(dice, drawn)
    shown = {"ReturnValues": dice.choice(("NONE", "ALL_OLD"))}
    return _step("PutItem", Item=shape.item(dice), **members, **shown, **drawn.members())


def _delete(dice: Random, shape: _Shape) -> Step:
    drawn = Drawn(dice)
    members = _conditional(dice, drawn)
    shown = {"ReturnValues": dice.choice(("NONE", "ALL_OLD"))}
    return _step("DeleteItem", Key=shape.key(dice), **members, **shown, **drawn.members())


def _update(dice: Random, shape: _Shape) -> Step:
    drawn = Drawn(dice)
    members = {"UpdateExpression": update(drawn), **_conditional(dice, drawn)}
    shown = {"ReturnValues": dice.choice(_RETURNS)}
    return _step("UpdateItem", Key=shape.key(dice), **members, **shown, **drawn.members())


def _get(dice: Random, shape: _Shape) -> Step:
    drawn = Drawn(dice)
    shown = {"ProjectionExpression": projection(drawn)} if dice.random() < 0.5 else {}
    return _step("GetItem", Key=shape.key(dice), **shown, **drawn.members())


def _query(dice: Random, shape: _Shape) -> Step:
    drawn = Drawn(dice)
    name, hash_key, range_key = dice.choice(_ways(shape))
    members = {"KeyConditionExpression": _key_condition(drawn, shape, hash_key, range_key)}
    if name is not None:
        members["IndexName"] = name
    request = {"TableName": TABLE, **members, **_read(dice, drawn), **drawn.members()}
    request["ScanIndexForward"] = dice.random() < 0.7
    order = EXACT_ORDER if name is None else range_key or ANY_ORDER
    return Step("Query", request, order=order, follow=True)


def _ways(shape: _Shape) -> list[tuple[str | None, str, str | None]]:
    ways: list[tuple[str | None, str, str | None]] = [
        (None, "pk", shape.range_key),
        ("gsi", "g", "l"),
        ("part", "l", None),
    ]
    return [*ways, ("lsi", "pk", "l")] if shape.range_key else ways


def _key_condition(drawn: Drawn, shape: _Shape, hash_key: str, range_key: str | None) -> str:
    dice = drawn.dice
    found = f"{hash_key} = {drawn.constant(key_value(dice, shape.types[hash_key]))}"
    if range_key is None or dice.random() < 0.4:
        return found
    kind = shape.types[range_key]
    bound = drawn.constant(key_value(dice, kind))
    if kind != "N" and dice.random() < 0.3:
        return f"{found} AND begins_with({range_key}, {bound})"
    return f"{found} AND {range_key} {dice.choice(('=', '<', '<=', '>', '>='))} {bound}"


def _scan(dice: Random, shape: _Shape) -> Step:
    drawn = Drawn(dice)
    name = dice.choice((None, None, "gsi", *(("lsi",) if shape.range_key else ())))
    request = {"TableName": TABLE, **_read(dice, drawn), **drawn.members()}
    if name is not None:
        request["IndexName"] = name
    return Step("Scan", request, follow=True, segments=dice.choice((0, 0, 3)))


def _read(dice: Random, drawn: Drawn) -> dict[str, Any]:
    members: dict[str, Any] = {}
    if dice.random() < 0.5:
        members["FilterExpression"] = condition(drawn)
    if dice.random() < 0.5:
        members["Limit"] = dice.randint(1, 4)
    if dice.random() < 0.2:
        members["Select"] = "COUNT"
    return members


def _batch_write(dice: Random, shape: _Shape) -> Step:
    requests: list[dict[str, Any]] = []
    for key in _distinct(dice, shape, dice.randint(1, 5)):
        item = {**shape.item(dice), **key}
        asked = ({"PutRequest": {"Item": item}}, {"DeleteRequest": {"Key": key}})
        requests.append(dice.choice(asked))
    return Step("BatchWriteItem", {"RequestItems": {TABLE: requests}})


def _batch_get(dice: Random, shape: _Shape) -> Step:
    wanted = {"Keys": _distinct(dice, shape, dice.randint(1, 8))}
    return Step("BatchGetItem", {"RequestItems": {TABLE: wanted}})


def _transact_write(dice: Random, shape: _Shape) -> Step:
    actions = [_action(dice, shape, key) for key in _distinct(dice, shape, dice.randint(1, 4))]
    return Step("TransactWriteItems", {"TransactItems": actions})


def _action(dice: Random, shape: _Shape, key: dict[str, Any]) -> dict[str, Any]:
    drawn = Drawn(dice)
    kind = dice.choice(("Put", "Delete", "Update", "ConditionCheck"))
    members: dict[str, Any] = {"TableName": TABLE}
    if kind == "Put":
        members["Item"] = {**shape.item(dice), **key}
    else:
        members["Key"] = key
    if kind == "Update":
        members["UpdateExpression"] = update(drawn)
    members |= _conditional(dice, drawn)
    if kind == "ConditionCheck":
        members.setdefault("ConditionExpression", "attribute_not_exists(nothing)")
    return {kind: {**members, **drawn.members()}}


def _transact_get(dice: Random, shape: _Shape) -> Step:
    wanted = _distinct(dice, shape, dice.randint(1, 4))
    actions = [{"Get": {"TableName": TABLE, "Key": key}} for key in wanted]
    return Step("TransactGetItems", {"TransactItems": actions})


def _distinct(dice: Random, shape: _Shape, count: int) -> list[dict[str, Any]]:
    drawn = {repr(key): key for key in (shape.key(dice) for _ in range(count))}
    return list(drawn.values())


_KINDS = (
    *(_put, _put, _delete, _update, _update, _update, _get, _query, _query, _query, _scan),
    *(_batch_write, _batch_get, _transact_write, _transact_get),
)
