"""A video as text: what it is, what its analysis is based on, facts and suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from gotgan.cli.format import time_text
from gotgan.cli.table import safe_text
from gotgan.domains.videos.models import Comment, VideoJob
from gotgan.domains.videos.reports import VideoResult, VideoSheet
from gotgan.texts import count_text

_BAR_WIDTH: Final = 30
_QUOTE_WIDTH: Final = 110
_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_OTHERS: Final = 5
_MAX_SHOWN: Final = 5
_KEYWORDS: Final = 12
_FOUND: Final = {"requests": "Requests", "questions": "Questions", "highlights": "Much liked"}
_SUMMARY: Final = {
    "majorReactions": "Reactions",
    "positivePoints": "Strong points",
    "weakPoints": "Weak points",
}
_QUOTES: Final = 2

_Items = Sequence[Mapping[str, Any]]
_Evidence = Mapping[str, Comment]


def sheet_text(sheet: VideoSheet, now: datetime) -> str:
    """All that there is of a video."""
    return "\n".join(map(safe_text, _lines(sheet, now)))


def _lines(sheet: VideoSheet, now: datetime) -> Iterator[str]:
    yield from _head_lines(sheet)
    yield ""
    if sheet.result is None:
        yield from _unanalysed_lines(sheet)
        return
    document = sheet.result.document
    yield from _basis_lines(sheet, sheet.result, now)
    job = sheet.last_job
    if job is not None and job.status != "completed":
        yield f"last job  {job.job_id}: {job_line(job)}"
    yield from ["", "FACTS, counted in the comments", ""]
    yield from _fact_lines(document, sheet.evidence)
    yield from ["", f"SUGGESTIONS, an opinion of {_author(document['meta'])}", ""]
    yield from _suggestion_lines(document, sheet.evidence)


def _unanalysed_lines(sheet: VideoSheet) -> Iterator[str]:
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


def _head_lines(sheet: VideoSheet) -> Iterator[str]:
    if sheet.snapshot is None:
        is_new = sheet.result is None
        yield sheet.video_id if is_new else f"{sheet.video_id} (its title is not kept any more)"
        return
    video = sheet.snapshot.video
    yield video.title or video.video_id
    yield f"https://www.youtube.com/watch?v={video.video_id}"
    counts = {"views": video.view_count, "likes": video.like_count, "comments": video.comment_count}
    parts = [sheet.channel.title] if sheet.channel else []
    parts += [f"{video.published_at:%Y-%m-%d}"] if video.published_at else []
    parts += [_timecode(video.duration_sec)] if video.duration_sec else []
    parts += [f"{count:,} {name}" for name, count in counts.items() if count is not None]
    if parts:
        yield " · ".join(parts)


def _basis_lines(sheet: VideoSheet, result: VideoResult, now: datetime) -> Iterator[str]:
    """When and how the analysis was made, what it is based on, and what it cost."""
    meta, usage = result.document["meta"], result.usage
    made = f"{ago(result.created_at, now)}, {time_text(result.created_at)}"
    yield f"analysed  {made}; {_freshness(sheet)}"
    yield f"version   {result.analysis_version}: {_author(meta)}, score {result.score_version}"
    basis = ", ".join(result.analysis_basis) or "nothing"
    comments = count_text(result.comment_sample_count, "comment")
    yield f"rests on  {basis}; {comments}, from {meta['source']}"
    units = count_text(usage.units, "unit")
    tokens = count_text(usage.input_tokens + usage.output_tokens, "token")
    yield f"cost      {units} of YouTube's, {tokens}, {_money(usage.cost_usd)}"
    yield from (f"warning   {each}" for each in meta["warnings"])
    others = [each for each in sheet.history if each.id != result.id][:_OTHERS]
    if others:
        versions = [f"{each.analysis_version} of {time_text(each.created_at)}" for each in others]
        yield f"others    {', '.join(versions)}"


def _freshness(sheet: VideoSheet) -> str:
    if sheet.result is None:
        return ""
    until, why = time_text(sheet.result.expires_at), sheet.result.ttl_reason
    shorter = f" (less than a day: {why})" if why else ""
    if sheet.is_fresh:
        return f"fresh until {until}{shorter}"
    return f"stale since {until}{shorter}: gotgan videos analyse {sheet.video_id} --wait"


def _author(meta: Mapping[str, Any]) -> str:
    prompt = f", prompt {meta['promptVersion']}" if meta["promptVersion"] else ""
    return f"{meta['analyser']} ({meta['model']}{prompt})"


# Facts: figures, and the comments that they were counted in


def _fact_lines(document: Mapping[str, Any], evidence: _Evidence) -> Iterator[str]:
    """All facts; of long lists the first, for --json has the rest."""
    yield from sentiment_lines(document["sentiment"])
    if document["spam"]:
        yield f"  left out as spam: {document['spam']:,}"
    yield from _keyword_lines(document["keywords"])
    yield from _topic_lines(document["topics"], evidence)
    for name, title in _FOUND.items():
        yield from _found_lines(title, document[name], evidence)
    yield from _moment_lines(document["moments"], evidence)


def sentiment_lines(sentiment: Mapping[str, Any] | None) -> Iterator[str]:
    """How the comments sound, as bars."""
    if sentiment is None:
        yield "Sentiment: there are no comments to count"
        return
    yield f"Sentiment of {count_text(sentiment['n'], 'comment')}: net {sentiment['net']:+.2f}"
    yield from (f"  {name:<8}  {bar_text(share)}" for name, share in sentiment["shares"].items())
    yield f"  {sentiment['method']}"


def _keyword_lines(keywords: _Items) -> Iterator[str]:
    if keywords:
        words = [f"{each['word']} {each['count']:,}" for each in keywords[:_KEYWORDS]]
        yield from _heading_lines("Keywords", keywords, _KEYWORDS)
        yield f"  {' · '.join(words)}"


def _topic_lines(topics: _Items, evidence: _Evidence) -> Iterator[str]:
    yield from _heading_lines("Topics", topics, _MAX_SHOWN)
    for topic in topics[:_MAX_SHOWN]:
        parts = [f"{count:,} {name}" for name, count in topic["sentiment"].items() if count]
        yield f"  {topic['label']}: {count_text(topic['count'], 'comment')}, {', '.join(parts)}"
        yield from (f"    {_comment_quote(each, evidence)}" for each in topic["evidence"][:1])


def _found_lines(title: str, found: _Items, evidence: _Evidence) -> Iterator[str]:
    yield from _heading_lines(title, found, _MAX_SHOWN)
    for each in found[:_MAX_SHOWN]:
        yield f"  {each['label']:<8}  {_comment_quote(each['commentId'], evidence)}"


def _moment_lines(moments: _Items, evidence: _Evidence) -> Iterator[str]:
    yield from _heading_lines("Moments", moments, _MAX_SHOWN)
    for each in moments[:_MAX_SHOWN]:
        quotes = [_comment_quote(one, evidence) for one in each["evidence"][:1]]
        place, count = f"  {_timecode(each['seconds']):>7}", count_text(each["count"], "comment")
        yield "  ".join([place, count, *quotes])


def _heading_lines(title: str, items: Sequence[Any], shown: int) -> Iterator[str]:
    if items:
        more = f" (the first {shown} of {len(items)})" if len(items) > shown else ""
        yield from ["", f"{title}{more}"]


# Suggestions, each with the comments that it refers to


def _suggestion_lines(document: Mapping[str, Any], evidence: _Evidence) -> Iterator[str]:
    summary, meta = document["summary"], document["meta"]
    yield from (f"{title:<13}  {summary[name]}" for name, title in _SUMMARY.items())
    if meta["languageSummary"]:
        yield f"{'Languages':<13}  {meta['languageSummary']}"
    yield from _numbered_lines("Ideas for other videos", document["contentIdeas"], evidence)
    yield from _numbered_lines("Other titles for this one", document["titleSuggestions"], evidence)
    if document["recommendedKeywords"]:
        yield from ["", "Keywords to use", f"  {' · '.join(document['recommendedKeywords'])}"]


def _numbered_lines(heading: str, items: _Items, evidence: _Evidence) -> Iterator[str]:
    if items:
        yield from ["", heading]
    for number, item in enumerate(items, 1):
        yield f"  {number}. {item['title']}"
        if "description" in item:
            yield f"     {item['description']}"
        quotes = [_comment_quote(each, evidence) for each in item["evidence"][:_QUOTES]]
        yield from (f"     rests on {quote}" for quote in quotes)


# Small pieces


def ago(then: datetime, now: datetime) -> str:
    """How long ago something was."""
    passed = now - then
    if passed < _MINUTE:
        return "just now"
    if passed < _HOUR:
        return f"{passed // _MINUTE} min ago"
    return f"{passed // _HOUR} h ago" if passed < 2 * _DAY else f"{passed // _DAY} days ago"


def bar_text(share: float) -> str:
    """A share as a bar, and in percent."""
    full = round(share * _BAR_WIDTH)
    return f"{'█' * full}{'░' * (_BAR_WIDTH - full)} {share:4.0%}"


def _timecode(seconds: int) -> str:
    """A place in a video, or its length: ``2:14`` or ``1:02:14``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _money(usd: float | None) -> str:
    if usd is None:
        return "at a price that nobody knows"
    return f"${usd:.6f}" if usd else "no money"


def _comment_quote(comment_id: str, evidence: _Evidence) -> str:
    """A comment in its own words; its id where they are not kept any more."""
    comment = evidence.get(comment_id)
    if comment is None:
        return f"{comment_id} (its words are not kept any more)"
    return f"“{one_line(comment.text, _QUOTE_WIDTH)}” ({count_text(comment.likes, 'like')})"


def one_line(text: str, most: int) -> str:
    """A text on one line, and not longer than that."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def job_line(job: VideoJob) -> str:
    """The state of a job, in a line."""
    if job.status == "failed":
        return f"failed: {job.error_message} [{job.error_code}]"
    if job.status == "completed":
        return "completed"
    if job.status == "queued":
        return _queued_line(job)
    step = (job.step or "").replace("_", " ")
    parts = [f"processing, attempt {job.attempts}", f"{job.progress or 0} %", step, job.message]
    return "  ".join(part for part in parts if part)


def _queued_line(job: VideoJob) -> str:
    """A job that waits for a worker, or for the time of its next attempt."""
    if not job.attempts or job.due_at is None:
        return "queued: waiting for a worker (gotgan up, or gotgan videos work)"
    when = f"queued: next attempt from {time_text(job.due_at, seconds=True)}"
    return f"{when}  {job.message}" if job.message else when
