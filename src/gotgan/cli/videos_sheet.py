"""A video as a page for people: what it is, what its analysis rests on, facts, suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from gotgan.cli.grid import safe
from gotgan.cli.moments import moment
from gotgan.cli.videos_facts import fact_lines
from gotgan.cli.videos_suggestions import suggestion_lines
from gotgan.cli.videos_text import age, cost, counted, job_line, way

if TYPE_CHECKING:
    from gotgan.domains.videos.results import Result
    from gotgan.domains.videos.sheets import Sheet

__all__ = ["sheet_text"]

_OTHERS: Final = 5


def sheet_text(sheet: Sheet, now: datetime) -> str:
    """All that there is of a video."""
    return "\n".join(map(safe, _lines(sheet, now)))


def _lines(sheet: Sheet, now: datetime) -> Iterator[str]:
    yield from _head(sheet)
    yield ""
    if sheet.result is None:
        yield from _without_result(sheet)
        return
    document = sheet.result.document
    yield from _ground(sheet, sheet.result, now)
    yield from _last_job(sheet)
    yield from ["", "FACTS, counted in the comments", ""]
    yield from fact_lines(document, sheet.evidence)
    yield from ["", f"SUGGESTIONS, an opinion of {_who(document['meta'])}", ""]
    yield from suggestion_lines(document, sheet.evidence)


def _without_result(sheet: Sheet) -> Iterator[str]:
    """What the job of a video is doing that has no result yet, and what to do next."""
    job, again = sheet.last_job, f"gotgan videos analyse {sheet.video_id} --wait"
    if job is None or job.status == "completed":
        yield f"Not analysed yet: {again}"
        return
    line = job_line(job)
    yield f"{line[0].upper()}{line[1:]}"
    yield f"job       {job.job_id}"
    if job.status == "failed":
        yield f"  {again}   # tries again"
    else:
        yield f"  gotgan videos job {job.job_id} --wait   # runs it here, unless a worker has it"


def _head(sheet: Sheet) -> Iterator[str]:
    if sheet.snapshot is None:
        is_new = sheet.result is None
        yield sheet.video_id if is_new else f"{sheet.video_id} (its title is not kept any more)"
        return
    video = sheet.snapshot.video
    yield video.title or video.video_id
    yield f"https://www.youtube.com/watch?v={video.video_id}"
    counts = {"views": video.view_count, "likes": video.like_count, "comments": video.comment_count}
    told = [sheet.channel.title] if sheet.channel else []
    told += [f"{video.published_at:%Y-%m-%d}"] if video.published_at else []
    told += [way(video.duration_sec)] if video.duration_sec else []
    told += [f"{count:,} {name}" for name, count in counts.items() if count is not None]
    if told:
        yield " · ".join(told)


def _ground(sheet: Sheet, result: Result, now: datetime) -> Iterator[str]:
    """When and by what the analysis was made, what it rests on, and what it cost."""
    meta, usage = result.document["meta"], result.usage
    yield f"analysed  {age(result.created_at, now)}, {moment(result.created_at)}; {_state(sheet)}"
    yield f"version   {result.analysis_version}: {_who(meta)}, score {result.score_version}"
    basis = ", ".join(result.analysis_basis) or "nothing"
    comments = counted(result.comment_sample_count, "comment")
    yield f"rests on  {basis}; {comments}, from {meta['source']}"
    tokens = usage.input_tokens + usage.output_tokens
    yield f"cost      {cost(usage.units, tokens, usage.cost_usd)}"
    yield from (f"warning   {each}" for each in meta["warnings"])
    others = [each for each in sheet.history if each.id != result.id][:_OTHERS]
    if others:
        told = [f"{each.analysis_version} of {moment(each.created_at)}" for each in others]
        yield f"others    {', '.join(told)}"


def _state(sheet: Sheet) -> str:
    """Whether it is given again."""
    if sheet.result is None:
        return ""
    until, why = moment(sheet.result.expires_at), sheet.result.ttl_reason
    shorter = f" (less than a day: {why})" if why else ""
    if sheet.is_fresh:
        return f"fresh until {until}{shorter}"
    return f"stale since {until}{shorter}: gotgan videos analyse {sheet.video_id} --wait"


def _last_job(sheet: Sheet) -> Iterator[str]:
    """The latest job, where it is no reason for what is shown."""
    job = sheet.last_job
    if job is not None and job.status != "completed":
        yield f"last job  {job.job_id}: {job_line(job)}"


def _who(meta: Mapping[str, Any]) -> str:
    prompt = f", prompt {meta['promptVersion']}" if meta["promptVersion"] else ""
    return f"{meta['analyser']} ({meta['model']}{prompt})"
