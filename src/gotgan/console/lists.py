"""Lists as CSV files, links to the same list for programs, and choices that an address names."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final, Protocol, Self, TypeVar
from urllib.parse import urlencode

from fastapi import HTTPException
from starlette.responses import StreamingResponse

from gotgan.csv_output import csv_lines
from gotgan.encoding import encode, field_keys

MAX_ROWS: Final = 10_000
"""The most records of a file."""
_BATCH_SIZE: Final = 100
_UTF8_BOM: Final = "\ufeff"
"""By this Excel knows that a file is in UTF-8."""

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


def encoded_csv(name: str, kind: type, records: Iterable[Any]) -> StreamingResponse:
    """A file of records of one type, with a column for each of its JSON keys."""
    return csv_response(name, field_keys(kind), map(encode, records))


def csv_response(
    name: str, columns: Sequence[str], records: Iterable[Mapping[str, Any]]
) -> StreamingResponse:
    """A file of records, sent as it is read; no cell of it is a formula."""

    def chunks() -> Iterator[str]:
        lines = csv_lines(columns, iter(islice(records, MAX_ROWS)))
        yield _UTF8_BOM + next(lines)
        while chunk := "".join(islice(lines, _BATCH_SIZE)):
            yield chunk

    return StreamingResponse(
        chunks(),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )
