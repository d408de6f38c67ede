"""``gotgan world``: the simulated web, on this machine."""

from __future__ import annotations

import contextlib
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.options import day_option, port_option
from gotgan.cli.output import Output
from gotgan.cli.reader import tr

if TYPE_CHECKING:
    from gotgan.world import Markup, ServedWorld, World


_SITE: Final = "finance.yahoo.com"


@click.command("world")
@port_option(8099)
@click.option("--seed", type=int, default=7, show_default=True, help="Seed for its stories.")
@day_option("Start day of its clock, in UTC. The time of day is the current one.")
@click.option(
    "--markup",
    type=click.Choice(["2024", "2026-quote", "2026"]),
    default="2026",
    show_default=True,
    help="Markup version of its list page.",
)
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="NAME[@HOST[/PATH]]",
    help=f"Simulate a fault, by default on {_SITE}. Faults are listed in docs/world.md.",
)
@click.pass_obj
def command(
    output: Output,
    *,
    port: int,
    seed: int,
    day: date | None,
    markup: Markup,
    faults: tuple[str, ...],
) -> None:
    """Serve a simulated web, for demos and tests.

    It uses the host names of the collected sites and can only be reached from this machine. The
    seed and the time determine its pages.
    """
    from gotgan.clock import SystemClock
    from gotgan.world import ShiftedClock, World, serve_world

    clock = SystemClock() if day is None else ShiftedClock(day, SystemClock())
    world = World(seed=seed, clock=clock, markup=markup)
    for fault in faults:
        _plan(world, fault)
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is the way to stop it
        serve_world(world, port, partial(_announce, output))


def _plan(world: World, words: str) -> None:
    from gotgan.world import FaultKind

    name, _, place = words.partition("@")
    host, _, path = (place or _SITE).partition("/")
    world.fail(host, f"/{path}" if path else "*", FaultKind.named(name))


def _announce(output: Output, served: ServedWorld) -> None:
    from gotgan.world.control import environment_lines

    names = ",".join(f"{name}={place}" for name, place in served.resolve.items())
    day = f"{served.world.clock.now():%Y-%m-%d}"
    lines = [
        tr(
            "The world is up at {url}, on {day}; its page there names its hosts.",
            url=served.url,
            day=day,
        ),
        tr("In another terminal:"),
        *(f"  {line}" for line in environment_lines(served.place)),
        "  gotgan news collect",
        tr("Ctrl-C stops it."),
    ]
    text = "\n".join(lines)
    hosts = served.world.hosts
    output.write(text, event="listening", url=served.url, resolve=names, day=day, hosts=hosts)
