"""``gotgan site adopt``: records that other tools wrote."""

from __future__ import annotations

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.units import cost_fields, cost_text
from gotgan.domains.site.adoption import ADOPT_RECORDS

__all__ = ["command"]


@click.command("adopt")
@click.option(
    "--max",
    "max_records",
    type=click.IntRange(1),
    default=ADOPT_RECORDS,
    show_default=True,
    metavar="RECORDS",
    help="How many records to read; the next run continues from there.",
)
@click.pass_obj
def command(output: Output, *, max_records: int) -> ExitCode:
    """Adopt records that other tools wrote.

    Posts, drafts and categories that were not written by Gotgan lack what finds a post by its id
    and keeps a slug unique. What is missing is added, and nothing else is changed. You can run it
    again at any time.
    """
    with opened_app(output) as app:
        report = app.site.adopt(max_records=max_records)
    record = report.shown()
    added = f"{report.pointers:,} pointers, {report.slugs:,} slugs"
    told = [f"read {report.read:,} records · added {added} · {cost_text(report.cost)}"]
    told += [f"  failed  {complaint}" for complaint in record["failed"]]
    if not report.is_complete:
        told.append("Not all records were read. Run it again to continue.")
    output.say("\n".join(told), **{**record, "cost": cost_fields(report.cost)})
    return ExitCode.FAILED if report.failed else ExitCode.OK
