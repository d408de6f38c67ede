"""Items as files for other programs: JSON lines, CSV, or Parquet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, BinaryIO, Final, Literal, TypeAlias

from gotgan.csv_output import csv_lines
from gotgan.domains.news.models import NewsBody, NewsItem
from gotgan.domains.news.service import News
from gotgan.encoding import encode, keys_of
from gotgan.errors import UsageError
from gotgan.plain_json import encoded
from gotgan.store.batches import chunks

__all__ = ["FORMATS", "Format", "columns", "rows", "write"]

Format = Literal["jsonl", "csv", "parquet"]
Row: TypeAlias = dict[str, Any]

_A_CALL: Final = 100
_A_GROUP: Final = 10_000
"""How many rows of a Parquet file stand together."""
_PREFIX: Final = "body_"
_BODY: Final = tuple(name for name in keys_of(NewsBody) if name not in ("pk", "url"))
"""What a row has of a body, whose key and URL are those of the item."""
_NUMBERS: Final = frozenset({"uploaded_at_utc_ms", "body_attempts", "body_word_count"})
_FLAGS: Final = frozenset({"tz_est_is_dst", "body_is_cut"})


def columns(*, with_bodies: bool) -> list[str]:
    """The names of what a row has."""
    return [*keys_of(NewsItem), *(_PREFIX + name for name in _BODY if with_bodies)]


def rows(news: News, items: Iterable[NewsItem], *, with_bodies: bool) -> Iterator[Row]:
    """The items as they are stored, with their bodies where they are asked for."""
    for chunk in chunks(items, _A_CALL):
        bodies = news.bodies_of(chunk, text=True) if with_bodies else {}
        for item in chunk:
            row = encode(item)
            if item.pk in bodies:
                body = encode(bodies[item.pk])
                row |= {_PREFIX + name: body[name] for name in _BODY}
            yield row


def write(form: Format, made: Iterable[Row], names: list[str], target: BinaryIO) -> int:
    """Write rows to a file, and say how many there were."""
    return FORMATS[form](made, names, target)


def _write_lines(made: Iterable[Row], _names: list[str], target: BinaryIO) -> int:
    return sum(bool(target.write(encoded(row) + b"\n")) for row in made)


def _write_csv(made: Iterable[Row], names: list[str], target: BinaryIO) -> int:
    """Tickers stand in one cell, separated by spaces."""
    cells = ({**row, "tickers": " ".join(row["tickers"])} for row in made)
    lines = csv_lines(names, cells)
    target.write(next(lines).encode())
    return sum(bool(target.write(line.encode())) for line in lines)


def _write_parquet(made: Iterable[Row], names: list[str], target: BinaryIO) -> int:
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and heavy
        from pyarrow import parquet  # noqa: PLC0415 - the same
    except ImportError:
        raise UsageError("Parquet needs pyarrow; pip install 'gotgan[parquet]'") from None
    schema = pa.schema([(name, _arrow_type(pa, name)) for name in names])
    count, left = 0, iter(made)
    with parquet.ParquetWriter(target, schema) as file:
        while group := list(islice(left, _A_GROUP)):
            file.write_table(pa.Table.from_pylist(group, schema=schema))
            count += len(group)
    return count


def _arrow_type(pa: Any, name: str) -> Any:
    if name == "tickers":
        return pa.list_(pa.string())
    if name in _NUMBERS:
        return pa.int64()
    return pa.bool_() if name in _FLAGS else pa.string()


FORMATS: Final[Mapping[Format, Callable[[Iterable[Row], list[str], BinaryIO], int]]] = (
    MappingProxyType({"jsonl": _write_lines, "csv": _write_csv, "parquet": _write_parquet})
)
"""How each kind of file is written."""
