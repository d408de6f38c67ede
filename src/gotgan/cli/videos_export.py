"""``gotgan videos export``: results or comments, for other programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.domains.videos.service import Videos

__all__ = ["command"]


@click.command("export")
@click.argument("videos", nargs=-1, required=True, metavar="URL_OR_ID...")
@click.option("--comments", is_flag=True, help="The comments that are kept, each with its label.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "csv"]),
    default="json",
    show_default=True,
    help="JSON lines, or a table; results are no table.",
)
@click.pass_obj
def command(
    output: Output, *, videos: Sequence[str], comments: bool, form: Literal["json", "csv"]
) -> None:
    """Write results, or comments, for programs.

    To standard output: the latest result of each video in shape 2, one on each line. A comment has
    the label positive, neutral or negative, and none where it looks like spam. In a table, a cell
    that a spreadsheet would run as a formula begins with an apostrophe; gotgan videos import
    removes it.
    """
    if form == "csv" and not comments:
        raise UsageError("a result is no table; use --format json, or --comments")
    with opened_videos(output) as opened:
        if not comments:
            _write_lines(_results(opened, videos))
        elif form == "csv":
            _write_table(_comments(opened, videos))
        else:
            _write_lines(_comments(opened, videos))


def _results(opened: Videos, videos: Sequence[str]) -> list[dict[str, Any]]:
    """All of them, or none where one is missing."""
    from gotgan.domains.videos.records import result_2

    records = []
    for sheet in [opened.show(video) for video in videos]:
        result, fresh = sheet.expect_result(), sheet.is_fresh
        records.append(result_2(result, sheet.evidence, is_fresh=fresh, cache_hit=fresh))
    return records


def _comments(opened: Videos, videos: Sequence[str]) -> Iterator[dict[str, Any]]:
    from gotgan.domains.videos.keys import video_id_of
    from gotgan.domains.videos.records import exported_comment

    for video_id in map(video_id_of, videos):
        for comment, label in opened.comments(video_id):
            yield exported_comment(video_id, comment, label)


def _write_lines(records: Iterator[dict[str, Any]] | list[dict[str, Any]]) -> None:
    for record in records:
        sys.stdout.write(f"{json.dumps(record, ensure_ascii=False)}\n")


def _write_table(records: Iterator[dict[str, Any]]) -> None:
    from gotgan.csv_output import csv_lines
    from gotgan.domains.videos.sources.csv_comments import EXPORTED

    rows = ({column: record[name] for column, name in EXPORTED.items()} for record in records)
    for line in csv_lines(list(EXPORTED), rows):
        sys.stdout.write(line)
