"""``gotgan shops show``: one shop, and where it stands."""

from __future__ import annotations

from typing import Any

import click

from gotgan.cli.grid import safe
from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output

__all__ = ["command"]


@click.command("show")
@click.argument("domain", metavar="DOMAIN")
@click.pass_obj
def command(output: Output, *, domain: str) -> None:
    """Show a shop: where it stands, and how its work last ended.

    Any address of the shop will do. gotgan shops urls lists its pages, and gotgan shops changes
    what changed in it.
    """
    from gotgan.domains.shops.records import shop_record

    with opened_app(output) as app:
        told = shop_record(app.shops.get(domain))
    lines = [f"{name.replace('_', ' '):<19} {safe(_text(value))}" for name, value in told.items()]
    output.say("\n".join(lines), **told)


def _text(value: Any) -> str:
    if value is None:
        return "–"
    return ", ".join(map(str, value)) or "–" if isinstance(value, list | tuple) else str(value)
