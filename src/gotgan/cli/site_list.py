"""``gotgan site list``: records of one kind, newest first."""

from __future__ import annotations

import click

from gotgan.cli.grid import grid
from gotgan.cli.moments import localised
from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output
from gotgan.cli.site_kinds import COLUMNS, KINDS, page_of

__all__ = ["command"]


@click.command("list")
@click.argument("kind", type=click.Choice(KINDS))
@click.option("--category", help="Only posts of this category, by its id or slug.")
@click.option("--q", help="Only posts with these words; every post on the way is read and billed.")
@click.option(
    "--status",
    type=click.Choice(["new", "in_progress", "done"]),
    help="Only inquiries that are so far; every inquiry on the way is read and billed.",
)
@click.option(
    "--show", type=click.Choice(["waiting"]), help="Only mails that are still to be sent."
)
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many."
)
@click.option("--cursor", help="Where the page before ended.")
@click.pass_obj
def command(
    output: Output, /, *, kind: str, limit: int, cursor: str | None, **filters: str | None
) -> None:
    """List records of one kind, newest first."""
    from gotgan.domains.site.showing import shown

    with opened_app(output) as app:
        records, following = page_of(app.site, kind, limit=limit, cursor=cursor, **filters)
    items = [shown(record) for record in records]
    if output.as_json:
        for item in items:
            output.say("", **item)
        return
    columns = COLUMNS[kind]
    rows = [{name: localised(item.get(name, "")) for name in columns} for item in items]
    output.say(grid(rows, columns) if rows else f"There are no {kind} here.")
    if following is not None:
        output.say(f"\nThere are more: --cursor {following}")
