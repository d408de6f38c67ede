"""``gotgan shops crawl``: find the pages of shops."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import country_option, lease_option, workers_option
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.shops_work import Pace, say_crawled, say_idle
from gotgan.cli.ticker import written_over

if TYPE_CHECKING:
    from gotgan.domains.shops.crawl_reports import CrawlStep

__all__ = ["command"]


@click.command("crawl")
@click.argument("domains", nargs=-1, metavar="[DOMAIN]...")
@country_option
@workers_option
@click.option(
    "--max-pages",
    type=click.IntRange(1, 1_000_000),
    default=5_000,
    show_default=True,
    help="At most so many pages of a shop.",
)
@lease_option
@click.pass_obj
def command(
    output: Output,
    *,
    domains: Sequence[str],
    country: str | None,
    workers: int,
    max_pages: int,
    lease: timedelta,
) -> ExitCode:
    """Find the pages of shops.

    Without domains: all shops that are due, those that are stuck first. Any number of these
    commands may run at once; an interrupted crawl resumes. A shop that cannot be reached is due
    again after 5 minutes, then 10, up to 6 hours, and the exit code is 75; naming it tries it at
    once.
    """
    with opened_app(output) as app, written_over(output) as show:
        pace = Pace(show)

        def on_step(step: CrawlStep) -> None:
            pages = f"{step.pages:,} of {step.budget:,} pages at most"
            found = f"{pages}, {step.products:,} products, {step.left:,} to see"
            pace.tell(step, found, left=step.to_visit)

        crew = app.shops.crawl(
            domains,
            country=country,
            workers=workers,
            max_pages=max_pages,
            lease=lease,
            on_step=on_step,
        )
        if crew.is_idle and not domains:
            return say_idle(output, app, crew, "crawl", country)
    return say_crawled(output, crew, named=bool(domains))
