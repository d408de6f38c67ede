"""Waiting for a job: it is done here, unless somebody has it, and whoever looks on sees how far."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from gotgan.cli.output import Output
from gotgan.cli.ticker import written_over
from gotgan.cli.videos_text import job_line
from gotgan.errors import GotganError

if TYPE_CHECKING:
    from gotgan.domains.videos.jobs import Job
    from gotgan.domains.videos.service import Videos

__all__ = ["waited"]

_LOOK_EVERY: Final = 0.2


def waited(output: Output, videos: Videos, job: Job) -> Job:
    """A job when it has ended; whoever interrupts it gives it back."""
    with written_over(output) as show, _watched(videos, job, show):
        return videos.wait(job.job_id)


@contextlib.contextmanager
def _watched(videos: Videos, job: Job, show: Callable[[str], None]) -> Iterator[None]:
    """Show how a job stands while a block runs: the block itself has it in hand."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_EVERY):
            with contextlib.suppress(GotganError):  # the next look may find the database
                show(job_line(videos.job(job.job_id)))

    show(f"{job.video_id}: starting")
    thread = threading.Thread(target=watch, name="gotgan-videos-watch", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
