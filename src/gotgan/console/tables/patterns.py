"""The access patterns of a table: their arguments, and a page to run each."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Final, Literal, get_args, get_origin

from fastapi import APIRouter, HTTPException
from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import page
from gotgan.console.lists import csv_response
from gotgan.console.session import Admin, CurrentApp
from gotgan.console.tables.reads import QueryPart, read_pattern, same_pattern
from gotgan.console.tables.sheets import (
    REFUSALS,
    columns_of,
    error_texts,
    find_table,
    pattern_path,
    records_of,
    refusal_text,
    sheet_of,
    table_path,
)
from gotgan.generics import bare_type
from gotgan.plain_json import to_json
from gotgan.store import Page, Table, patterns_of
from gotgan.store.attributes import Item
from gotgan.store.fields import hints_of
from gotgan.store.outputs.descriptions import key_condition
from gotgan.store.patterns import AnyPattern
from gotgan.store.prices import Price, money
from gotgan.validation import problem

ARGUMENT_PREFIX: Final = "arg."
"""What the names of arguments begin with in an address: a pattern may take its own limit."""
ParameterKind = Literal["text", "date", "moment", "choice"]


@dataclass(frozen=True)
class PatternParameter:
    """A parameter of an access pattern."""

    name: str
    kind: ParameterKind
    annotation: Any
    options: tuple[str, ...] = ()
    is_required: bool = True

    @property
    def field(self) -> str:
        """Its name in a URL."""
        return f"{ARGUMENT_PREFIX}{self.name}"

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Its options as a form offers them; one that may be left out has a blank too."""
        offered = self.options if self.is_required else ("", *self.options)
        return [(word, word) for word in offered]


def parameters_of(pattern: AnyPattern) -> list[PatternParameter]:
    """What a pattern takes, in the order of its signature."""
    function = inspect.unwrap(pattern)
    hints = hints_of(function, "access pattern")
    parameters = inspect.signature(function).parameters.values()
    return [_parameter(each, hints[each.name]) for each in parameters]


def arguments_of(
    pattern: AnyPattern, texts: Mapping[str, str]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values of a pattern's arguments, and the errors of their fields."""
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for parameter in parameters_of(pattern):
        text = texts.get(parameter.field, "")
        if not text:
            wrong |= {parameter.field: "tables.wrong.argument"} if parameter.is_required else {}
            continue
        try:
            values[parameter.name] = _value(parameter, text)
        except ValidationError as error:
            wrong[parameter.field] = problem(error.errors(include_url=False)[0])
    return values, wrong


def _parameter(parameter: inspect.Parameter, hint: Any) -> PatternParameter:
    kind = bare_type(hint)
    literals = get_args(kind) if get_origin(kind) is Literal else ()
    options = ("true", "false") if kind is bool else tuple(map(str, literals))
    word: ParameterKind = "choice" if options else _PARAMETER_KINDS.get(kind, "text")
    is_required = parameter.default is inspect.Parameter.empty
    return PatternParameter(parameter.name, word, hint, options, is_required)


def _value(parameter: PatternParameter, text: str) -> Any:
    value = TypeAdapter(parameter.annotation).validate_python(text)
    if not isinstance(value, datetime):
        return value
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_PARAMETER_KINDS: Final[Mapping[Any, ParameterKind]] = {date: "date", datetime: "moment"}


router = APIRouter()
_PAGE_SIZE = 50
_MILLION = 1_000_000


@router.get("/tables/{name}/patterns")
def list_patterns(request: Request, _who: Admin, name: str) -> Response:
    """All patterns of a table."""
    table = find_table(request, name)
    return page(
        request,
        "tables/patterns.html",
        table=table,
        patterns=patterns_of(table),
        key_condition=key_condition,
        home=table_path(table),
        pattern_path=pattern_path,
    )


@router.get("/tables/{name}/patterns/{pattern}.json")
def pattern_json(
    request: Request, _who: Admin, app: CurrentApp, name: str, pattern: str, cursor: str = ""
) -> Response:
    """A page of a pattern as JSON."""
    table = find_table(request, name)
    got = _read_for_file(request, app, _find_pattern(table, pattern), cursor)
    answer = {
        "items": records_of(table, got.items),
        "read": got.read,
        "cursor": got.cursor,
        "cost": got.cost.as_dict(),
        "usd": f"{Price.listed().on_demand(got.cost).normalize():f}",
    }
    return Response(to_json(answer), media_type="application/json")


@router.get("/tables/{name}/patterns/{pattern}.csv")
def pattern_csv(
    request: Request, _who: Admin, app: CurrentApp, name: str, pattern: str, cursor: str = ""
) -> Response:
    """The same as a file."""
    table = find_table(request, name)
    chosen = _find_pattern(table, pattern)
    got = _read_for_file(request, app, chosen, cursor)
    columns = columns_of(table, chosen.reads[0].index, got.items)
    return csv_response(pattern, columns, records_of(table, got.items))


@router.get("/tables/{name}/patterns/{pattern}")
def try_pattern(
    request: Request, who: Admin, app: CurrentApp, name: str, pattern: str, cursor: str = ""
) -> Response:
    """A pattern with its arguments and its result."""
    table = find_table(request, name)
    chosen = _find_pattern(table, pattern)
    texts = _argument_texts(request)
    values, wrong = arguments_of(chosen, texts)
    got, same, failure = None, None, None
    if not wrong:
        try:
            read, part = chosen(**values), QueryPart(_PAGE_SIZE, cursor or None)
            got = read_pattern(app.store, read, part.limit, part.cursor)
            same = same_pattern(app.store, chosen, values, read, part)
        except REFUSALS as error:
            failure = refusal_text(who, error)
    return page(
        request,
        "tables/pattern.html",
        status=422 if failure or (wrong and texts) else 200,
        table=table,
        pattern=chosen,
        parameters=parameters_of(chosen),
        texts=texts,
        wrong=error_texts(who, wrong) if texts else {},
        failure=failure,
        key_condition=key_condition,
        home=table_path(table),
        pattern_path=pattern_path(table, pattern),
        query=request.url.query,
        cursor=cursor,
        found=got,
        sheet=sheet_of(table, chosen.reads[0].index, got.items) if got is not None else None,
        same=same,
        million=money(Price.listed().on_demand(got.cost) * _MILLION) if got is not None else None,
    )


def _find_pattern(table: Table, name: str) -> AnyPattern:
    for pattern in patterns_of(table):
        if pattern.name == name:
            return pattern
    raise HTTPException(404)


def _argument_texts(request: Request) -> dict[str, str]:
    """The arguments of an address, without those that a form sends empty."""
    given = request.query_params.items()
    return {name: text for name, text in given if name.startswith(ARGUMENT_PREFIX) and text}


def _read_for_file(request: Request, app: App, pattern: AnyPattern, cursor: str) -> Page[Item]:
    values, wrong = arguments_of(pattern, _argument_texts(request))
    if wrong:
        raise HTTPException(422, "tables.wrong.file")
    try:
        return read_pattern(app.store, pattern(**values), _PAGE_SIZE, cursor or None)
    except REFUSALS:
        raise HTTPException(422, "tables.wrong.file") from None
