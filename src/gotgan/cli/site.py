"""``gotgan site sign-in`` and ``template``: commands that no other front has."""

from __future__ import annotations

from pathlib import Path

import click

from gotgan.cli.documents import as_json, as_yaml, write
from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output
from gotgan.settings import Settings

__all__ = ["sign_in", "template"]


@click.command("sign-in")
@click.option("--user", "user_id", help="Whom to sign in; the first admin, unless said otherwise.")
@click.option(
    "--url", default="http://127.0.0.1:8080", show_default=True, help="Where the console is."
)
@click.pass_obj
def sign_in(output: Output, *, user_id: str | None, url: str) -> None:
    """Print a link that signs a user in.

    It is good once, within 15 minutes.
    """
    with opened_app(output) as app:
        user = app.site.users.owner().id if user_id is None else user_id
        code = app.site.tokens.sign_in_code(user)
    link = f"{url.rstrip('/')}/sign-in?code={code}"
    output.say(link, user=user, link=link)


@click.command("template")
@click.option("--stream", is_flag=True, help="Let the table tell others what changes in it.")
@click.option(
    "--output",
    "-o",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it, instead of standard output; a .json file gets JSON.",
)
@click.pass_obj
def template(output: Output, /, *, stream: bool, target: Path | None) -> None:
    """Write the template that deploys the site.

    It has the table, the functions, and what each may do; docs/site-deployment.md explains it.
    Nothing is asked of AWS.
    """
    from gotgan.domains.site import deployment
    from gotgan.store.tables import Names

    made = deployment.template(Names.parse(Settings.from_env().names()), stream=stream)
    text = as_yaml(made, by="gotgan site template")
    if target is None:
        output.say(text.rstrip("\n"), **made)
        return
    write(target, as_json(made) if target.suffix == ".json" else text)
    output.say(f"wrote {target}", file=str(target), stream=stream)
