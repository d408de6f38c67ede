"""``gotgan site send-mails``: one round over the mails that are due."""

from __future__ import annotations

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.units import cost_fields, cost_text

__all__ = ["command"]


@click.command("send-mails")
@click.option(
    "--limit",
    type=click.IntRange(1, 100_000),
    default=10_000,
    show_default=True,
    help="At most so many.",
)
@click.pass_obj
def command(output: Output, *, limit: int) -> ExitCode:
    """Send the mails that are due.

    What fails stays queued and is tried again later. gotgan up does this all the time; a timer can
    call this instead.
    """
    with opened_app(output) as app:
        done = app.site.mails.send_due(limit=limit)
    told = f"{done.sent} sent, {done.failed} failed and queued again: {cost_text(done.cost)}."
    waiting = f" {done.waiting[0].upper()}{done.waiting[1:]}." if done.waiting else ""
    output.say(told + waiting, **{**done.shown(), "cost": cost_fields(done.cost)})
    return ExitCode.RETRY if done.failed or done.waiting else ExitCode.OK
