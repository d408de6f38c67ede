"""``gotgan videos``: what people say below videos, from the command line."""

from __future__ import annotations

from typing import Final

import click

from gotgan.cli.frame import Command, LazyGroup

__all__ = ["COMMANDS", "command"]

COMMANDS: Final = {
    "adopt": Command(
        "gotgan.cli.videos_adopt", "Take over jobs and results that another program saved."
    ),
    "analyse": Command("gotgan.cli.videos_analyse", "Have a video analysed."),
    "compare": Command("gotgan.cli.videos_compare", "Show two videos side by side."),
    "costs": Command("gotgan.cli.videos_costs", "Show what analyses cost, and what was saved."),
    "delete": Command("gotgan.cli.videos_delete", "Forget all that there is of a video."),
    "export": Command("gotgan.cli.videos_export", "Write results, or comments, for programs."),
    "import": Command("gotgan.cli.videos_import", "Keep videos and comments from files."),
    "job": Command("gotgan.cli.videos_job", "Show how a job stands, or wait for its end."),
    "jobs": Command("gotgan.cli.videos_jobs", "List jobs, the latest first."),
    "list": Command("gotgan.cli.videos_list", "List videos, the latest first."),
    "purge": Command("gotgan.cli.videos_purge", "Forget what was collected thirty days ago."),
    "quota": Command("gotgan.cli.videos_quota", "Show how much of YouTube's quota is used."),
    "show": Command("gotgan.cli.videos_show", "Show a video, and what was made of it."),
    "versions": Command("gotgan.cli.videos_versions", "Show what v1, v2 and so on stand for."),
    "work": Command("gotgan.cli.videos_work", "Do jobs as they come, until you stop it."),
}


@click.group("videos", cls=LazyGroup, commands_at=COMMANDS, no_args_is_help=False)
def command() -> None:
    """The videos: analyse once, know what it rests on."""
