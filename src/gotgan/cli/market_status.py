"""``gotgan market status``: how the days of a month stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from gotgan.cli.grid import grid, safe
from gotgan.cli.market_options import month_of
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gotgan.domains.market.models import SideLog
    from gotgan.domains.market.status import DayStatus
    from gotgan.domains.market.wording import Wording

__all__ = ["command"]

_COLUMNS = ("day", "prices", "indices", "retries", "indicators")


@click.command("status")
@click.option("--month", type=month_of, metavar="YYYY-MM", help="Which month; else this one.")
@click.pass_obj
def command(output: Output, *, month: tuple[int, int] | None) -> None:
    """Show how the days of a month stand.

    Each side of each day, its retries, and what will happen next and why. Weekends are left out.
    """
    from gotgan.domains.market.records import day_record

    with opened_market(output) as market:
        today, wording = market.today(), market.wording()
        year, number = month or (today.year, today.month)
        days = market.status(year, number)
    output.say(
        _table([day for day in days if not _is_idle(day)], wording),
        month=f"{year:04}-{number:02}",
        today=str(today),
        zone=wording.zone.key,
        days=[day_record(day, wording) for day in days],
    )


def _is_idle(status: DayStatus) -> bool:
    return status.log is None and status.closed == "a weekend"


def _table(days: Sequence[DayStatus], wording: Wording) -> str:
    """A grid, and the words behind it: they may be longer than a column."""
    head, *rows = grid([_row(day) for day in days], _COLUMNS).split("\n")
    width = max(map(len, (head, *rows)))
    words = [safe(wording.next(day)) for day in days]
    told = [f"{row:<{width}}  {said}" for row, said in zip(rows, words, strict=True)]
    return "\n".join([f"{head:<{width}}  next", *told])


def _row(status: DayStatus) -> dict[str, Any]:
    log, indicators = status.log, status.indicators
    day = f"{status.day:%Y-%m-%d %a}"
    if log is None:
        return {"day": day}
    return {
        "day": day,
        "prices": _side(log.prices),
        "indices": _side(log.indices),
        "retries": f"{log.prices.retry_count}/{log.indices.retry_count}",
        "indicators": ""
        if indicators is None
        else _told(indicators.status, indicators.indicators_count),
    }


def _side(side: SideLog) -> str:
    return _told(side.status, side.count)


def _told(status: str, count: int | None) -> str:
    return status if count is None or status != "success" else f"{status} {count:,}"
