"""``gotgan videos versions``: what v1, v2 and so on stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli.grid import grid
from gotgan.cli.moments import moment
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.videos.versions import Version

__all__ = ["command"]

_COLUMNS: Final = ("version", "analyser", "model", "prompt", "score", "since")


@click.command("versions")
@click.pass_obj
def command(output: Output) -> None:
    """Show what v1, v2 and so on stand for.

    A version is given to a recipe when it is first used, and to no other after that.
    """
    from gotgan.domains.videos.records import version_record

    with opened_videos(output) as videos:
        versions = videos.versions()
    rows = [_row(version) for version in versions]
    output.say(
        grid(rows, _COLUMNS) if rows else "There are none yet; the first analysis makes v1.",
        items=[version_record(version) for version in versions],
    )


def _row(version: Version) -> dict[str, Any]:
    recipe = version.recipe
    return {
        "version": version.name,
        "analyser": recipe.analyser,
        "model": recipe.model,
        "prompt": recipe.prompt_version or "",
        "score": recipe.score_version,
        "since": moment(version.created_at),
    }
