"""Lists as files, their order, links to them for programs, and choices that an address names."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final, Protocol, Self, TypeVar
from urllib.parse import urlencode

from fastapi import HTTPException
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gotgan.csv_output import csv_lines
from gotgan.encoding import encode, field_keys
from gotgan.plain_json import to_json

MAX_ROWS: Final = 10_000
"""The most records of a file."""
_BATCH_SIZE: Final = 100
_UTF8_BOM: Final = "\ufeff"
"""By this Excel knows that a file is in UTF-8."""
_JSONL_SUFFIX: Final = ".jsonl"
_JSONL_SCOPE: Final = "gotgan.jsonl"
"""The key of a request's scope that asks for JSON Lines."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class ListPage(Protocol[T_co]):
    """A page of a list of any store."""

    @property
    def items(self) -> Sequence[T_co]:
        """The records."""

    @property
    def cursor(self) -> str | None:
        """The position of the next page; None at the end."""


@dataclass(frozen=True)
class ExportLinks:
    """Where the same list is for programs."""

    json: str
    csv: str
    cli: str

    @classmethod
    def of(cls, api: str, file: str, command: str, /, **filters: str | None) -> Self:
        """A list by its addresses and the words of its command, with the same filters in each."""
        given = {name: value for name, value in filters.items() if value}
        query = f"?{urlencode(given)}" if given else ""
        options = [f"--{name} {shlex.quote(value)}" for name, value in given.items()]
        return cls(f"{api}{query}", f"{file}{query}", " ".join([command, *options]))


@dataclass(frozen=True)
class Sort:
    """The order of a list: the name of a field, descending with a leading ``-``."""

    by: str
    is_descending: bool = False

    @classmethod
    def of(cls, word: str, names: Iterable[str], default: str) -> Self:
        """The order that an address names; the default without one."""
        wanted = word or default
        return cls(one_of(names, wanted.removeprefix("-")), wanted.startswith("-"))

    @property
    def word(self) -> str:
        """The order as it is written in an address."""
        return f"-{self.by}" if self.is_descending else self.by

    def toggled(self, name: str, is_number: bool) -> str:  # noqa: FBT001 - templates call it
        """The order after a click on a heading; numbers start with the largest."""
        is_descending = not self.is_descending if name == self.by else is_number
        return Sort(name, is_descending).word


def one_of(options: Iterable[T], word: str) -> T:
    """The option that an address names; any other word is an error of the request."""
    for option in options:
        if option == word:
            return option
    raise HTTPException(422)


def all_items(read: Callable[..., ListPage[T]], **filters: Any) -> Iterator[T]:
    """All records of a list; the first page is read at once, so that an error is still a page."""
    first = read(**filters, limit=_BATCH_SIZE, cursor=None)

    def later() -> Iterator[T]:
        cursor = first.cursor
        while cursor is not None:
            page = read(**filters, limit=_BATCH_SIZE, cursor=cursor)
            yield from page.items
            cursor = page.cursor

    return chain(first.items, later())


def encoded_csv(name: str, kind: type, records: Iterable[Any]) -> ListFile:
    """A file of records of one type, with a column for each of its JSON keys."""
    return csv_response(name, field_keys(kind), map(encode, records))


def csv_response(
    name: str,
    columns: Sequence[str],
    records: Iterable[Mapping[str, Any]],
    cell: Callable[[Any], Any] = lambda value: value,
) -> ListFile:
    """A file of records; ``cell`` turns a value into one that CSV can have."""
    return ListFile(name, columns, records, cell)


class ListFile(Response):
    """Records as CSV, or as JSON Lines where the path ends in that; sent as they are read."""

    def __init__(
        self,
        name: str,
        columns: Sequence[str],
        records: Iterable[Mapping[str, Any]],
        cell: Callable[[Any], Any],
    ) -> None:
        super().__init__()
        self._name, self._columns, self._cell = name, columns, cell
        self._records = islice(records, MAX_ROWS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file in the format of the path."""
        is_jsonl = bool(scope.get(_JSONL_SCOPE))
        chunks, media_type, suffix = (
            (self._jsonl(), "application/x-ndjson", "jsonl")
            if is_jsonl
            else (self._csv(), "text/csv; charset=utf-8", "csv")
        )
        file = StreamingResponse(chunks, media_type=media_type)
        disposition = f'attachment; filename="{self._name}.{suffix}"'
        file.headers["Content-Disposition"] = disposition
        await file(scope, receive, send)

    def _csv(self) -> Iterator[str]:
        """No cell is a formula."""
        cells = (
            {name: self._cell(value) for name, value in record.items()} for record in self._records
        )
        lines = csv_lines(self._columns, cells)
        yield _UTF8_BOM + next(lines)
        while chunk := "".join(islice(lines, _BATCH_SIZE)):
            yield chunk

    def _jsonl(self) -> Iterator[bytes]:
        lines = (to_json(record) + b"\n" for record in self._records)
        while chunk := b"".join(islice(lines, _BATCH_SIZE)):
            yield chunk


class JsonLinesPaths:
    """Answers each list at ``….jsonl`` too, by the route of its CSV file."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request under the path of the CSV file."""
        path = scope.get("path", "")
        if path.endswith(_JSONL_SUFFIX):
            scope = {**scope, "path": f"{path.removesuffix(_JSONL_SUFFIX)}.csv", _JSONL_SCOPE: True}
        await self._app(scope, receive, send)


def jsonl_url(csv_url: str) -> str:
    """The URL of the same list as JSON Lines."""
    path, mark, query = csv_url.partition("?")
    return f"{path.removesuffix('.csv')}{_JSONL_SUFFIX}{mark}{query}"
