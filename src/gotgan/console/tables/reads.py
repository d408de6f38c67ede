"""Reads of the table pages: stored items with their cost, and the same read in other tools."""

from __future__ import annotations

import json
import re
import shlex
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Final

from gotgan.console.tables.masks import has_secret_key
from gotgan.store import Cost, Entity, Page, Query, Ref, Store, Table
from gotgan.store.attributes import AttributeValue, Item, KeyValue, decode
from gotgan.store.conditions import Expression
from gotgan.store.data.browse import (
    BrowseQuery,
    BrowseResult,
    browse,
    cli_endpoint,
    command_line,
    command_words,
    starting_token,
    token_key,
)
from gotgan.store.pages import query_fingerprint, query_request, verify_cursor
from gotgan.store.patterns import AnyPattern
from gotgan.store.queries import Leg, SortCondition
from gotgan.store.reads import is_expired
from gotgan.store.schema import EntityScope

_DEFAULT_LOOK: Final = BrowseQuery()
_PRINT_ITEMS: Final = ("for item in found.items:", "    print(item)")
_OPTION_NAMES: Final = {"filters": "filter", "values": "value"}
_PLACEHOLDER: Final = re.compile(r"([#:])[nv](\d+)")
"""Placeholders of a filter, which the command line uses for keys."""


def browse_table(store: Store, table: Table, look: BrowseQuery) -> BrowseResult:
    """A page of a table.

    A cursor contains the last key, so a page does not end at a secret key: it gets more items.
    """
    calls = store.calls
    found = browse(calls.driver, table, look, calls.names)
    while found.cursor is not None and has_secret_key(table, token_key(found.cursor)):
        following = replace(look, limit=1, cursor=found.cursor)
        more = browse(calls.driver, table, following, calls.names)
        found = replace(
            found,
            items=[*found.items, *more.items],
            read=found.read + more.read,
            cursor=more.cursor,
            cost=found.cost + more.cost,
        )
    calls.meter.record(found.cost)
    return found


def read_pattern(
    store: Store, read: Query[Any] | Ref[Any], limit: int, cursor: str | None
) -> Page[Item]:
    """A page of an access pattern, of items as they are stored."""
    if isinstance(read, Ref):
        item, cost = get_item(store, read.table, read.item)
        is_read = item is not None and not is_expired(read.table, item, store.clock.now())
        return Page((item,) if item and is_read else (), None, cost, int(item is not None))
    return store.query_as(read, lambda item: item, limit=limit, cursor=cursor)


def get_item(store: Store, table: Table, key: Item) -> tuple[Item | None, Cost]:
    """An item by its key, and the cost of the read."""
    request = {"TableName": store.calls.names.of(table), "Key": key}
    answer, cost = store.calls.send("browse", "GetItem", request)
    return answer.get("Item"), cost


# The same read in other tools


@dataclass(frozen=True)
class QueryPart:
    """A page of a query."""

    limit: int
    cursor: str | None = None


def _leg_look(leg: Leg, part: QueryPart) -> BrowseQuery:
    expression, values = _filter(leg)
    is_on_sk = not leg.fixed and leg.sort_key == leg.place.sk
    return BrowseQuery(
        index=leg.index.name if leg.index else None,
        pk=_key_text(leg.pk),
        sk=_sort_terms(leg.sort) if is_on_sk else (),
        filters=() if is_on_sk else tuple(_key_filters(leg)),
        expression=expression,
        values=values,
        limit=part.limit,
        newest_first=leg.newest_first,
        consistent=leg.consistent,
        cursor=part.cursor,
    )


def _key_filters(leg: Leg) -> Iterator[str]:
    """The conditions on key attributes behind the first, where a part of the key has several."""
    for key, value in leg.exact[1:]:
        yield f'"{key.name}"={_key_text(value)}'
    if leg.sort_key is not None:
        yield from (f'"{leg.sort_key.name}"{term}' for term in _sort_terms(leg.sort))


def _key_text(value: KeyValue) -> str:
    return b64encode(value).decode("ascii") if isinstance(value, bytes) else str(value)


def _sort_terms(sort: SortCondition | None) -> tuple[str, ...]:
    if sort is None:
        return ()
    low = _key_text(sort.low)
    if sort.word == "BETWEEN" and sort.high is not None:
        return (f">={low}", f"<={_key_text(sort.high)}")
    return (f"^{low}" if sort.word == "begins_with" else f"{sort.word}{low}",)


def _filter(leg: Leg) -> tuple[str | None, tuple[str, ...]]:
    if leg.filter is None:
        return None, ()

    def renamed(text: str) -> str:
        return _PLACEHOLDER.sub(r"\1f\2", text)

    written = Expression(EntityScope.of(leg.entities))
    text = renamed(leg.filter.write(written))
    names = [f"{renamed(mark)}={name}" for name, mark in written.names.items()]
    values = [f"{renamed(mark)}{_typed_value(value)}" for mark, value in written.values.items()]
    return text, (*names, *values)


def _typed_value(value: AttributeValue) -> str:
    """A value with its type, as the command line reads it."""
    [(kind, content)] = value.items()
    if kind == "S":
        return f"={json.dumps(content, ensure_ascii=False)}"
    return f":{kind}={str(content).lower() if kind == 'BOOL' else _key_text(content)}"


@dataclass(frozen=True)
class SameRead:
    """A read in Python, on our command line and with the AWS CLI."""

    python: str
    cli: str
    aws: str


def same_look(table: Table, look: BrowseQuery, command: list[str]) -> SameRead:
    """A query of a table; ``command`` has the words of the AWS CLI."""
    given = [f"{name}={value!r}" for name, value in _given_options(look)]
    python = _script(
        ["from gotgan.store.data.browse import BrowseQuery, browse"],
        "calls = app.store.calls",
        f"look = BrowseQuery({', '.join(given)})",
        f"found = browse(calls.driver, {table.name!r}, look, calls.names)",
        *_PRINT_ITEMS,
    )
    return SameRead(python, _browse_command(table, look), command_line(command))


def same_pattern(
    store: Store,
    pattern: AnyPattern,
    arguments: Mapping[str, Any],
    read: Query[Any] | Ref[Any],
    piece: QueryPart,
) -> SameRead:
    """An access pattern with its arguments; a read of several partitions is several commands."""
    call = f"{pattern.name}({', '.join(f'{name}={value!r}' for name, value in arguments.items())})"
    imports = [f"from {pattern.module} import {pattern.name}"]
    if "datetime." in call:
        imports.insert(0, "import datetime")
    if isinstance(read, Ref):
        python = _script(imports, f"found = app.store.get({call})", "print(found)")
        cli = _browse_key_command(read.table, read.pk, read.sk)
        return SameRead(python, cli, _aws_get_item(store, read.table, read.item))
    behind = "" if piece.cursor is None else f", cursor={piece.cursor!r}"
    query = f"found = app.store.query({call}, limit={piece.limit}{behind})"
    python = _script(imports, query, *_PRINT_ITEMS)
    parts = list(_query_parts(store, read, piece))
    cli = "\n".join(_browse_command(leg.table, _leg_look(leg, part)) for leg, part in parts)
    return SameRead(python, cli, "\n".join(_aws_query(store, leg, part) for leg, part in parts))


def same_item(store: Store, table: Table, entity: type[Entity] | None, key: Item) -> SameRead:
    """An item by its key; in Python as its entity, if that is declared."""
    pk, *rest = (decode(key[each.name]) for each in table.keys)
    sk = next(iter(rest), None)
    if entity is None:
        steps = [f"request = {{'TableName': {store.calls.names.of(table)!r}, 'Key': {key!r}}}"]
        steps.append("answer, cost = app.store.calls.send('browse', 'GetItem', request)")
        python = _script([], *steps, "print(answer.get('Item'))")
    else:
        imports = [
            f"from {entity.__module__} import {entity.__name__}",
            "from gotgan.store import Ref",
        ]
        words = ", ".join([entity.__name__, *map(repr, [pk, *rest])])
        python = _script(imports, f"found = app.store.get(Ref({words}))", "print(found)")
    return SameRead(python, _browse_key_command(table, pk, sk), _aws_get_item(store, table, key))


def _script(imports: Sequence[str], *steps: str) -> str:
    own = ["from gotgan.app import App", "from gotgan.settings import Settings"]
    body = [f"    {step}" for step in steps]
    plain = [line for line in imports if line.startswith("import ")]
    named = sorted({*own, *imports} - set(plain))
    return "\n".join([*plain, *named, "", "with App.open(Settings.from_env()) as app:", *body])


def _given_options(look: BrowseQuery) -> list[tuple[str, Any]]:
    """The options of a query that differ from the defaults."""
    values = [(each.name, getattr(look, each.name)) for each in fields(look)]
    return [(name, value) for name, value in values if value != getattr(_DEFAULT_LOOK, name)]


def _browse_command(table: Table, look: BrowseQuery) -> str:
    words = ["gotgan", "tables", "browse", table.name]
    for name, value in _given_options(look):
        option = f"--{_OPTION_NAMES.get(name, name).replace('_', '-')}"
        values = value if isinstance(value, tuple) else (value,)
        words += [option] if value is True else [w for each in values for w in (option, str(each))]
    return shlex.join(words)


def _browse_key_command(table: Table, pk: KeyValue, sk: KeyValue | None) -> str:
    sort = () if sk is None else (f"={_key_text(sk)}",)
    return _browse_command(table, BrowseQuery(pk=_key_text(pk), sk=sort, limit=1))


def _query_parts(
    store: Store, query: Query[Any], piece: QueryPart
) -> Iterator[tuple[Leg, QueryPart]]:
    """The remaining legs, the first from the key of the cursor on."""
    if piece.cursor is None:
        yield from ((leg, piece) for leg in query.legs)
        return
    requests = [query_request(leg, store.calls.names) for leg in query.legs]
    place = verify_cursor(store.calls.secret, query_fingerprint(requests), piece.cursor)
    token = None if place.key is None else starting_token(place.key)
    for number, leg in enumerate(query.legs[place.leg :]):
        yield leg, replace(piece, cursor=None if number else token)


def _aws_query(store: Store, leg: Leg, part: QueryPart) -> str:
    request = query_request(leg, store.calls.names)
    words = command_words("Query", request, cli_endpoint(store.calls.driver.name))
    behind = [] if part.cursor is None else ["--starting-token", part.cursor]
    return command_line([*words, "--max-items", str(part.limit), *behind])


def _aws_get_item(store: Store, table: Table, key: Item) -> str:
    request = {"TableName": store.calls.names.of(table), "Key": key}
    endpoint = cli_endpoint(store.calls.driver.name)
    return command_line(command_words("GetItem", request, endpoint))
