"""``gotgan site token revoke``: a token that is worth nothing from now on."""

from __future__ import annotations

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output

__all__ = ["command"]


@click.command("revoke")
@click.option("--user", "user_id", required=True, help="Whose token it is, by the user's id.")
@click.argument("token_id", metavar="ID")
@click.pass_obj
def command(output: Output, *, user_id: str, token_id: str) -> None:
    """Make a token worthless.

    It is so at once, and stays in the list.
    """
    with opened_app(output) as app:
        token = app.site.tokens.revoke(user_id, token_id)
    output.say(f"The token {token.id} of {user_id} is revoked.", id=token.id, user=user_id)
