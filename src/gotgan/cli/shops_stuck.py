"""``gotgan shops stuck``: claims past their lease."""

from __future__ import annotations

from datetime import timedelta

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import country_option, time_span
from gotgan.cli.output import Output
from gotgan.cli.shops_report import expect_one_country, expect_shops, stuck_line
from gotgan.cli.units import cost_fields, cost_text

__all__ = ["command"]


@click.command("stuck")
@country_option
@click.option("--no-country", is_flag=True, help="Those without one: reads the whole table.")
@click.option(
    "--older-than",
    type=time_span,
    default="2h",
    show_default=True,
    metavar="TIME",
    help="How long ago the work began, as in 45m, 2h or 3d.",
)
@click.pass_obj
def command(
    output: Output, *, country: str | None, no_country: bool, older_than: timedelta
) -> None:
    """List shops whose worker is no more.

    Crawls and scrapes that began so long ago and whose lease is over: nobody renews it. The next
    run takes them over; gotgan shops release gives them back. Those whose lease is not over are
    counted: they are under way, or their worker died a short while ago.
    """
    from gotgan.domains.shops.records import stuck_record
    from gotgan.domains.shops.stages import STAGES

    expect_one_country(country, no_country=no_country)
    with opened_app(output) as app, app.store.metered("stuck") as measured:
        if no_country:
            began = app.clock.now() - older_than
            there = app.shops.without_country("crawl")
            found = [each for each in there.stuck if each.began_by(began)]
            begun = there.under_way
        else:
            found = app.shops.stuck(older_than=older_than, country=country)
            begun = app.shops.under_way(*STAGES, country=country)
        if not begun:
            expect_shops(app)
    under_way = max(begun - len(found), 0)
    lines = [stuck_line(each) for each in found]
    told = f"{len(found)} stuck, {under_way} under way and not stuck yet"
    lines.append(f"{told}: {cost_text(measured.cost)}.")
    output.say(
        "\n".join(lines),
        stuck=[stuck_record(each) for each in found],
        under_way=under_way,
        cost=cost_fields(measured.cost),
    )
