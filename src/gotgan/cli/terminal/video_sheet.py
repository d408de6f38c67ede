"""A video as text: what it is, what its analysis is based on, facts and suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from gotgan.cli.format import count_text, time_text
from gotgan.cli.reader import later, rendered, tr
from gotgan.cli.table import padded, safe_text
from gotgan.domains.videos.documents import sentiment_counts
from gotgan.domains.videos.metrics.measurements import whole_percents
from gotgan.domains.videos.models import Comment, VideoJob
from gotgan.domains.videos.reports import VideoResult, VideoSheet

_BAR_WIDTH: Final = 30
_QUOTE_WIDTH: Final = 110
_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_MAX_OTHERS: Final = 5
_MAX_SHOWN: Final = 5
_MAX_KEYWORDS: Final = 12
_FOUND: Final = {
    "requests": later("Requests"),
    "questions": later("Questions"),
    "highlights": later("Most liked"),
}
_SUMMARY: Final = {
    "majorReactions": later("Reactions"),
    "positivePoints": later("Strong points"),
    "weakPoints": later("Weak points"),
}
_MAX_QUOTES: Final = 2

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
        yield _labelled_line("last job", f"{job.job_id}: {job_line(job)}")
    yield from ["", tr("FACTS, counted in the comments"), ""]
    yield from _fact_lines(document, sheet.evidence)
    author = _author(document["meta"])
    yield from ["", tr("SUGGESTIONS by {author}", author=author), ""]
    yield from _suggestion_lines(document, sheet.evidence)


def _unanalysed_lines(sheet: VideoSheet) -> Iterator[str]:
    """What the job of a video is doing that has no result yet, and what to do next."""
    job, again = sheet.last_job, f"gotgan videos analyse {sheet.video_id} --wait"
    if job is None or job.status == "completed":
        yield tr("Not analysed yet: {command}", command=again)
        return
    line = job_line(job)
    yield f"{line[0].upper()}{line[1:]}"
    yield _labelled_line("job", job.job_id)
    if job.status == "failed":
        yield f"  {again}   # {tr('tries again')}"
    else:
        yield wait_line(job)


def _head_lines(sheet: VideoSheet) -> Iterator[str]:
    if sheet.snapshot is None:
        is_new = sheet.result is None
        text = "{video} (title deleted after 30 days)"
        yield sheet.video_id if is_new else tr(text, video=sheet.video_id)
        return
    video = sheet.snapshot.video
    yield video.title or video.video_id
    yield f"https://www.youtube.com/watch?v={video.video_id}"
    counts = {
        later("views"): video.view_count,
        later("likes"): video.like_count,
        later("comments"): video.comment_count,
    }
    parts = [sheet.channel.title] if sheet.channel else []
    parts += [f"{video.published_at:%Y-%m-%d}"] if video.published_at else []
    parts += [_timecode(video.duration_sec)] if video.duration_sec else []
    parts += [count_text(count, name) for name, count in counts.items() if count is not None]
    if parts:
        yield " · ".join(parts)


def _basis_lines(sheet: VideoSheet, result: VideoResult, now: datetime) -> Iterator[str]:
    """When and how the analysis was made, what it is based on, and what it cost."""
    meta, usage = result.document["meta"], result.usage
    made = f"{ago(result.created_at, now)}, {time_text(result.created_at)}"
    yield _labelled_line("analysed", f"{made}; {_freshness(sheet)}")
    text = "{version}: {author}, score {score}"
    named = {"version": result.analysis_version, "score": result.score_version}
    yield _labelled_line("version", tr(text, author=_author(meta), **named))
    text = "{basis}; {count:comment|comments}, from {source}"
    basis = ", ".join(map(tr, result.analysis_basis)) or tr("nothing")
    count = result.comment_sample_count
    yield _labelled_line("based on", tr(text, basis=basis, count=count, source=tr(meta["source"])))
    cost = tr(
        "{units:YouTube unit|YouTube units}, {tokens:token|tokens}, {money}",
        units=usage.units,
        tokens=usage.input_tokens + usage.output_tokens,
        money=_money(usage.cost_usd),
    )
    yield _labelled_line("cost", cost)
    yield from (_labelled_line("warning", rendered(each)) for each in meta["warnings"])
    others = [each for each in sheet.history if each.id != result.id][:_MAX_OTHERS]
    if others:
        text = "{version} of {time}"
        versions = [
            tr(text, version=each.analysis_version, time=time_text(each.created_at))
            for each in others
        ]
        yield _labelled_line("others", ", ".join(versions))


def _freshness(sheet: VideoSheet) -> str:
    if sheet.result is None:
        return ""
    until, why = time_text(sheet.result.expires_at), sheet.result.ttl_reason
    shorter = tr(" (less than a day: {why})", why=why) if why else ""
    if sheet.is_fresh:
        return tr("fresh until {time}", time=until) + shorter
    stale = tr("stale since {time}", time=until)
    return f"{stale}{shorter}: gotgan videos analyse {sheet.video_id} --wait"


def _author(meta: Mapping[str, Any]) -> str:
    prompt = meta["promptVersion"]
    parts = [meta["model"], *([tr("prompt {version}", version=prompt)] if prompt else [])]
    return f"{meta['analyser']} ({', '.join(parts)})"


# Facts: figures, and the comments that they were counted in


def _fact_lines(document: Mapping[str, Any], evidence: _Evidence) -> Iterator[str]:
    """All facts; of long lists the first, for --json has the rest."""
    yield from sentiment_lines(document["sentiment"])
    if document["spam"]:
        yield "  " + tr("left out as spam: {count}", count=document["spam"])
    yield from _keyword_lines(document["keywords"])
    yield from _topic_lines(document["topics"], evidence)
    for name, title in _FOUND.items():
        yield from _found_lines(title, document[name], evidence)
    yield from _moment_lines(document["moments"], evidence)


def sentiment_lines(sentiment: Mapping[str, Any] | None) -> Iterator[str]:
    """How the comments sound, as bars."""
    if sentiment is None:
        yield tr("Sentiment: there are no comments to count")
        return
    percents = whole_percents(sentiment_counts(sentiment))
    net = f"{(percents['positive'] - percents['negative']) / 100:+.2f}"
    yield tr("Sentiment of {count:comment|comments}: net {net}", count=sentiment["n"], net=net)
    yield from (
        f"  {padded(tr(name), 8)}  {bar_text(each / 100)}" for name, each in percents.items()
    )
    yield f"  {rendered(sentiment['method'])}"


def _keyword_lines(keywords: _Items) -> Iterator[str]:
    if keywords:
        words = [f"{each['word']} {each['count']:,}" for each in keywords[:_MAX_KEYWORDS]]
        yield from _heading_lines(tr("Keywords"), keywords, _MAX_KEYWORDS)
        yield f"  {' · '.join(words)}"


def _topic_lines(topics: _Items, evidence: _Evidence) -> Iterator[str]:
    yield from _heading_lines(tr("Topics"), topics, _MAX_SHOWN)
    for topic in topics[:_MAX_SHOWN]:
        parts = [count_text(count, name) for name, count in topic["sentiment"].items() if count]
        comments = tr("{count:comment|comments}", count=topic["count"])
        yield f"  {topic['label']}: {', '.join([comments, *parts])}"
        yield from (f"    {_comment_quote(each, evidence)}" for each in topic["evidence"][:1])


def _found_lines(title: str, found: _Items, evidence: _Evidence) -> Iterator[str]:
    yield from _heading_lines(tr(title), found, _MAX_SHOWN)
    for each in found[:_MAX_SHOWN]:
        yield f"  {padded(tr(each['label']), 8)}  {_comment_quote(each['commentId'], evidence)}"


def _moment_lines(moments: _Items, evidence: _Evidence) -> Iterator[str]:
    yield from _heading_lines(tr("Moments"), moments, _MAX_SHOWN)
    for each in moments[:_MAX_SHOWN]:
        quotes = [_comment_quote(one, evidence) for one in each["evidence"][:1]]
        place, count = (
            f"  {_timecode(each['seconds']):>7}",
            tr("{count:comment|comments}", count=each["count"]),
        )
        yield "  ".join([place, count, *quotes])


def _heading_lines(title: str, items: Sequence[Any], shown: int) -> Iterator[str]:
    if items:
        yield from ["", title_text(title, shown, len(items))]


def title_text(title: str, shown: int, total: int) -> str:
    """A title, and how many of the items below it are shown if not all are."""
    if total <= shown:
        return title
    return tr("{title} (the first {shown} of {total})", title=title, shown=shown, total=total)


# Suggestions, each with the comments that it refers to


def _suggestion_lines(document: Mapping[str, Any], evidence: _Evidence) -> Iterator[str]:
    summary, meta = document["summary"], document["meta"]
    yield from (f"{padded(tr(title), 13)}  {summary[name]}" for name, title in _SUMMARY.items())
    if meta["languageSummary"]:
        yield f"{padded(tr('Languages'), 13)}  {meta['languageSummary']}"
    yield from _numbered_lines(tr("Ideas for other videos"), document["contentIdeas"], evidence)
    titles = document["titleSuggestions"]
    yield from _numbered_lines(tr("Other titles for this one"), titles, evidence)
    if document["recommendedKeywords"]:
        yield from ["", tr("Keywords to use"), f"  {' · '.join(document['recommendedKeywords'])}"]


def _numbered_lines(heading: str, items: _Items, evidence: _Evidence) -> Iterator[str]:
    if items:
        yield from ["", heading]
    for number, item in enumerate(items, 1):
        yield f"  {number}. {item['title']}"
        if "description" in item:
            yield f"     {item['description']}"
        quotes = [_comment_quote(each, evidence) for each in item["evidence"][:_MAX_QUOTES]]
        yield from (f"     {tr('based on')} {quote}" for quote in quotes)


# Small pieces


def ago(then: datetime, now: datetime) -> str:
    """How long ago something was."""
    passed = now - then
    if passed < _MINUTE:
        return tr("just now")
    if passed < _HOUR:
        return tr("{count} min ago", count=passed // _MINUTE)
    if passed < 2 * _DAY:
        return tr("{count} h ago", count=passed // _HOUR)
    return tr("{count} days ago", count=passed // _DAY)


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
        return tr("at an unknown price")
    return f"${usd:.6f}" if usd else "$0"


def _comment_quote(comment_id: str, evidence: _Evidence) -> str:
    """A comment in its own words; its id where they are not kept any more."""
    comment = evidence.get(comment_id)
    if comment is None:
        return tr("{comment} (text deleted after 30 days)", comment=comment_id)
    likes = tr("{count:like|likes}", count=comment.likes)
    return f"“{one_line(comment.text, _QUOTE_WIDTH)}” ({likes})"


def one_line(text: str, most: int) -> str:
    """A text on one line, and not longer than that."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def job_line(job: VideoJob) -> str:
    """The state of a job, in a line."""
    if job.status == "failed":
        why = rendered(job.error_message or "")
        return tr("failed: {why} [{code}]", why=why, code=job.error_code)
    if job.status == "completed":
        return tr("completed")
    if job.status == "queued":
        return _queued_line(job)
    step = tr((job.step or "").replace("_", " "))
    head = tr("processing, attempt {number}", number=job.attempts)
    parts = [head, f"{job.progress or 0} %", step, rendered(job.message or "")]
    return "  ".join(part for part in parts if part)


def wait_line(job: VideoJob) -> str:
    """The command that runs a job."""
    comment = tr("runs it here, unless a worker has it")
    return f"  gotgan videos job {job.job_id} --wait   # {comment}"


def _labelled_line(label: str, text: str) -> str:
    return f"{padded(tr(label), 8)}  {text}"


def _queued_line(job: VideoJob) -> str:
    """A job that waits for a worker, or for the time of its next attempt."""
    if not job.attempts or job.due_at is None:
        return tr("queued: waiting for a worker (gotgan up, or gotgan videos work)")
    when = tr("queued: next attempt from {time}", time=time_text(job.due_at, seconds=True))
    return f"{when}  {rendered(job.message)}" if job.message else when
