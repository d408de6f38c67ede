"""Reads price files: CSV as pykrx, FinanceDataReader and the exchange's own pages write it.

The ticker is in a column or in the name of the file (``005930.csv``), and so is the day
(``2025-10-20.csv``). A row that cannot be a day of a share is set aside with its line; the others
of its file count. A file of an index is named after it (``KS11.csv``) and has no tickers.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple

from gotgan.domains.market import messages
from gotgan.domains.market.days import FIRST_DAY, LAST_DAY
from gotgan.domains.market.models import INDICES
from gotgan.domains.market.reports import SetAside
from gotgan.messages import text as as_message

_COLUMNS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("날짜", "일자", "date"), "day"),
    **dict.fromkeys(("티커", "종목코드", "단축코드", "code", "ticker", "symbol"), "ticker"),
    **dict.fromkeys(("종목명", "name"), "name"),
    **dict.fromkeys(("시장구분", "시장", "market"), "market"),
    **dict.fromkeys(("시가", "open"), "open"),
    **dict.fromkeys(("고가", "high"), "high"),
    **dict.fromkeys(("저가", "low"), "low"),
    **dict.fromkeys(("종가", "close"), "close"),
    **dict.fromkeys(("거래량", "volume"), "volume"),
    **dict.fromkeys(("거래대금", "value", "amount"), "value"),
    **dict.fromkeys(("대비", "전일비", "changes", "comp"), "won"),
    **dict.fromkeys(("등락률", "changesratio", "chagesratio"), "percent"),
    **dict.fromkeys(("시가총액", "marcap", "market_cap"), "market_cap"),
    **dict.fromkeys(("상장주식수", "stocks", "shares"), "shares"),
}
"""The columns by their names in lower case; only ``Change`` and ``change`` differ by case."""
_CASE_COLUMNS: Final[Mapping[str, str]] = {"Change": "ratio", "change": "won"}
"""FinanceDataReader's is a ratio, that of our own files is in won."""
_REQUIRED_COLUMNS: Final = ("open", "high", "low", "close", "volume")
_MARKETS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("KOSPI", "유가증권", "코스피", "STK"), "KOSPI"),
    **dict.fromkeys(("KOSDAQ", "KOSDAQ GLOBAL", "코스닥", "KSQ"), "KOSDAQ"),
    **dict.fromkeys(("KONEX", "코넥스", "KNX"), "KONEX"),
}
_EMPTY_VALUES: Final = frozenset({"", "-", "nan", "none", "null"})
_NUMBER: Final = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_TICKER: Final = re.compile(r"[0-9][0-9A-Z]{5}")
_NAMED_TICKER: Final = re.compile(r"(?<![0-9A-Z])A?([0-9][0-9A-Z]{5})(?![0-9A-Z])")
_DAY: Final = re.compile(r"([0-9]{4})[-./]?([0-9]{2})[-./]?([0-9]{2})([T ]00:00(:00)?)?")
_NAMED_DAY: Final = re.compile(r"(?<![0-9])([0-9]{4})[-._]?([0-9]{2})[-._]?([0-9]{2})(?![0-9])")
_INDEX_CODES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("KS11", "KOSPI", "코스피", "1001"), INDICES["KOSPI"]),
    **dict.fromkeys(("KQ11", "KOSDAQ", "코스닥", "2001"), INDICES["KOSDAQ"]),
}
_NAMED_INDEX: Final = re.compile(rf"({'|'.join(_INDEX_CODES)})([ _-]?(INDEX|지수))?")
"""The whole name of a file: ``KOSPI_200`` is another index, and ``KOSPI_shares`` none."""
_MAX_NUMBER: Final = 2**63 - 1
"""What the database has room for."""
_SHORT_TICKER: Final = re.compile(r"[0-9]{1,5}")


class FileRow(NamedTuple):
    """One share on one day in a file; there may be millions, so it is a plain tuple."""

    ticker: str
    day: str
    """As 2025-10-20, so that days sort as texts."""
    line: int
    name: str
    market: str
    open: int
    high: int
    low: int
    close: int
    volume: int
    value: int
    market_cap: int
    shares: int
    won: int | None
    """The change against the base of the day, where the file has it."""
    percent: float | None
    """The same in per cent."""


class IndexRow(NamedTuple):
    """One index on one day in a file; old days have a close alone."""

    code: str
    day: str
    line: int
    open: float | None
    high: float | None
    low: float | None
    close: float
    volume: int
    value: int


def read_rows(path: Path) -> Iterator[FileRow | IndexRow | SetAside]:
    """The rows of a file in their order, and what cannot be read of it."""
    try:
        content = path.read_bytes()
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp949")
        yield from _read(path, text)
    except (OSError, UnicodeError, csv.Error) as error:
        reason = messages.FILE_UNREADABLE(cause=as_message(str(error)))
        yield SetAside(str(path), 0, reason, 0)


def _read(path: Path, text: str) -> Iterator[FileRow | IndexRow | SetAside]:
    head = text.partition("\n")[0]
    delimiter = "\t" if "\t" in head and "," not in head else ","
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns = [
        _CASE_COLUMNS.get(each.strip()) or _COLUMNS.get(each.strip().lower(), "")
        for each in next(lines, [])
    ]
    stem = path.stem.upper()
    named = {"ticker": _NAMED_TICKER.search(stem), "day": _NAMED_DAY.search(stem)}
    given = {name: found for name, found in named.items() if found is not None}
    is_index = None if "ticker" in columns else _NAMED_INDEX.fullmatch(stem)
    index = _INDEX_CODES[is_index[1]] if is_index else None
    needed = ("close", "day") if index else (*_REQUIRED_COLUMNS, *named)
    missing = [name for name in needed if name not in columns and name not in given]
    if missing:
        template = messages.NO_TICKER_COLUMN if "ticker" in missing else messages.NO_COLUMNS
        yield SetAside(str(path), 1, template(names=missing), 0)
        return
    usual = {"ticker": given["ticker"][1]} if "ticker" in given else {}
    if "day" in given:
        usual["day"] = "-".join(given["day"].groups())
    pick, added = _cell_picker(columns, usual)
    for cells in lines:
        if not any(map(str.strip, cells)):
            continue
        line = lines.line_num
        if len(cells) != len(columns):
            reason = messages.CELL_COUNT(count=len(cells), expected=len(columns))
            yield SetAside(str(path), line, reason)
            continue
        try:
            picked = pick(cells + added)
            yield _index_row(picked, line, index) if index else _row(picked, line)
        except ValueError as error:
            yield SetAside(str(path), line, as_message(error.args[0]))


def _cell_picker(
    columns: Sequence[str], usual: Mapping[str, str]
) -> tuple[Callable[[Sequence[str]], tuple[str, ...]], list[str]]:
    """A function that picks cells in the order of ``_CELL_ORDER``, and cells to append before.

    A column counts before the name of the file; without both a cell is empty.
    """
    added = ["", *usual.values()]
    places = {name: len(columns) + 1 + number for number, name in enumerate(usual)}
    places |= {name: place for place, name in enumerate(columns) if name}
    return itemgetter(*(places.get(name, len(columns)) for name in _CELL_ORDER)), added


def _row(cells: Sequence[str], line: int) -> FileRow:
    ticker, day, shown, market, won, ratio, percent, *texts = cells
    numbers = [
        int(text) if text.isdecimal() else _whole(each, text) if text else 0
        for each, text in zip(_WHOLE_COLUMNS, texts, strict=True)
    ]
    if max(numbers) > _MAX_NUMBER:
        name = _WHOLE_COLUMNS[numbers.index(max(numbers))]
        raise ValueError(messages.OUT_OF_RANGE(column=name, value=repr(str(max(numbers))[:20])))
    key = (_ticker(ticker), _day(day), line, shown.strip()[:100], _market(market))
    change = _number("won", won)
    row = FileRow._make(
        (*key, *numbers, None if change is None else round(change), _percent(ratio, percent))
    )
    if row.volume and row.close > 0 and not (row.open and row.high and row.low):
        raise ValueError(messages.TRADED_WITHOUT_PRICES(count=row.volume))
    _expect_between(row.open, row.high, row.low, row.close)
    return row


def _index_row(cells: Sequence[str], line: int, code: str) -> IndexRow:
    _, day, *_, opened, high, low, close, volume, value, _, _ = cells
    given = (("open", opened), ("high", high), ("low", low), ("close", close))
    prices = [_number(name, text) or 0 for name, text in given]
    _expect_between(*prices)
    traded = prices[:3] if all(prices[:3]) else [None] * 3
    sums = (_whole("volume", volume), _whole("value", value))
    return IndexRow._make((code, _day(day), line, *traded, prices[3], *sums))


_WHOLE_COLUMNS: Final = ("open", "high", "low", "close", "volume", "value", "market_cap", "shares")
_CELL_ORDER: Final = ("ticker", "day", "name", "market", "won", "ratio", "percent", *_WHOLE_COLUMNS)


def _expect_between(opened: float, high: float, low: float, close: float) -> None:
    """Refuse impossible prices; a share that was not traded has a close alone."""
    if close <= 0:
        raise ValueError(messages.NO_CLOSE())
    if not (opened and high and low):
        return
    if not low <= min(opened, close) <= max(opened, close) <= high:
        raise ValueError(messages.PRICES_OUTSIDE(opened=opened, close=close, low=low, high=high))


@lru_cache(10_000)
def _ticker(text: str) -> str:
    code = text.strip().strip("'\"").upper().partition(".")[0]
    code = code[1:] if len(code) == 7 and code.startswith("A") else code  # noqa: PLR2004 - A005930
    if _SHORT_TICKER.fullmatch(code):  # a spreadsheet has dropped the zeros
        code = code.zfill(6)
    if not _TICKER.fullmatch(code):
        raise ValueError(messages.NOT_A_TICKER(value=repr(text.strip()[:20])))
    return code


@lru_cache(20_000)
def _day(text: str) -> str:
    found = _DAY.fullmatch(text.strip())
    try:
        day = date(*map(int, found.groups()[:3])) if found else None
    except ValueError:
        day = None
    if day is None or not FIRST_DAY <= day <= LAST_DAY:
        raise ValueError(messages.NOT_A_DATE(text=repr(text.strip()[:20])))
    return day.isoformat()


@lru_cache(100)
def _market(text: str) -> str:
    if not (name := text.strip()):
        return ""
    try:
        return _MARKETS[name.upper()]
    except KeyError:
        raise ValueError(messages.NOT_A_MARKET(value=repr(name[:20]))) from None


def _number(name: str, text: str) -> float | None:
    if not text:
        return None
    plain = text.strip().replace(",", "").rstrip("%")
    if plain.lower() in _EMPTY_VALUES:
        return None
    if not _NUMBER.fullmatch(plain) or abs(float(plain)) > _MAX_NUMBER:
        raise ValueError(messages.NOT_A_NUMBER(column=name, value=repr(text.strip()[:20])))
    return float(plain)


def _whole(name: str, text: str) -> int:
    """A whole number of zero or more; fractions of a won, as in adjusted prices, are rounded."""
    plain = text.strip().replace(",", "")
    number = int(plain) if plain.isdecimal() else round(_number(name, plain) or 0)
    if number < 0:
        raise ValueError(messages.OUT_OF_RANGE(column=name, value=repr(plain[:20])))
    return number


def _percent(ratio: str, percent: str) -> float | None:
    """The change in per cent; a fall of 100 % or more does not count."""
    given = _number("change", ratio)
    given = _number("change", percent) if given is None else given * 100
    return None if given is None or given <= -100 else given  # noqa: PLR2004 - per cent
