"""Plans statements: the request of the get, query, scan or write that a statement stands for.

A read is a get where WHERE fixes the whole key, a query for each value of the partition key where
it fixes that, and a scan otherwise. What WHERE says beyond the key is a filter or a condition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gotgan.store.engine.catalog import EngineIndex, EngineTable
from gotgan.store.engine.expressions import nodes
from gotgan.store.engine.expressions.evaluation import Read, compile_path
from gotgan.store.engine.expressions.operands import path_conflicts, path_tree
from gotgan.store.engine.expressions.parser import (
    ParsedCondition,
    ParsedProjection,
    Update,
    check_values,
    prepare_condition,
    prepare_update,
)
from gotgan.store.engine.faults import ValidationException, invalid_value
from gotgan.store.engine.keys import EncodedKey, KeySchema, encode_range, request_key
from gotgan.store.engine.partiql.statements import (
    DeleteStatement,
    ExistsStatement,
    InsertStatement,
    SelectStatement,
    Statement,
    UpdateStatement,
    literal_value,
)
from gotgan.store.engine.requests import PARSED, Clauses
from gotgan.store.engine.values import AttributeValue, Item, type_of
from gotgan.store.engine.writes import INSERT

MAX_PARTITIONS = 50
_SORT_OPERATORS = frozenset({"=", "<", "<=", ">", ">="})
_SET_TYPES = frozenset({"SS", "NS", "BS"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection(ParsedProjection):
    """The paths of a SELECT: each is shown under what follows its last dot, such as ``b[0]``."""

    columns: tuple[tuple[str, Read], ...]

    def pick(self, item: Item) -> Item:
        """Return what it shows of an item."""
        found = ((name, read(item, {})) for name, read in self.columns)
        return {name: value for name, value in found if value is not None}


def _selection(paths: tuple[nodes.Path, ...]) -> Selection | None:
    columns: dict[str, nodes.Path] = {}
    for path in paths:
        name = _column_name(path)
        if columns.setdefault(name, path) != path:
            raise ValidationException(f"Two paths of the select clause have one name: {name}")
    if not paths:
        return None
    reads = tuple((name, compile_path(path)) for name, path in columns.items())
    return Selection(kind="SELECT", paths=paths, root=path_tree(()), columns=reads)


def _column_name(path: nodes.Path) -> str:
    last = max(place for place, step in enumerate(path.steps) if isinstance(step, str))
    return f"{path.steps[last]}" + "".join(f"[{index}]" for index in path.steps[last + 1 :])


def _conjuncts(tree: nodes.ConditionTree | None) -> list[nodes.ConditionTree]:
    if isinstance(tree, nodes.And):
        return [part for each in tree.conditions for part in _conjuncts(each)]
    return [] if tree is None else [tree]


def _join_conditions(
    parts: list[nodes.ConditionTree], kind: str, values: Item
) -> ParsedCondition | None:
    """Join conditions by AND and check that the values fit them."""
    if not parts:
        return None
    condition = prepare_condition(parts[0] if len(parts) == 1 else nodes.And(tuple(parts)), kind)
    check_values(condition, values)
    return condition


def _split_key(
    schema: KeySchema, where: nodes.ConditionTree | None, values: Item
) -> tuple[Item, list[nodes.ConditionTree]] | None:
    """Return the primary key that a WHERE clause asks for, and what it says besides."""
    key: Item = {}
    rest: list[nodes.ConditionTree] = []
    for part in _conjuncts(where):
        match part:
            case nodes.Comparison("=", nodes.Path((str(name),)), nodes.Value(value)) if (
                name in schema.names and name not in key
            ):
                key[name] = values[value]
            case _:
                rest.append(part)
    return (key, rest) if len(key) == len(schema.names) else None


@dataclass(frozen=True, slots=True)
class ItemRead:
    """A SELECT of one item by its whole key: a get, of which a part may be shown."""

    table: EngineTable
    key: EncodedKey
    request: dict[str, Any]
    filter: ParsedCondition | None
    selection: Selection | None
    values: Item

    @property
    def is_whole(self) -> bool:
        """Whether the item is shown as it is stored, so that it need not be decoded."""
        return self.filter is None and self.selection is None

    def project(self, item: Any) -> Any:
        """Return what is shown of the item that was found, None where it is not selected."""
        if item is None or self.is_whole:
            return item
        if self.filter is not None and not self.filter.test(item, self.values):
            return None
        return item if self.selection is None else self.selection.pick(item)


def plan_item_read(
    table: EngineTable, statement: Statement, parameters: list[AttributeValue]
) -> ItemRead | None:
    """Plan a SELECT as a get; None where it may find more than one item."""
    if not isinstance(statement, SelectStatement) or statement.index is not None:
        return None
    values = statement.values(parameters)
    found = _split_key(table.key, statement.where, values)
    if found is None:
        return None
    key, rest = found
    _order(statement, table.key, partitions=1)
    return ItemRead(
        table,
        request_key(table.key, key)[1],
        {"TableName": table.name, "Key": key, PARSED: Clauses({})},
        _join_conditions(rest, "FilterExpression", values),
        _selection(statement.paths),
        values,
    )


def plan_pages(
    table: EngineTable,
    statement: SelectStatement,
    parameters: list[AttributeValue],
    options: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Plan a SELECT as queries, one for each partition; one without a partition is a scan."""
    values = statement.values(parameters)
    index = _index(table, statement, options)
    schema = table.key if index is None else index.key
    rest = _conjuncts(statement.where)
    partitions = _take_partitions(rest, schema, values)
    descending = _order(statement, schema, len(partitions))
    bounds = _take_bounds(rest, schema) if partitions else []
    request: dict[str, Any] = {"TableName": table.name, **options}
    if index is not None:
        request["IndexName"] = index.name
    condition = _join_conditions(rest, "FilterExpression", values)
    selection = _selection(statement.paths)
    if not partitions:
        return [{**request, PARSED: Clauses(values, filter=condition, projection=selection)}]
    if descending.get(schema.hash.name):
        partitions.reverse()
    request["ScanIndexForward"] = not (schema.range and descending.get(schema.range.name))
    return [
        {
            **request,
            PARSED: Clauses(
                values,
                filter=condition,
                projection=selection,
                key_condition=_join_conditions(
                    [*partition, *bounds],
                    "KeyConditionExpression",
                    values,
                ),
            ),
        }
        for partition in partitions
    ]


def _index(
    table: EngineTable, statement: SelectStatement, options: Mapping[str, Any]
) -> EngineIndex | None:
    if statement.index is None:
        return None
    index = table.index_by_name.get(statement.index)
    if index is None:
        raise ValidationException("The table does not have the specified index")
    if index.kind == "global" and options.get("ConsistentRead"):
        raise ValidationException(
            "Strongly consistent read is not supported on Global Secondary Indexes"
        )
    return index


def _take_partitions(
    rest: list[nodes.ConditionTree], schema: KeySchema, values: Item
) -> list[list[nodes.ConditionTree]]:
    """Find conditions on the partitions that must be read; what says no more is taken out."""
    further = [_exact(rest, attribute.name) for attribute in schema.more_hash]
    others = [condition for condition in further if condition is not None]
    if len(others) < len(further):
        return []  # a part of the partition key is not known
    for part in rest:
        found = _partitions(part, schema.hash.name)
        if found is not None:
            for taken in others if isinstance(part, nodes.Or) else [part, *others]:
                rest.remove(taken)
            path = nodes.Path((schema.hash.name,))
            return [
                [nodes.Comparison("=", path, value), *others]
                for value in _distinct(found, schema, values)
            ]
    return []


def _exact(rest: list[nodes.ConditionTree], name: str) -> nodes.ConditionTree | None:
    """Return the condition that an attribute has one value."""
    for part in rest:
        found = _partitions(part, name)
        if isinstance(part, nodes.Comparison) and found is not None:
            return part
    return None


def _partitions(tree: nodes.ConditionTree, name: str) -> list[nodes.Value] | None:
    """Return the only values of the partition key for which a condition can hold, if it has any."""
    match tree:
        case nodes.Comparison("=", nodes.Path((str(found),)), nodes.Value() as value) if (
            found == name
        ):
            return [value]
        case nodes.In(nodes.Path((str(found),)), choices) if found == name:
            chosen = [choice for choice in choices if isinstance(choice, nodes.Value)]
            return chosen if len(chosen) == len(choices) else None
        case nodes.Or(conditions):
            branches = [_partitions(each, name) for each in conditions]
            known = [branch for branch in branches if branch is not None]
            return [each for one in known for each in one] if len(known) == len(branches) else None
        case nodes.And(conditions):
            each = (_partitions(condition, name) for condition in conditions)
            return next((found for found in each if found is not None), None)
    return None


def _distinct(found: Iterable[nodes.Value], schema: KeySchema, values: Item) -> list[nodes.Value]:
    """Return each partition once, in the order of their keys."""
    by_key: dict[bytes, nodes.Value] = {}
    for value in found:
        content = values[value.name].get(schema.hash.type)
        if content is None:
            raise invalid_value("Condition parameter type does not match schema type")
        by_key[encode_range(schema.hash.type, content)] = value
    if len(by_key) > MAX_PARTITIONS:
        raise ValidationException(
            f"A statement can read {MAX_PARTITIONS} values of the partition key, not {len(by_key)}"
        )
    return [by_key[key] for key in sorted(by_key)]


def _take_bounds(rest: list[nodes.ConditionTree], schema: KeySchema) -> list[nodes.ConditionTree]:
    """Take the first condition out that a query can look for among sort keys."""
    for part in rest:
        match part:
            case nodes.Comparison(operator, nodes.Path((str(name),)), nodes.Value()) if (
                operator in _SORT_OPERATORS
            ):
                pass
            case nodes.Between(nodes.Path((str(name),)), nodes.Value(), nodes.Value()):
                pass
            case nodes.Function("begins_with", (nodes.Path((str(name),)), nodes.Value())):
                pass
            case _:
                continue
        if schema.range is not None and name == schema.range.name:
            rest.remove(part)
            return [part]
    return []


def _order(statement: SelectStatement, schema: KeySchema, partitions: int) -> dict[str, bool]:
    """Return whether each key of ORDER BY descends."""
    if not statement.order:
        return {}
    for name, _ in statement.order:
        if name not in schema.names:
            raise ValidationException(
                f"Attribute {name} in ORDER BY clause must be part of the primary key"
            )
    if not partitions:
        raise ValidationException(
            "Must have at least one non-optional hash key condition in WHERE clause when using"
            " ORDER BY clause."
        )
    if partitions > 1 and statement.order[0][0] != schema.hash.name:
        raise ValidationException(
            "Must have hash key in ORDER BY clause when more than one hash key condition specified"
            " in WHERE clause."
        )
    return dict(statement.order)


def plan_write(
    table: EngineTable,
    statement: Statement,
    parameters: list[AttributeValue],
    returns: str | None,
) -> tuple[str, dict[str, Any]]:
    """Plan a write as an action of a transaction: its name and its request.

    ``returns`` is ReturnValuesOnConditionCheckFailure.
    """
    request: dict[str, Any] = {"TableName": table.name}
    if isinstance(statement, InsertStatement):
        request["Item"] = literal_value(statement.item, parameters)["M"]
        absent = nodes.Function("attribute_not_exists", (nodes.Path((table.key.hash.name,)),))
        request[PARSED] = Clauses({}, condition=prepare_condition(absent, INSERT))
        return "Put", request
    values = statement.values(parameters)
    found = _split_key(table.key, statement.where, values)
    is_check = isinstance(statement, ExistsStatement)
    if found is None or (is_check and not found[1]):
        raise ValidationException(
            "EXISTS() must contain a single item read with additional condition"
            if is_check
            else "Where clause does not contain a mandatory equality on all key attributes"
        )
    key, rest = found
    request |= {"Key": key, "ReturnValuesOnConditionCheckFailure": returns}
    condition = _join_conditions(_conditions(table, statement, rest), "ConditionExpression", values)
    request[PARSED] = Clauses(values, condition=condition)
    if isinstance(statement, UpdateStatement):
        request[PARSED] = request[PARSED]._replace(update=_update(statement, values))
        return "Update", request
    return "Delete" if isinstance(statement, DeleteStatement) else "ConditionCheck", request


def _conditions(
    table: EngineTable,
    statement: Statement,
    rest: list[nodes.ConditionTree],
) -> list[nodes.ConditionTree]:
    """Add what a statement asks of the item itself: only a DELETE may find none."""
    path = (nodes.Path((table.key.hash.name,)),)
    if not isinstance(statement, DeleteStatement):
        return [nodes.Function("attribute_exists", path), *rest]
    if not rest:
        return []
    return [nodes.Or((nodes.Function("attribute_not_exists", path), nodes.And(tuple(rest))))]


def _update(statement: UpdateStatement, values: Item) -> Update:
    seen: list[nodes.Path] = []
    for action in statement.actions:
        if conflict := next(path_conflicts(action.path, seen), None):
            raise ValidationException(f"Invalid UpdateExpression: {conflict}")
        seen.append(action.path)
        match action:
            case nodes.Add(_, value) | nodes.Delete(_, value):
                if type_of(values[value.name]) not in _SET_TYPES:
                    raise ValidationException(
                        "The second argument to SET_ADD and SET_DELETE must be a value with type"
                        " SET"
                    )
    update = prepare_update(statement.actions)
    check_values(update, values)
    return update
