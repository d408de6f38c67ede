"""Results of the operations verbs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final

from gotgan.cli.format import time_text
from gotgan.cli.table import grid, safe_text
from gotgan.clock import has_days
from gotgan.domain import GO, SetupStep
from gotgan.operations.reports import Schedule, ScheduledJob, SettingList, Setup
from gotgan.schedule import Tick, TickPage, TickStatus
from gotgan.settings import Setting

_LATE: Final = timedelta(minutes=1)
_TICK_COLUMNS: Final = ("time", "job", "status", "reason", "result", "error")


def schedule(found: Schedule) -> str:
    """A paragraph for each job."""
    return "\n\n".join(map(_job, found.items))


def dags(found: Schedule) -> str:
    """A line for each DAG of Airflow."""
    rows = [
        {"dag": each.job.dag_id, "cron": each.job.cron, "zone": each.zone, "verb": each.job.verb}
        for each in found.items
    ]
    rows += [
        {"dag": dag, "cron": "manual", "zone": "", "verb": verb}
        for dag, verb in found.manual_dags.items()
    ]
    return grid(rows, rows[0])


def ticks(page: TickPage, job: str | None, status: TickStatus | None) -> str:
    """A line for each tick."""
    if not page.items:
        return "No such tick." if job or status else "No ticks yet. gotgan up writes them."
    more = [] if page.cursor is None else ["", f"There are more: --cursor {page.cursor}"]
    return "\n".join([grid([*map(_tick, page.items)], _TICK_COLUMNS), *more])


def setup(found: Setup) -> str:
    """A paragraph for each domain."""
    by_domain = groupby(found.items, key=lambda step: step.domain)
    return "\n\n".join(
        "\n".join([domain, *(line for step in steps for line in _step(step))])
        for domain, steps in by_domain
    )


def settings(found: SettingList) -> str:
    """A line for each setting."""
    rows = [_setting(each) for each in found.items]
    text = grid(rows, rows[0]) if rows else "Nothing is set."
    if has_days(found.zone):
        return text
    return (
        f"{text}\n\nGOTGAN_ZONE is {found.zone}, but days can only be counted in UTC, New York or "
        "Seoul: a day without --zone is a day of Seoul. Times are shown in GOTGAN_ZONE."
    )


def _job(each: ScheduledJob) -> str:
    lines = (
        f"{each.job.name}: {each.when} ({each.zone})",
        f"  {each.job.words}",
        f"  next  {_time(each, each.next_at)}",
        f"  last  {_result(each, each.last) if each.last else 'never'}",
    )
    return "\n".join(map(safe_text, lines))


def _time(each: ScheduledJob, at: datetime) -> str:
    local = each.local(at)
    in_utc = f" ({at:%Y-%m-%dT%H:%MZ})" if local.utcoffset() else ""
    return f"{local:%a %Y-%m-%d %H:%M %Z}{in_utc}"


def _result(each: ScheduledJob, tick: Tick) -> str:
    why = [part for part in _why(tick) if part]
    error = [tick.error] if tick.error and tick.error != tick.words else []
    result = ": ".join([tick.status, *why, *error])
    return f"{_time(each, tick.at)}{_end(each, tick)}, {result}"


def _why(tick: Tick) -> tuple[str, str]:
    """The reason and its words; empty for a job that ran because it was due."""
    reason, words = tick.reason or "", tick.words or ""
    return "" if reason == GO.reason else reason, "" if words == GO.words else words


def _end(each: ScheduledJob, tick: Tick) -> str:
    """When it ended, if that was a minute later or more."""
    if tick.finished_at is None or tick.finished_at - tick.at < _LATE:
        return ""
    return f", ended {each.local(tick.finished_at):%a %Y-%m-%d %H:%M}"


def _tick(tick: Tick) -> dict[str, str]:
    values = (time_text(tick.at), tick.job, tick.status, *_why(tick), tick.error or "")
    return dict(zip(_TICK_COLUMNS, values, strict=True))


def _step(step: SetupStep) -> Iterator[str]:
    if step.words is None:
        yield f"  ✓ {step.name}"
        return
    yield f"  {'!' if step.is_needed else '–'} {step.name}: {safe_text(step.words)}"
    yield from (f"      {line}" for line in (step.source, step.export, step.command) if line)


def _setting(each: Setting) -> dict[str, str]:
    value = "set, not shown" if each.is_secret else each.value or each.default
    return {"variable": each.variable, "value": value, "from": each.origin}
