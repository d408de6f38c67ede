"""``gotgan tables load``: lines of DynamoDB JSON into a table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gotgan.cli.database import opened
from gotgan.cli.output import Output
from gotgan.cli.ticker import ticker
from gotgan.cli.units import cost_fields, cost_text
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.store.data.load import Loaded
    from gotgan.store.data.load_sources import LoadSource

__all__ = ["command"]


@click.command("load")
@click.argument("table")
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--overwrite",
    is_flag=True,
    help="Write over items that are there; without it they stay as they are.",
)
@click.option(
    "--skip-bad",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Go on behind lines that cannot be loaded, and keep them in this file.",
)
@click.option(
    "--progress",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to keep how far it has come, instead of beside the source.",
)
@click.pass_obj
def command(
    output: Output,
    *,
    table: str,
    source: Path,
    overwrite: bool,
    skip_bad: Path | None,
    progress: Path | None,
) -> None:
    """Write lines of DynamoDB JSON into a table.

    SOURCE is a file of lines, plain or gzip, the folder of a dump, the folder of an export that AWS
    made, or - for standard input. A load that was stopped goes on where it was when the same
    command is given again; one from standard input begins anew.
    """
    from gotgan.store.data.load import load

    with opened(output) as database, ticker(output) as on_progress:
        name = database.name_of(table)
        lines, where = _source(source, name, progress)
        done = load(
            database.driver,
            name,
            lines,
            overwrite=overwrite,
            progress=where,
            bad_lines=skip_bad,
            on_progress=on_progress,
        )
    _report(output, done, skip_bad)


def _source(source: Path, table: str, progress: Path | None) -> tuple[LoadSource, Path | None]:
    from gotgan.store.data.load import progress_file
    from gotgan.store.data.load_sources import source_at, stream_source

    if str(source) == "-":
        if progress is not None:
            raise UsageError("standard input begins anew every time; leave --progress out")
        return stream_source(sys.stdin.buffer), None  # type: ignore[arg-type]  # a BufferedReader
    return source_at(source), progress or progress_file(source, table)


def _report(output: Output, done: Loaded, bad_lines: Path | None) -> None:
    counts = done.counts
    output.say(
        _sentence(done) + (f"\nThe lines that failed are in {bad_lines}." if counts.failed else ""),
        table=done.table,
        read=counts.read,
        new=counts.new,
        written=counts.written,
        duplicates=counts.duplicates,
        failed=counts.failed,
        resumed=done.resumed,
        seconds=round(done.seconds, 3),
        cost=cost_fields(done.cost),
    )


def _sentence(done: Loaded) -> str:
    counts = done.counts
    became = {
        "new": counts.new,
        "written": counts.written,
        "duplicates": counts.duplicates,
        "failed": counts.failed,
    }
    said = ", ".join(f"{count:,} {word}" for word, count in became.items() if count)
    before = f" ({done.resumed:,} of them by an earlier run)" if done.resumed else ""
    return (
        f"{counts.read:,} lines read for {done.table}{before}: {said or 'nothing to do'}, "
        f"in {done.seconds:,.1f} s: {cost_text(done.cost)}."
    )
