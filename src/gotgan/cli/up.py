"""``gotgan up``: the console and the API on one address, and the timetable at work."""

from __future__ import annotations

import click

from gotgan.cli.opened_app import opened_app
from gotgan.cli.output import Output
from gotgan.cli.serving import serve_app

__all__ = ["command"]


@click.command("up")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="The port to listen on; 0 takes any free one.",
)
@click.option(
    "--no-schedule",
    is_flag=True,
    help="Only serve: what the timetable asks for is done elsewhere, or not at all.",
)
@click.pass_obj
def command(output: Output, *, host: str, port: int, no_schedule: bool) -> None:
    """Serve the console and the API.

    On an address that only this machine can reach, a link is printed that signs you in. In the
    background it goes by the timetable, which gotgan schedule shows, and does jobs of videos.
    What a domain still lacks is told in a line; gotgan setup says how to get it.
    """
    with opened_app(output, writes=True) as app, app.recent.listening():
        serve_app(output, app, host, port, None if no_schedule else app.scheduler())
