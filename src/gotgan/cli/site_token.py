"""``gotgan site token``: what programs prove with who they are."""

from __future__ import annotations

from typing import Final

import click

from gotgan.cli.frame import Command, LazyGroup

__all__ = ["COMMANDS", "command"]

COMMANDS: Final = {
    "create": Command("gotgan.cli.site_token_create", "Make a token, and show it once."),
    "revoke": Command("gotgan.cli.site_token_revoke", "Make a token worthless."),
}


@click.group("token", cls=LazyGroup, commands_at=COMMANDS, no_args_is_help=False)
def command() -> None:
    """Make and revoke tokens.

    gotgan site list tokens shows them.
    """
