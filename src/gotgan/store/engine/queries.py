"""Query and Scan."""

from __future__ import annotations

from typing import Any

from gotgan.store.engine.clauses import Clauses, read_clauses
from gotgan.store.engine.context import Context
from gotgan.store.engine.expressions import key_condition
from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.keys import (
    EncodedKey,
    KeySchema,
    check_not_empty,
    encode_hash,
    index_key,
    key_of_request,
    segment_bounds,
)
from gotgan.store.engine.pages import PageReader
from gotgan.store.engine.requests import bounded, capacity_detail, choice
from gotgan.store.engine.tables import EngineIndex, EngineTable
from gotgan.store.engine.values import Item, clean_item
from gotgan.store.engine.walk import Walk

__all__ = ["query", "scan"]

_SELECTS = ("SPECIFIC_ATTRIBUTES", "COUNT", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES")
_MOST_SEGMENTS = 1_000_000
_INVALID = "One or more parameter values were invalid: "
_BAD_START = "The provided starting key is invalid"


def query(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read the items of one partition, in the order of their sort keys."""
    limit, detail = bounded(request, "Limit", 1), capacity_detail(request)
    clauses = read_clauses(
        request,
        "KeyConditionExpression",
        "FilterExpression",
        "ProjectionExpression",
    )
    table = context.table(request)
    index = _index(context, table, request)
    walk = Walk(table, index, forward=request.get("ScanIndexForward") is not False)
    partition = _apply_key_condition(walk, clauses)
    _refuse_keys_in_filter(walk, clauses)
    start = _start(walk, request)
    if start is not None:
        if start[0] != partition:
            raise ValidationException(
                "The provided starting key is outside query boundaries based on provided"
                " conditions",
            )
        if not walk.allows(start[1]):
            raise ValidationException(
                "The provided starting key does not match the range key predicate",
            )
        walk.after(start)
    return _answer(context, _reader(context, walk, clauses, request, limit), detail)


def scan(context: Context, request: dict[str, Any]) -> dict[str, Any]:
    """Read all items, or one segment of them, in the order of their hashes."""
    limit, detail = bounded(request, "Limit", 1), capacity_detail(request)
    bounds = _segment(request)
    clauses = read_clauses(request, "FilterExpression", "ProjectionExpression")
    table = context.table(request)
    walk = Walk(table, _index(context, table, request))
    if bounds is not None:
        walk.between_hashes(*bounds)
    start = _start(walk, request)
    if start is not None:
        if bounds is not None and not bounds[0] <= start[0] < bounds[1]:
            raise ValidationException(
                f"{_BAD_START}: The provided key does not map to the segment that was asked for",
            )
        walk.after(start)
    return _answer(context, _reader(context, walk, clauses, request, limit), detail)


def _answer(context: Context, reader: PageReader, detail: str) -> dict[str, Any]:
    page = context.database.read(reader.read)
    answer: dict[str, Any] = {"Count": page.count, "ScannedCount": page.scanned}
    if not reader.counting:
        answer["Items"] = page.items
    if page.last is not None:
        answer["LastEvaluatedKey"] = reader.position(page.last)
    if detail != "NONE":
        answer["ConsumedCapacity"] = reader.bill(page).shown(detail)
    return answer


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


def _reader(
    context: Context,
    walk: Walk,
    clauses: Clauses,
    request: dict[str, Any],
    limit: int | None,
) -> PageReader:
    select = _select(walk, clauses, request)
    return PageReader(
        walk=walk,
        clauses=clauses,
        limit=limit,
        counting=select == "COUNT",
        consistent=bool(request.get("ConsistentRead")),
        whole_items=_needs_table(walk, clauses, select),
        load=context.load,
    )


def _select(walk: Walk, clauses: Clauses, request: dict[str, Any]) -> str:
    """Return what is to be selected, refusing what contradicts itself."""
    select = choice(request, "Select", _SELECTS, default="")
    projecting = clauses.projection is not None
    if select == "SPECIFIC_ATTRIBUTES" and not projecting:
        raise ValidationException(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get"
            " SPECIFIC_ATTRIBUTES",
        )
    if projecting and select not in {"", "SPECIFIC_ATTRIBUTES"}:
        what = "only the Count" if select == "COUNT" else select
        raise ValidationException(
            f"Cannot specify the ProjectionExpression when choosing to get {what}",
        )
    if select == "ALL_PROJECTED_ATTRIBUTES" and walk.index is None:
        raise ValidationException(
            "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        )
    return select


def _needs_table(walk: Walk, clauses: Clauses, select: str) -> bool:
    """Say whether a local index must fetch items from its table, as AWS does (and bills).

    A global index cannot: what it does not hold is refused.
    """
    index = walk.index
    if index is None or index.projection.everything:
        return False
    held = {*walk.table.key.names, *index.key.names, *index.projection.attributes}
    wanted = () if clauses.projection is None else clauses.projection.paths
    missing = [path.name for path in wanted if path.name not in held]
    if index.kind == "local":
        return select == "ALL_ATTRIBUTES" or bool(missing)
    if select == "ALL_ATTRIBUTES":
        raise ValidationException(
            f"{_INVALID}Select type ALL_ATTRIBUTES is not supported for global secondary index"
            f" {index.name} because its projection type is not ALL",
        )
    if missing:
        raise ValidationException(
            f"{_INVALID}Global secondary index {index.name} does not project"
            f" [{', '.join(missing)}]",
        )
    return False


def _apply_key_condition(walk: Walk, clauses: Clauses) -> bytes:
    if clauses.key_condition is None:
        raise ValidationException(
            "Either the KeyConditions or KeyConditionExpression parameter must be specified in"
            " the request.",
        )
    schema = _schema(walk)
    found = key_condition(
        clauses.key_condition,
        schema.hash.name,
        schema.hash.type,
        schema.range.name if schema.range else None,
        schema.range.type if schema.range else None,
        clauses.values,
    )
    check_not_empty(schema.hash, found.hash)
    if schema.range is not None and found.range is not None:
        for operand in found.range.operands:
            check_not_empty(schema.range, operand)
    partition = encode_hash(schema.hash.type, found.hash[schema.hash.type])
    walk.within(partition)
    if found.range is not None:
        walk.restrict(found.range)
    return partition


def _schema(walk: Walk) -> KeySchema:
    return walk.table.key if walk.index is None else walk.index.key


def _refuse_keys_in_filter(walk: Walk, clauses: Clauses) -> None:
    if clauses.filter is None:
        return
    for name in _schema(walk).names:
        if name in clauses.filter.attributes:
            raise ValidationException(
                "Filter Expression can only contain non-primary key attributes: Primary key"
                f" attribute: {name}",
            )


def _start(walk: Walk, request: dict[str, Any]) -> tuple[bytes, ...] | None:
    """Return the position behind which a page begins, in the columns of the walk's order."""
    given = request.get("ExclusiveStartKey")
    if given is None:
        return None
    try:
        primary, own = _start_keys(walk, clean_item(given)[0])
    except ValidationException as error:
        raise ValidationException(f"{_BAD_START}: {error.message}") from error
    if own is None:
        return primary
    if walk.index is not None and walk.index.kind == "local":
        return (primary.hash, own.range, primary.range)
    return (*own, *primary)


def _start_keys(walk: Walk, start: Item) -> tuple[EncodedKey, EncodedKey | None]:
    table_names = walk.table.key.names
    names = set(table_names)
    if walk.index is not None:
        names.update(walk.index.key.names)
    if names != start.keys():
        raise ValidationException("The provided key element does not match the schema")
    _, primary = key_of_request(walk.table.key, {name: start[name] for name in table_names})
    if walk.index is None:
        return primary, None
    return primary, index_key(walk.index.key, start, walk.index.name)


def _segment(request: dict[str, Any]) -> tuple[bytes, bytes] | None:
    total = bounded(request, "TotalSegments", 1, _MOST_SEGMENTS)
    segment = bounded(request, "Segment", 0, _MOST_SEGMENTS - 1)
    if total is None and segment is None:
        return None
    if total is None:
        raise ValidationException(
            "The TotalSegments parameter is required but was not present in the request when"
            " Segment parameter is present",
        )
    if segment is None:
        raise ValidationException(
            "The Segment parameter is required but was not present in the request when parameter"
            " TotalSegments is present",
        )
    if segment >= total:
        raise ValidationException(
            "The Segment parameter is zero-based and must be less than parameter TotalSegments:"
            f" Segment: {segment} is not less than TotalSegments: {total}",
        )
    return segment_bounds(segment, total)
