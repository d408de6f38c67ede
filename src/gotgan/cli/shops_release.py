"""``gotgan shops release``: work given back whose worker is no more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import stage_option
from gotgan.cli.output import ExitCode, Output, exit_code_of
from gotgan.cli.shops_report import stuck_line
from gotgan.cli.units import cost_fields, cost_text
from gotgan.errors import ConditionFailed, Conflict, GotganError, NotFound

if TYPE_CHECKING:
    from gotgan.app import App
    from gotgan.domains.shops.stages import Stage, Stuck

__all__ = ["command"]


@click.command("release")
@click.argument("domains", nargs=-1, required=True, metavar="DOMAIN...")
@stage_option()
@click.option(
    "--force",
    is_flag=True,
    help="Also where the lease is not over. Make sure that the worker is dead: one that is alive "
    "is stopped, and what it did last is done again.",
)
@click.pass_obj
def command(
    output: Output, *, domains: Sequence[str], stage: Stage | None, force: bool
) -> ExitCode:
    """Give back shops whose worker is no more.

    Each stands where it stood before that worker came: never done, or done when it was. A worker
    that is alive is left alone, unless you use --force.
    """
    from gotgan.domains.shops.records import stuck_record

    with opened_app(output) as app, app.store.metered("release") as measured:
        released, refused = _released(app, domains, stage, force=force)
    lines = [
        *(f"released  {stuck_line(each)}" for each in released),
        *(f"refused   {safe(error.message)}" for error in refused.values()),
        f"{len(released)} released, {len(refused)} refused: {cost_text(measured.cost)}.",
    ]
    output.say(
        "\n".join(lines),
        released=[stuck_record(each) for each in released],
        refused=[
            {"domain": domain, "code": error.code, "message": error.message}
            for domain, error in refused.items()
        ],
        cost=cost_fields(measured.cost),
    )
    return max(map(exit_code_of, refused.values()), default=ExitCode.OK)


def _released(
    app: App, domains: Sequence[str], stage: Stage | None, *, force: bool
) -> tuple[list[Stuck], dict[str, GotganError]]:
    """What was given back; and why not, for the others: one does not stand in another's way."""
    released: list[Stuck] = []
    refused: dict[str, GotganError] = {}
    for domain in dict.fromkeys(domains):
        try:
            released += app.shops.release(domain, stage, force=force)
        except (ConditionFailed, Conflict, NotFound) as error:
            refused[domain] = error
    return released, refused
