"""``gotgan shops add``: shops, registered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.shops_report import say_added
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.domains.shops.registrations import Registration

__all__ = ["command"]


@click.command("add")
@click.argument("domains", nargs=-1, metavar="[DOMAIN]...")
@click.option("--country", metavar="XX", help="Two letters such as DE, for those without one.")
@click.option("--name", help="What the shop is called; for one domain.")
@click.option(
    "--file",
    type=click.File("rb"),
    help="A file of domains, one per line, or CSV: domain,country,name; - is standard input.",
)
@click.pass_obj
def command(
    output: Output,
    *,
    domains: Sequence[str],
    country: str | None,
    name: str | None,
    file: BinaryIO | None,
) -> ExitCode:
    """Register shops by their domains.

    An address of a shop will do; with www. or without, it is one shop. What is registered already
    stays as it is, but one without a country gets the one that is given, and one that another tool
    wrote is adopted: index keys that it lacks are added. Everything is checked before the first
    shop is stored. A shop without a country is in no list of what is due but that
    of --no-country, which reads the whole table.
    """
    if bool(domains) == (file is not None):
        raise UsageError("give domains, or a --file of them")
    if name is not None and len(domains) != 1:
        raise UsageError("a --name is for one domain; a file can have names of its own")
    entries = _entries(domains, country, name) if file is None else _listed(file, country)
    with opened_app(output) as app:
        return say_added(output, app.shops.add_all(entries))


def _entries(domains: Sequence[str], country: str | None, name: str | None) -> list[Registration]:
    from gotgan.domains.shops.registrations import Registration

    return [Registration(domain, country, name) for domain in domains]


def _listed(file: BinaryIO, country: str | None) -> list[Registration]:
    from gotgan.domains.shops.registrations import registrations_from

    return registrations_from(file.read(), country=country)
