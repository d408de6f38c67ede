"""``gotgan videos list``: videos, the latest first."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli.grid import grid
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.options import limit_option
from gotgan.cli.output import Output
from gotgan.cli.videos_text import age

if TYPE_CHECKING:
    from gotgan.domains.videos.listing import Line

__all__ = ["command"]

_COLUMNS: Final = ("video", "title", "analysed", "state", "version", "comments", "last job")
_NONE: Final = (
    "There are no videos here; gotgan videos analyse URL has one analysed, and "
    "gotgan videos import FILE brings some without a key."
)


@click.command("list")
@limit_option("How many.", 20, 1000)
@click.option("--cursor", help="Where the page before ended.")
@click.pass_obj
def command(output: Output, *, limit: int, cursor: str | None) -> None:
    """List videos, the latest first.

    Fresh is an analysis that is given again; stale is one that is too old for that.
    """
    from gotgan.domains.videos.records import line_record

    with opened_videos(output) as videos:
        now, page = videos.now(), videos.page(limit=limit, cursor=cursor)
    rows = [_row(line, now) for line in page.items]
    text = grid(rows, _COLUMNS) if rows else _NONE
    if page.cursor is not None:
        text = f"{text}\n\nThere are more: --cursor {page.cursor}"
    output.say(text, items=[line_record(line, now) for line in page.items], cursor=page.cursor)


def _row(line: Line, now: datetime) -> dict[str, Any]:
    row = {
        "video": line.video_id,
        "title": line.title or "",
        "last job": line.error_code or line.status or "",
    }
    if line.analysed_at is None or line.expires_at is None:
        return row | {"analysed": "never"}
    return row | {
        "analysed": age(line.analysed_at, now),
        "state": "fresh" if now < line.expires_at else "stale",
        "version": line.analysis_version or "",
        "comments": f"{line.comment_sample_count or 0:,}",
    }
