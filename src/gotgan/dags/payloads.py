"""The day of a DAG run, and the work that one task hands to the next, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from gotgan.domains.market import collector, indicator_run, messages
from gotgan.domains.market.decisions import RunNow
from gotgan.errors import UsageError
from gotgan.messages import dump, load
from gotgan.sql import Lease

TARGET: Final = "target_date"
"""The day in the configuration of a run."""


def run_date(context: Mapping[str, Any], zone: str) -> date:
    """The partition key; else the ``target_date`` of the run; else the day on which it was due."""
    run = context["dag_run"]
    named = run.partition_key or (run.conf or {}).get(TARGET)
    if named:
        return parse_date(named)
    due: datetime = run.logical_date or run.run_after
    return due.astimezone(ZoneInfo(zone)).date()


def parse_date(text: str) -> date:
    """Parse an ISO date."""
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise UsageError(messages.NOT_A_DATE(text=repr(text))) from error


Payload = Mapping[str, Any]


def to_json(work: collector.CollectionWork | indicator_run.IndicatorWork) -> dict[str, Any]:
    """Work as a task returns it."""
    lease, decision = work.lease, work.decision
    return {
        "day": work.day.isoformat(),
        "sides": list(decision.sides),
        "action": decision.reason,
        "words": dump(decision.words),
        "lease": {
            "key": lease.key,
            "owner": lease.owner,
            "until": lease.until.isoformat(),
            "fence": lease.fence,
        },
    }


def collection_work(plain: Payload) -> collector.CollectionWork:
    """The collection of a day, as the previous task returned it."""
    day, decision = date.fromisoformat(plain["day"]), _decision(plain)
    return collector.CollectionWork(day, decision.sides, _lease(plain["lease"]), decision)


def indicator_work(plain: Payload) -> indicator_run.IndicatorWork:
    """The indicators of a day, as the previous task returned them."""
    day = date.fromisoformat(plain["day"])
    return indicator_run.IndicatorWork(day, _lease(plain["lease"]), _decision(plain))


def _decision(plain: Payload) -> RunNow:
    return RunNow(plain["action"], load(plain["words"]), sides=tuple(plain["sides"]))


def _lease(plain: Payload) -> Lease:
    until = datetime.fromisoformat(plain["until"])
    return Lease(plain["key"], plain["owner"], until, plain["fence"])
