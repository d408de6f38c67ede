"""Lists as files, and the same list for programs."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Final, Protocol, Self, TypeVar
from urllib.parse import urlencode

from starlette.responses import StreamingResponse

from gotgan.csv_output import csv_lines

__all__ = ["A_CALL", "MOST_ROWS", "Elsewhere", "ListPage", "as_csv", "every"]

MOST_ROWS: Final = 10_000
"""How many records a file has at most."""
A_CALL: Final = 100
"""How many records are read at once for a file."""
_SIGNATURE: Final = "\ufeff"
"""By this Excel knows that a file is in UTF-8."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class ListPage(Protocol[T_co]):
    """A page of a list, of whichever store, and where the next one begins."""

    @property
    def items(self) -> Sequence[T_co]:
        """The records of it."""

    @property
    def cursor(self) -> str | None:
        """What the next page is asked for with; None at the end."""


@dataclass(frozen=True)
class Elsewhere:
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


def every(read: Callable[[str | None], ListPage[T]]) -> Iterator[T]:
    """All records of a list; the first page is read at once, so that an error is still a page."""
    first = read(None)
    return chain(first.items, _following(read, first.cursor))


def as_csv(
    name: str, columns: Sequence[str], records: Iterable[Mapping[str, Any]]
) -> StreamingResponse:
    """A file of records, sent as it is read; no cell of it is a formula."""
    bounded = iter(islice(records, MOST_ROWS))
    return StreamingResponse(
        _chunks(columns, bounded),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.csv"'},
    )


def _following(read: Callable[[str | None], ListPage[T]], cursor: str | None) -> Iterator[T]:
    while cursor is not None:
        page = read(cursor)
        yield from page.items
        cursor = page.cursor


def _chunks(columns: Sequence[str], records: Iterator[Mapping[str, Any]]) -> Iterator[str]:
    lines = csv_lines(columns, records)
    yield _SIGNATURE + next(lines)
    while chunk := "".join(islice(lines, A_CALL)):
        yield chunk
