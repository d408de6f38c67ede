"""The provider csv: files in a folder, one for a day's prices and one for its indices.

Their first line names the fields. A file does not show that a day was closed: where no share in it
has a price, it is the wrong file.
"""

from __future__ import annotations

import csv
import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from gotgan.domains.market import messages
from gotgan.domains.market.models import INDICES, IndexValue, SharePrice
from gotgan.domains.market.providers.provider import ask_all_markets, expect_unique, traded_shares
from gotgan.errors import BadMarketAnswer, MarketClosed, ProviderError
from gotgan.messages import text as as_message

T = TypeVar("T")

_MAX_SHOWN: Final = 40
_EMPTY_VALUES: Final = frozenset({"", "-"})
_WHOLE: Final = re.compile(r"-?[0-9]{1,19}")
_MAX_NUMBER: Final = 2**63 - 1
"""The largest number in the database."""
_MAX_TEXT_LENGTH: Final = 12
_MAX_NAME_LENGTH: Final = 100


class CsvFiles:
    """The provider ``csv``."""

    name = "csv"
    host = ""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def prices(self, day: date, markets: Sequence[str]) -> list[SharePrice]:
        """Every share of some markets that is in the file."""
        path = self._path("prices", day)
        rows = list(_rows(path, SharePrice))
        expect_unique((row.ticker for row in rows), str(path))
        found = _expect_rows([row for row in rows if row.market in markets], path, markets)
        by_market = {market: [row for row in found if row.market == market] for market in markets}
        there = [market for market in markets if by_market[market]]
        try:
            traded = ask_all_markets(there, lambda each: traded_shares(by_market[each], day, each))
        except MarketClosed:
            raise BadMarketAnswer(messages.CSV_NO_TRADE(path=path)) from None
        for share in traded:
            _expect_possible(path, share)
        return traded

    def indices(self, day: date, names: Sequence[str]) -> list[IndexValue]:
        """Some indices, by their names."""
        path = self._path("indices", day)
        codes = {INDICES[name] for name in names}
        rows = list(_rows(path, IndexValue))
        expect_unique((row.code for row in rows), str(path))
        return _expect_rows([row for row in rows if row.code in codes], path, names)

    def _path(self, what: str, day: date) -> Path:
        name = f"{what}-{day}.csv"
        if self._folder is None:
            raise ProviderError(messages.CSV_NO_FOLDER(name=name))
        return self._folder / name


def _expect_possible(path: Path, share: SharePrice) -> None:
    """Refuse impossible numbers: a file may have been written by hand."""
    ends = (share.open or share.close, share.close)
    low, high = share.low or share.close, share.high or share.close
    if not low <= min(ends) <= max(ends) <= high:
        raise BadMarketAnswer(
            messages.CSV_PRICES_OUTSIDE(
                path=path,
                ticker=share.ticker,
                opened=share.open,
                close=share.close,
                low=share.low,
                high=share.high,
            )
        )
    if share.base <= 0:
        raise BadMarketAnswer(
            messages.CSV_NO_BASE(
                path=path, ticker=share.ticker, close=share.close, change=share.change
            )
        )


def _expect_rows(rows: list[T], path: Path, names: Sequence[str]) -> list[T]:
    if not rows:
        raise BadMarketAnswer(messages.CSV_NO_ROWS(path=path, names=names))
    return rows


def _rows(path: Path, kind: type[T]) -> Iterator[T]:
    """The rows of a file; an error names the line."""
    columns = {
        each.name: _BY_NAME.get((kind, each.name)) or _READERS[str(each.type)]
        for each in dataclasses.fields(cast("Any", kind))
    }
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            missing = [name for name in columns if name not in (reader.fieldnames or ())]
            if missing:
                raise BadMarketAnswer(
                    messages.CSV_NO_COLUMNS(path=path, missing=missing, columns=columns)
                )
            for row in reader:
                yield kind(**_values(row, columns, path, reader.line_num))
    except FileNotFoundError:
        raise ProviderError(messages.CSV_NO_FILE(path=path)) from None
    except (OSError, UnicodeError, csv.Error) as error:
        cause = as_message(str(error))
        raise BadMarketAnswer(messages.CSV_UNREADABLE(path=path, cause=cause)) from error


def _values(
    row: Mapping[str | Any, str | None],
    columns: Mapping[str, Callable[[str], Any]],
    path: Path,
    line: int,
) -> dict[str, Any]:
    if None in row:
        raise BadMarketAnswer(messages.CSV_TOO_MANY_CELLS(path=path, line=str(line)))
    values = {}
    for name, read in columns.items():
        text = (row[name] or "").strip()
        try:
            values[name] = read(text)
        except ValueError:
            shown = repr(text[:_MAX_SHOWN])
            raise BadMarketAnswer(
                messages.CSV_BAD_VALUE(path=path, line=str(line), column=name, value=shown)
            ) from None
    return values


def _text(text: str, longest: int = _MAX_TEXT_LENGTH) -> str:
    if not 0 < len(text) <= longest:
        raise ValueError
    return text


def _decimal(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError
    return number


def _whole(text: str, least: int = 0) -> int:
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= _MAX_NUMBER:
        raise ValueError
    return int(text)


def _or(empty: int | None, read: Callable[[str], float]) -> Callable[[str], float | None]:
    return lambda text: empty if text in _EMPTY_VALUES else read(text)


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "str": _text,
    "int": _whole,
    "int | None": _or(None, _whole),
    "float": _decimal,
    "float | None": _or(None, _decimal),
}
_BY_NAME: Final[Mapping[tuple[type[Any], str], Callable[[str], Any]]] = {
    (SharePrice, "name"): partial(_text, longest=_MAX_NAME_LENGTH),
    (SharePrice, "close"): _or(0, _whole),
    (SharePrice, "change"): partial(_whole, least=-(2**63)),
    (IndexValue, "name"): partial(_text, longest=_MAX_NAME_LENGTH),
}
"""Fields that are read otherwise than others of their type."""
