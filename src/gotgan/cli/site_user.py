"""``gotgan site user``: who works on the site."""

from __future__ import annotations

from typing import Final

import click

from gotgan.cli.frame import Command, LazyGroup

__all__ = ["COMMANDS", "command"]

COMMANDS: Final = {
    "create": Command("gotgan.cli.site_user_create", "Make a user."),
}


@click.group("user", cls=LazyGroup, commands_at=COMMANDS, no_args_is_help=False)
def command() -> None:
    """Make users.

    gotgan site list users shows them.
    """
