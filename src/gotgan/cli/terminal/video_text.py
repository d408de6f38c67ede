"""Small pieces of the texts about videos."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from gotgan.cli.moments import moment
from gotgan.domains.videos.models import Comment, VideoJob

__all__ = ["age", "bar", "cost", "counted", "cut", "job_line", "quote", "way"]

_BAR: Final = 30
_QUOTED: Final = 110
_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)


def counted(number: int, noun: str) -> str:
    """How many there are of something."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def age(then: datetime, now: datetime) -> str:
    """How long ago something was."""
    passed = now - then
    if passed < _MINUTE:
        return "just now"
    if passed < _HOUR:
        return f"{passed // _MINUTE} min ago"
    return f"{passed // _HOUR} h ago" if passed < 2 * _DAY else f"{passed // _DAY} days ago"


def bar(share: float) -> str:
    """A share as a bar, and in percent."""
    full = round(share * _BAR)
    return f"{'█' * full}{'░' * (_BAR - full)} {share:4.0%}"


def way(seconds: int) -> str:
    """A place in a video, or its length: ``2:14`` or ``1:02:14``."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def cost(units: int, tokens: int, usd: float | None) -> str:
    """What an analysis cost."""
    return f"{counted(units, 'unit')} of YouTube's, {counted(tokens, 'token')}, {_money(usd)}"


def _money(usd: float | None) -> str:
    if usd is None:
        return "at a price that nobody knows"
    return f"${usd:.6f}" if usd else "no money"


def quote(comment_id: str, evidence: Mapping[str, Comment]) -> str:
    """A comment in its own words; its id where they are not kept any more."""
    comment = evidence.get(comment_id)
    if comment is None:
        return f"{comment_id} (its words are not kept any more)"
    return f"“{cut(comment.text, _QUOTED)}” ({counted(comment.likes, 'like')})"


def cut(text: str, most: int) -> str:
    """A text on one line, and not longer than that."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def job_line(job: VideoJob) -> str:
    """How a job stands, in a line."""
    if job.status == "failed":
        return f"failed: {job.error_message} [{job.error_code}]"
    if job.status == "completed":
        return "completed"
    if job.status == "queued":
        return _queued_line(job)
    told: list[Any] = [f"processing, attempt {job.attempts}", f"{job.progress or 0} %"]
    told += [job.step.replace("_", " ")] if job.step else []
    told += [job.message] if job.message else []
    return "  ".join(told)


def _queued_line(job: VideoJob) -> str:
    """A job that waits for a worker, or for the time of its next attempt."""
    if not job.attempts or job.due_at is None:
        return "queued: waiting for a worker (gotgan up, or gotgan videos work)"
    when = f"queued: next attempt from {moment(job.due_at, seconds=True)}"
    return f"{when}  {job.message}" if job.message else when
