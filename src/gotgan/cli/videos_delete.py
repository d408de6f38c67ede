"""``gotgan videos delete``: all that there is of a video, forgotten."""

from __future__ import annotations

import click

from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output
from gotgan.cli.videos_text import counted

__all__ = ["command"]


@click.command("delete")
@click.argument("video", metavar="URL_OR_ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.pass_obj
def command(output: Output, *, video: str, yes: bool) -> None:
    """Forget all that there is of a video.

    What was collected, its results and its jobs. It asks first, unless you use --yes.
    """
    from gotgan.domains.videos.keys import video_id_of
    from gotgan.domains.videos.report_records import deleted_record

    video_id = video_id_of(video)
    if not yes:
        question = f"Forget {video_id}, its comments, results and jobs, for ever?"
        click.confirm(question, abort=True, err=True)
    with opened_videos(output) as videos:
        gone = videos.delete(video_id)
    counts = {"collection": gone.snapshots, "result": gone.results, "job": gone.jobs}
    told = ", ".join(counted(count, noun) for noun, count in counts.items())
    output.say(f"forgot {gone.video_id}: {told}", **deleted_record(gone))
