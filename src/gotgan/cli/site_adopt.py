"""``gotgan site adopt``: records that others put into the table."""

from __future__ import annotations

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.units import cost_fields

__all__ = ["command"]


@click.command("adopt")
@click.pass_obj
def command(output: Output) -> ExitCode:
    """Take in records that others put into the table.

    Posts, drafts and categories that were not written by Gotgan lack what finds a post by its id
    and keeps a slug unique. What is missing is added, and nothing else is changed.
    """
    with opened_app(output) as app:
        adopted = app.site.adopt()
    pointers, slugs = adopted.pointers, adopted.slugs
    complaints = [str(each.error) for each in pointers.failed]
    complaints += [str(each.error) for each in slugs.failed]
    output.say(
        "\n".join([f"pointers: {pointers}", f"slugs: {slugs}", *complaints]),
        pointers=len(pointers.new),
        slugs=len(slugs.new),
        failed=complaints,
        cost=cost_fields(pointers.cost + slugs.cost),
    )
    return ExitCode.FAILED if complaints else ExitCode.OK
