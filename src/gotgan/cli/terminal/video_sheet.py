"""A video as a page for people: what it is, what its analysis rests on, facts, suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from gotgan.cli.grid import safe
from gotgan.cli.moments import moment
from gotgan.cli.terminal.video_text import age, bar, cost, counted, job_line, quote, way
from gotgan.domains.videos.models import Comment
from gotgan.domains.videos.reports import VideoResult, VideoSheet

__all__ = ["sentiment_lines", "sheet_text"]

_OTHERS: Final = 5
_SHOWN: Final = 5
_KEYWORDS: Final = 12
_FOUND: Final = {"requests": "Requests", "questions": "Questions", "highlights": "Much liked"}
_SUMMARY: Final = {
    "majorReactions": "Reactions",
    "positivePoints": "Strong points",
    "weakPoints": "Weak points",
}
_QUOTES: Final = 2


def sheet_text(sheet: VideoSheet, now: datetime) -> str:
    """All that there is of a video."""
    return "\n".join(map(safe, _lines(sheet, now)))


def _lines(sheet: VideoSheet, now: datetime) -> Iterator[str]:
    yield from _head(sheet)
    yield ""
    if sheet.result is None:
        yield from _without_result(sheet)
        return
    document = sheet.result.document
    yield from _ground(sheet, sheet.result, now)
    yield from _last_job(sheet)
    yield from ["", "FACTS, counted in the comments", ""]
    yield from _fact_lines(document, sheet.evidence)
    yield from ["", f"SUGGESTIONS, an opinion of {_who(document['meta'])}", ""]
    yield from _suggestion_lines(document, sheet.evidence)


def _without_result(sheet: VideoSheet) -> Iterator[str]:
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


def _head(sheet: VideoSheet) -> Iterator[str]:
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


def _ground(sheet: VideoSheet, result: VideoResult, now: datetime) -> Iterator[str]:
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


def _state(sheet: VideoSheet) -> str:
    """Whether it is given again."""
    if sheet.result is None:
        return ""
    until, why = moment(sheet.result.expires_at), sheet.result.ttl_reason
    shorter = f" (less than a day: {why})" if why else ""
    if sheet.is_fresh:
        return f"fresh until {until}{shorter}"
    return f"stale since {until}{shorter}: gotgan videos analyse {sheet.video_id} --wait"


def _last_job(sheet: VideoSheet) -> Iterator[str]:
    """The latest job, where it is no reason for what is shown."""
    job = sheet.last_job
    if job is not None and job.status != "completed":
        yield f"last job  {job.job_id}: {job_line(job)}"


def _who(meta: Mapping[str, Any]) -> str:
    prompt = f", prompt {meta['promptVersion']}" if meta["promptVersion"] else ""
    return f"{meta['analyser']} ({meta['model']}{prompt})"


# Facts: figures, and the comments that they were counted in


def _fact_lines(document: Mapping[str, Any], evidence: Mapping[str, Comment]) -> Iterator[str]:
    """All facts; of long lists the first, for --json has the rest."""
    yield from sentiment_lines(document["sentiment"])
    if document["spam"]:
        yield f"  left out as spam: {document['spam']:,}"
    yield from _keywords(document["keywords"])
    yield from _topics(document["topics"], evidence)
    for name, title in _FOUND.items():
        yield from _found(title, document[name], evidence)
    yield from _moments(document["moments"], evidence)


def sentiment_lines(sentiment: Mapping[str, Any] | None) -> Iterator[str]:
    """How the comments sound, as bars."""
    if sentiment is None:
        yield "Sentiment: there are no comments to count"
        return
    yield f"Sentiment of {counted(sentiment['n'], 'comment')}: net {sentiment['net']:+.2f}"
    yield from (f"  {name:<8}  {bar(share)}" for name, share in sentiment["shares"].items())
    yield f"  {sentiment['method']}"


def _keywords(keywords: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    if keywords:
        words = [f"{each['word']} {each['count']:,}" for each in keywords[:_KEYWORDS]]
        yield from _titled("Keywords", keywords, _KEYWORDS)
        yield f"  {' · '.join(words)}"


def _topics(topics: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]) -> Iterator[str]:
    yield from _titled("Topics", topics, _SHOWN)
    for topic in topics[:_SHOWN]:
        parts = [f"{count:,} {name}" for name, count in topic["sentiment"].items() if count]
        yield f"  {topic['label']}: {counted(topic['count'], 'comment')}, {', '.join(parts)}"
        yield from (f"    {quote(each, evidence)}" for each in topic["evidence"][:1])


def _found(
    title: str, found: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]
) -> Iterator[str]:
    yield from _titled(title, found, _SHOWN)
    for each in found[:_SHOWN]:
        yield f"  {each['label']:<8}  {quote(each['commentId'], evidence)}"


def _moments(
    moments: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]
) -> Iterator[str]:
    yield from _titled("Moments", moments, _SHOWN)
    for each in moments[:_SHOWN]:
        told = [quote(one, evidence) for one in each["evidence"][:1]]
        yield "  ".join([f"  {way(each['seconds']):>7}", counted(each["count"], "comment"), *told])


def _titled(title: str, items: Sequence[Any], shown: int) -> Iterator[str]:
    """The head of a list, where there is one, and how much of it is left out."""
    if items:
        more = f" (the first {shown} of {len(items)})" if len(items) > shown else ""
        yield from ["", f"{title}{more}"]


# Suggestions, each with the comments that it refers to


def _suggestion_lines(
    document: Mapping[str, Any], evidence: Mapping[str, Comment]
) -> Iterator[str]:
    """All that an analyser says."""
    summary, meta = document["summary"], document["meta"]
    yield from (f"{title:<13}  {summary[name]}" for name, title in _SUMMARY.items())
    if meta["languageSummary"]:
        yield f"{'Languages':<13}  {meta['languageSummary']}"
    yield from _ideas(document["contentIdeas"], evidence)
    yield from _titles(document["titleSuggestions"], evidence)
    if document["recommendedKeywords"]:
        yield from ["", "Keywords to use", f"  {' · '.join(document['recommendedKeywords'])}"]


def _ideas(ideas: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]) -> Iterator[str]:
    if ideas:
        yield from ["", "Ideas for other videos"]
    for number, idea in enumerate(ideas, 1):
        yield f"  {number}. {idea['title']}"
        yield f"     {idea['description']}"
        yield from _quotes(idea["evidence"], evidence)


def _titles(titles: Sequence[Mapping[str, Any]], evidence: Mapping[str, Comment]) -> Iterator[str]:
    if titles:
        yield from ["", "Other titles for this one"]
    for number, title in enumerate(titles, 1):
        yield f"  {number}. {title['title']}"
        yield from _quotes(title["evidence"], evidence)


def _quotes(ids: Sequence[str], evidence: Mapping[str, Comment]) -> Iterator[str]:
    yield from (f"     rests on {quote(each, evidence)}" for each in ids[:_QUOTES])
