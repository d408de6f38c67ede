"""``gotgan videos quota``: how much of the day's units is used."""

from __future__ import annotations

import click

from gotgan.cli.moments import moment
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output
from gotgan.cli.videos_text import bar

__all__ = ["command"]


@click.command("quota")
@click.pass_obj
def command(output: Output) -> None:
    """Show how much of YouTube's quota is used.

    A day is one of California's. A video costs about 12 units; one that is given again costs none.
    """
    from gotgan.domains.videos.records import quota_record

    with opened_videos(output) as videos:
        day = videos.quota()
    share = day.units / day.limit if day.limit else 1.0
    lines = [
        f"{day.day}  {bar(min(share, 1.0))}  {day.units:,} of {day.limit:,} units",
        f"calls     {day.calls:,}",
        f"resets    {moment(day.resets_at)}",
        "breaker   open: nobody asks YouTube before that" if day.is_blocked else "breaker   closed",
    ]
    output.say("\n".join(lines), **quota_record(day))
