"""``gotgan videos work``: jobs, done by this process as they come."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import click

from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output
from gotgan.cli.videos_text import counted

if TYPE_CHECKING:
    from gotgan.domains.videos.service import Videos

__all__ = ["command"]


@click.command("work")
@click.option("--once", is_flag=True, help="Do what is due now, and end.")
@click.option(
    "--at-once",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="How many jobs at once.",
)
@click.pass_obj
def command(output: Output, *, once: bool, at_once: int) -> None:
    """Do jobs as they come, until you stop it.

    In any number of processes: each job is in one's hands at a time. Ctrl-C ends it and gives jobs
    back. GOTGAN_LOG=info tells of every job that ended.
    """
    with opened_videos(output) as videos:
        if once:
            made = _drain(videos, at_once)
            output.say(f"made {counted(made, 'attempt')}; nothing more is due", attempts=made)
            return
        text = f"It does jobs as they come, {at_once} at once. Ctrl-C stops it."
        output.say(text, event="working", atOnce=at_once)
        with contextlib.suppress(KeyboardInterrupt), videos.workers(at_once):
            threading.Event().wait()  # Ctrl-C is the way to stop it, no failure


def _drain(videos: Videos, at_once: int) -> int:
    """Do all that is due; give how many attempts that took."""
    with ThreadPoolExecutor(at_once) as pool:
        working = [pool.submit(videos.work) for _ in range(at_once)]
        try:
            return sum(each.result() for each in working)
        except KeyboardInterrupt:
            videos.close()  # so that attempts give their jobs back; the pool waits for them
            raise
