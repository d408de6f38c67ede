"""``gotgan shops changes``: what a shop offers otherwise than before."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.moments import moment
from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import limit_option, moment_option
from gotgan.cli.output import Output
from gotgan.cli.units import cost_fields, cost_text

if TYPE_CHECKING:
    from gotgan.domains.shops.models import Change, Offer

__all__ = ["command"]


@click.command("changes")
@click.argument("domain")
@moment_option("--since", "Only what was seen from then on.")
@limit_option("How many.", 50, 1000)
@click.option("--cursor", help="Where the page before ended.")
@click.pass_obj
def command(
    output: Output, *, domain: str, since: datetime | None, limit: int, cursor: str | None
) -> None:
    """List what changed in a shop.

    Price and status, before and after, newest first. With --json a price is in minor units: cents.
    """
    from gotgan.domains.shops.records import change_record

    with opened_app(output) as app:
        page = app.shops.changes(domain, since=since, limit=limit, cursor=cursor)
    lines = [_line(change) for change in page] or ["Nothing has changed."]
    if page.cursor is not None:
        lines.append(f"\nThere are more: --cursor {page.cursor}")
    lines.append(f"\n{len(page.items)} shown: {cost_text(page.cost)}.")
    output.say(
        "\n".join(lines),
        changes=[change_record(change) for change in page],
        cursor=page.cursor,
        cost=cost_fields(page.cost),
    )


def _line(change: Change) -> str:
    before = "new" if change.before is None else _offer(change.before)
    told = f"{before} → {_offer(change.after)}"
    return safe(f"{moment(change.seen_at)}  {told}  {change.title or ''}  {change.url}")


def _offer(offer: Offer) -> str:
    from gotgan.domains.shops.amounts import price_text

    price = price_text(offer.price, offer.currency)
    return " ".join(filter(None, [offer.status or "UNKNOWN", price]))
