"""``gotgan schedule``: the timetable, and what came of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.grid import grid, safe
from gotgan.cli.opened_app import opened_app
from gotgan.cli.options import limit_option
from gotgan.cli.output import Output
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.app import App
    from gotgan.schedule import TickStatus
    from gotgan.scheduler import Line, Tick

__all__ = ["command"]

_SOON: Final = timedelta(minutes=1)
_SHOWN: Final = ("at", "job", "status", "reason", "words", "error")


@click.command("schedule")
@click.option("--airflow", is_flag=True, help="Which DAG does which job under Airflow.")
@click.option("--ticks", is_flag=True, help="What came of it: the latest ticks, newest first.")
@click.option("--job", metavar="NAME", help="Only ticks of this job.")
@click.option(
    "--status",
    type=click.Choice(["running", "done", "failed", "skipped", "waiting"]),
    help="Only ticks that ended so.",
)
@limit_option("How many ticks.", 50, 10_000)
@click.pass_obj
def command(
    output: Output,
    *,
    airflow: bool,
    ticks: bool,
    job: str | None,
    status: TickStatus | None,
    limit: int,
) -> None:
    """Show the timetable: next runs, last ticks, why skipped.

    gotgan up goes by it, unless it is told not to; under Airflow the DAGs do. Ticks are kept for
    thirty days.
    """
    with opened_app(output) as app:
        if ticks or job or status:
            _say_ticks(output, app, job, status, limit)
            return
        lines = app.timetable()
    if airflow:
        dags = [*map(_dag, lines), *_by_hand()]
        output.say(grid(dags, ("dag", "cron", "zone", "verb")), dags=dags)
    else:
        _say_lines(output, lines)


def _say_lines(output: Output, lines: list[Line]) -> None:
    from gotgan.scheduler.records import line_record

    output.say("\n\n".join(map(_text, lines)), jobs=[line_record(line) for line in lines])


def _say_ticks(
    output: Output, app: App, job: str | None, status: TickStatus | None, limit: int
) -> None:
    from gotgan.scheduler.history import TickHistory
    from gotgan.scheduler.records import tick_record

    _expect_job(job)
    found = TickHistory(app.database).page(job, status=status, limit=limit).items
    records = [tick_record(tick) for tick in found]
    shown = [{name: record[name] or "" for name in _SHOWN} for record in records]
    none = "No such tick." if job or status else "No tick yet: they are written by gotgan up."
    output.say(grid(shown, _SHOWN) if shown else none, ticks=records)


def _expect_job(name: str | None) -> None:
    from gotgan.schedule import JOBS

    known = [job.name for job in JOBS]
    if name is not None and name not in known:
        raise UsageError(f"there is no job {name}; there are {', '.join(known)}")


def _text(line: Line) -> str:
    job = line.job
    told = (
        f"{job.name}: {line.when} ({line.zone})",
        f"  {job.words}",
        f"  next  {_moment(line, line.next_at)}",
        f"  last  {_told(line, line.last) if line.last else 'never'}",
    )
    return "\n".join(map(safe, told))


def _moment(line: Line, moment: datetime) -> str:
    local = line.local(moment)
    in_utc = f" ({moment:%Y-%m-%dT%H:%MZ})" if local.utcoffset() else ""
    return f"{local:%a %Y-%m-%d %H:%M %Z}{in_utc}"


def _told(line: Line, tick: Tick) -> str:
    from gotgan.scheduler import GO

    plain = (None, GO.reason, GO.words)
    why = [each for each in (tick.reason, tick.words) if each not in plain]
    error = [tick.error] if tick.error and tick.error != tick.words else []
    told = ": ".join([tick.status, *why, *error])
    return f"{_moment(line, tick.at)}{_ended(line, tick)}, {told}"


def _ended(line: Line, tick: Tick) -> str:
    """When it ended, where that was later: it took its time, or was made up for."""
    if tick.finished_at is None or tick.finished_at - tick.at < _SOON:
        return ""
    return f", ended {line.local(tick.finished_at):%a %Y-%m-%d %H:%M}"


def _dag(line: Line) -> dict[str, str]:
    job = line.job
    return {"dag": job.dag_id, "cron": job.cron, "zone": line.zone, "verb": job.verb}


def _by_hand() -> list[dict[str, str]]:
    from gotgan.schedule import BY_HAND

    return [{"dag": dag, "cron": "by hand", "verb": verb} for dag, verb in BY_HAND.items()]
