"""``gotgan site user create``: one more who works on the site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.site.roles import Role

__all__ = ["command"]


@click.command("create")
@click.option("--id", "user_id", help="The user's id, such as u001; made, unless it is given.")
@click.option("--name", required=True, help="What the user is called.")
@click.option("--role", type=click.Choice(["viewer", "editor", "admin"]), required=True)
@click.pass_obj
def command(output: Output, *, user_id: str | None, name: str, role: Role) -> None:
    """Make a user."""
    from gotgan.domains.site.bodies import UserNew, checked_words

    fields = checked_words(UserNew, id=user_id, displayName=name, role=role).fields()
    with opened_app(output) as app:
        user = app.site.users.create(user_id=user_id, **fields)
    output.say(f"{user.display_name} is {user.role}, with the id {user.id}.", id=user.id, role=role)
