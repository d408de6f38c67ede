"""Lists as files, and the same list for programs."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from starlette.responses import StreamingResponse

from gotgan.domains.site.showing import shown
from gotgan.domains.site.types import json_schema
from gotgan.plain_json import encoded
from gotgan.store import Entity, Page

__all__ = ["MOST_ROWS", "Elsewhere", "as_csv", "elsewhere", "every"]

MOST_ROWS: Final = 10_000
"""How many records a file has at most."""
A_CALL: Final = 100
"""How many records are read at once for a file."""
_SIGNATURE: Final = "\ufeff"
"""By this Excel knows that a file is in UTF-8."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - wide ones

T = TypeVar("T")


@dataclass(frozen=True)
class Elsewhere:
    """Where the same list is for programs."""

    json: str
    csv: str | None
    cli: str | None


def elsewhere(kind: str, *, api: str | None = None, **filters: str | None) -> Elsewhere:
    """The same list as JSON, as CSV and from the command line; ``kind`` is its name there."""
    given = {name: value for name, value in filters.items() if value}
    query = f"?{urlencode(given)}" if given else ""
    options = [f"--{name} {shlex.quote(value)}" for name, value in given.items()]
    return Elsewhere(
        json=f"/v1/{api or kind}{query}",
        csv=f"/site/{kind}.csv{query}",
        cli=" ".join([f"gotgan site list {kind}", *options]),
    )


def every(read: Callable[[str | None], Page[T]]) -> Iterator[T]:
    """All records of a list; the first page is read at once, so that an error is still a page."""
    first = read(None)
    return chain(first.items, _following(read, first.cursor))


def as_csv(name: str, entity: type[Entity], records: Iterable[Entity]) -> StreamingResponse:
    """A file of records, sent as it is read; no cell of it is a formula."""
    columns = list(json_schema(entity)["properties"])
    bounded = iter(islice(records, MOST_ROWS))
    return StreamingResponse(
        _chunks(columns, bounded),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )


def _following(read: Callable[[str | None], Page[T]], cursor: str | None) -> Iterator[T]:
    while cursor is not None:
        page = read(cursor)
        yield from page.items
        cursor = page.cursor


def _chunks(columns: list[str], records: Iterator[Entity]) -> Iterator[str]:
    yield _SIGNATURE + _written([columns])
    while chunk := list(islice(records, A_CALL)):
        yield _written([_row(columns, shown(record)) for record in chunk])


def _row(columns: list[str], item: dict[str, Any]) -> list[str]:
    return [_cell(item.get(name, "")) for name in columns]


def _cell(value: Any) -> str:
    """A value as a cell; a program that opens the file must not take a text for a formula."""
    if not isinstance(value, str):
        return encoded(value).decode()
    return f"'{value}" if value.startswith(_FORMULA) else value


def _written(rows: list[list[str]]) -> str:
    sheet = io.StringIO()
    csv.writer(sheet).writerows(rows)
    return sheet.getvalue()
