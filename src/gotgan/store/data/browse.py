"""A look into any table: by key, by index, or by a scan that says that it is one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from gotgan.errors import BadCursor, UsageError
from gotgan.store.attributes import Item
from gotgan.store.costs import Cost
from gotgan.store.data.aws_cli import command_words, endpoint_of, starting_token, token_key
from gotgan.store.data.browse_terms import (
    Placeholders,
    filter_of,
    given_mark,
    key_value,
    path_of,
    sort_condition,
)
from gotgan.store.data.described import LiveTable, as_called, live_table
from gotgan.store.drivers import Driver
from gotgan.store.tables import Index, KeyAttribute, Names, Table

__all__ = ["Browsed", "Look", "browse"]

_FILTERED_PAGE: Final = 500
"""How many items are read at once where only some of them are wanted."""


@dataclass(frozen=True)
class Look:
    """What is looked for; the terms are those of ``gotgan.store.data.browse_terms``."""

    index: str | None = None
    pk: str | None = None
    sk: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    expression: str | None = None
    """A filter as DynamoDB writes it, instead of the others."""
    values: tuple[str, ...] = ()
    """What its placeholders stand for."""
    only: tuple[str, ...] = ()
    """The attributes that are sent back, beside the keys; none is all."""
    limit: int = 20
    """How many items are shown at most."""
    most_read: int = 10_000
    """How many are read at most to find them."""
    newest_first: bool = False
    consistent: bool = False
    cursor: str | None = None

    @property
    def is_sieved(self) -> bool:
        """Whether items are read that are not shown."""
        return bool(self.filters or self.expression)


@dataclass(frozen=True)
class Browsed:
    """What was found, what it cost, and how to go on."""

    operation: Literal["Query", "Scan"]
    table: Table
    index: Index | None
    items: list[Item]
    read: int
    """How many items were read; the others did not pass the filters."""
    cursor: str | None
    """Where to go on; None where nothing is left."""
    cost: Cost
    command: list[str]
    """The words of the same read by the AWS CLI."""
    counted: int
    """How many items the table has, as the database last counted; none where it was not asked."""


@dataclass
class _Request:
    """A request without its page: where it begins and how many it reads."""

    operation: Literal["Query", "Scan"]
    members: dict[str, Any]
    marks: Placeholders = field(default_factory=Placeholders)

    def whole(self) -> dict[str, Any]:
        return self.members | self.marks.members()


def browse(driver: Driver, table: str | Table, look: Look, names: Names | None = None) -> Browsed:
    """Look into a table, by its declared or its own name.

    Of a ``Table`` the keys are known, and the database is not asked for them first.
    """
    names = names or Names()
    if isinstance(table, Table):
        live, given = as_called(table, names), table.name
    else:
        live, given = live_table(driver, names.tables.get(table, table)), table
    index = _index(live.table, given, look, names)
    request = _request(live.table, index, look)
    start = None if look.cursor is None else _start(live.table, index, request, look.cursor)
    found = _Found(look)
    for answer in _pages(driver, request, start, found):
        found.take(answer, request.operation)
    return _browsed(driver, live, index, request, found)


def _index(table: Table, given: str, look: Look, names: Names) -> Index | None:
    if look.index is None:
        return None
    name = names.indexes.get((given, look.index), look.index)
    index = table.indexes.get(name)
    if index is None:
        there = f"it has {', '.join(sorted(table.indexes))}" if table.indexes else "it has none"
        raise UsageError(f"{table.name} has no index {name}; {there}")
    if look.consistent and not index.local:
        raise UsageError(f"{name} is a global index and cannot be read with --consistent")
    return index


def _request(table: Table, index: Index | None, look: Look) -> _Request:
    if look.limit < 1 or look.most_read < 1:
        raise UsageError("at least one item must be shown, and read")
    members: dict[str, Any] = {"TableName": table.name, "ReturnConsumedCapacity": "INDEXES"}
    if index is not None:
        members["IndexName"] = index.name
    if look.consistent:
        members["ConsistentRead"] = True
    request = _Request("Scan" if look.pk is None else "Query", members)
    _add_key_condition(request, index or table, look)
    _add_filters(request, table, look)
    _add_projection(request, table, index, look)
    return request


def _add_key_condition(request: _Request, place: Table | Index, look: Look) -> None:
    if look.pk is None:
        _refuse_order(look)
        return
    marks = request.marks
    terms = [f"{marks.name(place.pk.name)} = {marks.value(key_value(look.pk, place.pk))}"]
    if look.sk:
        sort = sort_condition(look.sk, _sort_key(place))
        terms.append(sort.write(marks.name(_sort_key(place).name), marks))
    request.members["KeyConditionExpression"] = " AND ".join(terms)
    if look.newest_first:
        request.members["ScanIndexForward"] = False


def _refuse_order(look: Look) -> None:
    if look.sk:
        raise UsageError("--sk needs --pk; to look for it everywhere, make it a --filter")
    if look.newest_first:
        raise UsageError("--newest-first needs --pk: a scan has no order")


def _sort_key(place: Table | Index) -> KeyAttribute:
    if place.sk is None:
        raise UsageError(f"{place.name} has no sort key; leave --sk out")
    return place.sk


def _add_filters(request: _Request, table: Table, look: Look) -> None:
    if look.expression and look.filters:
        raise UsageError("--filter and --expression exclude each other; give one of them")
    if look.values and not look.expression:
        raise UsageError("--value says what stands in an --expression; give that too")
    types = table.attribute_types()
    terms = [filter_of(text, types).write(request.marks) for text in look.filters]
    for text in look.values:
        request.marks.take(*given_mark(text))
    if condition := look.expression or " AND ".join(terms):
        request.members["FilterExpression"] = condition


def _add_projection(request: _Request, table: Table, index: Index | None, look: Look) -> None:
    """The keys come along: without them nobody could read on, or tell what an item is."""
    if not look.only:
        return
    keys = [(key.name,) for key in _place_keys(table, index)]
    paths = dict.fromkeys([*keys, *(path_of(text) for text in look.only)])
    request.members["ProjectionExpression"] = ", ".join(map(request.marks.path, paths))


def _start(table: Table, index: Index | None, request: _Request, cursor: str) -> Item:
    """The key that a cursor stands for, if it is one of this read."""
    key = token_key(cursor)
    if key.keys() != {each.name for each in _place_keys(table, index)}:
        raise BadCursor("this cursor is of another table or index; begin again without one")
    partition = (index or table).pk.name
    if request.operation == "Query" and key[partition] != request.marks.values[":v0"]:
        raise BadCursor("this cursor is of another --pk; begin again without one")
    return key


def _place_keys(table: Table, index: Index | None) -> tuple[KeyAttribute, ...]:
    return table.keys if index is None else (*table.keys, *index.keys)


class _Found:
    """What was found so far, and whether that is enough."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.items: list[Item] = []
        self.read = 0
        self.last: Item | None = None
        self.cost = Cost()

    @property
    def next_page(self) -> int:
        """How many items to read next; none where it is enough."""
        missing = self.look.limit - len(self.items)
        wanted = max(missing, _FILTERED_PAGE) if self.look.is_sieved else missing
        return min(wanted, self.look.most_read - self.read) if missing > 0 else 0

    def take(self, answer: dict[str, Any], operation: str) -> None:
        """Add a page."""
        self.items += answer["Items"]
        self.read += answer["ScannedCount"]
        self.last = answer.get("LastEvaluatedKey") or None
        self.cost += Cost.of("browse", operation, answer)


def _pages(
    driver: Driver, request: _Request, start: Item | None, found: _Found
) -> Iterator[dict[str, Any]]:
    whole = request.whole()
    while found.next_page > 0:
        behind = {} if start is None else {"ExclusiveStartKey": start}
        yield driver.call(request.operation, whole | behind | {"Limit": found.next_page})
        start = found.last
        if start is None:
            return


def _browsed(
    driver: Driver, live: LiveTable, index: Index | None, request: _Request, found: _Found
) -> Browsed:
    shown, last = found.items[: found.look.limit], found.last
    if len(found.items) > len(shown):
        keys = _place_keys(live.table, index)
        last = {key.name: shown[-1][key.name] for key in keys}
    return Browsed(
        operation=request.operation,
        table=live.table,
        index=index,
        items=shown,
        read=found.read,
        cursor=None if last is None else starting_token(last),
        cost=found.cost,
        command=_command(driver, request, found.look),
        counted=live.items,
    )


def _command(driver: Driver, request: _Request, look: Look) -> list[str]:
    words = command_words(request.operation, request.whole(), endpoint_of(driver.name))
    page = max(look.limit, _FILTERED_PAGE) if look.is_sieved else look.limit
    words += ["--max-items", str(look.limit), "--page-size", str(page)]
    return words if look.cursor is None else [*words, "--starting-token", look.cursor]
