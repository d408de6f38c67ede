"""``gotgan shops due``: shops that wait for a crawl or a scrape."""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import country_option, limit_option, moment_option, stage_option
from gotgan.cli.output import Output
from gotgan.cli.shops_report import adoption_lines, due_line, expect_one_country, expect_shops
from gotgan.cli.units import cost_fields, cost_text

if TYPE_CHECKING:
    from gotgan.domains.shops.stages import Stage

__all__ = ["command"]


@click.command("due")
@country_option
@click.option("--no-country", is_flag=True, help="Those without one: reads the whole table.")
@stage_option("crawl")
@moment_option("--before", "Last done up to then; else two days ago for a crawl, now for a scrape.")
@moment_option("--after", "Last done from then on; without those that never were.")
@limit_option("How many.", 100, 10_000)
@click.pass_obj
def command(
    output: Output,
    *,
    country: str | None,
    no_country: bool,
    stage: Stage,
    before: datetime | None,
    after: datetime | None,
    limit: int,
) -> None:
    """List shops that are due for a crawl or a scrape.

    A crawl is due for what was never crawled, or not for two days; a scrape for what was crawled
    since it was last scraped. What somebody works on is not due. A MOMENT is 2026-01-13, which is
    its midnight, 2026-01-13T12:00 or 2026-01-13T12:00:00Z.
    """
    from gotgan.domains.shops.records import shop_record

    expect_one_country(country, no_country=no_country)
    with opened_app(output) as app, app.store.metered("due") as measured:
        if no_country:
            found = iter(app.shops.without_country(stage, before=before, after=after).due)
        else:
            found = app.shops.due(stage, country=country, before=before, after=after)
        shops = list(islice(found, limit + 1))
        hints: list[str] = []
        if not shops:
            expect_shops(app)
            hints = adoption_lines(app)
    shown, has_more = shops[:limit], len(shops) > limit
    cost = measured.cost
    lines = [due_line(shop, stage) for shop in shown]
    lines += ["There are more: raise --limit."] if has_more else []
    lines.append(f"{len(shown)} due for a {stage}: {cost_text(cost)}.")
    lines += hints
    output.say(
        "\n".join(lines),
        stage=stage,
        shops=[shop_record(shop) for shop in shown],
        has_more=has_more,
        needs_adoption=bool(hints),
        cost=cost_fields(cost),
    )
