"""``gotgan market show``: a share with its prices, factors and indicators."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.documents import write
from gotgan.cli.grid import grid, safe
from gotgan.cli.market_options import span_options
from gotgan.cli.opened_market import opened_market
from gotgan.cli.output import Output
from gotgan.errors import UsageError

if TYPE_CHECKING:
    from gotgan.domains.market.rows import DailyPrice, IndicatorRow, TickerSheet

__all__ = ["command"]

_PRICES: Final = ("open", "high", "low", "close", "change", "volume")
_INDICATORS: Final = ("rsi_14", "macd", "sma_5", "sma_20", "sma_60", "sma_120")
_LATEST: Final = 20
_DRAWN: Final = ".svg"


@click.command("show")
@click.argument("ticker")
@span_options("The first day; else a year back.")
@click.option(
    "--plot",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.svg",
    help="Draw it: candles, volume, averages, Bollinger bands, RSI and MACD.",
)
@click.pass_obj
def command(
    output: Output,
    *,
    ticker: str,
    first: date | None,
    last: date | None,
    target: Path | None,
) -> None:
    """Show a share: prices, factors and indicators.

    Prices as they were traded; a factor makes those before its day comparable with those after it.
    Without --from the latest days are shown; --json has the whole year and every indicator.
    """
    from gotgan.encoding import encode

    if target is not None and target.suffix.lower() != _DRAWN:
        raise UsageError(f"{target} would hold an SVG; name a file that ends in {_DRAWN}")
    with opened_market(output) as market:
        sheet = market.show(ticker, first, last)
    if target is not None:
        _draw(sheet, target)
    lines = [_head(sheet), *_rows(sheet, _LATEST if first is None else None), *_factors(sheet)]
    lines += [f"wrote {target}"] if target is not None else []
    drawn = {} if target is None else {"plot": str(target)}
    output.say("\n".join(map(safe, lines)), **encode(sheet), **drawn)


def _draw(sheet: TickerSheet, target: Path) -> None:
    from gotgan.domains.market.plotting import drawing

    write(target, drawing(sheet))


def _head(sheet: TickerSheet) -> str:
    known = f"known from {sheet.first_seen} to {sheet.last_seen}"
    return f"{sheet.ticker}  {sheet.name}  {sheet.market}, {known}"


def _rows(sheet: TickerSheet, most: int | None) -> list[str]:
    """The days as a table, the latest last."""
    indicators = {row.date: row for row in sheet.indicators}
    prices = sheet.prices if most is None else sheet.prices[-most:]
    if not prices:
        return ["There are no prices of these days."]
    rows = [_row(price, indicators.get(price.date)) for price in prices]
    left = len(sheet.prices) - len(prices)
    earlier = [f"{left:,} earlier days: --from {sheet.prices[0].date}"] if left else []
    return [*earlier, *grid(rows, ("date", *_PRICES, *_INDICATORS)).split("\n")]


def _row(price: DailyPrice, indicators: IndicatorRow | None) -> dict[str, str]:
    traded = {name: getattr(price, name) for name in _PRICES}
    made = {name: getattr(indicators, name, None) for name in _INDICATORS}
    return {
        "date": str(price.date),
        **{name: f"{value:,}" for name, value in traded.items() if value is not None},
        **({"open": "halted"} if price.is_halted else {}),
        **{name: f"{value:,.2f}" for name, value in made.items() if value is not None},
    }


def _factors(sheet: TickerSheet) -> list[str]:
    return [
        f"{row.date}: prices before it times {row.factor:g}, "
        f"because {row.previous_close:,} became {row.base:,}"
        for row in sheet.factors
    ]
