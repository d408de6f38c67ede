"""``gotgan market``: the days of the exchange, from the command line."""

from __future__ import annotations

from typing import Final

import click

from gotgan.cli.frame import Command, LazyGroup

__all__ = ["COMMANDS", "command"]

COMMANDS: Final = {
    "adopt": Command("gotgan.cli.market_adopt", "Take over tables that another program made."),
    "catch-up": Command(
        "gotgan.cli.market_catch_up", "Do all that is missing of the last ten sessions."
    ),
    "collect": Command("gotgan.cli.market_collect", "Collect the prices and indices of a day."),
    "gaps": Command("gotgan.cli.market_gaps", "List missing days, thin days, and holes of shares."),
    "import": Command("gotgan.cli.market_import", "Store price and index history from CSV files."),
    "index": Command("gotgan.cli.market_index", "Show an index, day by day."),
    "indicators": Command("gotgan.cli.market_indicators", "Calculate the indicators of a day."),
    "open-day": Command("gotgan.cli.market_open_day", "Write the pending row of a day."),
    "recover": Command("gotgan.cli.market_recover", "Collect what is missing of a span of days."),
    "screen": Command("gotgan.cli.market_screen", "List shares that stand out on a day."),
    "show": Command("gotgan.cli.market_show", "Show a share: prices, factors and indicators."),
    "status": Command("gotgan.cli.market_status", "Show how the days of a month stand."),
    "stocks": Command("gotgan.cli.market_stocks", "Find shares by ticker or name."),
}


@click.group("market", cls=LazyGroup, commands_at=COMMANDS, no_args_is_help=False)
def command() -> None:
    """The market: a day that is never missed."""
