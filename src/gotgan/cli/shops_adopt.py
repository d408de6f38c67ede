"""``gotgan shops adopt``: shops and pages that other tools wrote."""

from __future__ import annotations

import click

from gotgan.cli.grid import safe
from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.units import cost_fields, cost_text
from gotgan.domains.shops.adoption import ADOPT_ITEMS

__all__ = ["command"]


@click.command("adopt")
@click.option(
    "--max",
    "max_items",
    type=click.IntRange(1),
    default=ADOPT_ITEMS,
    show_default=True,
    metavar="ITEMS",
    help="How many items of the table to read; the next run continues from there.",
)
@click.pass_obj
def command(output: Output, *, max_items: int) -> ExitCode:
    """Adopt shops and pages that other tools wrote.

    Adds the index keys and the countries that are missing, so that these shops are crawled, scraped
    and listed. A shop without a state gets one from its timestamps: done when its last crawl or
    scrape ended, otherwise never. Everything else stays as it is. You can run it again at any time.
    """
    from gotgan.domains.shops.report_records import adopted_record

    with opened_app(output) as app:
        report = app.shops.adopt(max_items=max_items)
    added = f"{report.shops:,} shops, {report.pages:,} pages, {len(report.countries)} countries"
    lines = [f"read {report.read:,} items · completed {added} · {cost_text(report.cost)}"]
    if report.countries:
        lines.append(f"  new countries  {', '.join(report.countries)}")
    lines += [f"  left unchanged  {safe(f'{k}: {why}')}" for k, why in report.unfit.items()]
    if more := report.unfit_count - len(report.unfit):
        lines.append(f"  and {more:,} more")
    if not report.is_complete:
        lines.append("The end of the table was not reached. Run it again to continue.")
    output.say("\n".join(lines), **{**adopted_record(report), "cost": cost_fields(report.cost)})
    return ExitCode.FAILED if report.unfit_count else ExitCode.OK
