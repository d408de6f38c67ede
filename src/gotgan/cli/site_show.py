"""``gotgan site show``: one record."""

from __future__ import annotations

import click

from gotgan.cli.grid import indented
from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output
from gotgan.cli.site_kinds import COMPANY, KINDS, one_of

__all__ = ["command"]


@click.command("show")
@click.argument("kind", type=click.Choice((*KINDS, COMPANY)))
@click.argument("record_id", metavar="ID", required=False)
@click.pass_obj
def command(output: Output, *, kind: str, record_id: str | None) -> None:
    """Show one record.

    By its id; a category by its slug too, a post by any id that it ever had. The company needs no
    id and is shown with its additional attributes.
    """
    from gotgan.domains.site.showing import shown

    with opened_app(output) as app:
        item = shown(one_of(app.site, kind, record_id))
    output.say(indented(item), **item)
