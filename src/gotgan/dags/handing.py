"""What one task hands on to the next: the work that was taken in hand, as plain JSON."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from gotgan.domains.market import indicating, steps
from gotgan.domains.market.decisions import RunNow
from gotgan.sql import Lease

__all__ = ["collection_of", "indication_of", "to_json"]

_Plain = Mapping[str, Any]


def to_json(work: steps.CollectionWork | indicating.IndicatorWork) -> dict[str, Any]:
    """A piece of work as a task returns it."""
    lease, decision = work.lease, work.decision
    return {
        "day": work.day.isoformat(),
        "sides": list(decision.sides),
        "action": decision.reason,
        "words": decision.words,
        "lease": {
            "key": lease.key,
            "owner": lease.owner,
            "until": lease.until.isoformat(),
            "fence": lease.fence,
        },
    }


def collection_of(plain: _Plain) -> steps.CollectionWork:
    """The collection of a day, as the task before returned it."""
    decision = _decision(plain)
    return steps.CollectionWork(_day(plain), decision.sides, _lease(plain["lease"]), decision)


def indication_of(plain: _Plain) -> indicating.IndicatorWork:
    """The indicators of a day, as the task before returned them."""
    return indicating.IndicatorWork(_day(plain), _lease(plain["lease"]), _decision(plain))


def _day(plain: _Plain) -> date:
    return date.fromisoformat(plain["day"])


def _decision(plain: _Plain) -> RunNow:
    return RunNow(plain["action"], plain["words"], sides=tuple(plain["sides"]))


def _lease(plain: _Plain) -> Lease:
    until = datetime.fromisoformat(plain["until"])
    return Lease(plain["key"], plain["owner"], until, plain["fence"])
