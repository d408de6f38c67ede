"""``gotgan site sign-in``: a link that signs a user in."""

from __future__ import annotations

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output

__all__ = ["command"]


@click.command("sign-in")
@click.option("--user", "user_id", help="Whom to sign in; the first admin, unless said otherwise.")
@click.option(
    "--url", default="http://127.0.0.1:8080", show_default=True, help="Where the console is."
)
@click.pass_obj
def command(output: Output, *, user_id: str | None, url: str) -> None:
    """Print a link that signs a user in.

    It is good once, within 15 minutes.
    """
    with opened_app(output) as app:
        user = app.site.users.owner().id if user_id is None else user_id
        code = app.site.tokens.sign_in_code(user)
    link = f"{url.rstrip('/')}/sign-in?code={code}"
    output.say(link, user=user, link=link)
