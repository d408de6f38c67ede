"""Times and costs as commands print them for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

import click

from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.sql import AdoptedTable
    from gotgan.store.costs import Cost

_ZONE_KEY: Final = "gotgan.zone"
"""Where the context of the command keeps the zone of the settings."""
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def remember_zone(settings: Settings) -> None:
    """Print times in the zone of these settings from now on, for this command."""
    context = click.get_current_context(silent=True)
    if context is not None:
        context.meta[_ZONE_KEY] = settings.zone


def time_text(at: datetime, *, seconds: bool = False) -> str:
    """A time to the minute, in the zone of the settings: ``2026-11-16 18:03 KST``."""
    context = click.get_current_context(silent=True)
    zone = None if context is None else context.meta.get(_ZONE_KEY)
    local = at.astimezone(ZoneInfo(zone or Settings().zone))
    return f"{local:%Y-%m-%d %H:%M:%S %Z}" if seconds else f"{local:%Y-%m-%d %H:%M %Z}"


def local_time(value: Any) -> Any:
    """A stored timestamp as a local time; any other value as it is."""
    if isinstance(value, str) and _STAMP.fullmatch(value):
        return time_text(datetime.fromisoformat(value))
    return value


def cost_text(cost: Cost) -> str:
    """Units and their price: ``785.5 read units, $0.000098 on demand in us-east-1``."""
    from gotgan.store.prices import Price, money

    kinds = {"read": cost.reads, "write": cost.writes}
    units = [f"{_number(amount)} {kind} units" for kind, amount in kinds.items() if amount]
    price = Price.listed()
    total = f"{money(price.on_demand(cost))} on demand in {price.region}"
    return ", ".join([*(units or ["nothing"]), total])


def cost_fields(cost: Cost) -> dict[str, Any]:
    """The same for programs; the amount is text, so that no digit is lost."""
    from gotgan.store.prices import Price

    amount = Price.listed().on_demand(cost)
    return {**cost.shown(), "usd": f"{amount.normalize():f}"}


def _number(amount: float) -> str:
    return f"{amount:,.1f}".removesuffix(".0")


def adopted_table_lines(tables: Iterable[AdoptedTable]) -> Iterator[str]:
    """A line for each table that has rows, or to which something was added."""
    for each in tables:
        added = [*each.columns, *each.indexes]
        if each.rows or added:
            words = f"added {', '.join(added)}" if added else "nothing was missing"
            yield f"{each.name}: {each.rows:,} rows; {words}"
