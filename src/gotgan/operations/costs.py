"""The costs of a process: grouped and by day, in units and dollars."""

from __future__ import annotations

from decimal import Decimal

from gotgan.operations.params import CostGroup
from gotgan.operations.reports import CostDay, CostReport, CostShare
from gotgan.store import Cost
from gotgan.store.costs import CostMeter
from gotgan.store.prices import Price

_Units = tuple[float, float, Decimal]


def cost_report(meter: CostMeter, by: CostGroup) -> CostReport:
    """What was recorded so far, at list prices."""
    total, price = meter.total(), Price.listed()
    shares = [CostShare(*names, *_units(cost, price)) for names, cost in _groups(total, by)]
    reads, writes, usd = _units(total, price)
    return CostReport(
        since=meter.since,
        region=price.region,
        prices_since=price.since,
        reads=reads,
        writes=writes,
        usd=usd,
        items=tuple(sorted(shares, key=lambda share: -share.usd)),
        days=tuple(CostDay(day, *_units(cost, price)) for day, cost in meter.days().items()),
    )


def _units(cost: Cost, price: Price) -> _Units:
    return cost.reads, cost.writes, price.on_demand(cost).normalize()


def _groups(
    cost: Cost, by: CostGroup
) -> list[tuple[tuple[str | None, str | None, str | None], Cost]]:
    """The costs of each group, by verb, table and index."""
    match by:
        case "verb":
            return [((verb, None, None), part) for verb, part in cost.by_verb().items()]
        case "table":
            return [((None, table, None), part) for table, part in cost.by_table().items()]
        case "index":
            return [((None, *names), part) for names, part in cost.by_index().items()]
        case "line":
            return [((each.verb, each.table, each.index), Cost((each,))) for each in cost.lines]
