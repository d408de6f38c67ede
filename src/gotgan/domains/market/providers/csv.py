"""Prices from files that somebody put into a folder: one for a day's prices, one for its indices.

Their first line names the fields. A file is no witness that a day was closed: where no share in it
has a price, somebody has put the wrong one there.
"""

from __future__ import annotations

import csv
import dataclasses
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, TypeVar

from gotgan.domains.market.models import INDICES, IndexValue, SharePrice
from gotgan.domains.market.providers.provider import as_traded, expect_each_once, of_all_markets
from gotgan.errors import BadMarketAnswer, MarketClosed, ProviderError

__all__ = ["CsvFiles"]

T = TypeVar("T")

_LONGEST_SHOWN: Final = 40
_NOTHING: Final = frozenset({"", "-"})
_WHOLE: Final = re.compile(r"-?[0-9]{1,19}")
_LEAST, _MOST = -(2**63), 2**63 - 1
"""What the database has room for."""
_LONGEST: Final = 12
_LONGEST_NAME: Final = 100


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
        expect_each_once((row.ticker for row in rows), str(path))
        found = _some([row for row in rows if row.market in markets], path, markets)
        by_market = {market: [row for row in found if row.market == market] for market in markets}
        there = [market for market in markets if by_market[market]]
        try:
            traded = of_all_markets(there, lambda each: as_traded(by_market[each], day, each))
        except MarketClosed:
            raise BadMarketAnswer(f"{path} holds no trade: no share in it has a price") from None
        for share in traded:
            _expect_possible(path, share)
        return traded

    def indices(self, day: date, names: Sequence[str]) -> list[IndexValue]:
        """Some indices, by their names."""
        path = self._path("indices", day)
        codes = {INDICES[name] for name in names}
        rows = list(_rows(path, IndexValue))
        expect_each_once((row.code for row in rows), str(path))
        return _some([row for row in rows if row.code in codes], path, names)

    def _path(self, what: str, day: date) -> Path:
        if self._folder is None:
            raise ProviderError(
                "the provider csv has no folder; set GOTGAN_MARKET_CSV to one with files like "
                f"{what}-{day}.csv"
            )
        return self._folder / f"{what}-{day}.csv"


def _expect_possible(path: Path, share: SharePrice) -> None:
    """Refuse numbers that no exchange has: a file may have been written by hand."""
    ends = (share.open or share.close, share.close)
    low, high = share.low or share.close, share.high or share.close
    if not low <= min(ends) <= max(ends) <= high:
        raise BadMarketAnswer(
            f"{path}: {share.ticker} opened at {share.open} and closed at {share.close}, which is "
            f"not between {share.low} and {share.high}"
        )
    if share.base <= 0:
        raise BadMarketAnswer(
            f"{path}: {share.ticker} closed at {share.close} with a change of {share.change}, "
            "which leaves nothing to compare it with"
        )


def _some(rows: list[T], path: Path, names: Sequence[str]) -> list[T]:
    if not rows:
        raise BadMarketAnswer(f"{path} holds nothing of {' or '.join(names)}")
    return rows


def _rows(path: Path, kind: type[T]) -> Iterator[T]:
    """The rows of a file, each with the line that it stands on where it cannot be read."""
    columns = _columns(kind)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, strict=True)
            _expect_header(path, reader.fieldnames or (), columns)
            for row in reader:
                yield kind(**_values(row, columns, f"{path}, line {reader.line_num}"))
    except FileNotFoundError:
        raise ProviderError(f"there is no file {path}; put it there, or ask later") from None
    except (OSError, UnicodeError, csv.Error) as error:
        raise BadMarketAnswer(f"{path} cannot be read as CSV in UTF-8: {error}") from error


def _columns(kind: type[Any]) -> dict[str, Callable[[str], Any]]:
    return {
        each.name: _BY_NAME.get((kind, each.name)) or _READERS[str(each.type)]
        for each in dataclasses.fields(kind)
    }


def _expect_header(path: Path, header: Sequence[str], columns: Mapping[str, Any]) -> None:
    missing = [name for name in columns if name not in header]
    if missing:
        raise BadMarketAnswer(
            f"{path}, line 1: the header does not name {', '.join(missing)}; it must name "
            f"{','.join(columns)}"
        )


def _values(
    row: Mapping[str | Any, str | None], columns: Mapping[str, Callable[[str], Any]], where: str
) -> dict[str, Any]:
    if None in row:
        raise BadMarketAnswer(f"{where}: there are more cells than the header names")
    values = {}
    for name, read in columns.items():
        text = (row[name] or "").strip()
        try:
            values[name] = read(text)
        except ValueError:
            shown = repr(text[:_LONGEST_SHOWN])
            raise BadMarketAnswer(f"{where}: {name} is {shown}, which cannot stand there") from None
    return values


def _text(text: str, longest: int = _LONGEST) -> str:
    if not 0 < len(text) <= longest:
        raise ValueError
    return text


def _name(text: str) -> str:
    return _text(text, _LONGEST_NAME)


def _decimal(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError
    return number


def _decimal_or_none(text: str) -> float | None:
    return None if text in _NOTHING else _decimal(text)


def _signed(text: str) -> int:
    if not _WHOLE.fullmatch(text) or not _LEAST <= int(text) <= _MOST:
        raise ValueError
    return int(text)


def _whole(text: str) -> int:
    number = _signed(text)
    if number < 0:
        raise ValueError
    return number


def _whole_or_none(text: str) -> int | None:
    return None if text in _NOTHING else _whole(text)


def _whole_or_zero(text: str) -> int:
    return _whole_or_none(text) or 0


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "str": _text,
    "int": _whole,
    "int | None": _whole_or_none,
    "float": _decimal,
    "float | None": _decimal_or_none,
}
_BY_NAME: Final[Mapping[tuple[type[Any], str], Callable[[str], Any]]] = {
    (SharePrice, "name"): _name,
    (SharePrice, "close"): _whole_or_zero,
    (SharePrice, "change"): _signed,
    (IndexValue, "name"): _name,
}
"""Those that are read otherwise than others of their kind."""
