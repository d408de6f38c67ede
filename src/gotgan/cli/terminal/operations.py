"""Results of the operations verbs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import groupby
from typing import Final

from gotgan.cli.format import date_text, time_text
from gotgan.cli.reader import domain_title, later, rendered, tr
from gotgan.cli.table import safe_text, text_table, with_cursor
from gotgan.clock import has_days
from gotgan.domain import GO, SetupStep
from gotgan.operations.reports import ExportReport, Schedule, ScheduledJob, SettingList, Setup
from gotgan.schedule import Tick, TickPage, TickStatus
from gotgan.settings import Setting

_LATE: Final = timedelta(minutes=1)
_TICK_COLUMNS: Final = tuple(map(later, ("time", "job", "status", "reason", "result", "error")))


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
        {"dag": dag, "cron": tr("manual"), "zone": "", "verb": verb}
        for dag, verb in found.manual_dags.items()
    ]
    return text_table(rows, rows[0])


def ticks(page: TickPage, job: str | None, status: TickStatus | None) -> str:
    """A line for each tick."""
    if not page.items:
        if job or status:
            return tr("No matching results.")
        return tr("No job has run yet. gotgan up runs them.")
    return with_cursor(text_table([*map(_tick, page.items)], _TICK_COLUMNS), page.cursor)


def setup(found: Setup) -> str:
    """A paragraph for each domain."""
    by_domain = groupby(found.items, key=lambda step: step.domain)
    return "\n\n".join(
        "\n".join([domain_title(domain), *(line for step in steps for line in _step(step))])
        for domain, steps in by_domain
    )


def settings(found: SettingList) -> str:
    """A line for each setting."""
    rows = [_setting(each) for each in found.items]
    text = text_table(rows, rows[0]) if rows else tr("Nothing is set.")
    if has_days(found.zone):
        return text
    note = tr(
        "GOTGAN_ZONE is {zone}, but days can only be counted in UTC, New York or Seoul: a day "
        "without --zone is a day of Seoul. Times are shown in GOTGAN_ZONE.",
        zone=found.zone,
    )
    return f"{text}\n\n{note}"


def export(report: ExportReport) -> str:
    """A line for each data set, below the target."""
    rows = [
        {
            "data set": each.dataset,
            "written": f"{each.written:,}",
            "unchanged": f"{each.unchanged:,}",
            "deleted": f"{each.removed:,}",
            "rows": f"{each.rows:,}",
            "bytes": f"{each.written_bytes:,}",
        }
        for each in report.items
    ]
    head = tr("Exported {domain} to {target}.", domain=report.domain, target=report.target)
    return f"{safe_text(head)}\n{text_table(rows, rows[0])}"


def _job(each: ScheduledJob) -> str:
    lines = (
        f"{each.job.name}: {rendered(each.when)} ({each.zone})",
        f"  {rendered(each.words)}",
        f"  {tr('next')}  {_time(each, each.next_at)}",
        f"  {tr('last')}  {_result(each, each.last) if each.last else tr('never')}",
    )
    return "\n".join(map(safe_text, lines))


def _time(each: ScheduledJob, at: datetime) -> str:
    local = each.local(at)
    in_utc = f" ({at:%Y-%m-%dT%H:%MZ})" if local.utcoffset() else ""
    return f"{date_text(local)} {local:%H:%M %Z}{in_utc}"


def _result(each: ScheduledJob, tick: Tick) -> str:
    why = [part for part in _why(tick) if part]
    error = [rendered(tick.error)] if tick.error and tick.error != tick.words else []
    result = ": ".join([tr(tick.status), *why, *error])
    return f"{_time(each, tick.at)}{_end(each, tick)}, {result}"


def _why(tick: Tick) -> tuple[str, str]:
    """The reason and its words; empty for a job that ran because it was due."""
    reason, words = tick.reason or "", tick.words or ""
    return "" if reason == GO.reason else reason, "" if words == GO.words else rendered(words)


def _end(each: ScheduledJob, tick: Tick) -> str:
    """When it ended, if that was a minute later or more."""
    if tick.finished_at is None or tick.finished_at - tick.at < _LATE:
        return ""
    ended = each.local(tick.finished_at)
    return tr(", ended {time}", time=f"{date_text(ended)} {ended:%H:%M}")


def _tick(tick: Tick) -> dict[str, str]:
    values = (
        time_text(tick.at),
        tick.job,
        tr(tick.status),
        *_why(tick),
        rendered(tick.error or ""),
    )
    return dict(zip(_TICK_COLUMNS, values, strict=True))


def _step(step: SetupStep) -> Iterator[str]:
    if step.words is None:
        yield f"  ✓ {tr(step.name)}"
        return
    yield f"  {'!' if step.is_needed else '–'} {tr(step.name)}: {safe_text(rendered(step.words))}"
    yield from (f"      {line}" for line in (step.source, step.export, step.command) if line)


def _setting(each: Setting) -> dict[str, str]:
    value = each.value or rendered(each.default)
    value = tr("set, not shown") if each.is_secret else value
    return {"variable": each.variable, "value": value, "from": tr(each.origin)}
