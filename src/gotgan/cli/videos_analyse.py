"""``gotgan videos analyse``: a video analysed, given again, or joined where it is under way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli.grid import safe
from gotgan.cli.moments import moment
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.videos_text import age, job_line
from gotgan.cli.videos_waiting import waited
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from gotgan.domains.videos.models import Analyser, Reason
    from gotgan.domains.videos.service import Videos
    from gotgan.domains.videos.submitting import Submitted

__all__ = ["command"]

_ANALYSERS: Final = ("builtin", "gemini", "openai")
_REASONS: Final = ("user_request", "version_bump", "retry_failed")


@click.command("analyse")
@click.argument("video", metavar="URL_OR_ID")
@click.option("--force", is_flag=True, help="Make it anew, though there is a fresh one.")
@click.option(
    "--reason",
    type=click.Choice(_REASONS),
    help="Why, with --force; user_request unless you say so. It is kept with the job.",
)
@click.option(
    "--analyser",
    type=click.Choice(_ANALYSERS),
    help="Who writes the suggestions; else as GOTGAN_ANALYSER says. Facts are always counted here.",
)
@click.option("--wait", is_flag=True, help="Do it here, or wait for whoever has it; then show it.")
@click.pass_obj
def command(
    output: Output,
    *,
    video: str,
    force: bool,
    reason: Reason | None,
    analyser: Analyser | None,
    wait: bool,
) -> ExitCode:
    """Have a video analysed.

    One that was analysed within a day is given again and costs nothing. Without --wait a job is
    left to workers: those of gotgan up, or of gotgan videos work. Ctrl-C gives a job back.
    """
    if reason is not None and not force:
        raise UsageError("--reason says why an analysis is made anew; give --force with it")
    with opened_videos(output) as videos:
        submitted = videos.analyse(
            video, force=force, reason=reason or "user_request", analyser=analyser
        )
        if wait:
            return _say_waited(output, videos, submitted)
        _say_submitted(output, submitted, videos.now())
        return ExitCode.OK


def _say_submitted(output: Output, submitted: Submitted, now: datetime) -> None:
    from gotgan.domains.videos.records import job_record

    output.say(
        "\n".join(map(safe, _lines(submitted, now))),
        **job_record(submitted.job),
        cacheHit=submitted.result is not None,
        isNew=submitted.is_new,
    )


def _lines(submitted: Submitted, now: datetime) -> list[str]:
    job, result = submitted.job, submitted.result
    if result is not None:
        made = f"was analysed {age(result.created_at, now)} in version {result.analysis_version}"
        return [
            f"{job.video_id} {made}, which is given again until {moment(result.expires_at)}.",
            f"  gotgan videos show {job.video_id}",
            f"  gotgan videos analyse {job.video_id} --force   # makes it anew",
        ]
    if submitted.is_new:
        head = f"Job {job.job_id} waits for a worker: gotgan up, or gotgan videos work."
    else:
        head = f"Job {job.job_id} is under way already: {job_line(job)}"
    return [head, f"  gotgan videos job {job.job_id} --wait   # does it, unless somebody has it"]


def _say_waited(output: Output, videos: Videos, submitted: Submitted) -> ExitCode:
    job = submitted.job
    if submitted.result is None:
        job = waited(output, videos, job)
    if job.status == "failed":
        code, message = job.error_code or "", job.error_message or "it failed"
        output.complain(code, message, retry=job.retry_after is not None)
        return ExitCode.FAILED
    _say_sheet(output, videos, submitted)
    return ExitCode.OK


def _say_sheet(output: Output, videos: Videos, submitted: Submitted) -> None:
    """The result as ``show`` has it; whether it was there already is known better here."""
    from gotgan.cli.videos_sheet import sheet_text
    from gotgan.domains.videos.records import result_2, sheet_record

    sheet = videos.show(submitted.job.video_id, submitted.job.analysis_version)
    record: dict[str, Any] = sheet_record(sheet)
    if sheet.result is not None:
        hit = submitted.result is not None
        record["analysis"] = result_2(
            sheet.result, sheet.evidence, is_fresh=sheet.is_fresh, cache_hit=hit
        )
    output.say(sheet_text(sheet, videos.now()), **record)
