"""``gotgan demo``: all of it at work, on a simulated web and by a clock that leaps."""

from __future__ import annotations

import sys
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.demo_report import (
    day_line,
    happened_record,
    happened_text,
    in_seoul,
    progress_line,
)
from gotgan.cli.output import Output
from gotgan.cli.serving import serve_app
from gotgan.cli.ticker import written_over
from gotgan.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from gotgan.demo import Demo, Happened

__all__ = ["command"]

_FOLDER: Final = "gotgan-demo"
_HOST: Final = "127.0.0.1"
_INTRODUCTION: Final = """\
This is a demo: a simulated web, invented data and a clock of its own, in the folder {folder}.
None of your settings, keys or databases are used. No request and no mail leaves this machine."""
_GOING_ON: Final = "It goes on where it was: {at}."
_STOPPED: Final = "\nThe demo has stopped; gotgan demo goes on from there."


@click.command("demo")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="The port to listen on; another one is taken where it is not free.",
)
@click.option("--once", is_flag=True, help="Collect the days, say what happened, and end.")
@click.option(
    "--days",
    type=click.IntRange(1, 365),
    default=7,
    show_default=True,
    help="How many days are collected before anything is served.",
)
@click.option(
    "--history",
    type=click.IntRange(1, 1000),
    default=60,
    show_default=True,
    help="How many days of prices there are before the first one.",
)
@click.pass_obj
def command(output: Output, *, port: int, once: bool, days: int, history: int) -> None:
    """Show everything at work, with nothing of yours.

    A simulated web and the server run in this process. Some days are collected in a hurry; then
    time goes on, an hour in two seconds, and the console shows what happens. A second start goes on
    where the first one was. Remove the folder gotgan-demo to begin anew.
    """
    # Beside the folder that others use by default, wherever theirs is.
    folder = Settings().data.with_name(_FOLDER)
    if not (once and output.as_json):
        said = _INTRODUCTION.format(folder=folder)
        output.say(said, event="demo.begun", is_demo=True, folder=str(folder))
    with nullcontext() if once else _ended_by_hand(output):
        from gotgan.demo import opened_demo  # it takes a moment, in which nobody should wonder

        with opened_demo(folder, days) as demo:
            _show(output, demo, port, once=once, days=days, history=history)


@contextmanager
def _ended_by_hand(output: Output) -> Iterator[None]:
    """Take Ctrl-C as the way to stop it, and no failure."""
    try:
        yield
    except KeyboardInterrupt:
        if not output.as_json:
            output.say(_STOPPED)


def _show(output: Output, demo: Demo, port: int, *, once: bool, days: int, history: int) -> None:
    from gotgan.events import write_to

    write_to(sys.stderr, level=demo.app.settings.log, as_json=output.as_json)
    with demo.app.recent.listening():
        _collect(output, demo, once=once, days=days, history=history)
        if not once:
            _serve(output, demo, port)


def _collect(output: Output, demo: Demo, *, once: bool, days: int, history: int) -> None:
    """Have the first days, or where they are over and nothing is served, as many others."""
    ends = demo.ends(days)
    if once and demo.goes_on >= ends:
        ends = demo.goes_on + timedelta(days=days)
    if demo.goes_on > demo.begins and not output.as_json:
        output.say(_GOING_ON.format(at=in_seoul(demo.goes_on)))
    with written_over(output) as show:
        report = demo.set_up(history, partial(_tell_step, show))
        if demo.goes_on >= ends:
            return
        happened = demo.hurry_until(ends, partial(_tell_stop, show))
    event = {} if once else {"event": "demo.collected"}
    text, record = happened_text(happened, len(report.days)), happened_record(happened)
    folder = str(demo.app.settings.data)
    said = text if once else f"{text}\n"
    output.say(said, **event, is_demo=True, folder=folder, history=len(report.days), **record)


def _tell_step(
    show: Callable[[str], None], done: int, total: int, last: str, /, **_figures: float
) -> None:
    show(f"prices before the first day: {done}/{total}  {last}")


def _tell_stop(show: Callable[[str], None], moment: datetime, happened: Happened) -> None:
    show(progress_line(moment, happened))


def _serve(output: Output, demo: Demo, port: int) -> None:
    from gotgan.demo import Watching

    watching = Watching(demo, partial(_tell_day, output))
    serve_app(output, demo.app, _HOST, port, watching, or_any=True)
    if not output.as_json:
        output.say(_STOPPED)


def _tell_day(output: Output, happened: Happened) -> None:
    output.say(day_line(happened), event="demo.day", is_demo=True, **happened_record(happened))
