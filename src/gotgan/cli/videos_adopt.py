"""``gotgan videos adopt``: jobs and results that another program saved."""

from __future__ import annotations

import click

from gotgan.cli.adopted import table_lines, table_records
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output
from gotgan.cli.videos_text import counted

__all__ = ["command"]


@click.command("adopt")
@click.pass_obj
def command(output: Output) -> None:
    """Take over jobs and results that another program saved.

    Columns, unique keys and indexes that analysis_jobs, analysis_results and the other tables lack
    are added; every row stays readable. Jobs that are still queued or processing are queued here;
    stop the other program first.
    """
    with opened_videos(output) as videos:
        adopted = videos.adopt()
    lines = list(table_lines(adopted.tables)) or ["All tables are empty."]
    if adopted.queued:
        lines.append(f"queued {counted(adopted.queued, 'open job')}")
    if adopted.left:
        lines.append(
            f"left {counted(adopted.left, 'open job')} alone: the video cannot be fetched, or "
            "another job is open for it"
        )
    output.say(
        "\n".join(lines),
        tables=table_records(adopted.tables),
        listed=adopted.listed,
        queued=adopted.queued,
        left=adopted.left,
    )
