"""Options and arguments that the commands of the market share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final, TypeVar

import click

from gotgan.cli.options import Option

__all__ = [
    "DAY",
    "day_argument",
    "day_of",
    "month_of",
    "now_option",
    "span_argument",
    "span_options",
]

DAY: Final = "YYYY-MM-DD"
Command = TypeVar("Command", bound=Callable[..., Any])

now_option: Option = click.option(
    "--now", is_flag=True, help="From 16:00 in Seoul on, however often it was tried before."
)


def day_of(text: str) -> date:
    """A day such as 2025-10-20."""
    from gotgan.domains.market.days import read_day

    return read_day(text)


def month_of(text: str) -> tuple[int, int]:
    """A month such as 2025-10."""
    from gotgan.domains.market.days import read_month

    return read_month(text)


def _span_of(text: str) -> tuple[date, date]:
    """A span such as 2025-10-01..2025-10-31 or 2025-10."""
    from gotgan.domains.market.days import read_span

    return read_span(text)


def day_argument(command: Command) -> Command:
    """The day that a command is about; without it, today or the last that there is."""
    return click.argument("day", type=day_of, required=False, metavar="[DATE]")(command)


def span_argument(*, required: bool = True) -> Option:
    """The days that a command is about."""
    name = "FIRST..LAST" if required else "[FIRST..LAST]"
    return click.argument("span", type=_span_of, required=required, metavar=name)


def span_options(text: str) -> Option:
    """The options that name the first and the last day of what is shown."""

    def added(command: Command) -> Command:
        last = click.option("--to", "last", type=day_of, metavar=DAY, help="The last day.")
        first = click.option("--from", "first", type=day_of, metavar=DAY, help=text)
        return first(last(command))

    return added
