"""``gotgan videos import``: videos and comments from files, which is the way without a key."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import click

from gotgan.cli.grid import safe
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output
from gotgan.cli.ticker import written_over
from gotgan.cli.videos_text import counted, cut
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.domains.videos.reports import Imported

__all__ = ["command"]

_DASH: Final = "-"
_LONGEST: Final = 60


@click.command("import")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, readable=True, allow_dash=True),
    metavar="FILE...",
)
@click.option(
    "--video",
    metavar="URL_OR_ID",
    help="Which video files are about that do not say so themselves.",
)
@click.pass_obj
def command(output: Output, *, files: Sequence[str], video: str | None) -> None:
    """Keep videos and comments from files.

    Saved answers of YouTube's API, the .info.json of yt-dlp, the JSON of youtube-comment-downloader
    (with --video), or a table with the columns video_id and text; - is standard input. All of it is
    checked before anything is kept.
    """
    from gotgan.domains.videos.report_records import imported_record

    with opened_videos(output) as videos, written_over(output) as show:
        imported = videos.import_files(_read(files, show), video=video)
    output.say(
        "\n".join(map(safe, _lines(imported))),
        items=[imported_record(each) for each in imported],
    )


def _read(files: Sequence[str], show: Callable[[str], None]) -> Iterator[tuple[str, bytes]]:
    """One file after the other, so that only one is in memory."""
    for number, name in enumerate(files, 1):
        show(f"{number}/{len(files)}  {name}")
        if name == _DASH:
            yield "standard input", _some(sys.stdin.buffer)
        else:
            yield name, _content(Path(name))


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return _some(file)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


def _some(file: BinaryIO) -> bytes:
    """Its content, or as much as is needed to see that it is too large."""
    from gotgan.domains.videos.sources.imported import LARGEST_FILE

    return file.read(LARGEST_FILE + 1)


def _lines(imported: Sequence[Imported]) -> list[str]:
    return [
        *map(_line, imported),
        "",
        f"gotgan videos analyse {imported[0].video_id} --wait   # analyses it",
    ]


def _line(each: Imported) -> str:
    comments = counted(each.comments, "comment")
    return f"{each.video_id}  {comments}  {cut(each.title, _LONGEST)}".rstrip()
