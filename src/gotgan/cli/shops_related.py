"""``gotgan shops related``: domains that share a core name."""

from __future__ import annotations

import click

from gotgan.cli.grid import safe
from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output
from gotgan.cli.units import cost_fields, cost_text

__all__ = ["command"]


@click.command("related")
@click.argument("domain", metavar="DOMAIN")
@click.pass_obj
def command(output: Output, *, domain: str) -> None:
    """List domains with the same core name.

    As example.de has it with example.com and www.example.co.uk. Whether they belong together is
    for you to find out.
    """
    with opened_app(output) as app, app.store.metered("related") as measured:
        found = app.shops.related(domain)
    lines = [*map(safe, found), f"{len(found)} related: {cost_text(measured.cost)}."]
    output.say("\n".join(lines), related=found, cost=cost_fields(measured.cost))
