"""Query and Scan: a page of the rows of a table or an index, in key order."""

from __future__ import annotations

import operator
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from gotgan.store.engine.capacity import ConsumedCapacity, read_units
from gotgan.store.engine.catalog import Context, EngineIndex, EngineTable
from gotgan.store.engine.expressions.conditions import RangeCondition, key_condition
from gotgan.store.engine.faults import ValidationException, invalid_value
from gotgan.store.engine.keys import (
    NO_SUCH_KEY,
    EncodedKey,
    KeySchema,
    check_not_empty,
    encode_beginning,
    encode_partition,
    encode_range,
    encode_values,
    index_key,
    prefix_end,
    request_key,
    segment_bounds,
)
from gotgan.store.engine.requests import Clauses, capacity_detail, read_clauses
from gotgan.store.engine.values import (
    AttributeValue,
    Item,
    clean_item,
    load_item,
    size_of_item,
)

_Term: TypeAlias = tuple[str, tuple[bytes, ...]]

MAX_PAGE_BYTES = 1 << 20
# An index that holds only keys has many in a megabyte, and each is read from its whole item.
MAX_SCANNED_BYTES = 16 << 20
_BAD_START = "The provided starting key is invalid"
# What AWS says of a value in a starting key without saying that it is of one.
_SAID_ALONE = ("contains duplicates", "numeric value", "significant digits", "with magnitude")
_LOWER_SIGNS: Final = (">", ">=")
_UPPER_SIGNS: Final = ("<", "<=")
_COMPARE: Final = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def query(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read the items of one partition, in the order of their sort keys."""
    limit, detail = request.get("Limit"), capacity_detail(request)
    clauses = read_clauses(
        request, "KeyConditionExpression", "FilterExpression", "ProjectionExpression"
    )
    table = context.table(request)
    index = _index(context, table, request)
    rows = KeyRange(table, index, forward=request.get("ScanIndexForward") is not False)
    _apply_key_condition(rows, clauses)
    start = _start_position(rows, request)
    if start is not None:
        if start[0] != rows.partition:
            raise ValidationException(
                "The provided starting key is outside query boundaries based on provided conditions"
            )
        if not rows.allows(start[1]):
            raise ValidationException(
                "The provided starting key does not match the range key predicate"
            )
        rows.after = start
    return _read_page(context, rows, clauses, request, limit, detail)


def scan(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read all items, or one segment of them, in the order of their hashes."""
    limit, detail = request.get("Limit"), capacity_detail(request)
    segment = _segment(request)
    clauses = read_clauses(request, "FilterExpression", "ProjectionExpression")
    table = context.table(request)
    rows = KeyRange(table, _index(context, table, request), segment=segment)
    rows.after = start = _start_position(rows, request)
    if start is not None and segment is not None and not segment[0] <= start[0] < segment[1]:
        raise ValidationException(
            f"{_BAD_START}: The provided key does not map to the segment that was asked for"
        )
    return _read_page(context, rows, clauses, request, limit, detail)


@dataclass
class KeyRange:
    """A range of rows in the order of the table's key or of an index.

    SQLite searches a B-tree by one bound on each side. So a position takes the place of the bound
    that it lies behind, and a sort key that is fixed is not compared with it: a page then costs the
    same wherever it begins.
    """

    table: EngineTable
    index: EngineIndex | None
    forward: bool = True
    partition: bytes | None = None
    segment: tuple[bytes, bytes] | None = None
    """The hashes of a parallel scan's segment, the second one excluded."""
    after: tuple[bytes, ...] | None = None
    """The position behind which it begins: the values of all columns of the order."""
    _bounds: tuple[tuple[str, bytes], ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the order."""
        return ("pk", "sk") if self.index is None else self.index.order

    @property
    def key(self) -> KeySchema:
        """The key of the order."""
        return self.table.key if self.index is None else self.index.key

    def restrict(self, condition: RangeCondition, fixed: tuple[AttributeValue, ...] = ()) -> None:
        """Keep to the sort keys that a condition allows; ``fixed`` are the values before it."""
        bounds = (
            _bounds_of_several(condition, fixed, len(self.key.sort))
            if self.key.more_range
            else _bounds(condition)
        )
        self._bounds = tuple(bounds)

    def allows(self, sort_key: bytes) -> bool:
        """Whether a sort key is within what ``restrict`` keeps to."""
        return all(_COMPARE[sign](sort_key, bound) for sign, bound in self._bounds)

    def rows(self, connection: sqlite3.Connection, limit: int | None) -> Iterator[Any]:
        """Yield (item, size) of each row."""
        terms = list(self._terms())
        where = f" WHERE {' AND '.join(term for term, _ in terms)}" if terms else ""
        way = "" if self.forward else " DESC"
        order = ", ".join(column + way for column in self.columns)
        sql = f"SELECT item, size FROM {self.table.rows}{where} ORDER BY {order} LIMIT ?"
        parameters = [value for _, values in terms for value in values]
        return connection.execute(sql, (*parameters, -1 if limit is None else limit))

    def _terms(self) -> Iterator[_Term]:
        first, second = self.columns[:2]
        if self.partition is not None:
            yield f"{first} = ?", (self.partition,)
        if self.segment is not None and self.after is None:
            yield f"{first} >= ?", self.segment[:1]
        if self.segment is not None:
            yield f"{first} < ?", self.segment[1:]
        replaced = () if self.after is None else _LOWER_SIGNS if self.forward else _UPPER_SIGNS
        for sign, bound in self._bounds:
            if sign not in replaced:
                yield f"{second} {sign} ?", (bound,)
        if self.after is not None:
            yield self._behind(self.after)
        if self.index is not None:
            yield self.index.presence, ()

    def _behind(self, position: tuple[bytes, ...]) -> _Term:
        is_one_sort_key = any(sign == "=" for sign, _ in self._bounds)
        fixed = 0 if self.partition is None else 2 if is_one_sort_key else 1
        columns = self.columns[fixed:]
        if not columns:  # the one row that there can be lies before the position
            return "0", ()
        marks = ", ".join("?" * len(columns))
        sign = ">" if self.forward else "<"
        return f"({', '.join(columns)}) {sign} ({marks})", position[fixed:]


def _bounds(condition: RangeCondition) -> Iterator[tuple[str, bytes]]:
    """Turn a key condition into comparisons with stored sort keys."""
    low, *high = (encode_range(*next(iter(operand.items()))) for operand in condition.operands)
    match condition.operator:
        case "BETWEEN":
            yield from ((">=", low), ("<=", high[0]))
        case "begins_with":
            yield ">=", low
            end = prefix_end(low)
            if end is not None:
                yield "<", end
        case sign:
            yield sign, low


def _bounds_of_several(
    condition: RangeCondition, fixed: tuple[AttributeValue, ...], count: int
) -> Iterator[tuple[str, bytes]]:
    """Turn conditions on the first of several attributes into comparisons with stored sort keys.

    The keys with the same first values are those that begin with the same bytes, so each condition
    is a lower and an upper bound.
    """
    stem = encode_values(fixed)
    operands = [stem + encode_values((operand,)) for operand in condition.operands]
    if condition.operator == "=" and len(fixed) + 1 == count:
        yield "=", operands[0]
        return
    lower: bytes | None = operands[0]
    upper = prefix_end(operands[-1])  # as it is for "=" and BETWEEN
    match condition.operator:
        case "begins_with":
            lower = stem + encode_beginning(condition.operands[0])
            upper = prefix_end(lower)
        case "<":
            lower, upper = stem, lower
        case "<=":
            lower = stem
        case ">":
            lower, upper = upper, prefix_end(stem)
        case ">=":
            upper = prefix_end(stem)
    if lower:
        yield ">=", lower
    if upper:
        yield "<", upper


def _index(context: Context, table: EngineTable, request: dict[str, Any]) -> EngineIndex | None:
    name = request.get("IndexName")
    if name is None:
        return None
    index = table.index_by_name.get(name)
    if index is None:
        # Another process may just have made it.
        index = context.catalog.fresh(table.name).index_by_name.get(name)
    if index is None:
        raise ValidationException(f"The table does not have the specified index: {name}")
    if index.kind == "global" and request.get("ConsistentRead"):
        raise ValidationException("Consistent reads are not supported on global secondary indexes")
    return index


def _apply_key_condition(rows: KeyRange, clauses: Clauses) -> None:
    if clauses.key_condition is None:
        raise ValidationException(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in"
            " the request."
        )
    schema = rows.key
    is_legacy = clauses.key_condition.kind == "KeyConditions"
    if is_legacy and len(clauses.key_condition.attributes) > len(schema.names):
        raise ValidationException("Query key condition not supported")
    found = key_condition(clauses.key_condition.tree, schema, clauses.values)
    exact = (*found.partition, *found.fixed)
    for attribute, value in zip(schema.attributes, exact, strict=False):
        check_not_empty(attribute, value)
    if found.range is not None:
        for operand in found.range.operands:
            check_not_empty(schema.attributes[len(exact)], operand)
        rows.restrict(found.range, found.fixed)
    rows.partition = encode_partition(schema, found.partition)
    for name in schema.names:
        if clauses.filter is not None and name in clauses.filter.attributes:
            kind = "QueryFilter" if clauses.filter.kind == "QueryFilter" else "Filter Expression"
            raise ValidationException(
                f"{kind} can only contain non-primary key attributes: Primary key attribute: {name}"
            )


def _start_position(rows: KeyRange, request: dict[str, Any]) -> tuple[bytes, ...] | None:
    """Return the position behind which a page begins, in the columns of the order."""
    given = request.get("ExclusiveStartKey")
    if given is None:
        return None
    try:
        start = clean_item(given)[0]
    except ValidationException as error:
        if any(part in error.message for part in _SAID_ALONE):
            raise
        raise ValidationException(f"{_BAD_START}: {error.message}") from error
    primary, own = _start_keys(rows, start)
    if rows.index is None or own is None:
        return primary
    if rows.index.kind == "local":
        return (primary.hash, own.range, primary.range)
    return (*own, *primary)


def _start_keys(rows: KeyRange, start: Item) -> tuple[EncodedKey, EncodedKey | None]:
    index, names = rows.index, rows.table.key.names
    if {*names, *rows.key.names} != start.keys():
        is_scan_of_table = rows.partition is None and index is None
        raise ValidationException(
            f"{_BAD_START}: {NO_SUCH_KEY}" if is_scan_of_table else _BAD_START
        )
    try:
        _, primary = request_key(rows.table.key, {name: start[name] for name in names})
    except ValidationException as error:
        raise ValidationException(f"{_BAD_START}: {error.message}") from error
    try:
        return primary, None if index is None else index_key(index.key, start, index.name)
    except ValidationException as error:
        raise ValidationException(NO_SUCH_KEY) from error


def _segment(request: dict[str, Any]) -> tuple[bytes, bytes] | None:
    total = request.get("TotalSegments")
    segment = request.get("Segment")
    if total is None and segment is None:
        return None
    if total is None:
        raise ValidationException(
            "The TotalSegments parameter is required but was not present in the request when"
            " Segment parameter is present"
        )
    if segment is None:
        raise ValidationException(
            "The Segment parameter is required but was not present in the request when parameter"
            " TotalSegments is present"
        )
    if segment >= total:
        raise ValidationException(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments:"
            f" Segment: {segment} is not less than TotalSegments: {total}"
        )
    return segment_bounds(segment, total)


def _select(rows: KeyRange, clauses: Clauses, request: dict[str, Any]) -> str:
    """Return what is to be selected, refusing what contradicts itself."""
    select: str = request.get("Select", "")
    if select == "SPECIFIC_ATTRIBUTES" and clauses.projection is None:
        raise ValidationException(
            "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression"
            " when choosing to get SPECIFIC_ATTRIBUTES"
        )
    if clauses.projection is not None and select not in {"", "SPECIFIC_ATTRIBUTES"}:
        what = "only the Count" if select == "COUNT" else select
        raise ValidationException(
            f"Cannot specify the {clauses.projection.kind} when choosing to get {what}"
        )
    if select == "ALL_PROJECTED_ATTRIBUTES" and rows.index is None:
        raise ValidationException(
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName"
        )
    return select


def _needs_table(rows: KeyRange, clauses: Clauses, select: str) -> bool:
    """Whether a local index must fetch items from its table, as AWS does (and bills).

    A global index cannot: attributes that it does not hold are refused.
    """
    index = rows.index
    if index is None or index.projection.is_all:
        return False
    held = {*rows.table.key.names, *index.key.names, *index.projection.attributes}
    wanted = () if clauses.projection is None else clauses.projection.paths
    missing = [path.name for path in wanted if path.name not in held]
    if index.kind == "local":
        return select == "ALL_ATTRIBUTES" or bool(missing)
    if select == "ALL_ATTRIBUTES":
        raise invalid_value(
            f"Select type ALL_ATTRIBUTES is not supported for global secondary index"
            f" {index.name} because its projection type is not ALL"
        )
    if missing:
        raise invalid_value(
            f"Global secondary index {index.name} does not project [{', '.join(missing)}]"
        )
    return False


def _read_page(
    context: Context,
    rows: KeyRange,
    clauses: Clauses,
    request: dict[str, Any],
    limit: int | None,
    detail: str,
) -> dict[str, Any]:
    select = _select(rows, clauses, request)
    reader = _PageReader(
        rows=rows,
        clauses=clauses,
        limit=limit,
        counting=select == "COUNT",
        consistent=bool(request.get("ConsistentRead")),
        whole_items=_needs_table(rows, clauses, select),
        load_all=context.load_all,
    )
    page = context.database.read(reader.read)
    answer: dict[str, Any] = {"Count": page.count, "ScannedCount": page.scanned}
    if not reader.counting:
        answer["Items"] = page.items
    if page.last is not None:
        item = load_item(page.last)
        names = dict.fromkeys((*rows.table.key.names, *rows.key.names))
        answer["LastEvaluatedKey"] = {name: item[name] for name in names}
    if detail != "NONE":
        bill = ConsumedCapacity(rows.table)
        bill.charge_read(read_units(page.size, consistent=reader.consistent), rows.index)
        bill.charge_read(page.fetched_units)
        answer["ConsumedCapacity"] = bill.to_dict(detail)
    return answer


@dataclass(frozen=True)
class _Page:
    """The items of one page and what reading it took."""

    items: Sequence[Any]
    count: int
    scanned: int
    size: int
    fetched_units: float
    last: bytes | None


@dataclass(frozen=True)
class _PageReader:
    """Reads rows until the limit or a megabyte, filters and projects them."""

    rows: KeyRange
    clauses: Clauses
    limit: int | None
    counting: bool
    consistent: bool
    whole_items: bool
    load_all: Callable[[list[bytes]], Sequence[Any]]

    def read(self, connection: sqlite3.Connection) -> _Page:
        """Read one page."""
        clauses, index = self.clauses, self.rows.index
        partial = None if index is None or index.projection.is_all else index
        if clauses.filter is None and clauses.projection is None and partial is None:
            return self._read_plain(connection)
        return self._read_decoded(connection, partial)

    def _read_plain(self, connection: sqlite3.Connection) -> _Page:
        """The fast way: whole rows, none of them looked into."""
        found: list[bytes] = []
        size = 0
        for raw, row_size in self.rows.rows(connection, self.limit):
            found.append(raw)
            size += row_size
            if size >= MAX_PAGE_BYTES:
                break
        items = [] if self.counting else self.load_all(found)
        last = found[-1] if self._is_cut(len(found), size) else None
        return _Page(items, len(found), len(found), size, 0.0, last)

    def _read_decoded(self, connection: sqlite3.Connection, partial: EngineIndex | None) -> _Page:
        """The general way; ``partial`` is the index, if it holds only a part of the items."""
        condition, projection = self.clauses.filter, self.clauses.projection
        items: list[Item] = []
        count = scanned = size = read = 0
        fetched = 0.0
        last = b""
        for raw, row_size in self.rows.rows(connection, self.limit):
            item = load_item(raw)
            scanned, read, last = scanned + 1, read + row_size, raw
            if partial is None:
                size += row_size
            else:
                projected = self.rows.table.project(partial, item)
                size += size_of_item(projected)
                if self.whole_items:
                    fetched += read_units(row_size, consistent=self.consistent)
                else:
                    item = projected
            if condition is None or condition.test(item, self.clauses.values):
                count += 1
                if not self.counting:
                    items.append(item if projection is None else projection.pick(item))
            if size >= MAX_PAGE_BYTES or read >= MAX_SCANNED_BYTES:
                break
        more = self._is_cut(scanned, size) or read >= MAX_SCANNED_BYTES
        return _Page(items, count, scanned, size, fetched, last if more else None)

    def _is_cut(self, scanned: int, size: int) -> bool:
        return scanned > 0 and (scanned == self.limit or size >= MAX_PAGE_BYTES)
