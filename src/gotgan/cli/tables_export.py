"""``gotgan tables export``: the declaration as a template, a policy, a page or JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gotgan.cli.declared import chosen, declared, module_option, tables_argument
from gotgan.cli.documents import as_json, as_yaml, write
from gotgan.cli.output import Output
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.store.tables import Names, Table

__all__ = ["command"]


@click.command("export")
@tables_argument
@module_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["cloudformation", "sam", "iam", "markdown", "json"]),
    required=True,
    help="What to write: a template, a policy, a page for people, or everything for programs.",
)
@click.option(
    "--output",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write it, instead of standard output; a template for a .json file is JSON.",
)
@click.option("--region", metavar="NAME", default="REGION", help="The region in a policy's ARNs.")
@click.option("--account", metavar="ID", default="ACCOUNT", help="The account in a policy's ARNs.")
@click.pass_obj
def command(
    output: Output,
    /,
    *,
    tables: Sequence[str],
    modules: Sequence[str],
    form: str,
    target: Path | None,
    **place: str,
) -> None:
    """Write tables as a template, a policy, a page or JSON.

    Nothing is asked of a database. Without names, all tables are in it.
    """
    from gotgan.store.tables import Names

    names = Names.parse(Settings.from_env().names())
    meant = chosen(declared(modules), tables, names)
    made = _made(form, meant, names, place)
    if target is None:
        output.say(_text(form, made).rstrip("\n"), **made)
        return
    write(target, as_json(made) if target.suffix == ".json" else _text(form, made))
    output.say(
        f"wrote {target}", file=str(target), format=form, tables=[each.name for each in meant]
    )


def _made(form: str, tables: list[Table], names: Names, place: dict[str, str]) -> dict[str, Any]:
    """The document of a format; a page is text, and stands alone in its document."""
    from gotgan.store.outputs import cloudformation, declaration, iam, markdown, sam

    match form:
        case "cloudformation":
            return cloudformation.template(tables, names)
        case "sam":
            return sam.template(tables, names)
        case "iam":
            return iam.policy(tables, names, **place)
        case "markdown":
            return {"markdown": markdown.pages(tables, names)}
        case _:
            return declaration.declarations(tables, names)


def _text(form: str, made: dict[str, Any]) -> str:
    if form == "markdown":
        return str(made["markdown"])
    return as_json(made) if form in ("iam", "json") else as_yaml(made, by="gotgan tables export")
