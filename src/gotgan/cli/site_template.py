"""``gotgan site template``: everything that the site is on AWS, as a template of SAM's."""

from __future__ import annotations

from pathlib import Path

import click

from gotgan.cli.documents import as_json, as_yaml, write
from gotgan.cli.output import Output
from gotgan.settings import Settings

__all__ = ["command"]


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
def command(output: Output, /, *, stream: bool, target: Path | None) -> None:
    """Write the template that deploys the site.

    It has the table, the functions, and what each may do; docs/site-deployment.md explains it.
    Nothing is asked of AWS.
    """
    from gotgan.domains.site.deployment import template
    from gotgan.store.tables import Names

    made = template(Names.parse(Settings.from_env().names()), stream=stream)
    text = as_yaml(made, by="gotgan site template")
    if target is None:
        output.say(text.rstrip("\n"), **made)
        return
    write(target, as_json(made) if target.suffix == ".json" else text)
    output.say(f"wrote {target}", file=str(target), stream=stream)
