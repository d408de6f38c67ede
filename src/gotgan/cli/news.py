"""``gotgan news``: the latest list and the bodies of its articles, from the command line."""

from __future__ import annotations

from typing import Final

import click

from gotgan.cli.frame import Command, LazyGroup

__all__ = ["COMMANDS", "command"]

COMMANDS: Final = {
    "bodies": Command("gotgan.cli.news_bodies", "Fetch the bodies of articles that are missing."),
    "collect": Command("gotgan.cli.news_collect", "Fetch the latest list and store what is new."),
    "export": Command("gotgan.cli.news_export", "Write the items of a day to a file."),
    "list": Command("gotgan.cli.news_list", "List items, newest first."),
    "queue": Command("gotgan.cli.news_queue", "List bodies that wait, or that were given up."),
    "show": Command("gotgan.cli.news_show", "Show one item, its clocks, its key and its body."),
    "upload": Command("gotgan.cli.news_upload", "Store stories that somebody else collected."),
}


@click.group("news", cls=LazyGroup, commands_at=COMMANDS, no_args_is_help=False)
def command() -> None:
    """The news: each story exactly once, then the bodies."""
