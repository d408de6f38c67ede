"""Events, costs and settings as records, for all who speak JSON or read a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from gotgan.clock import utc_iso
from gotgan.events import KeptEvent
from gotgan.settings import Setting
from gotgan.store import Cost
from gotgan.store.costs import CostLine, CostMeter
from gotgan.store.prices import Price

__all__ = [
    "By",
    "Part",
    "bill_record",
    "event_record",
    "part_record",
    "parts_of",
    "setting_record",
]

By = Literal["line", "verb", "table", "index"]


@dataclass(frozen=True)
class Part:
    """Some of a cost: of a verb, of a table, of one of its indexes, as far as that is told."""

    cost: Cost
    verb: str | None = None
    table: str | None = None
    index: str | None = None


def parts_of(cost: Cost, by: By, price: Price) -> list[Part]:
    """A cost in parts, the dearest first."""
    return sorted(_PARTED[by](cost), key=lambda part: -price.on_demand(part.cost))


def bill_record(meter: CostMeter, by: By) -> dict[str, Any]:
    """What a process has spent since it began, in parts and day by day."""
    total, price = meter.total(), Price.listed()
    return {
        "since": utc_iso(meter.since),
        "region": price.region,
        "pricesSince": price.since.isoformat(),
        **_units(total, price),
        "items": [part_record(part, price) for part in parts_of(total, by, price)],
        "days": [
            {"day": day.isoformat(), **_units(cost, price)} for day, cost in meter.days().items()
        ],
    }


def part_record(part: Part, price: Price) -> dict[str, Any]:
    """A part; what it is not told of is null, and so is the index of a table itself."""
    units = _units(part.cost, price)
    return {"verb": part.verb, "table": part.table, "index": part.index, **units}


def event_record(kept: KeptEvent) -> dict[str, Any]:
    """An event; its values are text, and masked where they were secret."""
    return {
        "number": kept.number,
        "at": utc_iso(kept.at),
        "level": kept.level,
        "event": kept.name,
        "fields": dict(kept.fields),
    }


def setting_record(setting: Setting) -> dict[str, Any]:
    """A setting; of a secret only whether there is one."""
    return {
        "variable": setting.variable,
        "value": setting.value,
        "isSecret": setting.is_secret,
        "origin": setting.origin,
        "default": setting.default,
        "sentence": setting.sentence,
    }


def _units(cost: Cost, price: Price) -> dict[str, Any]:
    """Units, and what they come to on demand; as text, so that no digit is lost."""
    usd = price.on_demand(cost)
    return {"reads": cost.reads, "writes": cost.writes, "usd": f"{usd.normalize():f}"}


def _by_line(cost: Cost) -> list[Part]:
    return [_of_line(line) for line in cost.lines]


def _of_line(line: CostLine) -> Part:
    return Part(Cost((line,)), line.verb, line.table, line.index)


def _by_verb(cost: Cost) -> list[Part]:
    return [Part(part, verb=verb) for verb, part in cost.by_verb().items()]


def _by_table(cost: Cost) -> list[Part]:
    return [Part(part, table=table) for table, part in cost.by_table().items()]


def _by_index(cost: Cost) -> list[Part]:
    found = cost.by_index().items()
    return [Part(part, table=table, index=index) for (table, index), part in found]


_PARTED: Final[Mapping[By, Callable[[Cost], list[Part]]]] = {
    "line": _by_line,
    "verb": _by_verb,
    "table": _by_table,
    "index": _by_index,
}
