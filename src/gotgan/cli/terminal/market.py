"""Results of the market's verbs."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from gotgan.cli.format import adopted_table_lines
from gotgan.cli.output import ExitCode, TextResult
from gotgan.cli.table import grid, safe_lines, safe_text
from gotgan.csv_output import csv_lines
from gotgan.domains.market import reports, rows
from gotgan.domains.market.models import PERMANENT_ERRORS, Side, SideLog
from gotgan.encoding import encode

_GOOD_OUTCOMES: Final = frozenset({"success", "skipped", "closed"})
_MAX_SHOWN: Final = 30
_LATEST_DAYS: Final = 20
_LEVELS: Final = ("open", "high", "low", "close")
_PRICES: Final = ("open", "high", "low", "close", "change", "volume")
_INDICATORS: Final = ("rsi_14", "macd", "sma_5", "sma_20", "sma_60", "sma_120")
_SCREENED: Final = ("rsi_14", "macd", "macd_signal")
_STOCK: Final = ("ticker", "name", "market", "first_seen", "last_seen")
_STATUS: Final = ("day", "prices", "indices", "retries", "indicators")


# Work


def open_day(opened: reports.DayOpened) -> str:
    """What was written."""
    return safe_text(opened.words)


def collect(report: reports.CollectReport) -> TextResult:
    """A line for each side."""
    head = f"{report.day}: {report.outcome}"
    if not report.sides:
        head = f"{head}: {report.words}"
    if _is_hopeless(report):
        code = ExitCode.FAILED
    else:
        code = ExitCode.OK if report.outcome in _GOOD_OUTCOMES else ExitCode.RETRY
    return safe_lines([head, *map(_side_line, report.sides)]), code


def indicators(report: reports.IndicatorReport) -> TextResult:
    """How many shares were calculated."""
    parts = [f"{report.day}: {report.outcome}: {report.words}"]
    if report.outcome == "success":
        parts += [f"advanced {report.advanced:,}", f"recalculated {report.recalculated:,}"]
        parts += [f"{report.seconds:.1f} s"]
    if report.lacks_history:
        code = ExitCode.FAILED
    else:
        code = ExitCode.OK if report.outcome in _GOOD_OUTCOMES else ExitCode.RETRY
    return safe_lines([" · ".join(parts)]), code


def catch_up(report: reports.CaughtUp) -> TextResult:
    """The result in one line."""
    if report.outcome == "success" and report.stopped is None:
        return safe_text(report.words), ExitCode.OK
    hopeless = any(map(_is_hopeless, [*report.days, *report.final]))
    return safe_text(report.words), ExitCode.FAILED if hopeless else ExitCode.RETRY


def recover(report: reports.RecoverReport, only: Side | None) -> TextResult:
    """Days that failed one by one, the others counted, and what is still missing."""
    counts = {
        "collected": len({day.day for day in report.days if day.outcome == "success"}),
        "stored before": report.duplicates,
        "closed": sum(day.outcome == "closed" for day in report.days),
        "indicators": sum(each.outcome == "success" for each in report.indicators),
        "without enough history": sum(each.lacks_history for each in report.indicators),
    }
    parts = [f"{word} {count:,}" for word, count in counts.items() if count]
    failed = [
        f"{day.day}: {day.outcome}: {day.words}"
        for day in report.days
        if day.outcome not in _GOOD_OUTCOMES
    ]
    failed += [
        f"{each.day}: indicators {each.outcome}: {each.words}"
        for each in _failed_indicators(report)
    ]
    nothing = "nothing was collected" if report.days else "nothing to do"
    head = f"{report.first} to {report.last}: {' · '.join(parts) or nothing}"
    stopped = [f"Stopped early: {report.stopped}"] if report.stopped else []
    text = safe_lines([head, *_first_lines(failed), *stopped, *_gap_lines(report.gaps)])
    if not _is_incomplete(report, only):
        return text, ExitCode.OK
    return text, ExitCode.FAILED if any(map(_is_hopeless, report.days)) else ExitCode.RETRY


def import_files(report: reports.ImportReport) -> TextResult:
    """Counts, and every row that was left out."""
    span = f"{report.first} to {report.last}, " if report.days else ""
    counts = {
        "new": report.new,
        "changed": report.changed,
        "duplicate": report.duplicates,
        "collected before and kept": report.kept,
        "set aside": sum(each.rows for each in report.set_aside),
        "in conflict": len(report.conflicts),
    }
    parts = [f"{word} {count:,}" for word, count in counts.items() if count]
    head = f"{report.files:,} files, {span}{report.days:,} days: {' · '.join(parts) or 'no rows'}"
    lines = [head]
    if report.days:
        lines.append(f"whole days {report.whole:,} of {report.days:,}")
    if report.indices:
        lines.append(f"days with all indices {report.indices:,} of {report.days:,}")
    lines += [f"{day}: being collected; import it again later" for day in report.busy]
    lines += [*map(_set_aside_line, report.set_aside), *map(_set_aside_line, report.conflicts)]
    if report.busy:
        return safe_lines(lines), ExitCode.RETRY
    return safe_lines(lines), ExitCode.OK if report.days else ExitCode.FAILED


def adopt(adopted: reports.MarketAdopted) -> str:
    """A line for each table that has rows, or to which something was added."""
    return safe_lines([*adopted_table_lines(adopted.tables)] or ["All tables are empty."])


# Days


def gaps(found: reports.Gaps) -> str:
    """What is missing."""
    return safe_lines(_gap_lines(found))


def status(month: reports.MonthStatus) -> str:
    """A line for each day, except weekends."""
    return _days([day for day in month.days if day.log or day.closed != "a weekend"])


def get_day(details: reports.DayDetails) -> str:
    """The status, then what was traded."""
    lines = [_days([details.status])]
    if details.indices:
        lines.append(", ".join(map(_index_move, details.indices)))
    if details.breadth.total:
        counts = encode(details.breadth)
        lines.append(", ".join(f"{count:,} {word}" for word, count in counts.items()))
    for word, movers in (("up", details.risers), ("down", details.fallers)):
        lines += [f"{word}: {', '.join(map(_mover, movers))}"] if movers else []
    lines += [
        f"split: {each.name} ({each.ticker}) {each.previous_close:,} → {each.base:,}"
        for each in details.factors
    ]
    return safe_lines(lines)


def columns(found: reports.DayColumns) -> str:
    """The day as CSV."""
    names = list(found.columns)
    shares = zip(*found.columns.values(), strict=True)
    lines = csv_lines(names, (dict(zip(names, values, strict=True)) for values in shares))
    return safe_lines([line.rstrip("\r\n") for line in lines])


# Shares and indices


def get(sheet: rows.TickerSheet, first: date | None, plot: Path | None) -> str:
    """The days as a table, the latest last."""
    seen = f"known from {sheet.first_seen} to {sheet.last_seen}"
    lines = [f"{sheet.ticker}  {sheet.name}  {sheet.market}, {seen}"]
    lines += _price_lines(sheet, _LATEST_DAYS if first is None else len(sheet.prices))
    lines += [
        f"{row.date}: prices before it times {row.factor:g}, because {row.previous_close:,} became "
        f"{row.base:,}"
        for row in sheet.factors
    ]
    return safe_lines([*lines, *([f"wrote {plot}"] if plot else [])])


def index(sheet: rows.IndexSheet) -> str:
    """A line for each day."""
    days = [
        {"date": str(row.date), **{name: _level(getattr(row, name)) for name in _LEVELS}}
        for row in sheet.values
    ]
    return f"{safe_text(f'{sheet.code}  {sheet.name}')}\n{grid(days, ('date', *_LEVELS))}"


def screen(page: rows.ScreenPage) -> str:
    """A line for each share; where there are none, whether they could be calculated."""
    if not page.items:
        return _none_found(page)
    table = grid(list(map(_screen_row, page.items)), ("ticker", "name", "market", "close"))
    text = f"{table}\n\n{len(page.items)} shown, on {page.day}"
    return text if page.cursor is None else f"{text}\n{_cursor_line(page.cursor)}"


def stocks(page: rows.SharePage) -> str:
    """A line for each share."""
    text = grid(encode(page.items), _STOCK) if page.items else "There is no such share."
    return text if page.cursor is None else f"{text}\n\n{_cursor_line(page.cursor)}"


# Lines


def _is_hopeless(report: reports.CollectReport) -> bool:
    """Whether asking again would fail in the same way."""
    is_unset = report.decision.reason == "no_provider"
    return is_unset or any(side.code in PERMANENT_ERRORS for side in report.sides)


def _failed_indicators(report: reports.RecoverReport) -> Sequence[reports.IndicatorReport]:
    return [
        each for each in report.indicators if each.outcome != "success" and not each.lacks_history
    ]


def _is_incomplete(report: reports.RecoverReport, only: Side | None) -> bool:
    """Whether something that was wanted is not there."""
    missing = [day for day in report.gaps.missing if only is None or only in day.sides]
    is_thin = bool(report.gaps.thin) and only != "indices"
    return is_thin or bool(missing) or bool(_failed_indicators(report))


def _side_line(side: reports.SideReport) -> str:
    if side.error is not None:
        return f"  {side.side:<7}  {side.status}: {side.error} [{side.code}]"
    parts = [f"{side.count:,} from {side.provider}"]
    parts += [f"{side.changed:,} changed"] if side.changed else []
    parts += [f"{side.factors:,} factors"] if side.factors else []
    return f"  {side.side:<7}  {side.status}: {', '.join(parts)}, {side.seconds:.1f} s"


def _gap_lines(found: reports.Gaps) -> Sequence[str]:
    head = f"{found.first} to {found.last}, {found.sessions:,} sessions"
    if found.is_whole:
        return [f"{head}: nothing is missing"]
    counts = {"missing": len(found.missing), "thin": len(found.thin), "holes": len(found.holes)}
    parts = [f"{word} {count:,}" for word, count in counts.items() if count]
    missing = [f"{each.day}  {each.words}" for each in found.missing]
    thin = [f"{each.day}  {each.count:,} shares beside {each.beside:,}" for each in found.thin]
    holes = [
        f"{hole.ticker}  {', '.join(_first_lines(map(str, hole.days)))}" for hole in found.holes
    ]
    return [
        f"{head}: {' · '.join(parts)}",
        *_first_lines(missing),
        *_first_lines(thin),
        *_first_lines(holes),
    ]


def _set_aside_line(each: reports.SetAside) -> str:
    where = f"{each.file}, line {each.line}" if each.line else each.file
    return f"{where}: {each.reason}{f' ({each.rows:,} rows)' if each.rows > 1 else ''}"


def _days(days: Sequence[reports.DayStatus]) -> str:
    """A table, and the sentences behind it: they may be longer than a column."""
    head, *lines = grid(list(map(_status_row, days)), _STATUS).split("\n")
    width = max(map(len, (head, *lines)))
    texts = [
        f"{line:<{width}}  {safe_text(day.next)}" for line, day in zip(lines, days, strict=True)
    ]
    return "\n".join([f"{head:<{width}}  next", *texts])


def _status_row(day: reports.DayStatus) -> dict[str, Any]:
    log, made = day.log, day.indicators
    row = {"day": f"{day.day:%Y-%m-%d %a}"}
    if log is None:
        return row
    return {
        **row,
        "prices": _side_text(log.prices),
        "indices": _side_text(log.indices),
        "retries": f"{log.prices.retry_count}/{log.indices.retry_count}",
        "indicators": "" if made is None else _status_text(made.status, made.indicators_count),
    }


def _side_text(side: SideLog) -> str:
    return _status_text(side.status, side.count)


def _status_text(word: str, count: int | None) -> str:
    return word if count is None or word != "success" else f"{word} {count:,}"


def _index_move(row: rows.IndexMove) -> str:
    moved = "" if row.percent is None else f" ({row.percent:+.2f} %)"
    return f"{row.name} {row.close:,.2f}{moved}"


def _mover(row: rows.Mover) -> str:
    return f"{row.name} {row.close:,} ({row.percent:+.2f} %)"


def _price_lines(sheet: rows.TickerSheet, most: int) -> Sequence[str]:
    prices = sheet.prices[-most:]
    if not prices:
        return ["There are no prices of these days."]
    made = {row.date: row for row in sheet.indicators}
    shown = [_price_row(price, made.get(price.date)) for price in prices]
    left = len(sheet.prices) - len(prices)
    earlier = [f"{left:,} earlier days: --first {sheet.prices[0].date}"] if left else []
    return [*earlier, grid(shown, ("date", *_PRICES, *_INDICATORS))]


def _price_row(price: rows.DailyPrice, made: rows.IndicatorRow | None) -> dict[str, str]:
    traded = {name: getattr(price, name) for name in _PRICES}
    return {
        "date": str(price.date),
        **{name: f"{value:,}" for name, value in traded.items() if value is not None},
        **({"open": "halted"} if price.is_halted else {}),
        **_figures(made, _INDICATORS),
    }


def _screen_row(row: rows.ScreenRow) -> dict[str, str]:
    named = {"ticker": row.ticker, "name": row.name, "market": row.market}
    return {**named, "close": f"{row.close:,}", **_figures(row, _SCREENED)}


def _figures(made: rows.IndicatorRow | None, names: Iterable[str]) -> dict[str, str]:
    values = {name: getattr(made, name, None) for name in names}
    return {name: f"{value:,.2f}" for name, value in values.items() if value is not None}


def _none_found(page: rows.ScreenPage) -> str:
    if page.is_calculated:
        return f"None on {page.day}."
    if page.last_calculated is not None:
        last = page.last_calculated
        return f"There are no indicators of {page.day}; the last day that has some is {last}."
    return f"There are no indicators yet. Collect and calculate: gotgan market recover {page.day}"


def _level(value: Decimal | None) -> str:
    return "-" if value is None else f"{value:,.2f}"


def _cursor_line(cursor: str) -> str:
    return f"There are more: --cursor {shlex.quote(cursor)}"


def _first_lines(lines: Iterable[str]) -> list[str]:
    every = [*lines]
    rest = len(every) - _MAX_SHOWN
    return [*every[:_MAX_SHOWN], *([f"and {rest:,} more"] if rest > 0 else [])]
