"""``gotgan site token create``: a token, shown once."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.site.roles import Role

__all__ = ["command"]


@click.command("create")
@click.option("--user", "user_id", required=True, help="Whose token it is, by the user's id.")
@click.option(
    "--role",
    type=click.Choice(["viewer", "editor", "admin"]),
    required=True,
    help="What it may do; never more than its user.",
)
@click.option("--days", type=click.IntRange(1, 3650), help="How long it is good; else for ever.")
@click.option("--note", help="What it is for.")
@click.pass_obj
def command(
    output: Output, *, user_id: str, role: Role, days: int | None, note: str | None
) -> None:
    """Make a token, and show it once.

    Only a hash of it is kept.
    """
    life = None if days is None else timedelta(days=days)
    with opened_app(output) as app:
        issued = app.site.tokens.issue(user_id, role=role, expires_in=life, note=note)
    output.say(issued.text, token=issued.text, id=issued.token.id, user=user_id, role=role)
