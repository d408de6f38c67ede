"""Items as files for other programs: JSON lines, CSV, or Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO, Final, Literal, TypeAlias

from gotgan.csv_output import csv_lines
from gotgan.domains.news import messages
from gotgan.domains.news.models import NewsBody, NewsItem
from gotgan.domains.news.service import News
from gotgan.encoding import encode, field_keys
from gotgan.errors import UsageError
from gotgan.plain_json import to_json
from gotgan.store.batches import chunks

Format = Literal["jsonl", "csv", "parquet"]
Row: TypeAlias = dict[str, Any]

_BATCH_GET_SIZE: Final = 100
_ROW_GROUP_SIZE: Final = 10_000
_BODY_PREFIX: Final = "body_"
_BODY_COLUMNS: Final = tuple(name for name in field_keys(NewsBody) if name not in ("pk", "url"))
"""Without the key and URL, which are those of the item."""
_NUMBERS: Final = frozenset({"uploaded_at_utc_ms", "body_attempts", "body_word_count"})
_FLAGS: Final = frozenset({"tz_est_is_dst", "body_is_cut"})


def columns(*, with_bodies: bool) -> list[str]:
    """The column names."""
    return [*field_keys(NewsItem), *(_BODY_PREFIX + name for name in _BODY_COLUMNS if with_bodies)]


def rows(news: News, items: Iterable[NewsItem], *, with_bodies: bool) -> Iterator[Row]:
    """The items as stored, with their bodies on request."""
    for chunk in chunks(items, _BATCH_GET_SIZE):
        bodies = news.bodies_of(chunk, text=True) if with_bodies else {}
        for item in chunk:
            row = encode(item)
            if item.pk in bodies:
                body = encode(bodies[item.pk])
                row |= {_BODY_PREFIX + name: body[name] for name in _BODY_COLUMNS}
            yield row


def _write_lines(made: Iterable[Row], _names: list[str], target: BinaryIO) -> int:
    return sum(bool(target.write(to_json(row) + b"\n")) for row in made)


def _write_csv(made: Iterable[Row], names: list[str], target: BinaryIO) -> int:
    """Tickers are in one cell, separated by spaces."""
    cells = ({**row, "tickers": " ".join(row["tickers"])} for row in made)
    lines = csv_lines(names, cells)
    target.write(next(lines).encode())
    return sum(bool(target.write(line.encode())) for line in lines)


def _write_parquet(made: Iterable[Row], names: list[str], target: BinaryIO) -> int:
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and heavy
        from pyarrow import parquet  # noqa: PLC0415 - the same
    except ImportError:
        raise UsageError(messages.NO_PYARROW()) from None
    schema = pa.schema([(name, _arrow_type(pa, name)) for name in names])
    count, left = 0, iter(made)
    with parquet.ParquetWriter(target, schema) as file:
        while group := list(islice(left, _ROW_GROUP_SIZE)):
            file.write_table(pa.Table.from_pylist(group, schema=schema))
            count += len(group)
    return count


def _arrow_type(pa: Any, name: str) -> Any:
    if name == "tickers":
        return pa.list_(pa.string())
    if name in _NUMBERS:
        return pa.int64()
    return pa.bool_() if name in _FLAGS else pa.string()


FORMATS: Final[Mapping[Format, Callable[[Iterable[Row], list[str], BinaryIO], int]]] = {
    "jsonl": _write_lines,
    "csv": _write_csv,
    "parquet": _write_parquet,
}
