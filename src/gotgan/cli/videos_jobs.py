"""``gotgan videos jobs``: jobs, the latest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli.grid import grid
from gotgan.cli.moments import moment
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.options import limit_option
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.videos.jobs import Job
    from gotgan.domains.videos.models import Status

__all__ = ["command"]

_STATUSES: Final = ("queued", "processing", "completed", "failed")
_COLUMNS: Final = ("job", "video", "status", "done", "step", "version", "attempts", "asked for")


@click.command("jobs")
@click.option("--status", type=click.Choice(_STATUSES), help="Only those that stand so.")
@click.option("--video", metavar="URL_OR_ID", help="Only those of this video.")
@limit_option("How many.", 20, 1000)
@click.option("--cursor", help="Where the page before ended.")
@click.pass_obj
def command(
    output: Output, *, status: Status | None, video: str | None, limit: int, cursor: str | None
) -> None:
    """List jobs, the latest first."""
    from gotgan.domains.videos.records import job_record

    with opened_videos(output) as videos:
        page = videos.jobs(status=status, video=video, limit=limit, cursor=cursor)
    rows = [_row(job) for job in page.items]
    text = grid(rows, (*_COLUMNS, "why")) if rows else "There are no jobs here."
    if page.cursor is not None:
        text = f"{text}\n\nThere are more: --cursor {page.cursor}"
    output.say(text, items=[job_record(job) for job in page.items], cursor=page.cursor)


def _row(job: Job) -> dict[str, Any]:
    return {
        "job": job.job_id,
        "video": job.video_id,
        "status": job.status,
        "done": f"{job.progress or 0} %",
        "step": (job.step or "").replace("_", " "),
        "version": job.analysis_version,
        "attempts": str(job.attempts),
        "asked for": moment(job.created_at),
        "why": job.error_code or "",
    }
