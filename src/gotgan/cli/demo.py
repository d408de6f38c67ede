"""``gotgan demo``: all domains on a simulated web, by a clock that jumps."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import click

from gotgan.cli.format import cost_fields, cost_text, date_text
from gotgan.cli.options import cost_option, port_option
from gotgan.cli.output import Output
from gotgan.cli.progress import status_line
from gotgan.cli.reader import domain_title, later, rendered, tr
from gotgan.cli.table import padded
from gotgan.cli.up import serve_app
from gotgan.clock import SEOUL
from gotgan.events import write_to
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.demo import Demo, DemoSummary

_FOLDER: Final = "gotgan-demo"
_HOST: Final = "127.0.0.1"
_INTRODUCTION: Final = later(
    """\
This is a demo: a simulated web, invented data and a simulated clock, in the folder {folder}.
None of your settings, keys or databases are used. No request and no mail leaves this machine."""
)
_STOPPED: Final = later("The demo has stopped. Run gotgan demo again to continue.")
_SEOUL: Final = ZoneInfo(SEOUL)
_SHORT_COUNTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("news", "new", later("stories")),
    ("shops", "crawls", later("crawls")),
    ("shops", "changed", later("changes in shops")),
    ("market", "prices", later("prices")),
    ("market", "failed", later("failed")),
    ("market", "recovered", later("recovered")),
    ("videos", "analyses", later("analyses")),
    ("site", "posts", later("posts")),
    ("site", "mails", later("mails")),
)
"""The counts of a line: domain, count and its words."""
_LABELS: Final = {
    "lists": later("list pages"),
    "bodies": later("article texts"),
    "final": later("final days"),
    "hits": later("reused"),
}
"""What counts are called here, where their names in JSON say too little."""


@click.command("demo")
@port_option(8080, "Port to listen on. If it is taken, another one is used.")
@click.option("--once", is_flag=True, help="Collect, print a summary and exit.")
@click.option(
    "--days",
    type=click.IntRange(1, 365),
    default=7,
    show_default=True,
    help="Days to collect before the server starts.",
)
@click.option(
    "--history",
    type=click.IntRange(1, 1000),
    default=60,
    show_default=True,
    help="Days of price history before the first day.",
)
@cost_option
@click.pass_obj
def command(output: Output, *, port: int, once: bool, days: int, history: int) -> None:
    """Run a demo on simulated data.

    Runs a simulated web and the server in this process. It first collects a few days quickly; then
    one simulated hour passes every two seconds, and you can follow it in the console. The next
    start continues where this one stopped. Remove the folder gotgan-demo to start over.
    """
    folder = Settings().data.with_name(_FOLDER)
    if not (once and output.as_json):
        text = tr(_INTRODUCTION, folder=folder)
        output.write(text, event="demo.started", is_demo=True, folder=str(folder))
    with nullcontext() if once else _stop_on_interrupt(output):
        from gotgan.demo import open_demo  # it takes a moment, after the introduction

        with open_demo(folder, days) as demo:
            write_to(sys.stderr, level=demo.app.settings.log, as_json=output.as_json)
            with demo.app.recent.listening():
                _collect(output, demo, once=once, days=days, history=history)
                if not once:
                    _serve(output, demo, port)


@contextmanager
def _stop_on_interrupt(output: Output) -> Iterator[None]:
    """Ctrl-C is the way to stop it, not a failure."""
    try:
        yield
    except KeyboardInterrupt:
        if not output.as_json:
            output.write("\n" + tr(_STOPPED))


def _collect(output: Output, demo: Demo, *, once: bool, days: int, history: int) -> None:
    """Collect the first days, or as many more if those are over and nothing is served."""
    ends = demo.ends(days)
    if once and demo.progress.goes_on >= ends:
        ends = demo.progress.goes_on + timedelta(days=days)
    if demo.progress.goes_on > demo.progress.begins and not output.as_json:
        output.write(tr("Continuing from {at}.", at=seoul_time(demo.progress.goes_on)))
    with status_line(output) as show:
        report = demo.set_up(history, partial(_show_history, show))
        if demo.progress.goes_on >= ends:
            return
        happened = demo.hurry_until(ends, partial(_show_progress, show))
    event = {} if once else {"event": "demo.collected"}
    text = happened_text(happened, len(report.days), with_costs=output.prints_cost)
    folder = str(demo.app.settings.data)
    text = text if once else f"{text}\n"
    record = {"history": len(report.days), **happened_record(happened)}
    output.write(text, **event, is_demo=True, folder=folder, **record)


def _show_history(
    show: Callable[[str], None], done: int, total: int, last: str, /, **_figures: float
) -> None:
    show(f"{tr('prices before the first day')}: {done}/{total}  {rendered(last)}")


def _show_progress(show: Callable[[str], None], moment: datetime, happened: DemoSummary) -> None:
    show(progress_line(moment, happened))


def _serve(output: Output, demo: Demo, port: int) -> None:
    from gotgan.demo import LiveDemo

    watching = LiveDemo(demo, partial(_print_day, output))
    serve_app(output, demo.app, _HOST, port, watching, or_any=True)
    if not output.as_json:
        output.write("\n" + tr(_STOPPED))


def _print_day(output: Output, happened: DemoSummary) -> None:
    output.write(day_line(happened), event="demo.day", is_demo=True, **happened_record(happened))


# Texts


def seoul_time(moment: datetime) -> str:
    """A moment by the demo's clock: ``Wed 2025-11-05 17:00 KST``."""
    local = moment.astimezone(_SEOUL)
    return f"{date_text(local)} {local:%H:%M %Z}"


def progress_line(moment: datetime, happened: DemoSummary) -> str:
    """How far the first days have come."""
    return f"{seoul_time(moment)}  {_short_counts(happened)}"


def day_line(happened: DemoSummary) -> str:
    """What happened on a day that is over."""
    # The first day may have started at any time, but each ends at midnight.
    day = (happened.ends - timedelta(seconds=1)).astimezone(_SEOUL)
    return f"{date_text(day)}  {_short_counts(happened) or tr('nothing')}"


def happened_text(happened: DemoSummary, sessions: int, *, with_costs: bool) -> str:
    """What happened, with a line for each domain; ``sessions`` were collected before that."""
    first, last = seoul_time(happened.begins), seoul_time(happened.ends)
    lines = [tr("Demo, {first} to {last}:", first=first, last=last), ""]
    for domain, counts in happened.counts.items():
        lines.append(f"  {padded(domain_title(domain), 7)} {_counts_text(counts.items())}")
        if with_costs and domain in happened.costs:
            cost = cost_text(happened.costs[domain])
            lines.append(f"  {'':<7} {tr('on DynamoDB: {cost}', cost=cost)}")
    if sessions:
        text = tr("{count} earlier sessions, for the indicators", count=sessions)
        lines.append(f"  {'':<7} {text}")
    return "\n".join(lines)


def happened_record(happened: DemoSummary) -> dict[str, Any]:
    """The same for programs."""
    return {
        "begins": happened.begins.astimezone(_SEOUL).isoformat(),
        "ends": happened.ends.astimezone(_SEOUL).isoformat(),
        "domains": dict(happened.counts),
        "costs": {domain: cost_fields(cost) for domain, cost in happened.costs.items()},
    }


def _short_counts(happened: DemoSummary) -> str:
    counts = ((words, happened.counts[domain][word]) for domain, word, words in _SHORT_COUNTS)
    return _counts_text((words, count) for words, count in counts if count)


def _counts_text(counts: Iterable[tuple[str, int]]) -> str:
    return " · ".join(f"{tr(_LABELS.get(word, word))} {count:,}" for word, count in counts)
