"""``gotgan setup``: what each domain needs, and how to get what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import click

from gotgan.cli.grid import safe
from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.scheduler.setup import Step

__all__ = ["command"]


@click.command("setup")
@click.pass_obj
def command(output: Output) -> None:
    """Show what is set up, and what is missing.

    Domain by domain; what is not needed can be left out. The console has the same under /setup.
    """
    from gotgan.scheduler.setup import step_record

    with opened_app(output) as app:
        steps = app.setup()
    output.say(_text(steps), steps=[step_record(step) for step in steps])


def _text(steps: list[Step]) -> str:
    grouped = groupby(steps, key=lambda step: step.domain)
    told = ("\n".join([domain, *(line for step in few for line in _lines(step))])
            for domain, few in grouped)  # fmt: skip
    return "\n\n".join(told)


def _lines(step: Step) -> Iterator[str]:
    if step.missing is None:
        yield f"  ✓ {step.name}"
        return
    yield f"  {'!' if step.is_needed else '–'} {step.name}: {safe(step.missing.words)}"
    yield from (f"      {line}" for line in (step.source, step.export, step.command) if line)
