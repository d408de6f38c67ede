"""``gotgan news list``: items, newest first."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import day_option, limit_option, ticker_option, zone_option
from gotgan.cli.output import Output
from gotgan.cli.units import cost_fields, cost_text
from gotgan.clock import day_zone

if TYPE_CHECKING:
    from gotgan.domains.news.days import Zone
    from gotgan.domains.news.models import NewsItem

__all__ = ["command"]


@click.command("list")
@day_option("Only items of this day; else of the last seven, in UTC.")
@zone_option
@ticker_option
@limit_option("How many.", 50, 1000)
@click.option("--cursor", help="Where the page before ended.")
@click.pass_obj
def command(
    output: Output,
    *,
    day: date | None,
    zone: Zone | None,
    ticker: str | None,
    limit: int,
    cursor: str | None,
) -> None:
    """List items, newest first."""
    from gotgan.domains.news.records import item_record

    with opened_app(output) as app:
        zone = zone or day_zone(app.settings.zone)
        page = app.news.page(day=day, zone=zone, ticker=ticker, limit=limit, cursor=cursor)
    none = "None among those read so far."
    if page.cursor is None:
        none = "There are no items here. gotgan news collect fetches the latest."
    lines = [_line(item, zone) for item in page] or [none]
    if page.cursor is not None:
        lines.append(f"\nThere are more: --cursor {page.cursor}")
    lines.append(f"\n{len(page.items)} shown, {page.read} read: {cost_text(page.cost)}.")
    output.say(
        "\n".join(lines),
        items=[item_record(item) for item in page],
        cursor=page.cursor,
        read={"items": page.read, "units": page.cost.reads},
        cost=cost_fields(page.cost),
    )


def _line(item: NewsItem, zone: Zone) -> str:
    iso, name = {
        "utc": (item.uploaded_at.isoformat(), "UTC"),
        "ny": (item.uploaded_at_est_iso, item.tz_est_abbr),
        "kst": (item.uploaded_at_kst_iso, "KST"),
    }[zone]
    tickers = f"  [{' '.join(item.tickers)}]" if item.tickers else ""
    return safe(f"{iso[:10]} {iso[11:19]} {name}  {item.pk}  {item.title}{tickers}")
