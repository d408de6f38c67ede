"""``gotgan shops scrape``: look at the products of shops."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import country_option, lease_option, workers_option
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.shops_work import Pace, say_idle, say_scraped
from gotgan.cli.ticker import written_over

if TYPE_CHECKING:
    from gotgan.domains.shops.scrape_reports import ScrapeStep

__all__ = ["command"]


@click.command("scrape")
@click.argument("domains", nargs=-1, metavar="[DOMAIN]...")
@country_option
@workers_option
@click.option(
    "--check-only",
    is_flag=True,
    help="Also shops that were not crawled since: what is known is looked at again.",
)
@lease_option
@click.pass_obj
def command(
    output: Output,
    *,
    domains: Sequence[str],
    country: str | None,
    workers: int,
    check_only: bool,
    lease: timedelta,
) -> ExitCode:
    """Look at the products of shops.

    Without domains: all shops that were crawled since they were last scraped, those that are stuck
    first. Nothing is discovered by it. A shop that cannot be reached is tried again as by gotgan
    shops crawl, and the exit code is 75.
    """
    with opened_app(output) as app, written_over(output) as show:
        pace = Pace(show)

        def on_step(step: ScrapeStep) -> None:
            pace.tell(step, f"{step.changes:,} changes  {step.result}  {step.url}")

        crew = app.shops.scrape(
            domains,
            country=country,
            workers=workers,
            check_only=check_only,
            lease=lease,
            on_step=on_step,
        )
        if crew.is_idle and not domains:
            return say_idle(output, app, crew, "scrape", country)
    return say_scraped(output, crew, named=bool(domains))
