"""Where things of videos are: pages of ours, and places in a video at YouTube."""

from __future__ import annotations

from urllib.parse import urlencode

__all__ = ["LIST", "clock", "job_page", "video_page", "watch"]

LIST = "/videos"


def video_page(video_id: str, **query: str) -> str:
    """The page of a video."""
    return f"{LIST}/{video_id}{f'?{urlencode(query)}' if query else ''}"


def job_page(job_id: str) -> str:
    """The page of a job."""
    return f"{LIST}/jobs/{job_id}"


def watch(video_id: str, seconds: int | None = None) -> str:
    """The video itself, from its beginning or from some place on."""
    query = {"v": video_id, **({} if seconds is None else {"t": f"{seconds}s"})}
    return f"https://www.youtube.com/watch?{urlencode(query)}"


def clock(seconds: int) -> str:
    """A place in a video as its player shows it: 2:14, or 1:02:03."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
