"""``gotgan videos purge``: what may not be kept any longer, forgotten."""

from __future__ import annotations

import click

from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output
from gotgan.cli.videos_text import counted

__all__ = ["command"]


@click.command("purge")
@click.pass_obj
def command(output: Output) -> None:
    """Forget what was collected thirty days ago.

    Videos, channels and comments go; results stay, and quote nobody any more. The timetable does it
    every day.
    """
    from gotgan.domains.videos.report_records import purged_record

    with opened_videos(output) as videos:
        purged = videos.purge()
    output.say(f"forgot {counted(purged.snapshots, 'collection')}", **purged_record(purged))
