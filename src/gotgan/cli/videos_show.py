"""``gotgan videos show``: a video, what was counted, and what was suggested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.domains.videos.sheets import Sheet

__all__ = ["command"]


@click.command("show")
@click.argument("video", metavar="URL_OR_ID")
@click.option("--version", metavar="v1", help="The latest result of this version; else of all.")
@click.option(
    "--shape",
    type=click.Choice(["1", "2"]),
    help="With --json: 1 is the contract's result alone, 2 is all that there is; else 2.",
)
@click.pass_obj
def command(output: Output, *, video: str, version: str | None, shape: str | None) -> None:
    """Show a video, and what was made of it.

    Facts are counted in the comments. Suggestions are an analyser's opinion, and stand apart. The
    comments that both rest on are quoted for as long as they may be kept, which is thirty days.
    """
    from gotgan.cli.videos_sheet import sheet_text

    if shape is not None and not output.as_json:
        raise UsageError("--shape chooses between two shapes of JSON; give --json with it")
    with opened_videos(output) as videos:
        sheet, now = videos.show(video, version), videos.now()
    output.say(sheet_text(sheet, now), **_record(sheet, shape))


def _record(sheet: Sheet, shape: str | None) -> dict[str, Any]:
    from gotgan.domains.videos.records import result_1, sheet_record

    if shape != "1":
        return sheet_record(sheet)
    return result_1(sheet.expect_result(), cache_hit=sheet.is_fresh)
