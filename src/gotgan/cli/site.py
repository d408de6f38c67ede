"""``gotgan site``: what the site can do, from the command line."""

from __future__ import annotations

from typing import Final

import click

from gotgan.cli.frame import Command, LazyGroup

__all__ = ["COMMANDS", "command"]

COMMANDS: Final = {
    "adopt": Command("gotgan.cli.site_adopt", "Adopt records that other tools wrote."),
    "list": Command("gotgan.cli.site_list", "List records of one kind, newest first."),
    "migrate": Command(
        "gotgan.cli.site_migrate",
        "Copy old tables into the one of the site, once or again and again.",
    ),
    "send-mails": Command("gotgan.cli.site_send_mails", "Send the mails that are due."),
    "show": Command("gotgan.cli.site_show", "Show one record."),
    "sign-in": Command("gotgan.cli.site_sign_in", "Print a link that signs a user in."),
    "template": Command("gotgan.cli.site_template", "Write the template that deploys the site."),
    "token": Command("gotgan.cli.site_token", "Make and revoke tokens."),
    "user": Command("gotgan.cli.site_user", "Make users."),
}


@click.group("site", cls=LazyGroup, commands_at=COMMANDS, no_args_is_help=False)
def command() -> None:
    """The company site: its records, tokens, mails and moves."""
