"""Prices of units in US dollars, on demand or provisioned, without free tier and taxes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import cache
from importlib.resources import files
from math import ceil
from os import PathLike
from pathlib import Path
from typing import Any, Final, Literal

from gotgan.errors import UsageError
from gotgan.messages import text as foreign
from gotgan.store import messages
from gotgan.store.costs import Cost
from gotgan.store.tables import Provisioned

MONTH: Final = timedelta(hours=730)
"""As long as AWS's own calculator makes it."""
UTILISATION: Final = Decimal("0.7")
"""The share of a provisioned capacity that one plans to use, as AWS's auto scaling does."""

_MILLION = 1_000_000
_CENT = Decimal("0.01")
_PLAIN = Decimal("0.1")  # from here on cents say enough
_TWO_DIGITS = Context(prec=2, rounding=ROUND_HALF_UP)
_TICK = timedelta(microseconds=1)
_SECOND = timedelta(seconds=1)
_HOUR = timedelta(hours=1)
_AMOUNTS = ("million_writes", "million_reads", "write_hour", "read_hour", "gigabyte_month")


@dataclass(frozen=True, slots=True)
class Price:
    """What AWS asks in one region; ``dataclasses.replace`` makes another of it."""

    region: str
    since: date
    """The day from which these prices hold."""
    million_writes: Decimal
    """A million write units on demand."""
    million_reads: Decimal
    """A million read units on demand."""
    write_hour: Decimal
    """One write unit a second, provisioned for an hour."""
    read_hour: Decimal
    """One read unit a second, provisioned for an hour."""
    gigabyte_month: Decimal
    """A gigabyte of items and index entries, kept for a month."""

    @staticmethod
    @cache
    def listed() -> Price:
        """AWS's list prices for us-east-1, from the file that comes with Gotgan."""
        return _price(files(__package__).joinpath("prices.json").read_text(encoding="utf-8"))

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Price:
        """Prices of your own, from a JSON file with the members of ours."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            cause = foreign(getattr(error, "strerror", None) or str(error))
            raise UsageError(messages.PRICES_UNREADABLE(path=path, cause=cause)) from error
        return _price(text)

    def on_demand(self, cost: Cost) -> Decimal:
        """The price of a cost on demand."""
        writes = Decimal(cost.writes) * self.million_writes
        return (writes + Decimal(cost.reads) * self.million_reads) / _MILLION

    def provisioned(self, capacity: Provisioned, held: timedelta = MONTH) -> Decimal:
        """The price of a provisioned capacity for some time."""
        an_hour = capacity.write * self.write_hour + capacity.read * self.read_hour
        return recurring_amount(an_hour, every=_HOUR, within=held)

    def storage(self, gigabytes: int | Decimal, held: timedelta = MONTH) -> Decimal:
        """The price of storing some gigabytes for some time."""
        return recurring_amount(gigabytes * self.gigabyte_month, every=MONTH, within=held)

    def compare(
        self,
        cost: Cost,
        *,
        took: timedelta,
        every: timedelta,
        utilisation: Decimal = UTILISATION,
    ) -> PriceComparison:
        """A month of a job under both ways to pay; the capacity that it needs is held all month."""
        if not timedelta(0) < took <= every:
            raise UsageError(messages.TOO_LONG_TO_REPEAT(took=took, every=every))
        seconds = recurring_amount(utilisation, every=_SECOND, within=took)
        capacity = {
            place: Provisioned(  # nothing can be provisioned with less than 1
                read=max(1, ceil(Decimal(part.reads) / seconds)),
                write=max(1, ceil(Decimal(part.writes) / seconds)),
            )
            for place, part in cost.by_index().items()
        }
        return PriceComparison(
            on_demand=recurring_amount(self.on_demand(cost), every=every, within=MONTH),
            provisioned=sum(map(self.provisioned, capacity.values()), Decimal(0)),
            capacity=capacity,
        )


@dataclass(frozen=True, slots=True)
class PriceComparison:
    """The monthly price of a job, on demand and provisioned."""

    on_demand: Decimal
    provisioned: Decimal
    capacity: Mapping[tuple[str, str | None], Provisioned]
    """By table and index. (A local index shares its table's; here it has its own.)"""

    @property
    def cheaper(self) -> Literal["on demand", "provisioned"]:
        """The way that costs less; on demand where they cost the same."""
        return "provisioned" if self.provisioned < self.on_demand else "on demand"


def recurring_amount(amount: Decimal, *, every: timedelta, within: timedelta) -> Decimal:
    """The total over a time of an amount that is due at an interval."""
    if every <= timedelta(0):
        raise UsageError(messages.BAD_INTERVAL(every=every))
    return amount * (within // _TICK) / (every // _TICK)


def money(amount: Decimal) -> str:
    """An amount as people read it: in cents, or in two digits where it is smaller: $0.000013."""
    if not amount:
        return "$0"
    small = abs(amount) < _PLAIN
    shown = _TWO_DIGITS.plus(amount) if small else amount.quantize(_CENT, ROUND_HALF_UP)
    return f"${shown:,f}"


def _price(text: str) -> Price:
    try:
        members = json.loads(text, parse_float=Decimal)
        return Price(
            region=members["region"],
            since=date.fromisoformat(members["since"]),
            **{name: _amount(members[name]) for name in _AMOUNTS},
        )
    except KeyError as error:
        raise UsageError(messages.PRICE_MISSING(name=error)) from error
    except (TypeError, ValueError) as error:
        raise UsageError(messages.PRICES_INVALID(cause=foreign(str(error)))) from error


def _amount(written: Any) -> Decimal:
    try:
        amount = Decimal(written)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not (amount.is_finite() and amount >= 0):
        raise ValueError(f"{written!r} is not an amount of money")
    return amount


_DAY = timedelta(days=1)
_USUAL = (_DAY, _HOUR)
_HEAD = ("verb", "table", "index", "reads", "writes", "money")
_TEXT_COLUMNS = 3
_SPANS = (
    (_DAY, "day"),
    (_HOUR, "hour"),
    (timedelta(minutes=1), "minute"),
    (_SECOND, "second"),
)


def bill(
    cost: Cost,
    price: Price,
    *,
    every: timedelta | None = None,
    took: timedelta | None = None,
) -> str:
    """A cost as a table, and what it comes to ``every`` so often; ``took`` compares ways to pay."""
    lines = [*_table(cost, price), ""]
    if every is None:
        lines.append(f"A million runs like this: {money(price.on_demand(cost) * _MILLION)}.")
    for interval in [every] if every else _USUAL:
        day, month = (
            money(recurring_amount(price.on_demand(cost), every=interval, within=span))
            for span in (_DAY, MONTH)
        )
        lines.append(f"Run every {_span(interval)}: {day} a day, {month} a month.")
    if every and took:
        choice = price.compare(cost, took=took, every=every)
        lines.append(
            f"With capacity provisioned for it: {money(choice.provisioned)} a month; "
            f"{choice.cheaper} is cheaper."
        )
    lines += [
        f"On demand in {price.region}, at prices since {price.since}, before AWS's free tier;",
        "storage, streams, backups and data transfer come on top.",
    ]
    return "\n".join(lines)


def _table(cost: Cost, price: Price) -> list[str]:
    rows = [_HEAD]
    priced = [(line, price.on_demand(Cost((line,)))) for line in cost.lines]
    for line, due in sorted(priced, key=lambda each: -each[1]):
        place = (line.verb, line.table, line.index or "-")
        rows.append((*place, _number(line.reads), _number(line.writes), money(due)))
    total = money(price.on_demand(cost))
    rows.append(("total", "", "", _number(cost.reads), _number(cost.writes), total))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    forms = [f"{{:{'<' if n < _TEXT_COLUMNS else '>'}{width}}}" for n, width in enumerate(widths)]
    return ["  ".join(forms).format(*row) for row in rows]


def _number(units: float) -> str:
    return f"{units:,.1f}".removesuffix(".0")


def _span(interval: timedelta) -> str:
    """An interval in the largest unit that divides it: ``15 minutes``, ``day``."""
    for unit, name in _SPANS:
        if interval % unit == timedelta(0):
            count = interval // unit
            return name if count == 1 else f"{count} {name}s"
    return f"{interval.total_seconds():g} seconds"
