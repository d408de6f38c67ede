"""Results of the market's verbs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Final

from gotgan.cli.format import adopted_table_lines, count_text, weekday_text
from gotgan.cli.output import ExitCode, TextResult
from gotgan.cli.reader import later, rendered, tr
from gotgan.cli.table import (
    padded,
    page_table,
    safe_lines,
    safe_text,
    text_table,
    with_cursor,
)
from gotgan.csv_output import csv_lines
from gotgan.domains.market import reports, rows
from gotgan.domains.market.messages import WEEKEND
from gotgan.domains.market.models import PERMANENT_ERRORS, Side, SideLog
from gotgan.encoding import encode

_GOOD_OUTCOMES: Final = frozenset({"success", "skipped", "closed"})
_MAX_SHOWN: Final = 30
_LATEST_DAYS: Final = 20
_HISTORY: Final = timedelta(days=60)
"""Enough sessions for the RSI and the MACD."""
_LEVELS: Final = ("open", "high", "low", "close")
_PRICES: Final = ("open", "high", "low", "close", "change", "volume")
_INDICATORS: Final = ("rsi_14", "macd", "sma_5", "sma_20", "sma_60", "sma_120")
_FIGURES: Final = ("macd", "macd_signal", "rsi_14")
_SCREENED: Final = ("ticker", "name", "market", "close", *_FIGURES)
_STOCK: Final = ("ticker", "name", "market", "close", "change", "volume", "last_seen")
_INDEX: Final = ("code", "name", "date", "close", "day", "week")
_MOVED: Final = ("ticker", "name", "market", "close", "change", "volume")
_STATUS: Final = ("day", "prices", "indices", "retries", "indicators", "next")


# Work


def open_day(opened: reports.DayOpened) -> str:
    """What was written."""
    return safe_text(rendered(opened.words))


def collect(report: reports.CollectReport) -> TextResult:
    """A line for each side."""
    head = f"{report.day}: {tr(report.outcome)}"
    if not report.sides:
        head = f"{head}: {rendered(report.words)}"
    if _is_hopeless(report):
        code = ExitCode.FAILED
    else:
        code = ExitCode.OK if report.outcome in _GOOD_OUTCOMES else ExitCode.RETRY
    return safe_lines([head, *map(_side_line, report.sides)]), code


def indicators(report: reports.IndicatorReport) -> TextResult:
    """How many shares were calculated."""
    parts = [f"{report.day}: {tr(report.outcome)}: {rendered(report.words)}"]
    if report.outcome == "success":
        parts += [f"{tr('advanced')} {report.advanced:,}"]
        parts += [f"{tr('recalculated')} {report.recalculated:,}"]
        parts += [tr("{seconds} s", seconds=f"{report.seconds:.1f}")]
    if report.lacks_history:
        code = ExitCode.FAILED
    else:
        code = ExitCode.OK if report.outcome in _GOOD_OUTCOMES else ExitCode.RETRY
    return safe_lines([" · ".join(parts)]), code


def catch_up(report: reports.CaughtUp) -> TextResult:
    """The result in one line."""
    if report.outcome == "success" and report.stopped is None:
        return safe_text(rendered(report.words)), ExitCode.OK
    hopeless = any(map(_is_hopeless, [*report.days, *report.final]))
    return safe_text(rendered(report.words)), ExitCode.FAILED if hopeless else ExitCode.RETRY


def recover(report: reports.RecoverReport, only: Side | None) -> TextResult:
    """Days that failed one by one, the others counted, and what is still missing."""
    counts = {
        later("collected"): len({day.day for day in report.days if day.outcome == "success"}),
        later("stored before"): report.duplicates,
        later("closed"): sum(day.outcome == "closed" for day in report.days),
        later("indicators"): sum(each.outcome == "success" for each in report.indicators),
        later("without enough history"): sum(each.lacks_history for each in report.indicators),
    }
    parts = [f"{tr(word)} {count:,}" for word, count in counts.items() if count]
    failed = [
        f"{day.day}: {tr(day.outcome)}: {rendered(day.words)}"
        for day in report.days
        if day.outcome not in _GOOD_OUTCOMES
    ]
    failed += [
        f"{each.day}: {tr('indicators')} {tr(each.outcome)}: {rendered(each.words)}"
        for each in _failed_indicators(report)
    ]
    nothing = tr("nothing was collected") if report.days else tr("nothing to do")
    span = tr("{first} to {last}", first=report.first, last=report.last)
    head = f"{span}: {' · '.join(parts) or nothing}"
    stopped = [tr("Stopped early: {why}", why=report.stopped)] if report.stopped else []
    text = safe_lines([head, *_first_lines(failed), *stopped, *_gap_lines(report.gaps)])
    if not _is_incomplete(report, only):
        return text, ExitCode.OK
    return text, ExitCode.FAILED if any(map(_is_hopeless, report.days)) else ExitCode.RETRY


def import_files(report: reports.ImportReport) -> TextResult:
    """Counts, and every row that was left out."""
    span = [tr("{first} to {last}", first=report.first, last=report.last)] if report.days else []
    counts = {
        later("new"): report.new,
        later("changed"): report.changed,
        later("duplicate"): report.duplicates,
        later("collected before and kept"): report.kept,
        later("set aside"): sum(each.rows for each in report.set_aside),
        later("in conflict"): len(report.conflicts),
    }
    parts = [f"{tr(word)} {count:,}" for word, count in counts.items() if count]
    files, days = tr("{count} files", count=report.files), tr("{count} days", count=report.days)
    lines = [f"{', '.join([files, *span, days])}: {' · '.join(parts) or tr('no rows')}"]
    if report.days:
        lines.append(tr("whole days {count} of {total}", count=report.whole, total=report.days))
    if report.indices:
        text = "days with all indices {count} of {total}"
        lines.append(tr(text, count=report.indices, total=report.days))
    lines += [tr("{day}: being collected; import it again later", day=day) for day in report.busy]
    lines += [*map(_set_aside_line, report.set_aside), *map(_set_aside_line, report.conflicts)]
    if report.busy:
        return safe_lines(lines), ExitCode.RETRY
    return safe_lines(lines), ExitCode.OK if report.days else ExitCode.FAILED


def adopt(adopted: reports.MarketAdopted) -> str:
    """A line for each table that has rows, or to which something was added."""
    return safe_lines([*adopted_table_lines(adopted.tables)] or [tr("All tables are empty.")])


# Days


def gaps(found: reports.Gaps) -> str:
    """What is missing."""
    return safe_lines(_gap_lines(found))


def status(month: reports.MonthStatus) -> str:
    """A line for each day, except weekends."""
    return _days([day for day in month.days if day.log or day.closed != WEEKEND()])


def get_day(details: reports.DayDetails) -> str:
    """The status, then what was traded."""
    lines = [_days([details.status])]
    if details.indices:
        lines.append(", ".join(map(_index_move, details.indices)))
    if details.breadth.total:
        text = "{rising} rising, {falling} falling, {unchanged} unchanged, {halted} halted"
        lines.append(tr(text, **encode(details.breadth)))
    for word, movers in ((tr("up"), details.gainers), (tr("down"), details.losers)):
        lines += [f"{word}: {', '.join(map(_mover, movers))}"] if movers else []
    lines += [
        tr(
            "split: {name} ({ticker}) {before} → {after}",
            name=each.name,
            ticker=each.ticker,
            before=each.previous_close,
            after=each.base,
        )
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


def get(sheet: rows.TickerSheet, first: date | None) -> str:
    """The days as a table, the latest last."""
    seen = tr("collected from {first} to {last}", first=sheet.first_seen, last=sheet.last_seen)
    lines = [f"{sheet.ticker}  {sheet.name}  {sheet.market}, {seen}"]
    lines += _price_lines(sheet, _LATEST_DAYS if first is None else len(sheet.prices))
    lines += [
        tr(
            "{day}: multiply earlier prices by {factor} (base price {before} → {after})",
            day=row.date,
            factor=f"{row.factor:g}",
            before=row.previous_close,
            after=row.base,
        )
        for row in sheet.factors
    ]
    return safe_lines(lines)


def index(sheet: rows.IndexSheet) -> str:
    """A line for each day."""
    days = [
        {"date": str(row.date), **{name: _level(getattr(row, name)) for name in _LEVELS}}
        for row in sheet.values
    ]
    return f"{safe_text(f'{sheet.code}  {sheet.name}')}\n{text_table(days, ('date', *_LEVELS))}"


def screen(page: rows.ScreenPage) -> str:
    """A line for each share; where there are none, whether they could be calculated."""
    if not page.items:
        return _empty_screen_line(page)
    table = text_table(list(map(_screen_row, page.items)), _SCREENED)
    text = f"{table}\n\n{tr('{count} shown, on {day}', count=len(page.items), day=page.day)}"
    return with_cursor(text, page.cursor)


def indices(found: rows.IndexList) -> str:
    """A line for each index."""
    shown = [
        {
            "code": row.code,
            "name": row.name,
            "date": str(row.date),
            "close": f"{row.close:,.2f}",
            "day": _percent_text(row.percent),
            "week": _percent_text(row.week_percent),
        }
        for row in found.items
    ]
    return text_table(shown, _INDEX) if shown else tr("No index values yet.")


def movers(found: rows.Movers) -> str:
    """The breadth, then a table of each kind."""
    if not found.breadth.total:
        return tr("No prices on {day}.", day=found.day)
    text = "{rising} rising, {falling} falling, {unchanged} unchanged, {halted} halted"
    tables = {
        tr("Largest gains"): found.gainers,
        tr("Largest losses"): found.losers,
        tr("Most traded"): found.most_traded,
    }
    shown = (
        f"{title}\n{text_table(list(map(_mover_row, each)), _MOVED)}"
        for title, each in tables.items()
        if each
    )
    return "\n\n".join([f"{found.day}: {tr(text, **encode(found.breadth))}", *shown])


def stocks(page: rows.SharePage, text: str) -> str:
    """A line for each share."""
    nothing = tr("No matching share.")
    if not text:
        command = _recover_command("FIRST", "LAST")
        nothing = tr("No shares yet. Collect prices first: {command}", command=command)
    return page_table(list(map(_share_row, page.items)), _STOCK, nothing, page.cursor)


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
    head = f"  {padded(tr(side.side), 7)}  {tr(side.status)}:"
    if side.error is not None:
        return f"{head} {rendered(side.error)} [{side.code}]"
    parts = [tr("{count} from {provider}", count=side.count, provider=side.provider)]
    parts += [count_text(side.changed, "changed")] if side.changed else []
    parts += [count_text(side.factors, later("factors"))] if side.factors else []
    seconds = tr("{seconds} s", seconds=f"{side.seconds:.1f}")
    return f"{head} {', '.join([*parts, seconds])}"


def _gap_lines(found: reports.Gaps) -> Sequence[str]:
    head = tr(
        "{first} to {last}, {count:session|sessions}",
        first=found.first,
        last=found.last,
        count=found.sessions,
    )
    if found.is_whole:
        return [f"{head}: {tr('nothing is missing')}"]
    counts = {
        later("missing {count}"): len(found.missing),
        later("thin {count}"): len(found.thin),
        later("holes {count}"): len(found.holes),
    }
    parts = [tr(text, count=count) for text, count in counts.items() if count]
    missing = [f"{each.day}  {rendered(each.words)}" for each in found.missing]
    text = "{day}  {count} shares beside {beside}"
    thin = [tr(text, day=each.day, count=each.count, beside=each.beside) for each in found.thin]
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
    where = str(each.file)
    if each.line:
        where = tr("{file}, line {line}", file=each.file, line=str(each.line))
    rows = tr(" ({count} rows)", count=each.rows) if each.rows > 1 else ""
    return f"{where}: {rendered(each.reason)}{rows}"


def _days(days: Sequence[reports.DayStatus]) -> str:
    """A table; a sentence that repeats the one above is a ditto mark."""
    rows = [*map(_status_row, days)]
    above = ["", *(row["next"] for row in rows)]
    for row, text in zip(rows, above, strict=False):
        row["next"] = "〃" if row["next"] == text else row["next"]
    return text_table(rows, _STATUS)


def _status_row(day: reports.DayStatus) -> dict[str, Any]:
    log, made = day.log, day.indicators
    row = {"day": f"{day.day} {weekday_text(day.day)}", "next": rendered(day.next)}
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
    return tr(word) if count is None or word != "success" else f"{tr(word)} {count:,}"


def _index_move(row: rows.IndexMove) -> str:
    moved = "" if row.percent is None else f" ({row.percent:+.2f} %)"
    return f"{row.name} {row.close:,.2f}{moved}"


def _mover(row: rows.Mover) -> str:
    return f"{row.name} {row.close:,} ({row.percent:+.2f} %)"


def _mover_row(row: rows.Mover) -> dict[str, str]:
    named = {"ticker": row.ticker, "name": row.name, "market": row.market}
    figures = {"close": f"{row.close:,}", "volume": f"{row.volume:,}"}
    return {**named, **figures, "change": _percent_text(row.percent)}


def _share_row(row: rows.StockQuote) -> dict[str, str]:
    shown = {"ticker": row.ticker, "name": row.name, "market": row.market}
    shown["last_seen"] = str(row.last_seen)
    if row.close is not None:
        shown |= {"close": f"{row.close:,}", "volume": f"{row.volume:,}"}
        shown["change"] = tr("halted") if row.is_halted else _percent_text(row.percent)
    return shown


def _percent_text(percent: float | None) -> str:
    return "" if percent is None else f"{percent:+.2f} %"


def _price_lines(sheet: rows.TickerSheet, most: int) -> Sequence[str]:
    prices = sheet.prices[-most:]
    if not prices:
        return [tr("No prices in this range.")]
    made = {row.date: row for row in sheet.indicators}
    shown = [_price_row(price, made.get(price.date)) for price in prices]
    left = len(sheet.prices) - len(prices)
    text, first = "{count} earlier days: --first {first}", sheet.prices[0].date
    earlier = [tr(text, count=left, first=first)] if left else []
    return [*earlier, text_table(shown, ("date", *_PRICES, *_INDICATORS))]


def _price_row(price: rows.DailyPrice, made: rows.IndicatorRow | None) -> dict[str, str]:
    traded = {name: getattr(price, name) for name in _PRICES}
    return {
        "date": str(price.date),
        **{name: f"{value:,}" for name, value in traded.items() if value is not None},
        **({"open": tr("halted")} if price.is_halted else {}),
        **_figures(made, _INDICATORS),
    }


def _screen_row(row: rows.ScreenRow) -> dict[str, str]:
    named = {"ticker": row.ticker, "name": row.name, "market": row.market}
    return {**named, "close": f"{row.close:,}", **_figures(row, _FIGURES)}


def _figures(made: rows.IndicatorRow | None, names: Iterable[str]) -> dict[str, str]:
    values = {name: getattr(made, name, None) for name in names}
    return {name: f"{value:,.2f}" for name, value in values.items() if value is not None}


def _recover_command(first: object, last: object) -> str:
    return f"gotgan market recover {first}..{last}"


def _empty_screen_line(page: rows.ScreenPage) -> str:
    if page.is_calculated:
        return tr("No shares match on {day}.", day=page.day)
    if page.last_calculated is not None:
        text = "No indicators for {day}. The last day with indicators is {last}."
        return tr(text, day=page.day, last=page.last_calculated)
    command = _recover_command(page.day - _HISTORY, page.day)
    return tr("No indicators yet. Collect prices first: {command}", command=command)


def _level(value: Decimal | None) -> str:
    return "-" if value is None else f"{value:,.2f}"


def _first_lines(lines: Iterable[str]) -> list[str]:
    every = [*lines]
    rest = len(every) - _MAX_SHOWN
    return [*every[:_MAX_SHOWN], *([tr("and {count} more", count=rest)] if rest > 0 else [])]
