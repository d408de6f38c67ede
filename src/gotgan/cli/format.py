"""Times and costs as commands print them for people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from gotgan.cli.reader import later, rendered, tr, zone
from gotgan.messages import Message
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.sql import AdoptedTable
    from gotgan.store.costs import Cost

_WEEKDAYS: Final = tuple(map(later, ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")))
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def time_text(at: datetime, *, seconds: bool = False) -> str:
    """A time to the minute, in the zone of the settings: ``2026-11-16 18:03 KST``."""
    local = at.astimezone(zone() or ZoneInfo(Settings().zone))
    return f"{local:%Y-%m-%d %H:%M:%S %Z}" if seconds else f"{local:%Y-%m-%d %H:%M %Z}"


def weekday_text(day: date) -> str:
    """The short name of a weekday: ``Wed``."""
    return tr(_WEEKDAYS[day.weekday()])


def date_text(moment: datetime) -> str:
    """A date with its weekday: ``Wed 2025-11-05``."""
    return tr("{weekday} {date}", weekday=weekday_text(moment), date=f"{moment:%Y-%m-%d}")


def localized(value: Any) -> Any:
    """A message in the language of the reader, a stored timestamp as a local time.

    Any other value is returned as it is.
    """
    if isinstance(value, Message):
        return rendered(value)
    if isinstance(value, str) and _STAMP.fullmatch(value):
        return time_text(datetime.fromisoformat(value))
    return value


def cost_text(cost: Cost) -> str:
    """Units and their price: ``785.5 read units, $0.000098 on demand in us-east-1``."""
    from gotgan.store.prices import Price, money

    reads = [tr("{count} read units", count=_number(cost.reads))] if cost.reads else []
    writes = [tr("{count} write units", count=_number(cost.writes))] if cost.writes else []
    price = Price.listed()
    amount = money(price.on_demand(cost))
    total = tr("{amount} on demand in {region}", amount=amount, region=price.region)
    return ", ".join([*([*reads, *writes] or [tr("nothing")]), total])


def cost_fields(cost: Cost) -> dict[str, Any]:
    """The same for programs; the amount is text, so that no digit is lost."""
    from gotgan.store.prices import Price

    amount = Price.listed().on_demand(cost)
    return {**cost.as_dict(), "usd": f"{amount.normalize():f}"}


def _number(amount: float) -> str:
    return f"{amount:,.1f}".removesuffix(".0")


def count_text(count: int, what: str) -> str:
    """A count and what it counts: ``12 copied``."""
    return tr("{count} {what}", count=count, what=tr(what))


def adopted_table_lines(tables: Iterable[AdoptedTable]) -> Iterator[str]:
    """A line for each table that has rows, or to which something was added."""
    for each in tables:
        added = [*each.columns, *each.indexes]
        if each.rows or added:
            named = {"table": each.name, "rows": each.rows}
            if added:
                yield tr("{table}: {rows} rows; added {added:list}", added=added, **named)
            else:
                yield tr("{table}: {rows} rows; nothing was missing", **named)
