"""Parquet files, written a row group at a time, so that memory does not grow with the rows."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, Final

from gotgan.errors import UsageError
from gotgan.exports import messages
from gotgan.exports.data_sets import Column, Row

ROW_GROUP_ROWS: Final = 10_000
_COMPRESSION: Final = "zstd"


def expect_pyarrow() -> Any:
    """The module pyarrow, or an error that says how to install it."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an extra, and heavy
    except ImportError:
        raise UsageError(messages.NO_PYARROW()) from None
    return pa


def write_parquet(path: Path, columns: Iterable[Column], rows: Iterable[Row]) -> int:
    """Write a file, and return how many rows it has."""
    pa = expect_pyarrow()
    from pyarrow import parquet  # noqa: PLC0415 - an extra, and heavy

    schema = pa.schema([(each.name, _arrow_type(pa, each)) for each in columns])
    count, left = 0, iter(rows)
    with parquet.ParquetWriter(path, schema, compression=_COMPRESSION) as file:
        while group := list(islice(left, ROW_GROUP_ROWS)):
            values = zip(*group, strict=True)
            arrays = [
                pa.array(each, type=field.type) for each, field in zip(values, schema, strict=True)
            ]
            file.write_batch(pa.record_batch(arrays, schema=schema))
            count += len(group)
    return count


def _arrow_type(pa: Any, column: Column) -> Any:
    types = {
        "text": pa.string(),
        "texts": pa.list_(pa.string()),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "day": pa.date32(),
        "moment": pa.timestamp("us", tz="UTC"),
    }
    return types[column.kind]
