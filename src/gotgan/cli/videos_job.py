"""``gotgan videos job``: how a job stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.moments import moment
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.videos_text import counted, job_line
from gotgan.cli.videos_waiting import waited

if TYPE_CHECKING:
    from gotgan.domains.videos.jobs import Job

__all__ = ["command"]


@click.command("job")
@click.argument("job_id", metavar="JOB_ID")
@click.option("--wait", is_flag=True, help="Do it here, or wait for whoever has it.")
@click.pass_obj
def command(output: Output, *, job_id: str, wait: bool) -> ExitCode:
    """Show how a job stands, or wait for its end.

    With --wait a job that failed is a failure of the command too.
    """
    from gotgan.domains.videos.records import job_record

    with opened_videos(output) as videos:
        job = videos.job(job_id)
        if wait and job.is_open:
            job = waited(output, videos, job)
    output.say("\n".join(map(safe, _lines(job))), **job_record(job))
    return ExitCode.FAILED if wait and job.status == "failed" else ExitCode.OK


def _maker(job: Job) -> str:
    if job.analyser is None:
        return "another program"
    return f"{job.analyser}, version {job.analysis_version}"


def _lines(job: Job) -> list[str]:
    told = {
        "job": job.job_id,
        "video": job.video_id,
        "status": job_line(job),
        "made by": _maker(job),
        "anew": f"because of {job.refresh_reason}" if job.refresh_reason else "",
        "attempts": f"{job.attempts}, {counted(job.units, 'unit')} of YouTube's",
        "asked for": moment(job.created_at),
        "ended": "" if job.completed_at is None else moment(job.completed_at),
        "try again": "" if job.retry_after is None else f"from {moment(job.retry_after)} on",
        "result": f"gotgan videos show {job.video_id}" if job.analysis_result_id else "",
    }
    return [f"{name:<9}  {value}" for name, value in told.items() if value]
