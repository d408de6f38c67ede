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

from gotgan.cli import messages
from gotgan.cli.app import open_app
from gotgan.cli.options import day_option
from gotgan.cli.output import Output
from gotgan.cli.reader import tr
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.clock import Zone
    from gotgan.domains.news.export import Format


@click.command("export")
@day_option("The day.", required=True)
@click.option(
    "--zone",
    type=click.Choice(["utc", "ny", "kst"]),
    help="Time zone of the day and of times: UTC, New York or Seoul. Default: GOTGAN_ZONE, or "
    "Seoul if GOTGAN_ZONE is another zone.",
)
@click.option(
    "--ticker",
    metavar="SYMBOL",
    help="Only items with this ticker. All items of the day are read and billed.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv", "parquet"]),
    help="File format. Default: from the extension of FILE, or jsonl.",
)
@click.option(
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="File to write instead of standard output. An existing file is replaced when the new one "
    "is complete.",
)
@click.option(
    "--bodies", "with_bodies", is_flag=True, help="Add the article texts as body_ columns."
)
@click.pass_obj
def export(
    output: Output,
    *,
    day: date,
    zone: Zone | None,
    ticker: str | None,
    form: Format | None,
    target: Path | None,
    with_bodies: bool,
) -> None:
    """Export the news of a day to a file.

    Parquet needs pyarrow: pip install 'gotgan[parquet]'.
    """
    from gotgan.domains.news.export import FORMATS, columns, rows

    endings: dict[str, Format] = {".csv": "csv", ".parquet": "parquet"}
    chosen = form or endings.get("" if target is None else target.suffix.lower(), "jsonl")
    with open_app(output) as app, _open_target(target) as file:
        items = app.news.every(day, zone=zone, ticker=ticker)
        made = rows(app.news, items, with_bodies=with_bodies)
        count = FORMATS[chosen](made, columns(with_bodies=with_bodies), file)
    if target is not None:
        text = tr("wrote {count} items to {file}", count=count, file=target)
        output.write(text, file=str(target), items=count, format=chosen)


@contextmanager
def _open_target(target: Path | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that is replaced when the new one is complete."""
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
        raise UsageError(messages.CANNOT_WRITE(path=target, cause=error.strerror)) from error
    finally:
        draft.unlink(missing_ok=True)
