"""``gotgan news bodies``: the bodies of articles, fetched and read."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

import click

from gotgan.cli.news_report import say_bodies
from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import day_option, limit_option, zone_option
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.ticker import written_over

if TYPE_CHECKING:
    from gotgan.app import App
    from gotgan.domains.news.bodies import OnStep
    from gotgan.domains.news.days import Zone
    from gotgan.domains.news.reports import BodiesReport, Step

__all__ = ["command"]


@click.command("bodies")
@click.argument("items", nargs=-1, metavar="[PK_OR_URL]...")
@day_option("Only articles of this day; else of the last three, in UTC.")
@zone_option
@limit_option("Fetch at most so many articles.", 100, 10_000)
@click.option("--retry-dead", is_flag=True, help="Also those that were given up.")
@click.pass_obj
def command(
    output: Output,
    *,
    items: Sequence[str],
    day: date | None,
    zone: Zone | None,
    limit: int,
    retry_dead: bool,
) -> ExitCode:
    """Fetch the bodies of articles that are missing.

    New articles and those that are due for another attempt, in turns. With keys or addresses, only
    those, whether they wait or were given up.
    """
    with opened_app(output) as app, written_over(output) as show:

        def on_step(step: Step) -> None:
            show(f"{step.done}/{step.total}  {step.outcome or 'failed'}  {step.url}")

        if retry_dead:
            app.news.retry_dead()
        report = _run(app, items, on_step, day=day, zone=zone, limit=limit)
    return say_bodies(output, report)


def _run(
    app: App,
    items: Sequence[str],
    on_step: OnStep,
    *,
    day: date | None,
    zone: Zone | None,
    limit: int,
) -> BodiesReport:
    if items:
        return app.news.fetch_bodies(items, on_step=on_step)
    return app.news.bodies(day=day, zone=zone, limit=limit, on_step=on_step)
