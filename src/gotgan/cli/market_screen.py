"""``gotgan market screen``: shares that stand out on a day."""

from __future__ import annotations

import shlex
from datetime import date
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.grid import grid
from gotgan.cli.market_options import day_argument
from gotgan.cli.opened_market import opened_market
from gotgan.cli.options import limit_option
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.market.models import Screen
    from gotgan.domains.market.rows import ScreenPage, ScreenRow
    from gotgan.domains.market.service import Market

__all__ = ["command"]

_KINDS: Final = ("oversold", "overbought", "macd_up", "macd_down")
_COLUMNS: Final = ("ticker", "name", "market", "close", "rsi_14", "macd", "macd_signal")


@click.command("screen")
@click.argument("kind", type=click.Choice(_KINDS))
@day_argument
@limit_option("How many.", 50, 10_000)
@click.option("--cursor", help="Where the page before ended; good for the same day only.")
@click.pass_obj
def command(
    output: Output, *, kind: Screen, day: date | None, limit: int, cursor: str | None
) -> None:
    """List shares that stand out on a day.

    Without a date, on the last that has indicators. oversold has an RSI below 30, overbought one
    above 70; macd_up and macd_down are those whose MACD crossed its signal since the session
    before. The most extreme RSI stands first, and of crosses the share that was traded most.
    """
    from gotgan.encoding import encode

    with opened_market(output) as market:
        wanted = day or market.last_indicated()
        page = market.screen(kind, wanted, limit=limit, cursor=cursor)
        text = _table(page, wanted) if page.items else _none(market, wanted)
    found = encode(page.items)
    output.say(text, kind=kind, date=str(wanted), items=found, cursor=page.cursor)


def _table(page: ScreenPage, day: date) -> str:
    table = grid([_row(row) for row in page.items], _COLUMNS)
    told = f"{table}\n\n{len(page.items)} shown, on {day}"
    if page.cursor is None:
        return told
    return f"{told}\nThere are more: --cursor {shlex.quote(page.cursor)}"


def _none(market: Market, day: date) -> str:
    """That none stands out; or that nobody can tell, and of which day one can."""
    if market.has_indicators(day):
        return f"None on {day}."
    last = market.last_indicated()
    if market.has_indicators(last):
        return f"There are no indicators of {day}; the last day that has some is {last}."
    return f"There are no indicators yet; gotgan market recover {last} collects and calculates."


def _row(row: ScreenRow) -> dict[str, str]:
    figures = {name: getattr(row, name) for name in _COLUMNS[4:]}
    told = {name: f"{value:,.2f}" for name, value in figures.items() if value is not None}
    named = {"ticker": row.ticker, "name": row.name, "market": row.market}
    return {**named, "close": f"{row.close:,}", **told}
