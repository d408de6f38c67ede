"""``gotgan settings``: every setting, its value or that there is one, and where it came from."""

from __future__ import annotations

from typing import get_args

import click

from gotgan.cli.grid import grid
from gotgan.cli.output import Output
from gotgan.clock import has_days
from gotgan.settings import Origin, Setting, Settings, shown

__all__ = ["command"]


@click.command("settings")
@click.option(
    "--origin",
    type=click.Choice(get_args(Origin)),
    help="Only those that came from there.",
)
@click.pass_obj
def command(output: Output, *, origin: Origin | None) -> None:
    """Show every setting and where it came from.

    Secrets are never shown, only that they are set. What each is for stands in docs/settings.md.
    """
    from gotgan.api.ops.records import setting_record

    settings = Settings.from_env()
    found = shown(settings, origin=origin)
    rows = [_row(each) for each in found]
    text = grid(rows, ("variable", "value", "from")) if rows else "Nothing is set."
    if not has_days(settings.zone):
        text += (
            f"\n\nGOTGAN_ZONE is {settings.zone}, but days can only be counted in UTC, New York or "
            "Seoul: a day without --zone is a day of Seoul. Times are shown in GOTGAN_ZONE."
        )
    output.say(text, settings=[setting_record(each) for each in found])


def _row(setting: Setting) -> dict[str, str]:
    value = "set, not shown" if setting.is_secret else setting.value or setting.default
    return {"variable": setting.variable, "value": value, "from": setting.origin}
