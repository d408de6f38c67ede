"""``gotgan news export``: the items of a day as a file. By hand: it streams to standard output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import day_option, ticker_option, zone_option
from gotgan.cli.output import Output
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.clock import Zone
    from gotgan.domains.news.export import Format

__all__ = ["command"]


@click.command("export")
@day_option("The day.", required=True)
@zone_option
@ticker_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv", "parquet"]),
    help="The kind of file; else as the ending of FILE says, or jsonl.",
)
@click.option(
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it, instead of standard output; a file is replaced when it is whole.",
)
@click.option("--bodies", "with_bodies", is_flag=True, help="With the bodies, as body_ columns.")
@click.pass_obj
def command(
    output: Output,
    *,
    day: date,
    zone: Zone | None,
    ticker: str | None,
    form: Format | None,
    target: Path | None,
    with_bodies: bool,
) -> None:
    """Write the items of a day to a file.

    Parquet needs pyarrow: pip install 'gotgan[parquet]'.
    """
    from gotgan.domains.news.export import columns, rows, write

    chosen = form or _by_ending(target)
    with opened_app(output) as app, _opened(target) as file:
        items = app.news.every(day, zone=zone, ticker=ticker)
        made = rows(app.news, items, with_bodies=with_bodies)
        count = write(chosen, made, columns(with_bodies=with_bodies), file)
    if target is not None:
        output.say(f"wrote {count} items to {target}", file=str(target), items=count, format=chosen)


def _by_ending(target: Path | None) -> Format:
    endings: dict[str, Format] = {".csv": "csv", ".parquet": "parquet"}
    return endings.get("" if target is None else target.suffix.lower(), "jsonl")


@contextmanager
def _opened(target: Path | None) -> Iterator[BinaryIO]:
    """A file that takes its place only when it is whole."""
    if target is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with draft.open("wb") as file:
            yield file
        draft.replace(target)
    except OSError as error:
        raise UsageError(f"{target} cannot be written: {error.strerror}") from error
    finally:
        draft.unlink(missing_ok=True)
