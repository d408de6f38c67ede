"""``gotgan videos compare``: two videos side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.grid import safe
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output
from gotgan.cli.videos_facts import sentiment_lines
from gotgan.cli.videos_text import age

if TYPE_CHECKING:
    from datetime import datetime

    from gotgan.domains.videos.comparing import Comparison
    from gotgan.domains.videos.sheets import Sheet

__all__ = ["command"]

_SHOWN: Final = 20


@click.command("compare")
@click.argument("first", metavar="URL_OR_ID")
@click.argument("second", metavar="URL_OR_ID")
@click.pass_obj
def command(output: Output, *, first: str, second: str) -> None:
    """Show two videos side by side.

    By the latest result of each; both have to be analysed.
    """
    from gotgan.domains.videos.records import comparison_record

    with opened_videos(output) as videos:
        sheets, comparison = videos.compare(first, second)
        now = videos.now()
    lines = [*_sheets(sheets, now), *_shared(sheets, comparison)]
    output.say("\n".join(map(safe, lines)), **comparison_record(sheets, comparison))


def _sheets(sheets: tuple[Sheet, Sheet], now: datetime) -> Iterator[str]:
    for sheet in sheets:
        if sheet.result is not None:
            result, video = sheet.result, sheet.snapshot
            title = f"  {video.video.title}" if video else ""
            yield f"{sheet.video_id}{title}"
            state = "fresh" if sheet.is_fresh else "stale"
            yield f"analysed {age(result.created_at, now)}, {state}, {result.analysis_version}"
            yield from sentiment_lines(result.document["sentiment"])
            yield ""


def _shared(sheets: tuple[Sheet, Sheet], comparison: Comparison) -> Iterator[str]:
    first, second = (sheet.video_id for sheet in sheets)
    yield from _words("Keywords of both", comparison.shared_keywords)
    yield from _words(f"Only of {first}", comparison.only[0])
    yield from _words(f"Only of {second}", comparison.only[1])
    yield from _words("Topics of both", comparison.shared_topics)


def _words(title: str, words: Sequence[str]) -> Iterator[str]:
    more = f" (the first {_SHOWN} of {len(words)})" if len(words) > _SHOWN else ""
    yield f"{title}{more}"
    yield f"  {' · '.join(words[:_SHOWN]) or 'none'}"
