"""``gotgan shops deliver``: hand over what changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.units import cost_fields, cost_text
from gotgan.errors import UsageError

__all__ = ["command"]

_STANDARD_OUTPUT: Final = Path("-")


@click.command("deliver")
@click.argument("domains", nargs=-1, metavar="[DOMAIN]...")
@click.option(
    "--file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="A file that a line of JSON is added to for each change; else GOTGAN_WEBHOOK.",
)
@click.pass_obj
def command(output: Output, *, domains: Sequence[str], file: Path | None) -> ExitCode:
    """Hand over what changed in shops.

    Each change at least once: how far a file or a webhook has heard is kept, and where it takes no
    more, the rest waits for the next time. Without domains: all shops with a country.
    """
    from gotgan.domains.shops.report_records import delivered_record

    if file == _STANDARD_OUTPUT:
        raise UsageError(
            "--file - is no file; how far a file has heard is kept under its name, so name one, "
            "such as changes.jsonl"
        )
    with opened_app(output) as app:
        done = app.shops.deliver(domains, file=file)
    told = f"{done.changes:,} changes of {done.shops:,} shops: {cost_text(done.cost)}."
    stopped = f"\nIt ended early: {done.stopped}" if done.stopped else ""
    output.say(told + stopped, **{**delivered_record(done), "cost": cost_fields(done.cost)})
    return ExitCode.RETRY if done.stopped else ExitCode.OK
