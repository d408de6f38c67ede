"""The query page of a table: its form and errors, the forecast of a scan, and the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import current_url, page
from gotgan.console.lists import csv_response
from gotgan.console.session import Admin, CurrentApp, Viewer
from gotgan.console.tables.masks import secret_attributes
from gotgan.console.tables.reads import browse_table, same_look
from gotgan.console.tables.sheets import (
    REFUSALS,
    columns_of,
    error_texts,
    find_table,
    records_of,
    refusal_text,
    sheet_of,
    table_path,
)
from gotgan.errors import GotganError, StoreUnreachable, UsageError
from gotgan.plain_json import to_json
from gotgan.store import Store, Table
from gotgan.store.data.browse import BrowseQuery, BrowseResult, command_line
from gotgan.store.data.browse_terms import (
    parse_filter,
    parse_key_value,
    parse_path,
    parse_placeholder,
    parse_sort_condition,
)
from gotgan.store.engine.capacity import read_units
from gotgan.store.engine.expressions.parser import parse_condition
from gotgan.store.engine.faults import ValidationException
from gotgan.store.outputs.live import describe_table
from gotgan.store.prices import Price, money
from gotgan.store.tables import Index

router = APIRouter()
MAX_SHOWN: Final = 500
MAX_READ: Final = 2_000
"""The most items that are read to find those that are shown."""
_DEFAULT_LIMIT: Final = "50"
_CONFIRMED: Final = "yes"
_MILLION: Final = 1_000_000
OPERATORS: Final = ("=", "<", "<=", ">", ">=", "between", "begins_with")

# The form


@dataclass(frozen=True)
class BrowseParams:
    """The fields of the form, as text, so that any mistake can be shown again."""

    index: str = ""
    pk: str = ""
    op: str = "="
    sk: str = ""
    to: str = ""
    """The upper bound of the operator ``between``."""
    filters: str = ""
    expression: str = ""
    values: str = ""
    only: str = ""
    order: str = ""
    limit: str = _DEFAULT_LIMIT
    consistent: str = ""
    scan: str = ""
    cursor: str = ""

    @property
    def is_scan(self) -> bool:
        """Whether all partitions are read."""
        return not self.pk

    @property
    def is_blank(self) -> bool:
        """Whether the form is empty."""
        return self == BrowseParams(index=self.index)

    @property
    def needs_confirmation(self) -> bool:
        """Whether it is a scan that was not confirmed."""
        return self.is_scan and not self.is_blank and self.scan != _CONFIRMED

    def place(self, table: Table) -> Table | Index:
        """The table or the index that is read."""
        return table.indexes.get(self.index, table)

    def sort_terms(self) -> tuple[str, ...]:
        """The condition on the sort key, as on a command line."""
        if not self.sk:
            return ()
        if self.op == "between":
            return (f">={self.sk}", f"<={self.to}")
        return (f"^{self.sk}" if self.op == "begins_with" else f"{self.op}{self.sk}",)


RequestedQuery = Annotated[BrowseParams, Depends()]


def _browse_look(params: BrowseParams) -> BrowseQuery:
    is_filtered = bool(params.filters.strip() or params.expression.strip())
    return BrowseQuery(
        index=params.index or None,
        pk=params.pk or None,
        sk=params.sort_terms(),
        filters=_lines(params.filters),
        expression=params.expression.strip() or None,
        values=_lines(params.values),
        only=_lines(params.only.replace(",", "\n")),
        limit=int(params.limit),
        most_read=MAX_READ if is_filtered else BrowseQuery.most_read,
        newest_first=params.order == "newest",
        consistent=bool(params.consistent),
        cursor=params.cursor or None,
    )


def _query_errors(table: Table, params: BrowseParams) -> dict[str, str]:
    """The error of each field: a sentence, or the key of a text."""
    if params.index and params.index not in table.indexes:
        return {"index": "tables.wrong.index"}
    errors: dict[str, str] = {}
    for name, check in _CHECKS.items():
        try:
            error = check(table, params)
        except (UsageError, ValidationException) as refusal:
            error = refusal.message
        if error:
            errors[name] = error
    return errors


def _check_pk(table: Table, params: BrowseParams) -> str | None:
    if params.pk:
        parse_key_value(params.pk, params.place(table).pk)
    return None


def _check_sk(table: Table, params: BrowseParams) -> str | None:
    place = params.place(table)
    if not params.sk:
        return "tables.wrong.low" if params.to else None
    if params.is_scan:
        return "tables.wrong.sk_alone"
    if place.sk is None:
        return "tables.wrong.no_sk"
    if params.op in {"<", ">"} and params.sk.startswith("="):
        return "tables.wrong.sign"
    if params.op == "between" and not params.to:
        return None
    parse_sort_condition(params.sort_terms(), place.sk)
    return None


def _check_filters(table: Table, params: BrowseParams) -> str | None:
    types = table.attribute_types()
    found = [parse_filter(text, types) for text in _lines(params.filters)]
    return _check_secret(table, (str(each.steps[0]) for each in found))


def _check_expression(table: Table, params: BrowseParams) -> str | None:
    text = params.expression.strip()
    if not text:
        return "tables.wrong.no_expression" if params.values.strip() else None
    if params.filters.strip():
        return "tables.wrong.both"
    names: dict[str, str] = {}
    for line in _lines(params.values):
        with suppress(UsageError):  # an error of the field of placeholders
            mark, name = parse_placeholder(line)
            names |= {mark: name} if isinstance(name, str) else {}
    return _check_secret(table, parse_condition(text, names, "FilterExpression").attributes)


def _check_values(_table: Table, params: BrowseParams) -> str | None:
    for text in _lines(params.values):
        parse_placeholder(text)
    return None


def _check_only(_table: Table, params: BrowseParams) -> str | None:
    for text in _lines(params.only.replace(",", "\n")):
        parse_path(text)
    return None


def _check_limit(_table: Table, params: BrowseParams) -> str | None:
    is_number = re.fullmatch("[0-9]{1,3}", params.limit) is not None
    return None if is_number and 1 <= int(params.limit) <= MAX_SHOWN else "tables.wrong.limit"


def _check_consistent(table: Table, params: BrowseParams) -> str | None:
    place = params.place(table)
    is_global = isinstance(place, Index) and not place.local
    return "tables.wrong.consistent" if params.consistent and is_global else None


def _check_secret(table: Table, attributes: Iterator[str] | frozenset[str]) -> str | None:
    """A secret could be guessed letter by letter with filters."""
    return "tables.wrong.secret" if secret_attributes(table).intersection(attributes) else None


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


_CHECKS: Final[Mapping[str, Callable[[Table, BrowseParams], str | None]]] = {
    "pk": _check_pk,
    "op": lambda _, params: None if params.op in OPERATORS else "tables.wrong.op",
    "sk": _check_sk,
    "to": lambda _, params: (
        "tables.wrong.high" if params.op == "between" and params.sk and not params.to else None
    ),
    "filters": _check_filters,
    "expression": _check_expression,
    "values": _check_values,
    "only": _check_only,
    "order": lambda _, params: "tables.wrong.order" if params.order and params.is_scan else None,
    "limit": _check_limit,
    "consistent": _check_consistent,
}

# Sizes and forecasts


@dataclass(frozen=True)
class StorageSize:
    """The items of a table or an index, with the cost to store and to read them all."""

    items: int
    bytes: int

    @property
    def scan_units(self) -> float:
        """The read units of a whole scan."""
        return read_units(self.bytes, consistent=False)

    @property
    def scan_money(self) -> str:
        """The price of a whole scan on demand."""
        return _read_price(self.scan_units)

    @property
    def month_money(self) -> str:
        """The price of a month of storage."""
        return money(Price.listed().storage(Decimal(self.bytes) / (1 << 30)))


@dataclass(frozen=True)
class TableStatus:
    """A table as the database has it."""

    status: Literal["active", "missing", "unready", "unreachable"]
    own: StorageSize = StorageSize(0, 0)
    indexes: Mapping[str, StorageSize] | None = None

    @property
    def is_there(self) -> bool:
        """Whether its numbers are known."""
        return self.status in {"active", "unready"}


@dataclass(frozen=True)
class ScanForecast:
    """The cost of a page of a scan, and of all its pages."""

    read: int
    """The most items that are read for one page."""
    units: float
    whole: StorageSize

    @property
    def money(self) -> str:
        """The price of one page on demand."""
        return _read_price(self.units)


def table_status(store: Store, table: Table) -> TableStatus:
    """A table in the database, which may be unreachable."""
    names = store.calls.names
    try:
        described = describe_table(store.calls.driver, names.of(table))
    except StoreUnreachable:
        return TableStatus("unreachable")
    if described is None:
        return TableStatus("missing")
    kinds = ("GlobalSecondaryIndexes", "LocalSecondaryIndexes")
    sizes = {
        each["IndexName"]: StorageSize(
            int(each.get("ItemCount", 0)), int(each.get("IndexSizeBytes", 0))
        )
        for kind in kinds
        for each in described.get(kind) or ()
    }
    indexes = {
        index.name: sizes.get(names.of(index), StorageSize(0, 0))
        for index in table.indexes.values()
    }
    is_active = described["TableStatus"] == "ACTIVE"
    own = StorageSize(int(described.get("ItemCount", 0)), int(described.get("TableSizeBytes", 0)))
    return TableStatus("active" if is_active else "unready", own, indexes)


def _scan_forecast(status: TableStatus, look: BrowseQuery) -> ScanForecast:
    """The cost of a scan, if its items have the average size."""
    known = (status.indexes or {}).get(look.index or "", status.own)
    read = min(known.items, MAX_READ if look.is_filtered else look.limit)
    size = known.bytes * read // known.items if known.items else 0
    return ScanForecast(read, read_units(size, consistent=look.consistent), known)


def _read_price(units: float) -> str:
    return money(Price.listed().million_reads * Decimal(units) / 1_000_000)


# Pages


@router.get("/tables/{name}.json")
def query_json(
    request: Request, _who: Admin, app: CurrentApp, name: str, params: RequestedQuery
) -> Response:
    """A page of a query as JSON, with its cursor and its cost."""
    table = find_table(request, name)
    found = _read_for_file(app, table, params)
    answer = {
        "items": records_of(table, found.items),
        "read": found.read,
        "cursor": found.cursor,
        "cost": found.cost.as_dict(),
        "usd": f"{Price.listed().on_demand(found.cost).normalize():f}",
        "aws_cli": command_line(found.command),
    }
    return Response(to_json(answer), media_type="application/json")


@router.get("/tables/{name}.csv")
def query_csv(
    request: Request, _who: Admin, app: CurrentApp, name: str, params: RequestedQuery
) -> Response:
    """The same as a file."""
    table = find_table(request, name)
    found = _read_for_file(app, table, params)
    columns = columns_of(table, table.indexes.get(params.index), found.items)
    return csv_response(table.name, columns, records_of(table, found.items))


@router.get("/tables/{name}")
def show_query(
    request: Request, who: Admin, app: CurrentApp, name: str, params: RequestedQuery
) -> Response:
    """The form with its result, or with the cost of a scan before it is run."""
    table = find_table(request, name)
    wrong = _query_errors(table, params)
    found, failure, forecast = None, None, None
    if params.needs_confirmation and not wrong:
        forecast = _scan_forecast(table_status(app.store, table), _browse_look(params))
    elif not (wrong or params.is_blank):
        try:
            found = browse_table(app.store, table, _browse_look(params))
        except REFUSALS as error:
            field = _blamed_field(params, error)
            wrong |= {field: error.message} if field else {}
            failure = None if field else refusal_text(who, error)
    return page(
        request,
        "tables/query.html",
        status=422 if wrong or failure else 200,
        table=table,
        asked=params,
        place=params.place(table),
        wrong=error_texts(who, wrong),
        failure=failure,
        home=table_path(table),
        query=request.url.query,
        index_options=_index_options(table, who),
        operators=[(word, who.t(f"tables.op.{number}")) for number, word in enumerate(OPERATORS)],
        order_options=[("", who.t("tables.order.first")), ("newest", who.t("tables.order.last"))],
        forecast=forecast,
        confirmed=current_url(request, scan=_CONFIRMED),
        **_result_context(table, params, found),
    )


def _blamed_field(params: BrowseParams, error: GotganError) -> str | None:
    """The field that an error of the database is about, as far as its message tells."""
    if not isinstance(error, ValidationException):
        return None
    if "Filter" in error.message:
        return "expression" if params.expression else "filters"
    return "values" if params.values and "ExpressionAttribute" in error.message else None


def _result_context(
    table: Table, params: BrowseParams, found: BrowseResult | None
) -> dict[str, Any]:
    if found is None:
        return {"found": None}
    look = _browse_look(params)
    return {
        "found": found,
        "sheet": sheet_of(table, table.indexes.get(params.index), found.items),
        "same": same_look(table, look, found.command),
        "is_early": found.cursor is not None and len(found.items) < look.limit,
        "million": money(Price.listed().on_demand(found.cost) * _MILLION),
    }


def _read_for_file(app: App, table: Table, params: BrowseParams) -> BrowseResult:
    """The result of a query, which was shown as a page before."""
    if _query_errors(table, params) or (params.is_scan and params.scan != _CONFIRMED):
        raise HTTPException(422, "tables.wrong.file")
    try:
        return browse_table(app.store, table, _browse_look(params))
    except REFUSALS:
        raise HTTPException(422, "tables.wrong.file") from None


def _index_options(table: Table, who: Viewer) -> list[tuple[str, str]]:
    """The table and its indexes, each with its keys."""
    places: list[tuple[str, Table | Index]] = [("", table), *table.indexes.items()]
    return [
        (name, f"{name or who.t('tables.query.itself')}: {', '.join(k.name for k in place.keys)}")
        for name, place in places
    ]
