"""``gotgan tables browse``, ``dump`` and ``load``: the items of a table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gotgan.cli import messages
from gotgan.cli.app import open_tables
from gotgan.cli.format import cost_fields, count_text
from gotgan.cli.output import Output
from gotgan.cli.progress import step_line
from gotgan.cli.reader import later, tr
from gotgan.cli.table import grid, json_text
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.store.data.browse import BrowseResult
    from gotgan.store.data.dump import DumpReport
    from gotgan.store.data.load import LoadReport
    from gotgan.store.data.load_sources import LoadSource
    from gotgan.store.data.progress import TransferProgress


@click.command("browse")
@click.argument("table")
@click.option("--index", metavar="NAME", help="Read an index instead of the table.")
@click.option("--pk", metavar="VALUE", help="Partition key. Without it, the table is scanned.")
@click.option(
    "--sk",
    multiple=True,
    metavar="TERM",
    help="Sort key: x, =x, ^x (begins with x), a..b, <x, <=x, >x, >=x.",
)
@click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="TERM",
    help="Filter: name=x, !=, <, <=, >, >=, ^ (begins with), ~ (contains), 'name exists', 'name "
    "missing'. Repeatable; all must match. In an index with multi-attribute keys, also the key "
    "attributes after the first.",
)
@click.option(
    "--expression",
    metavar="TEXT",
    help="Filter in DynamoDB's syntax: 'size(title) > :n OR #s = :s'.",
)
@click.option(
    "--value",
    "values",
    multiple=True,
    metavar="TERM",
    help="Placeholder of the expression: :n=80 (type detected; or set it, as in :n:S=80), "
    "#s=status. Repeatable.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="Return this attribute besides the keys. Repeatable.",
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=20,
    show_default=True,
    help="Number of items to show.",
)
@click.option(
    "--most-read",
    type=click.IntRange(1),
    default=10_000,
    show_default=True,
    help="Maximum number of items to read.",
)
@click.option("--newest-first", is_flag=True, help="Sort by sort key, descending.")
@click.option("--consistent", is_flag=True, help="Use a strongly consistent read (twice the cost).")
@click.option("--cursor", metavar="TEXT", help="The cursor of the previous page.")
@click.option("--full", is_flag=True, help="Show whole items instead of a table.")
@click.pass_obj
def browse_table(output: Output, /, *, table: str, full: bool, **terms: Any) -> None:
    """Browse a table by key, by index or by scan.

    Also shows what the read cost, and the same request for the AWS CLI.
    """
    from gotgan.store.data.browse import BrowseQuery, browse

    look = BrowseQuery(**terms)
    with open_tables(output) as database:
        found = browse(database.driver, table, look, database.names)
    _print_items(output, found, full=full)
    _print_summary(output, found, look.limit)
    output.write_cost(found.cost)


def _print_items(output: Output, found: BrowseResult, *, full: bool) -> None:
    from gotgan.store.data.item_json import readable_item

    items = [readable_item(item) for item in found.items]
    if full or output.as_json:
        for item in items:
            output.write(json_text(item), item=item)
    elif items:
        place = found.index or found.table
        first = [key.name for key in (*place.keys, *found.table.keys)]
        output.write(grid(items, first))


def _print_summary(output: Output, found: BrowseResult, limit: int) -> None:
    from gotgan.store.data.browse import command_line

    shown, same = len(found.items), command_line(found.command)
    lines = [
        _browse_sentence(found),
        tr("The same: {command}", command=same),
    ]
    if found.cursor is not None:
        text = later("There may be more: Not all that was asked for was read. --cursor {cursor}")
        if shown == limit:
            text = later("There may be more: --cursor {cursor}")
        lines.insert(1, tr(text, cursor=found.cursor))
    output.write(
        "\n".join(["", *lines] if shown else lines),
        operation=found.operation.lower(),
        shown=shown,
        read=found.read,
        cursor=found.cursor,
        cost=cost_fields(found.cost),
        aws_cli=same,
    )


def _browse_sentence(found: BrowseResult) -> str:
    shown, place = len(found.items), found.index.name if found.index else found.table.name
    if found.operation == "Query":
        what = tr("A query of {place}", place=place)
    else:
        text = "A scan, which reads all items of {place} (about {count})"
        what = tr(text, place=place, count=found.counted)
    counts = {"what": what, "shown": shown, "read": found.read}
    if found.read > shown:
        text = later("{what}: {shown} shown, {read} read, {hidden} of them not shown.")
        return tr(text, hidden=found.read - shown, **counts)
    return tr("{what}: {shown} shown, {read} read.", **counts)


def transfer_text(step: TransferProgress) -> str:
    """The progress of a dump or a load."""
    units = step.cost.reads + step.cost.writes
    return tr(
        "{items} items, {bytes} bytes, {rate} items/s, {units} units",
        items=step.items,
        bytes=step.bytes,
        rate=f"{step.rate:,.0f}",
        units=f"{units:,.1f}",
    )


@click.command("dump")
@click.argument("table")
@click.argument("target", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--segments",
    type=click.IntRange(1, 1000),
    metavar="N",
    help="Parts to read in parallel, each into a separate file. Default: 4.",
)
@click.option(
    "--gzip", "compress", is_flag=True, help="Compress the parts with gzip, as in AWS exports."
)
@click.option("--consistent", is_flag=True, help="Use a strongly consistent read (twice the cost).")
@click.pass_obj
def dump_table(
    output: Output,
    *,
    table: str,
    target: Path,
    segments: int | None,
    compress: bool,
    consistent: bool,
) -> None:
    """Write a table as lines of DynamoDB JSON.

    TARGET is a folder, a file (if it ends in .json, .jsonl or .gz), or - for standard output. Run
    the same command again to resume an interrupted dump.
    """
    from gotgan.store.data.dump import dump, dump_to_stream

    is_stream = str(target) == "-"
    if is_stream and (segments not in (None, 1) or compress):
        raise UsageError(messages.STREAM_ALONE())
    with open_tables(output) as database, step_line(output, transfer_text) as on_progress:
        driver, name = database.driver, database.name_of(table)
        if is_stream:
            stream = sys.stdout.buffer
            done = dump_to_stream(
                driver, name, stream, consistent=consistent, on_progress=on_progress
            )
        else:
            done = dump(
                driver,
                name,
                target,
                segments=segments,
                compress=compress,
                consistent=consistent,
                on_progress=on_progress,
            )
    if is_stream:  # standard output has the lines and nothing else
        click.echo(_dump_sentence(done), err=True)
    else:
        _print_dump(output, done, target)
    output.write_cost(done.cost)


def _print_dump(output: Output, done: DumpReport, target: Path) -> None:
    output.write(
        f"{_dump_sentence(done)}\n{tr('It is in {target}.', target=target)}",
        table=done.table,
        target=str(target),
        items=done.items,
        bytes=done.bytes,
        resumed=done.resumed,
        seconds=round(done.seconds, 3),
        cost=cost_fields(done.cost),
    )


def _dump_sentence(done: DumpReport) -> str:
    text = later("{items} items of {table} in {bytes} bytes, in {seconds} s.")
    if done.resumed:
        text = later(
            "{items} items of {table} in {bytes} bytes, {resumed} of them by an earlier run, in "
            "{seconds} s."
        )
    return tr(
        text,
        items=done.items,
        table=done.table,
        bytes=done.bytes,
        resumed=done.resumed,
        seconds=f"{done.seconds:,.1f}",
    )


@click.command("load")
@click.argument("table")
@click.argument("source", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--overwrite",
    is_flag=True,
    help="Overwrite existing items. Default: leave them unchanged.",
)
@click.option(
    "--skip-bad",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Skip lines that cannot be loaded, and write them to this file.",
)
@click.option(
    "--progress",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File for the progress. Default: next to the source.",
)
@click.pass_obj
def load_table(
    output: Output,
    *,
    table: str,
    source: Path,
    overwrite: bool,
    skip_bad: Path | None,
    progress: Path | None,
) -> None:
    """Load DynamoDB JSON into a table.

    SOURCE is a file with one item per line (optionally gzip), a dump folder, the folder of an AWS
    export, or - for standard input. Run the same command again to resume an interrupted load;
    standard input is read from the start.
    """
    from gotgan.store.data.load import load

    with open_tables(output) as database, step_line(output, transfer_text) as on_progress:
        name = database.name_of(table)
        lines, where = _load_source(source, name, progress)
        done = load(
            database.driver,
            name,
            lines,
            overwrite=overwrite,
            progress=where,
            bad_lines=skip_bad,
            on_progress=on_progress,
        )
    _print_load(output, done, skip_bad)
    output.write_cost(done.cost)


def _load_source(source: Path, table: str, progress: Path | None) -> tuple[LoadSource, Path | None]:
    from gotgan.store.data.load import progress_file
    from gotgan.store.data.load_sources import source_at, stream_source

    if str(source) == "-":
        if progress is not None:
            raise UsageError(messages.NO_STREAM_PROGRESS())
        return stream_source(sys.stdin.buffer), None  # type: ignore[arg-type]  # a BufferedReader
    return source_at(source), progress or progress_file(source, table)


def _print_load(output: Output, done: LoadReport, bad_lines: Path | None) -> None:
    counts = done.counts
    outcomes = {
        "new": counts.new,
        "written": counts.written,
        "duplicates": counts.duplicates,
        "failed": counts.failed,
    }
    parts = [count_text(count, word) for word, count in outcomes.items() if count]
    form = later("{read} lines read for {table}: {parts}, in {seconds} s.")
    if done.resumed:
        form = later(
            "{read} lines read for {table} ({resumed} of them by an earlier run): {parts}, in "
            "{seconds} s."
        )
    text = tr(
        form,
        read=counts.read,
        table=done.table,
        resumed=done.resumed,
        parts=", ".join(parts) or tr("nothing to do"),
        seconds=f"{done.seconds:,.1f}",
    )
    failed = tr("The lines that failed are in {file}.", file=bad_lines)
    output.write(
        f"{text}\n{failed}" if counts.failed else text,
        table=done.table,
        read=counts.read,
        **outcomes,
        resumed=done.resumed,
        seconds=round(done.seconds, 3),
        cost=cost_fields(done.cost),
    )
