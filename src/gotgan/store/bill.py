"""The bill: a cost in money, as a table for people and as a dictionary for programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from decimal import Decimal
from typing import Any

from gotgan.store.costs import Cost, CostLine
from gotgan.store.prices import MONTH, Price, money, repeated

__all__ = ["bill", "bill_shown"]

_DAY = timedelta(days=1)
_USUAL = (_DAY, timedelta(hours=1))
_MILLION = 1_000_000
_HEAD = ("verb", "table", "index", "reads", "writes", "money")
_TEXT_COLUMNS = 3
_SPANS = (
    (_DAY, "day"),
    (timedelta(hours=1), "hour"),
    (timedelta(minutes=1), "minute"),
    (timedelta(seconds=1), "second"),
)


def bill(
    cost: Cost,
    price: Price,
    *,
    every: timedelta | None = None,
    took: timedelta | None = None,
) -> str:
    """A cost as a table, dearest line first, and what it comes to when it is run again and again.

    ``every`` says how often; with ``took`` as well, how long it ran, both ways to pay are compared.
    """
    sentences = list(_forecast(cost, price, every))
    if every and took:
        sentences.append(_choice(cost, price, every, took))
    return "\n".join([*_table(cost, price), "", *sentences, *_foot(price)])


def bill_shown(
    cost: Cost,
    price: Price,
    *,
    every: timedelta | None = None,
    took: timedelta | None = None,
) -> dict[str, Any]:
    """The same as JSON can hold it; amounts are strings, so that no digit is lost."""
    shown = {
        "currency": "USD",
        "region": price.region,
        "prices_since": price.since.isoformat(),
        "reads": cost.reads,
        "writes": cost.writes,
        "money": _digits(price.on_demand(cost)),
        "lines": [asdict(line) | {"money": _digits(due)} for line, due in _lines(cost, price)],
        "forecast": [
            {
                "every_seconds": interval.total_seconds(),
                "day": _digits(_within(_DAY, cost, price, interval)),
                "month": _digits(_within(MONTH, cost, price, interval)),
            }
            for interval in ([every] if every else _USUAL)
        ],
    }
    if every and took:
        shown["compared"] = _choice_shown(cost, price, every, took)
    return shown


def _lines(cost: Cost, price: Price) -> list[tuple[CostLine, Decimal]]:
    """Each line with what is due for it, the dearest first."""
    priced = [(line, price.on_demand(Cost((line,)))) for line in cost.lines]
    return sorted(priced, key=lambda each: -each[1])


def _table(cost: Cost, price: Price) -> list[str]:
    rows = [_HEAD]
    for line, due in _lines(cost, price):
        place = (line.verb, line.table, line.index or "-")
        rows.append((*place, _number(line.reads), _number(line.writes), money(due)))
    total = money(price.on_demand(cost))
    rows.append(("total", "", "", _number(cost.reads), _number(cost.writes), total))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_aligned(row, widths)) for row in rows]


def _aligned(row: tuple[str, ...], widths: list[int]) -> Iterator[str]:
    for place, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.ljust(width) if place < _TEXT_COLUMNS else cell.rjust(width)


def _number(units: float) -> str:
    return f"{units:,.1f}".removesuffix(".0")


def _forecast(cost: Cost, price: Price, every: timedelta | None) -> Iterator[str]:
    if every is None:
        yield f"A million runs like this: {money(price.on_demand(cost) * _MILLION)}."
    for interval in [every] if every else _USUAL:
        day = money(_within(_DAY, cost, price, interval))
        month = money(_within(MONTH, cost, price, interval))
        yield f"Run every {_span(interval)}: {day} a day, {month} a month."


def _within(span: timedelta, cost: Cost, price: Price, every: timedelta) -> Decimal:
    return repeated(price.on_demand(cost), every=every, within=span)


def _span(interval: timedelta) -> str:
    """An interval in the largest unit that divides it: ``15 minutes``, ``day``."""
    for unit, name in _SPANS:
        if interval % unit == timedelta(0):
            count = interval // unit
            return name if count == 1 else f"{count} {name}s"
    return f"{interval.total_seconds():g} seconds"


def _choice(cost: Cost, price: Price, every: timedelta, took: timedelta) -> str:
    choice = price.compare(cost, took=took, every=every)
    return (
        f"With capacity provisioned for it: {money(choice.provisioned)} a month; "
        f"{choice.cheaper} is cheaper."
    )


def _choice_shown(cost: Cost, price: Price, every: timedelta, took: timedelta) -> dict[str, Any]:
    choice = price.compare(cost, took=took, every=every)
    return {
        "on_demand": _digits(choice.on_demand),
        "provisioned": _digits(choice.provisioned),
        "cheaper": choice.cheaper,
        "capacity": [
            {"table": table, "index": index, **asdict(capacity)}
            for (table, index), capacity in choice.capacity.items()
        ],
    }


def _foot(price: Price) -> list[str]:
    return [
        f"On demand in {price.region}, at prices since {price.since}, before AWS's free tier;",
        "storage, streams, backups and data transfer come on top.",
    ]


def _digits(amount: Decimal) -> str:
    return f"{amount.normalize():f}"
