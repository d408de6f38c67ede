"""``gotgan shops urls``: the addresses of a shop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import limit_option
from gotgan.cli.output import Output
from gotgan.cli.units import cost_fields, cost_text

if TYPE_CHECKING:
    from gotgan.domains.shops.models import ShopPage

__all__ = ["command"]


@click.command("urls")
@click.argument("domain", metavar="DOMAIN")
@click.option(
    "--type",
    "page_type",
    help="Only these: product, category, listing, article or other.",
)
@limit_option("How many.", 100, 10_000)
@click.option("--cursor", help="Where the page before ended.")
@click.pass_obj
def command(
    output: Output, *, domain: str, page_type: str | None, limit: int, cursor: str | None
) -> None:
    """List addresses of a shop.

    With --json a price is in minor units of its currency, such as cents.
    """
    from gotgan.domains.shops.records import page_record

    with opened_app(output) as app:
        page = app.shops.urls(domain, page_type, limit=limit, cursor=cursor)
    lines = [_line(each) for each in page] or ["There are none."]
    if page.cursor is not None:
        lines.append(f"\nThere are more: --cursor {page.cursor}")
    lines.append(f"\n{len(page)} shown: {cost_text(page.cost)}.")
    output.say(
        "\n".join(lines),
        pages=[page_record(each) for each in page],
        cursor=page.cursor,
        cost=cost_fields(page.cost),
    )


def _line(page: ShopPage) -> str:
    from gotgan.domains.shops.amounts import price_text

    price = price_text(page.price, page.currency) or ""
    return safe(f"{page.type or '?':<8}  {page.status or '':<9}  {price:>16}  {page.url}")
