"""Reads of any table by key, index or scan, each with the AWS CLI command that makes it."""

from __future__ import annotations

import json
import shlex
from base64 import b64decode, b64encode
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from gotgan.errors import BadCursor, BadDump, UsageError
from gotgan.store.attributes import Item
from gotgan.store.costs import Cost
from gotgan.store.data import browse_terms, messages
from gotgan.store.data.item_json import item_to_json, parse_item
from gotgan.store.drivers import Driver
from gotgan.store.outputs.live import declared_live_table, live_table
from gotgan.store.tables import Index, KeyAttribute, Names, Table

_START: Final = "ExclusiveStartKey"
_BYTES: Final = "boto_encoded_keys"
_TEXTS: Final = {
    "TableName": "--table-name",
    "IndexName": "--index-name",
    "KeyConditionExpression": "--key-condition-expression",
    "FilterExpression": "--filter-expression",
    "ProjectionExpression": "--projection-expression",
}
_LOCAL_ENDPOINT: Final = "http://127.0.0.1:8000"
"""Where gotgan dynamodb serves the embedded engine by default."""
_SUBCOMMANDS: Final = {"GetItem": "get-item", "Query": "query", "Scan": "scan"}


def command_words(operation: str, request: dict[str, Any], endpoint: str | None) -> list[str]:
    """The words of the command of AWS CLI 2 that makes the same request; bytes are base64."""
    words = ["aws", "dynamodb", _SUBCOMMANDS[operation]]
    for member, option in _TEXTS.items():
        if member in request:
            words += [option, request[member]]
    if key := request.get("Key"):
        words += ["--key", _json(item_to_json(key))]
    if names := request.get("ExpressionAttributeNames"):
        words += ["--expression-attribute-names", _json(names)]
    if values := request.get("ExpressionAttributeValues"):
        words += ["--expression-attribute-values", _json(item_to_json(values))]
    if request.get("ScanIndexForward") is False:
        words.append("--no-scan-index-forward")
    if request.get("ConsistentRead"):
        words.append("--consistent-read")
    if endpoint is not None:
        words += ["--endpoint-url", endpoint]
    return words


def cli_endpoint(driver: str) -> str | None:
    """Where the AWS CLI finds the database of a driver; None is its default."""
    return {"aws": None, "embedded": _LOCAL_ENDPOINT}.get(driver, driver)


def command_line(words: list[str]) -> str:
    """Words as a shell takes them."""
    return shlex.join(words)


def starting_token(key: Item) -> str:
    """The token that the AWS CLI would give out for reading on behind a key."""
    token: dict[str, Any] = {_START: item_to_json(key)}
    if encoded := [[_START, name, "B"] for name, value in key.items() if "B" in value]:
        token[_BYTES] = encoded
    return b64encode(_json(token).encode()).decode("ascii")


def token_key(token: str) -> Item:
    """The key of a token."""
    try:
        content = json.loads(b64decode(token, validate=True))
        key = parse_item(content.pop(_START))
    except (AttributeError, BadDump, KeyError, TypeError, ValueError):
        raise BadCursor(messages.NOT_A_CURSOR()) from None
    if content.keys() - {_BYTES}:
        raise BadCursor(messages.CURSOR_IN_PAGE())
    return key


def _json(content: Any) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


_FILTERED_PAGE_SIZE: Final = 500
"""How many items are read at once where only some of them are wanted."""


@dataclass(frozen=True)
class BrowseQuery:
    """What is looked for; the terms are those of ``gotgan.store.data.browse_terms``."""

    index: str | None = None
    pk: str | None = None
    sk: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    """Those on further key attributes of an index are a part of its key condition."""
    expression: str | None = None
    """A filter as DynamoDB writes it, instead of the others."""
    values: tuple[str, ...] = ()
    """The values of its placeholders."""
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
    def is_filtered(self) -> bool:
        """Whether items are read that are not shown."""
        return bool(self.filters or self.expression)


@dataclass(frozen=True)
class BrowseResult:
    """The items of a page, its cost and the cursor of the next page."""

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
    marks: browse_terms.Placeholders = field(default_factory=browse_terms.Placeholders)


def browse(
    driver: Driver, table: str | Table, look: BrowseQuery, names: Names | None = None
) -> BrowseResult:
    """Look into a table by its declared or its own name; the keys of a ``Table`` are known."""
    names = names or Names()
    if isinstance(table, Table):
        live, given = declared_live_table(table, names), table.name
    else:
        live, given = live_table(driver, names.tables.get(table, table)), table
    index = _index(live.table, given, look, names)
    request = _request(live.table, index, look)
    start = None if look.cursor is None else _start(live.table, index, request, look.cursor)
    found, read, cost = list[Item](), 0, Cost()
    whole = request.members | request.marks.members()
    while len(found) < look.limit and read < look.most_read:
        missing = look.limit - len(found)
        size = max(missing, _FILTERED_PAGE_SIZE) if look.is_filtered else missing
        behind = {} if start is None else {"ExclusiveStartKey": start}
        page = {"Limit": min(size, look.most_read - read)}
        answer = driver.call(request.operation, whole | behind | page)
        found += answer["Items"]
        read += answer["ScannedCount"]
        cost += Cost.of("browse", request.operation, answer)
        start = answer.get("LastEvaluatedKey") or None
        if start is None:
            break
    shown = found[: look.limit]
    if len(found) > len(shown):
        start = {key.name: shown[-1][key.name] for key in _place_keys(live.table, index)}
    command = command_words(request.operation, whole, cli_endpoint(driver.name))
    page_size = max(look.limit, _FILTERED_PAGE_SIZE) if look.is_filtered else look.limit
    command += ["--max-items", str(look.limit), "--page-size", str(page_size)]
    return BrowseResult(
        operation=request.operation,
        table=live.table,
        index=index,
        items=shown,
        read=read,
        cursor=None if start is None else starting_token(start),
        cost=cost,
        command=command + (["--starting-token", look.cursor] if look.cursor is not None else []),
        counted=live.items,
    )


def _index(table: Table, given: str, look: BrowseQuery, names: Names) -> Index | None:
    if look.index is None:
        return None
    name = names.indexes.get((given, look.index), look.index)
    index = table.indexes.get(name)
    if index is None:
        template = messages.UNKNOWN_INDEX if table.indexes else messages.NO_INDEXES
        known = sorted(table.indexes)
        raise UsageError(template(table=table.name, index=name, known=known))
    if look.consistent and not index.local:
        raise UsageError(messages.GLOBAL_NOT_CONSISTENT(index=name))
    return index


def _request(table: Table, index: Index | None, look: BrowseQuery) -> _Request:
    if look.limit < 1 or look.most_read < 1:
        raise UsageError(messages.AT_LEAST_ONE())
    members: dict[str, Any] = {"TableName": table.name, "ReturnConsumedCapacity": "INDEXES"}
    if index is not None:
        members["IndexName"] = index.name
    if look.consistent:
        members["ConsistentRead"] = True
    request = _Request("Scan" if look.pk is None else "Query", members)
    place, types = index or table, table.attribute_types()
    filters = [browse_terms.parse_filter(text, types) for text in look.filters]
    on_keys: list[browse_terms.BrowseFilter] = []
    if look.pk is not None and max(len(place.partition), len(place.sort)) > 1:
        # DynamoDB takes what is asked of further key attributes only as a condition on the key.
        on_keys, filters = browse_terms.key_filters(filters, place.keys[1:])
    _add_key_condition(request, place, look, on_keys)
    _add_filters(request, look, filters)
    if look.only:  # with the keys, which the next page and the links to an item need
        keys = [(key.name,) for key in _place_keys(table, index)]
        paths = dict.fromkeys([*keys, *(browse_terms.parse_path(text) for text in look.only)])
        members["ProjectionExpression"] = ", ".join(map(request.marks.path, paths))
    return request


def _add_key_condition(
    request: _Request,
    place: Table | Index,
    look: BrowseQuery,
    on_keys: list[browse_terms.BrowseFilter],
) -> None:
    if look.pk is None:
        if look.sk:
            raise UsageError(messages.SORT_NEEDS_PARTITION())
        if look.newest_first:
            raise UsageError(messages.ORDER_NEEDS_PARTITION())
        return
    marks = request.marks
    partition = browse_terms.parse_key_value(look.pk, place.pk)
    terms = [f"{marks.name(place.pk.name)} = {marks.value(partition)}"]
    if look.sk:
        if place.sk is None:
            raise UsageError(messages.NO_SORT_KEY(name=place.name))
        sort = browse_terms.parse_sort_condition(look.sk, place.sk)
        terms.append(sort.write(marks.name(place.sk.name), marks))
    terms += [each.write(marks) for each in on_keys]
    request.members["KeyConditionExpression"] = " AND ".join(terms)
    if look.newest_first:
        request.members["ScanIndexForward"] = False


def _add_filters(
    request: _Request, look: BrowseQuery, filters: list[browse_terms.BrowseFilter]
) -> None:
    if look.expression and filters:
        raise UsageError(messages.FILTER_OR_EXPRESSION())
    if look.values and not look.expression:
        raise UsageError(messages.VALUE_NEEDS_EXPRESSION())
    terms = [each.write(request.marks) for each in filters]
    for text in look.values:
        request.marks.take(*browse_terms.parse_placeholder(text))
    if condition := look.expression or " AND ".join(terms):
        request.members["FilterExpression"] = condition


def _start(table: Table, index: Index | None, request: _Request, cursor: str) -> Item:
    """The key in a cursor, if it is one of this read."""
    key = token_key(cursor)
    if key.keys() != {each.name for each in _place_keys(table, index)}:
        raise BadCursor(messages.OTHER_CURSOR())
    partition = (index or table).pk.name
    if request.operation == "Query" and key[partition] != request.marks.values[":v0"]:
        raise BadCursor(messages.OTHER_PARTITION())
    return key


def _place_keys(table: Table, index: Index | None) -> tuple[KeyAttribute, ...]:
    return table.keys if index is None else (*table.keys, *index.keys)
