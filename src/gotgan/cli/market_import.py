"""``gotgan market import``: price history from files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.market_recover import Pace
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.ticker import written_over

if TYPE_CHECKING:
    from gotgan.domains.market.file_rows import SetAside
    from gotgan.domains.market.reports import ImportReport

__all__ = ["command"]


@click.command("import")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--market",
    type=click.Choice(["KOSPI", "KOSDAQ", "KONEX"]),
    help="The market of shares whose market is not known.",
)
@click.option("--adjusted", is_flag=True, help="Accept moves of more than 30 % in a day.")
@click.pass_obj
def command(
    output: Output, *, paths: Sequence[str], market: str | None, adjusted: bool
) -> ExitCode:
    """Store price and index history from CSV files.

    PATH is a file, a folder or a pattern such as 'prices/*.csv'. One file per share (005930.csv)
    or one per day, with the columns of pykrx, FinanceDataReader or the exchange, in UTF-8 or CP949.
    A file without tickers named KS11, KQ11, KOSPI, KOSDAQ, 1001 or 2001 is an index. Rows with
    impossible prices are listed and left out; rows that were collected stay. Importing
    the same files again changes nothing, so an interrupted import is simply repeated.
    """
    from gotgan.domains.market.report_records import import_record

    with opened_market(output) as opened, written_over(output) as show:
        pace = Pace(show)
        report = opened.import_files(paths, market=market, adjusted=adjusted, on_step=pace.tell)
    output.say("\n".join(map(safe, _lines(report))), **import_record(report))
    if report.busy:
        return ExitCode.RETRY
    return ExitCode.OK if report.days else ExitCode.FAILED


def _lines(report: ImportReport) -> list[str]:
    span = f"{report.first} to {report.last}, " if report.days else ""
    counts = {
        "new": report.new,
        "changed": report.changed,
        "duplicate": report.duplicates,
        "collected before and kept": report.kept,
        "set aside": sum(each.rows for each in report.set_aside),
        "in conflict": len(report.conflicts),
    }
    told = [f"{word} {count:,}" for word, count in counts.items() if count]
    lines = [f"{report.files:,} files, {span}{report.days:,} days: {' · '.join(told) or 'no rows'}"]
    if report.days:
        lines.append(f"whole days {report.whole:,} of {report.days:,}")
    if report.indices:
        lines.append(f"days with all indices {report.indices:,} of {report.days:,}")
    lines += [f"{day}: being collected; import it again later" for day in report.busy]
    return [*lines, *map(_line, report.set_aside), *map(_line, report.conflicts)]


def _line(each: SetAside) -> str:
    where = f"{each.file}, line {each.line}" if each.line else each.file
    return f"{where}: {each.reason}{f' ({each.rows:,} rows)' if each.rows > 1 else ''}"
