"""What was found out about the typed store, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bench.store.boards import number, table
from bench.store.typed.bulk import Units
from bench.store.typed.contest import Typed
from bench.store.typed.goals import LABELS
from gotgan.store.costs import Cost, CostLine
from gotgan.store.prices import Price, money

__all__ = ["typed_as_json", "typed_as_text"]


def typed_as_text(typed: Typed) -> str:
    """Reads, writes and the bill."""
    return "\n\n".join([typed.reads.as_text(), typed.bulk.as_text(), _bill(typed)])


def typed_as_json(typed: Typed) -> dict[str, Any]:
    """The same for programs; units and money are those of all items."""
    return {
        "items": typed.items,
        "rates": typed.reads.rates,
        "ratios": typed.reads.ratios(),
        "bulk_rates": typed.bulk.rates,
        "bulk_ratios": typed.bulk.ratios(),
        "bill": [
            {
                "writer": name,
                "task": task,
                "reads": units.reads,
                "writes": units.writes,
                "money": due,
            }
            for name, task, units, due in _due(typed)
        ],
    }


def _bill(typed: Typed) -> str:
    price = Price.listed()
    rows = [
        [
            f"{typed.bulk.tasks[task]}: {LABELS[name]}",
            number(units.reads),
            number(units.writes),
            due,
        ]
        for name, task, units, due in _due(typed)
    ]
    sentence = f"Units, and their price on AWS ({price.region}, on demand):"
    return f"{sentence}\n\n" + table(["", "read units", "write units", "money"], rows)


def _due(typed: Typed) -> Iterator[tuple[str, str, Units, str]]:
    """What each way over HTTP takes for all items, and its price."""
    price = Price.listed()
    for task in typed.bulk.tasks:
        for name in ("typed_http", "loop"):
            units = typed.units[name][task].times(typed.items)
            cost = Cost((CostLine("put", "", None, units.reads, units.writes),))
            yield name, task, units, money(price.on_demand(cost))
